"""Selectors, which pick the arm of each step: `plain`, and those that leave out arms which cannot win."""
