"""Breaks the tasks contract, one requirement a function."""
