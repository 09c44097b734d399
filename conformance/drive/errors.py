"""What can go wrong on our side of a run, as data: what, where, why, what to do."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class UsageError(Exception):
    """The run cannot begin as asked. Shown to the user without a traceback; exit code 2."""

    what: str
    where: str = ""
    why: str = ""
    todo: str = ""

    def shown(self, text: Callable[[str], str]) -> None:
        """Tells its parts as `text` gives them: without secrets, as strangers' words may be among them."""
        self.what, self.where, self.why, self.todo = map(text, (self.what, self.where, self.why, self.todo))

    def __str__(self) -> str:
        parts = [self.what + (f" ({self.where})" if self.where else ""), self.why, self.todo]
        return "\n  ".join(part for part in parts if part)


class SilenceError(Exception):
    """A call got no answer: `why` is time, size, lost or excess (the server said too much beside its answers)."""

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.detail = detail


class StuckError(Exception):
    """A stimulus cannot go on: an answer lacks what its next call needs. Not a verdict; laws see the answer.

    `call` is the number of the call that was answered so, None where no single call is to blame.
    """

    def __init__(self, why: str, call: int | None = None) -> None:
        super().__init__(why)
        self.call = call


class SkipError(Exception):
    """A stimulus needs what this target cannot bring about."""


class UnsupportedError(SkipError):
    """A stimulus needs what the target's statement says it does not support; the text is the statement's reason."""


class RefusedError(Exception):
    """The server was reached and did not let a connection begin; the transcript holds how."""


class TakenError(RefusedError):
    """It has a session, and begins no other."""


class StartError(UsageError):
    """The server did not start, or is not where it was looked for: there is nothing to judge. Exit code 2."""


class ProbeLostError(Exception):
    """The connection was lost at the question which era the server speaks; a new one has to begin with initialize."""
