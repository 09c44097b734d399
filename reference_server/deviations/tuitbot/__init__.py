"""Ways in which the tuitbot breaks one requirement, in both editions or in one of them."""
