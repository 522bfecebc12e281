from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from riskbandits import plotting
from riskbandits.plotting.colours import looks


def table(rows):
    columns = ["family", "policy", "relative", "relative_low", "relative_high"]
    return pd.DataFrame(rows, columns=columns)


FAMILIES = table([["left", "MVTS", 1.0, 0.9, 1.2], ["left", "NGTS", 3.0, 2.0, 4.0], ["right", "MVTS", 2.0, 1.5, 2.5]])
BOARD = table([["", "MVTS", 1.4, 1.2, 1.6], ["", "NGTS", 3.0, 2.0, 4.0]]).drop(columns="family")


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_a_dot_with_its_interval_per_family_and_policy():
    ax = plotting.plot_families(FAMILIES, BOARD)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["all problems", "left", "right"]
    first, second = ax.containers
    assert first.get_label() == "MVTS"
    np.testing.assert_allclose(first[0].get_xdata(), [1.4, 1.0, 2.0])
    np.testing.assert_allclose(second[0].get_xdata(), [3.0, 3.0])
    assert (np.asarray(first[0].get_ydata()) < np.arange(3)).all()  # the best one on top, where y is smaller
    [bars] = first[2]
    assert [segment[:, 0].tolist() for segment in bars.get_segments()] == [[1.2, 1.6], [0.9, 1.2], [1.5, 2.5]]
    assert first[0].get_color() == looks(["MVTS"])["MVTS"].colour
    assert ax.get_xscale() == "log"


def test_a_profile_counts_problems():
    problems = pd.DataFrame(
        {"policy": ["A"] * 4 + ["B"] * 2, "relative": [0.99, 1.0, 2.0, 8.0, 4.0, 4.0], "problem": list("wxyzwx")}
    )
    ax = plotting.plot_profile(problems, ["A", "B"])
    x, y = ax.lines[0].get_data()
    # How much of the problems at most 1, 2, 4 and 8: steps are drawn after each point.
    share = [max(share for at, share in zip(x, y, strict=True) if at <= limit) for limit in (1.0, 2.0, 4.0, 8.0)]
    assert share == [0.5, 0.75, 0.75, 1.0]
    assert ax.lines[1].get_xdata()[-1] == 8.0


def test_a_file(tmp_path):
    path = plotting.save_comparison(FAMILIES, BOARD, tmp_path / "c.svg")
    assert "<svg" in path.read_text()
    assert not plt.get_fignums()
