"""Situations in which the threads contract can be seen, one module a section of its document."""
