"""What the tuitbot contract decides, one module a section of its document."""
