"""What MCP decides of any tool server, one module a group of rules."""
