"""The invocation contract (seed 003): calling any tool under policies and receiving its outcome."""
