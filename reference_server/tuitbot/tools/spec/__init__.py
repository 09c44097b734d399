"""The endpoint tools: generated from definitions of endpoints of the X API (seed 002, AD-13)."""
