"""What comes back from the doors: tables, plots, files."""
