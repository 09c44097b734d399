"""The protocol's own words: revisions, error codes, keys of `_meta`. Without the SDK, whose import takes 0.8 s."""

from typing import Final

from reference_server.application import Json

HANDSHAKE_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`, oldest first."""
STATELESS_VERSIONS: Final = ("2026-07-28",)
"""Revisions in which every request names its version in `_meta`."""

INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
UNSUPPORTED_PROTOCOL_VERSION: Final = -32022

VERSION_KEY: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY: Final = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL_KEY: Final = "io.modelcontextprotocol/logLevel"
SERVER_INFO_KEY: Final = "io.modelcontextprotocol/serverInfo"

INSTANCE_KEY: Final = "dev.conformance/instance"
CONDITIONS_KEY: Final = "dev.conformance/conditions"
AUTHORIZATION_KEY: Final = "dev.conformance/authorization"
EFFECTS_KEY: Final = "dev.conformance/effects"


class ProtocolError(Exception):
    """A request that gets a JSON-RPC error instead of a result."""

    def __init__(self, code: int, message: str, data: Json = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
