"""A page plays what the library plays: every choice of every policy, on the same random numbers."""

from __future__ import annotations

import pytest

from riskbandits.playground import trying
from riskbandits.playground.offered import offers

HORIZON, RUNS = 600, 6
RHOS = (1.0, 0.02)


def compared(built, natively, in_a_page, labels):
    module, manifest = built
    policies = {policy["label"]: policy for policy in manifest["policies"]}
    assert sorted(policies) == sorted(labels)  # nothing was left out
    records = {policies[offer.label]["number"]: offer.policy for offer in offers() if offer.label in labels}
    orders = [
        trying.order(policy["number"], family, rho, HORIZON, RUNS, 7)
        for policy in policies.values()
        for family in policy["families"]
        for rho in RHOS
    ]
    return orders, in_a_page(module, manifest, orders), natively(records, orders)


def check(orders, there, here):
    for order, page, native in zip(orders, there, here, strict=True):
        assert page["ended"]
        assert page["choices"] == native, order["policy"]
        looked = page["looked"]
        assert looked["choice"] == native[0][looked["step"] - 1]  # a look chooses as the loop does, and moves nothing
        assert len({arm for run in native for arm in run}) > 5  # and they are choices


def test_mvts_chooses_in_a_page_as_it_does_here(built_for, natively, in_a_page):
    check(*compared(built_for("MVTS"), natively, in_a_page, ["MVTS"]))


@pytest.mark.full
def test_every_policy_offered_chooses_as_it_does_here(built_for, natively, in_a_page):
    labels = [offer.label for offer in offers()]
    check(*compared(built_for(*labels), natively, in_a_page, labels))
