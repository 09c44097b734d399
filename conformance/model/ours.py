"""Folders that the suite makes for a run: by their name they are known wherever they turn up."""

PREFIX = "conformance-"
"""How the name of such a folder begins, in the machine's folder for temporary files."""
