"""Servers with contracts of their own, in this process."""
