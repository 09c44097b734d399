"""The invocation contract: calling any tool under policies and receiving its outcome."""
