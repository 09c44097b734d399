"""Static pages: what each contract asks, and who keeps it."""
