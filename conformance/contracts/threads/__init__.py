"""The threads contract: agents exchanging messages."""
