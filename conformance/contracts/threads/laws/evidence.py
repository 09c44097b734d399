"""What an answer's runtime_command shows of a wake: which session it resumes, or what it tells a new one."""

from dataclasses import dataclass

from conformance.judge.kinds import text
from conformance.judge.shell import words
from conformance.model.exchange import Exchange

LIVE, RESUME, SPAWN = "trigger_runtime", "resume_session", "spawn_session"
"""The ways to wake a participant, as the document spells them."""
CUT = ("...", "…")
"""How a command ends where it shows the beginning of a prompt alone."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command line beside what the trigger asked for."""

    call: Exchange
    prompt: str
    session: str | None

    @property
    def words(self) -> list[str]:
        """The words that a shell makes of it; none where there is no command, or no shell can read it."""
        command = text(self.call.given.get("runtime_command"))
        return (words(command) or []) if command is not None else []

    @property
    def resumes(self) -> bool:
        """Whether it names the target's session."""
        return self.session is not None and self.session in self.words

    @property
    def told(self) -> str | None:
        """What it tells the session: the word with the trigger's prompt; None where that is not to be seen whole."""
        return next((word for word in self.words if self.prompt in word and not word.rstrip().endswith(CUT)), None)

    @property
    def way(self) -> str | None:
        """What it does, as far as it shows."""
        if self.resumes:
            return RESUME
        return SPAWN if self.told is not None else None
