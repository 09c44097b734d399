"""Finds for each tool of a stranger one call that it accepts."""
