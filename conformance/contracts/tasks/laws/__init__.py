"""What the tasks contract decides, one module a section of its document."""
