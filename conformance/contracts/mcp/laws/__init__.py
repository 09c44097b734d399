"""What MCP itself asks of any tool server, one module a subject."""
