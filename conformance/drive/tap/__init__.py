"""Stands between a client and a server of others, passes on what they say as it is, and writes it down."""
