"""The threads contract: agents exchanging messages (seed 004)."""
