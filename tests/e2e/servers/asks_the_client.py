"""Within each call it asks the client: ping, then for its roots. It waits for both answers, and echoes them."""

import json
import sys

from base import Json, Older, Server


class Asking(Older):
    """Older, with requests of its own."""

    count = 0

    def ask(self, method: str) -> Json:
        """Sends a request and waits for its answer; calls that come meanwhile wait."""
        self.count += 1
        number = f"s{self.count}"
        self.write({"jsonrpc": "2.0", "id": number, "method": method})
        while True:
            message = self.read()
            if message is None:
                sys.exit(0)
            if message.get("id") == number and "method" not in message:
                return message
            waiting.append(message)

    def call(self, params: Json) -> Json:
        """Asks before it answers."""
        said = [self.ask("ping").get("result"), self.ask("roots/list").get("error", {}).get("code")]
        if said != [{}, -32601]:
            return {"content": [{"type": "text", "text": json.dumps(said)}], "isError": True}
        return super().call(params)

    def stdio(self) -> None:
        """As it is, but first what came meanwhile."""
        while (message := waiting.pop(0) if waiting else self.read()) is not None:
            answer = self.answer(message)
            if answer is not None:
                self.write(answer)


class AskingNew(Server):
    """Newer, where a server has no requests; it does not wait."""

    def call(self, params: Json) -> Json:
        """Asks and answers."""
        self.write({"jsonrpc": "2.0", "id": "s1", "method": "ping"})
        return super().call(params)


waiting: list[Json] = []
(AskingNew() if "newer" in sys.argv else Asking()).stdio()
