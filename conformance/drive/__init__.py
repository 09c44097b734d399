"""Drives a target and records what happens; it judges nothing."""
