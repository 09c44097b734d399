"""Situations in which the tasks contract can be seen, one module a section of its document."""
