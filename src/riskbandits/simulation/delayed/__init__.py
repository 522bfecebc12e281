"""Delayed rewards: the plain method, with rewards outstanding as they are in a `Learner`."""
