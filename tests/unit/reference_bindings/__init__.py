"""Tests of the bindings: what goes over the wire."""
