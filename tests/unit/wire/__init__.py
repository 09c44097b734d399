"""Parts of the wire, each by itself."""
