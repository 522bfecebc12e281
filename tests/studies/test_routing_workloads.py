"""The routing workloads: their arms, and that a flip is found."""

from __future__ import annotations

from studies import batches, routing_workloads


def test_the_workloads_are_as_described():
    found = routing_workloads.workloads()
    assert [steps for _, steps in found.values()] == [10_000, 20_000, 10_000, 10_000]
    assert found["stationary, 5 close arms"][0].size() == 5


def test_restarting_finds_the_flip():
    arms, steps = routing_workloads.workloads()["flip at 5000"]
    regrets = routing_workloads.simulated(arms, steps, 4)
    assert regrets["Restarting(BernoulliTS)"][0] < 0.5 * regrets["BernoulliTS"][0]


def test_large_batches_cost_more():
    small, large = (sum(batches.regret(size, seed, 1000) for seed in range(3)) for size in (10, 500))
    assert small < large
