"""What a scene is made of, and the registry of all."""

from collections.abc import Callable
from dataclasses import dataclass

from conformance.model.events import Json
from tests.laws.invocation.desk import Desk, echo

GIVEN = {"text": "x"}
PUT = {"key": "k", "value": "v"}
ITEM = {"list": "l", "item": "i"}
RUN = {"version": "2.0.0", "attempt": 1, "outcome": "ok"}


@dataclass(frozen=True)
class Scene:
    """What a teller may vary."""

    desk: Desk
    broken: bool
    control: bool
    """Whether the accepted like is there, without which nothing is shown."""

    def like(self, tool: str = "echo", given: Json = None, output: Json = None, **more: Json) -> None:
        """The control, where it is wanted."""
        if self.control:
            self.desk.ok(tool, GIVEN if given is None else given, echo() if output is None else output, **more)

    def refused(self, tool: str, given: Json, code: str, output: Json = None, **more: Json) -> int:
        """A call that has to be refused; a breaking server serves it."""
        if self.broken:
            return self.desk.ok(tool, given, output or {}, **more)
        return self.desk.no(tool, given, code, **more)

    def coded(self, tool: str, given: Json, code: str, **more: Json) -> int:
        """A call that has to be refused with a code; a breaking server has another."""
        return self.desk.no(tool, given, "IdempotencyConflict" if self.broken else code, **more)


SCENES: dict[str, Callable[[Scene], None]] = {}
UNCONTROLLED = {
    "IR-INV-05": "a repetition needs no control but its first",
    "IR-INV-08": "an accepted call has to be in the ledger",
    "IR-COR-01": "each Result shows it", "IR-COR-02": "as IR-INV-08", "IR-COR-03": "as IR-INV-08",
    "IR-COR-04": "as IR-INV-08", "IR-STR-01": "an accepted stream shows it", "IR-STR-02": "each frame shows it",
    "IR-PAGE-01": "accepted pages show it", "IR-PAGE-02": "an accepted operation shows it",
    "IR-RED-03": "an accepted output shows it", "IR-SRV-01": "each good call is a subject",
    "IR-HINT-02": "each RateLimited shows it", "IR-ERR-08": "each failure downstream shows it",
}  # fmt: skip
"""Those that need no accepted like, each with why."""


def scene(requirement: str) -> Callable[[Callable[[Scene], None]], Callable[[Scene], None]]:
    """Registers the scene of a requirement."""

    def register(teller: Callable[[Scene], None]) -> Callable[[Scene], None]:
        SCENES[requirement] = teller
        return teller

    return register
