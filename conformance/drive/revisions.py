"""The revisions of MCP, in two eras: agreed on by a handshake, or named in every request."""

HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Newest first."""
STATELESS = ("2026-07-28",)
NEWEST = STATELESS[0]
NAMED = ("tools/call", "resources/read", "prompts/get")
"""Requests that name in a header what they are about."""

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

AUTHORIZATION_KEY = "dev.conformance/authorization"
INSTANCE_KEY = "dev.conformance/instance"
CONDITIONS_KEY = "dev.conformance/conditions"
EFFECTS_KEY = "dev.conformance/effects"
INSTANCE_HEADER = "x-conformance-instance"
CONDITIONS_HEADER = "x-conformance-conditions"
EFFECTS_HEADER = "x-conformance-effects"
