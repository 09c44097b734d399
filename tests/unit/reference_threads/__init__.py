"""The threads domain of the reference, and its deviations."""
