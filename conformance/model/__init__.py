"""Frozen data that everything else is about: events, exchanges, history, requirements, judgements, verdicts."""
