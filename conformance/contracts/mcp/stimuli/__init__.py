"""Situations in which any tool server can be seen."""
