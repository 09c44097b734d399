"""What the bot remembers: approvals, replies, drafts, counters, what it discovered, how its tools were called."""
