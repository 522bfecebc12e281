"""The public entry points `simulate`, `sweep`, `compare` and `identify`, and how their work is carried out."""
