"""The endpoint tools: generated from definitions of endpoints of the X API (Architecture decisions, AD-13)."""
