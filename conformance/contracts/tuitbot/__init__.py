"""The tuitbot contract: tools over X, in two editions, each with profiles of its own."""
