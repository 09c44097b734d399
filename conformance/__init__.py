"""Decides from outside whether an MCP tool server keeps the contract it claims, and proves each verdict."""

__version__ = "0.1.0"
