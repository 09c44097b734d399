"""The one gate that every mutation passes, whoever asks (Architecture decisions, AD-05)."""
