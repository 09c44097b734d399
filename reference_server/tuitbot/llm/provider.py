"""What the workflow layer knows of a language model."""

from dataclasses import dataclass
from typing import Protocol


class ProviderFailureError(Exception):
    """The provider did not answer."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A task (reply, tweet, thread, plan), what it is about, and how the text is to sound."""

    task: str
    subject: str
    tone: str = "helpful"
    mention: str | None = None
    """A product to be named."""


class LlmProvider(Protocol):
    """Writes text. Raises `ProviderFailureError`."""

    def complete(self, prompt: Prompt) -> str:
        """One text; the parts of a thread are separated by blank lines."""
