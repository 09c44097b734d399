"""A server of one prompt, of which one argument may be left out; `badly`: with that it gives a message that is none."""

import sys
from collections.abc import Callable

from base import CACHED, Json, RefusedError, Server

HOW = sys.argv[1]


class Prompts(Server):
    """Beside its tool."""

    def discover(self, params: Json) -> Json:
        """With prompts."""
        found = super().discover(params)
        return {**found, "capabilities": {**found["capabilities"], "prompts": {}}}

    def methods(self) -> dict[str, Callable[[Json], Json]]:
        """Its prompts, too."""
        return {**super().methods(), "prompts/list": self.prompts, "prompts/get": self.prompt}

    def prompts(self, _: Json) -> Json:
        """prompts/list."""
        arguments = [{"name": "topic", "required": True}, {"name": "tone"}]
        return {"prompts": [{"name": "sum_up", "arguments": arguments}], **CACHED}

    def prompt(self, params: Json) -> Json:
        """prompts/get."""
        given = params.get("arguments") or {}
        if params.get("name") != "sum_up" or "topic" not in given:
            raise RefusedError(-32602, "no such prompt, or no topic")
        text = f"Sum up {given['topic']}"
        toned: Json | str = text if HOW == "badly" and "tone" in given else {"type": "text", "text": text}
        return {"messages": [{"role": "user", "content": toned}]}


Prompts().stdio()
