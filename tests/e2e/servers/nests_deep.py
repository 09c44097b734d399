"""Answers calls with argv[1] arrays in one another."""

import json
import sys

from base import Json, Server


class Deep(Server):
    """Cannot be read."""

    def answer(self, message: Json) -> Json | None:
        """Writes its own line."""
        if message.get("method") != "tools/call":
            return super().answer(message)
        levels = int(sys.argv[1])
        nested = "[" * levels + "]" * levels
        number = json.dumps(message["id"])
        start = f'{{"jsonrpc": "2.0", "id": {number}, "result": {{"resultType": "complete", "content": [], '
        sys.stdout.write(start + f'"structuredContent": {{"a": {nested}}}}}}}\n')
        sys.stdout.flush()
        return None


Deep().stdio()
