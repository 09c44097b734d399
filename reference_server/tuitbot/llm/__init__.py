"""A language model behind the protocol that a provider would have."""
