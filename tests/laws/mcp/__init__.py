"""The laws of the mcp contract."""
