"""Certificates: bundles that are sealed, verified and refused."""
