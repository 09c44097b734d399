"""The one gate that every mutation passes, whoever asks (seed 002, AD-05)."""
