"""What the threads contract decides, one module a section of its document."""
