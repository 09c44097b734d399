"""Ways in which the reference can break one requirement on purpose, switched on by that requirement's id."""
