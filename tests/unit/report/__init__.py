"""The report and its writers."""
