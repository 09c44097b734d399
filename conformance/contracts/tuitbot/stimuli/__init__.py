"""Situations in which the tuitbot contract can be seen, one module a section of its document."""
