"""The tuitbot contract, edition session-05: tools over X, in the profiles workflow and api."""
