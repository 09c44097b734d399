"""Laws of the invocation contract, on histories written by hand."""
