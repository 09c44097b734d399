"""Sweeps: what a contract's own data says can be tried of every tool and every parameter."""
