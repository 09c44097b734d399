"""Many targets, or many transcripts: each in a process of its own, with what came of it in one row."""
