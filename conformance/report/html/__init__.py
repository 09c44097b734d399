"""The report as one HTML file that needs neither scripts nor network."""
