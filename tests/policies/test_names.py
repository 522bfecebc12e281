from __future__ import annotations

import pytest

import riskbandits as rb
from riskbandits.errors import UnknownNameError
from riskbandits.policies import names


@pytest.mark.parametrize(
    ("policy", "label"),
    [
        (rb.MVTS(), "MVTS"),
        (rb.MVTS(shape=2), "MVTS"),
        (rb.MVLCB(), "MVLCB"),
        (rb.MVLCB.authors(), "MVLCB"),
        (rb.MVLCB.vakili(a=2), "MVLCB"),
        (rb.MVLCB.sani(), "MVLCB:sani"),
        (rb.MVLCB.vakili(), "MVLCB:vakili"),
        (rb.MVLCB(offset=5, factor=1, use_horizon=True), "MVLCB:sani"),
        (rb.BernoulliLCB.tight(), "BernoulliLCB:tight"),
        (rb.MTS.printed(), "MTS:printed"),
    ],
)
def test_labels(policy, label):
    assert names.label(policy) == label


def test_repeats_are_numbered():
    policies = [rb.MVTS(), rb.MVTS(), rb.MVLCB.sani(), rb.MVTS(rate=1), rb.MVLCB.sani()]
    assert names.labels(policies) == ["MVTS", "MVTS#2", "MVLCB:sani", "MVTS#3", "MVLCB:sani#2"]


@pytest.mark.parametrize("text", ["mv-lcb:sani", "MVLCB:Sani", "mv_lcb:SANI", " mvlcb:sani "])
def test_what_people_type(text):
    assert names.parse(text) == rb.MVLCB.sani()


@pytest.mark.parametrize("text", ["mvlcbb", "mv-lcb:sanii", "", "nothing at all"])
def test_wrong_names(text):
    with pytest.raises(UnknownNameError):
        names.parse(text)
