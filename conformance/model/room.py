"""Room for frames that answer nothing: a server may have sent them without end."""

MOST_FRAMES = 100_000
MOST_BYTES = 32_000_000


class Room:
    """How many such frames, and octets of them, are kept."""

    def __init__(self) -> None:
        self.refused = 0
        """Frames for which there was none."""
        self._frames = self._octets = 0

    def takes(self, octets: int, *, over: bool) -> bool:
        """Whether a frame is kept; `over`: nothing is from here on."""
        if over or self._frames >= MOST_FRAMES or self._octets + octets > MOST_BYTES:
            self.refused += 1
            return False
        self._frames += 1
        self._octets += octets
        return True
