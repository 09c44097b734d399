"""Layer 2: functions over one context. Policy, limits, approvals and everything else that remembers."""
