"""The report: one model, and a small writer for each format."""
