"""How a contract's envelope says that a call failed, with which code, and where its payload is."""

from msgspec import Struct

from conformance.model.events import Json


class EnvelopeRule(Struct, frozen=True, forbid_unknown_fields=True):
    """Read from a contract's contract.toml. Without a `failure_key` the tool result's isError alone decides."""

    failure_key: str | None = None
    """The top-level key that tells failure."""
    failure_value: str = "present"
    """present: the key is there and not null; false: its value is false; not_ok: a string other than Ok."""
    payload_key: str | None = None
    """Where a success keeps its payload; None: the envelope is the payload."""
    error_key: str = "error"
    code_key: str = "code"
    tools: tuple[str, ...] = ()
    """The tools whose answers have it; empty: all. What another tool answers is its payload as it is."""

    def of(self, tool: str | None) -> "EnvelopeRule":
        """The rule for a tool's answers."""
        return PLAIN if self.tools and tool not in self.tools else self

    def failed(self, envelope: dict[str, Json]) -> bool:
        """Whether the envelope says that the call failed."""
        match self.failure_value:
            case "false":
                return envelope.get(self.failure_key or "") is not True
            case "not_ok":
                return envelope.get(self.failure_key or "") != "Ok"
            case _:
                return envelope.get(self.failure_key or "") is not None

    def code(self, envelope: dict[str, Json]) -> str | None:
        """The error code, None where the envelope has none that is a string."""
        error = envelope.get(self.error_key)
        code = error.get(self.code_key) if isinstance(error, dict) else None
        return code if isinstance(code, str) else None

    def payload(self, envelope: dict[str, Json]) -> Json:
        """What a success gives: the whole envelope, or what its payload key holds."""
        return envelope if self.payload_key is None else envelope.get(self.payload_key)


PLAIN = EnvelopeRule()
"""A server that no contract knows: no envelope beyond MCP's own isError."""
