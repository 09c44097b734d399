"""The ways in: MCP in process, over stdio and over HTTP, and plain HTTP under /v1. No binding knows a domain."""
