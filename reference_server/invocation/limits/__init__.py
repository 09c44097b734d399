"""What bounds the invocations of a tool, for each tenant on its own: rates, circuits, budgets, places."""
