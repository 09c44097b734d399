"""The reference: every tool of every contract, in memory, correct, and able to break any one requirement on purpose.

It knows nothing of the harness. `application` is the seam: domains are behind it, bindings in front of it.
"""
