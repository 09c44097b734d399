"""Contracts as data, read from schemas/ into typed form."""
