"""What every peer plays: Bernoulli arms, so many steps, the mean of rewards to be made large."""

CHANCES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
STEPS = 1_000
POLICIES = ("thompson", "ucb1")
