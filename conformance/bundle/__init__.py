"""A certificate as a folder: what a run recorded and concluded, sealed so that others can check it."""
