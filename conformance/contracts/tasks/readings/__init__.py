"""What a read has to show of the documents and lists of its workspace, by what was written to them."""
