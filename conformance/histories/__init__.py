"""Conversations that are made again: taken from a history, drawn at random, shrunk to the fewest calls."""
