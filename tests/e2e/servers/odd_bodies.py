"""Bodies that are odd: argv[1] is `gzip`, `endless` where a notification is answered, `array`, or `marked`."""

import codecs
import gzip
import json
import sys

from base import Json
from httpbase import OlderHandler, serve


class Odd(OlderHandler):
    """Older, since there a client sends notifications."""

    def answered(self, message: Json, answer: Json) -> None:
        """Packed, where nobody asked for it; several messages in the place of one; after a byte order mark."""
        body = json.dumps(answer).encode()
        if sys.argv[1] == "gzip" and message["method"] == "tools/call":
            self.reply(gzip.compress(body), Content_Encoding="gzip")
        elif sys.argv[1] == "array":
            self.reply(b"[%b]" % body)
        elif sys.argv[1] == "marked":
            self.reply(codecs.BOM_UTF8 + body)
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
