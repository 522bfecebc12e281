"""The doors: `simulate`, `sweep`, `compare`, `identify`, and how their work is carried out."""
