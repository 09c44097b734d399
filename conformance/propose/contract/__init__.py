"""Drafts a contract's folder from a live server: what it seems to promise, tried out before it is written down."""
