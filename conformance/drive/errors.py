"""What can go wrong on our side of a run, as data: what, where, why, what to do."""

from dataclasses import dataclass


@dataclass
class UsageError(Exception):
    """The run cannot begin as asked. Shown to the user without a traceback; exit code 2."""

    what: str
    where: str = ""
    why: str = ""
    todo: str = ""

    def __str__(self) -> str:
        parts = [self.what + (f" ({self.where})" if self.where else ""), self.why, self.todo]
        return "\n  ".join(part for part in parts if part)


class SilenceError(Exception):
    """A call got no answer: `why` is time, size or lost."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.detail = detail


class StuckError(Exception):
    """A stimulus cannot go on: an answer lacks what its next call needs. Not a verdict; laws see the answer."""


class SkipError(Exception):
    """A stimulus needs what this target cannot bring about."""


class RefusedError(Exception):
    """The server was reached and did not let a connection begin; the transcript holds how."""
