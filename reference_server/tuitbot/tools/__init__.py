"""The tools as a caller sees them: definitions, from which manifest and listing follow, and the way through a call."""
