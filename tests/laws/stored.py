"""Stories of a store whose server is killed and started again: all calls are made at what serves it by then."""

from typing import Any

from tests.laws.histories import Story

KEPT = {"store": {"kept": True}}


class Stored(Story):
    """Mixed into a story: its calls are of one store."""

    life = 0

    @property
    def where(self) -> str:
        """The store, by the name that it has since its server was started."""
        return f"i{self.life}"

    def request(self, *told: Any, **more: Any) -> int:
        """At the server of now, over a connection of its own."""
        return super().request(*told, **{**more, "instance": self.where, "on": f"k{self.life}"})

    def end(self) -> None:
        """The server is killed; another is started on its store."""
        before = self.where
        self.life += 1
        self.killed(before, self.where)
