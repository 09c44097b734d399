"""The reference of the invocation contract: its runtime, policy by policy, on a stopwatch of its own."""
