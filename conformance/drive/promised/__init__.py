"""Stimuli that are made from a contract's promises, and from how its entities are made, read, changed and removed."""
