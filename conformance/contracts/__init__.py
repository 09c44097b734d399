"""One folder a contract: its laws and its stimuli, one module a section."""
