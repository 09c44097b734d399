"""How a contract's envelope says that a call failed, with which code, and where its payload is."""

import re
from typing import Literal

from msgspec import Struct

from conformance.model.events import Json
from conformance.model.pointer import ABSENT, at
from conformance.model.prose import Prose

LOOKED_THROUGH = 1_000
"""Characters of a text in which a code is looked for."""


class EnvelopeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Read from a contract's contract.toml. Without a `failure_key` the tool result's isError alone decides.

    A key is one of the envelope's own, or a JSON Pointer from the envelope.
    """

    failure_key: str | None = None
    """The key that tells failure."""
    failure_value: Literal["present", "false", "isError"] = "present"
    """present: the key is there and not null; false: its value is not true; isError: there is an envelope, and the tool
    result's isError tells failure."""
    success_values: tuple[str | int, ...] = ()
    """Where there are any, these values of the key tell success, and any other tells failure: `["ok"]`."""
    payload_key: str | None = None
    """Where a success keeps its payload; None: the envelope is the payload."""
    error_key: str = "error"
    code_key: str = "code"
    code_pattern: str = ""
    """A regular expression whose first group is the code in the text of a failure that has no envelope, and that the
    result's isError tells: `^([A-Z_]+): `."""
    failure_pattern: str = ""
    """A regular expression that finds a failure in the text of an answer without envelope whose isError tells of none:
    `not found$`."""
    put_off: dict[str, tuple[str, ...]] = {}
    """Keys of the error with the values by which a failure says that the call waits for somebody: it did something."""
    tools: tuple[str, ...] = ()
    """The tools whose answers have it; empty: all. What another tool answers is its payload as it is."""
    text: tuple[Prose, ...] = ()
    """How successes that are told in texts are read."""
    mirrored: bool = False
    """Whether a requirement of the contract says what isError has to say of it; taken from the requirements."""

    def of(self, tool: str | None) -> "EnvelopeRule":
        """The rule for a tool's answers."""
        return PLAIN if self.tools and tool not in self.tools else self

    def prose(self, tool: str | None) -> tuple[Prose, ...]:
        """How the texts of a tool are read; none: they are left as they are."""
        return tuple(each for each in self.text if tool in each.tools)

    @property
    def by_envelope(self) -> bool:
        """Whether the envelope itself tells failure."""
        return self.failure_key is not None

    @property
    def has_envelope(self) -> bool:
        """Whether answers have an envelope at all."""
        return self.by_envelope or self.failure_value == "isError"

    def told(self, envelope: dict[str, Json]) -> Json:
        """What stands under the key that tells failure."""
        return _held(envelope, self.failure_key or "")

    def tells(self, envelope: dict[str, Json]) -> bool:
        """Whether what stands there is of a kind that tells success or failure: another promise says that it has to."""
        told = self.told(envelope)
        if self.success_values:
            return any(type(told) is type(value) for value in self.success_values)
        return isinstance(told, bool) or self.failure_value != "false"

    def failed(self, envelope: dict[str, Json]) -> bool:
        """Whether the envelope says that the call failed."""
        told = self.told(envelope)
        if self.success_values:
            return isinstance(told, bool) or told not in self.success_values
        return told is not True if self.failure_value == "false" else told is not None

    def code(self, envelope: dict[str, Json]) -> str | None:
        """The error code, None where the envelope has none that is a string."""
        error = envelope if self.code_key.startswith("/") else _held(envelope, self.error_key)
        code = _held(error, self.code_key) if isinstance(error, dict) else None
        return code if isinstance(code, str) else None

    def worded(self, text: str) -> re.Match[str] | None:
        """Where the text of a failure has its code, as the first group; None where it has none."""
        found = re.search(self.code_pattern, text[:LOOKED_THROUGH]) if self.code_pattern else None
        return found if found is not None and found[1] else None

    def fails_in_words(self, text: str) -> bool:
        """Whether the text of an answer without an envelope tells of a failure."""
        return bool(self.failure_pattern) and re.search(self.failure_pattern, text[:LOOKED_THROUGH]) is not None

    def waits(self, envelope: dict[str, Json]) -> bool:
        """Whether a failure says that what was asked for is put off, not refused."""
        error = _held(envelope, self.error_key)
        held = error if isinstance(error, dict) else {}
        return any(held.get(key) in values for key, values in self.put_off.items())

    def payload(self, envelope: dict[str, Json]) -> Json:
        """What a success gives: the whole envelope, or what its payload key holds."""
        return envelope if self.payload_key is None else _held(envelope, self.payload_key)


def _held(holder: dict[str, Json], key: str) -> Json:
    if not key.startswith("/"):
        return holder.get(key)
    found = at(holder, key)
    return None if found is ABSENT else found


PLAIN = EnvelopeRule()
"""A server that no contract knows: no envelope beyond MCP's own isError."""
