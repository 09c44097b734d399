"""An X of our own, in memory, behind the protocol that a client of the real one would have."""
