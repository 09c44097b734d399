"""Laws of the tasks contract, over small histories and on the reference."""
