"""Ways in which the tuitbot breaks one requirement of session-05."""
