"""Layer 3: loops that act by themselves, through small protocols, never through the X client (AD-06, AD-09)."""
