"""Deviations of the threads contract, a module a section."""
