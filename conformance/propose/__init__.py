"""Looks at a server that is not known yet, and writes the conformance.toml that its author begins with."""
