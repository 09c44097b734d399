"""What changed from one report to another: verdicts, findings, what was tested; and which of it is worse."""
