"""The tasks domain of the reference, and its deviations."""
