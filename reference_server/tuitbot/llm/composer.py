"""A stand-in for a model: the same prompt always gives the same text, another prompt another one."""

import re
from hashlib import sha256
from typing import Final

from reference_server.tuitbot.llm.provider import Prompt, ProviderFailureError

OPENINGS: Final = (
    "What worked for us with {topic}:",
    "One lesson from {topic}:",
    "An underrated part of {topic}:",
    "Hard-won view on {topic}:",
    "Why does {topic} stay hard?",
)
MIDDLES: Final = (
    "start with the smallest case that hurts, and measure before you change it",
    "write down what you expect first, then look",
    "make the failure cheap to see, the rest follows",
    "ask who waits for it, and shorten that",
    "keep the slow part visible, or it will grow",
)
ENDINGS: Final = ("Curious how others do it.", "It aged well.", "Took us a year to see.", "Try it once.", "More soon.")
THREAD_PARTS: Final = 5
LONGEST_TOPIC: Final = 60


class Composer:
    """Implements `LlmProvider`."""

    def complete(self, prompt: Prompt) -> str:
        """Picks the words by a digest of the prompt."""
        parts = range(THREAD_PARTS) if prompt.task in ("thread", "plan") else range(1)
        return "\n\n".join(self._part(prompt, part) for part in parts)

    def _part(self, prompt: Prompt, part: int) -> str:
        digest = sha256(f"{prompt.task}|{prompt.subject}|{prompt.tone}|{part}".encode("utf-8", "replace")).digest()
        topic = " ".join(re.findall(r"\w+", prompt.subject))[:LONGEST_TOPIC].strip() or "this"
        opening, middle, ending = (
            choices[byte % len(choices)] for choices, byte in zip((OPENINGS, MIDDLES, ENDINGS), digest, strict=False)
        )
        product = f" ({prompt.mention} does that.)" if prompt.mention and part == 0 else ""
        return f"{opening.format(topic=topic)} {middle}. {ending}{product}"


class SilentProvider:
    """A provider that is down. Implements `LlmProvider`."""

    def complete(self, prompt: Prompt) -> str:
        """Always raises `ProviderFailureError`."""
        raise ProviderFailureError(f"the provider did not answer the {prompt.task} prompt")
