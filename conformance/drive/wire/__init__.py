"""Transports: how frames travel. A wire says what it heard; it neither repairs nor hides anything."""
