from __future__ import annotations

import inspect
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from riskbandits.cli.parsing import read_policy
from riskbandits.playground import catalogue, linking, node_check, page
from riskbandits.policies import mvts

NATIVE = Path(__file__).with_name("native.py")
VALUE = "return risk.value(mean, drawn_variance(state, k, self.shape, self.rate, rng))"


@pytest.fixture(scope="session")
def maths(tmp_path_factory):
    """The mathematics of pages for this machine."""
    pytest.importorskip("ziglang")
    return linking.native_maths(tmp_path_factory.mktemp("maths") / "maths.so")


@pytest.fixture(scope="session")
def natively(maths):
    """The choices of the plain method on this machine."""

    def play(policies, orders):
        given = [
            (policies[one["policy"]], one["problem"], one["horizon"], [int(word) for word in one["words"]])
            for one in orders
        ]
        command = [sys.executable, str(NATIVE), str(maths)]
        done = subprocess.run(command, input=pickle.dumps(given), capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return play


@pytest.fixture(scope="session")
def own_files(tmp_path_factory):
    """MVTS in a file of one's own, as it is and with a mistake in its score."""
    folder = tmp_path_factory.mktemp("own")
    source = inspect.getsource(mvts).replace("class MVTS(", "class Mine(")
    assert VALUE in source
    (folder / "mine.py").write_text(source)
    (folder / "mutant.py").write_text(source.replace(VALUE, VALUE.replace("mean,", "-mean,")).replace("Mine", "Mutant"))
    return folder


@pytest.fixture(scope="session")
def small(own_files):
    """A module with MVTS, the same in a file of one's own, and a mutant of it."""
    pytest.importorskip("ziglang")
    own = [read_policy(f"{own_files / 'mine.py'}:Mine"), read_policy(f"{own_files / 'mutant.py'}:Mutant")]
    wanted = [offer for offer in catalogue.offers(own) if offer.own or offer.label == "MVTS"]
    return page.built(wanted)


@pytest.fixture(scope="session")
def whole():
    """A module with all policies that are offered."""
    pytest.importorskip("ziglang")
    return page.built(catalogue.offers())


@pytest.fixture(scope="session")
def whole_page(whole, tmp_path_factory):
    """The page with all policies."""
    module, manifest = whole
    node_check.check(module, manifest)
    path = tmp_path_factory.mktemp("page") / "playground.html"
    path.write_text(page.html(module, manifest), encoding="utf-8")
    return path
