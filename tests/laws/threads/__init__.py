"""Laws of the threads contract."""
