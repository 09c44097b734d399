"""Bodies that are odd: argv[1] is `gzip`, or `endless` where a notification is answered."""

import gzip
import json
import sys

from base import Json
from httpbase import OlderHandler, serve


class Odd(OlderHandler):
    """Older, since there a client sends notifications."""

    def answered(self, message: Json, answer: Json) -> None:
        """Packed, where nobody asked for it."""
        if sys.argv[1] == "gzip" and message["method"] == "tools/call":
            self.reply(gzip.compress(json.dumps(answer).encode()), Content_Encoding="gzip")
        else:
            super().answered(message, answer)

    def message(self, message: Json) -> None:
        """Answers what wants no answer."""
        if sys.argv[1] == "endless" and "id" not in message:
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65_536)
        super().message(message)


serve(Odd)
