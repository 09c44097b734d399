"""Breaks requirements of the invocation contract, each in one part of the runtime."""
