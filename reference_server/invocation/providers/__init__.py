"""Who executes tools: functions of this process, or an MCP server behind the runtime."""
