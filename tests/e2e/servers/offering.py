"""A server with a prompt and a resource beside its tool. The files beside it change one thing each."""

from collections.abc import Callable

from base import CACHED, Json, RefusedError, Server


class Offering(Server):
    """Serves what it lists, and nothing else."""

    def discover(self, params: Json) -> Json:
        """With prompts and resources."""
        found = super().discover(params)
        return {**found, "capabilities": {"tools": {}, "prompts": {}, "resources": {}}}

    def methods(self) -> dict[str, Callable[[Json], Json]]:
        """All that there is."""
        return {
            **super().methods(),
            "prompts/list": lambda _: {"prompts": [{"name": "greet"}], **CACHED},
            "prompts/get": self.prompt,
            "resources/list": lambda _: {"resources": [{"uri": "card://help", "name": "help"}], **CACHED},
            "resources/templates/list": lambda _: {"resourceTemplates": [], **CACHED},
            "resources/read": self.resource,
        }

    def prompt(self, params: Json) -> Json:
        """prompts/get."""
        if params.get("name") != "greet":
            raise RefusedError(-32602, "no such prompt")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Greet"}}]}

    def resource(self, params: Json) -> Json:
        """resources/read."""
        if params.get("uri") != "card://help":
            raise RefusedError(-32602, "no such resource")
        return {"contents": [{"uri": "card://help", "text": "Help"}], **CACHED}
