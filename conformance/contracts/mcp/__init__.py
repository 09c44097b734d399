"""The mcp contract: what any tool server claims."""
