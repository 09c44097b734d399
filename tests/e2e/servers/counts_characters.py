"""Counts the characters of its answers for Content-Length, where HTTP counts bytes."""

import json

from base import Json
from httpbase import Handler, serve


class Counting(Handler):
    """As some servers that are written in a shell."""

    def answered(self, message: Json, answer: Json) -> None:
        """Fewer bytes than the answer has, where it holds more than ASCII."""
        del message
        text = json.dumps(answer, ensure_ascii=False)
        self.reply(text.encode()[: len(text)], status=200)


serve(Counting)
