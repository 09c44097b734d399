"""Runs laws over a history. No call, no clock, no SDK: a verdict can be derived again from the transcript alone."""
