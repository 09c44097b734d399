"""Laws of the invocation contract, one module a section of the document."""
