"""The suite on trial at any server: between the two stands who breaks one promise at a time, on the wire."""
