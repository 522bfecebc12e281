"""What everything stands on: records, compiled code, seeds, files, errors."""
