"""Laws of the tuitbot contract, on histories told by hand and on the reference."""
