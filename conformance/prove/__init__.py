"""The suite on trial: servers that break one promise, that refuse one tool, or that were changed by one line."""
