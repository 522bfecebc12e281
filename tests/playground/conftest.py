from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from riskbandits.playground import linking, page, trying
from riskbandits.playground.offered import offers

NATIVE = Path(__file__).with_name("native.py")


@pytest.fixture(scope="session")
def maths(tmp_path_factory):
    pytest.importorskip("ziglang")
    return linking.native_maths(tmp_path_factory.mktemp("maths") / "maths.so")


@pytest.fixture(scope="session")
def built_for():
    """The module and the manifest for some of the policies that are offered, by their labels."""
    pytest.importorskip("ziglang")
    made = {}

    def build(*labels):
        if labels not in made:
            made[labels] = page.built([offer for offer in offers() if offer.label in labels])
        return made[labels]

    return build


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


@pytest.fixture
def in_a_page():
    """What Node makes of orders."""
    return trying.play
