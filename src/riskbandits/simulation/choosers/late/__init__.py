"""Rewards that are told late: the plain method, in which answers are outstanding as they are in a `Learner`."""
