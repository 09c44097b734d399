"""Layer 1: stateless functions over an X client, scoring and safety checks. No policy, no limits, no approval."""
