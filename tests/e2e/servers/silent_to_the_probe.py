"""Never answers server/discover, as an older server may."""

from base import Json, Older


class Silent(Older):
    """Older, and silent to what it does not know before the handshake."""

    def answer(self, message: Json) -> Json | None:
        """Nothing to the question."""
        return None if message.get("method") == "server/discover" else super().answer(message)


Silent().stdio()
