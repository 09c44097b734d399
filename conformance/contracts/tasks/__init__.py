"""The tasks contract: plans, tasks, notes and graphs under optimistic concurrency and budgets (Common types)."""
