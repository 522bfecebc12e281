"""Who is scored at a step: every arm, only those that can win, or only those that can matter."""
