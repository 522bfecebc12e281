"""What a lecturer does: shows the notebook as it is, then puts a student's policy into a page and compares arms."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import riskbandits as rb
from paper.report.browser import find
from riskbandits.cli.parsing import read_policy
from riskbandits.core.errors import ContractError

LECTURE = Path(__file__).parents[2] / "examples" / "4-a-lecture-in-twenty-minutes.ipynb"
STUDENT = '''
from typing import NamedTuple

from riskbandits.numerics import moments
from riskbandits.numerics.moments import MEAN


class MyTS(NamedTuple):
    """A normal draw around the sample mean."""

    def score(self, state, k, run, risk, rng):
        variance = moments.variance(state, k)
        return risk.value(state[k, MEAN] + (variance / run[0]) ** 0.5 * {draw}, variance)

    def first_pulls(self):
        return 2

    def learn(self, state, k, run, reward):
        moments.add(state, k, reward)
'''


def cells():
    return json.loads(LECTURE.read_text(encoding="utf-8"))["cells"]


def test_the_notebook_shows_its_pictures_at_first_click_and_answers_its_exercises():
    shown = [output for cell in cells() for output in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in shown) >= 4
    text = "\n".join("".join(cell["source"]) for cell in cells() if cell["cell_type"] == "markdown")
    parts = text.split("## To take home")[1].split("## Answers")
    assert [re.findall(r"^(\d)\. ", part, re.MULTILINE) for part in parts] == [["1", "2", "3"]] * 2


def test_lines_that_the_text_announces_are_in_the_legend():
    """Greedy among them."""
    code = "\n".join("".join(cell["source"]) for cell in cells() if cell["cell_type"] == "code")
    text = " ".join("".join(cell["source"]) for cell in cells() if cell["cell_type"] == "markdown").lower()
    labels = re.findall(r'^    "([^"]+)": rb\.', code, re.MULTILINE)
    assert labels == ["at random", "greedy", "explore, then commit", "Thompson sampling"]
    for words in ("at random", "greedy", "exploring first, then committing", "thompson sampling"):
        assert words in text


def test_the_first_try_of_a_student_is_refused_with_the_remedy_before_anything_is_compiled(tmp_path):
    (tmp_path / "wrong.py").write_text(STUDENT.replace("{draw}", "rng.normal(0.0, 1.0)"))
    with pytest.raises(ContractError, match=r"use rng.standard_normal\(\)"):
        rb.testing.check_policy(read_policy(f"{tmp_path / 'wrong.py'}:MyTS"))
    command = [sys.executable, "-m", "riskbandits", "playground", "--policy", "wrong.py:MyTS", "--out", "page.html"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode != 0
    assert "use rng.standard_normal()" in " ".join(done.stderr.split())
    assert not (tmp_path / "page.html").exists()


@pytest.mark.full
@pytest.mark.skipif(find() is None, reason="no Chromium found (apt-get install chromium)")
def test_the_second_try_plays_in_a_page_whose_arms_are_those_of_the_library(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    pytest.importorskip("ziglang")
    (tmp_path / "mine.py").write_text(STUDENT.replace("{draw}", "rng.standard_normal()"))
    rb.testing.check_policy(read_policy(f"{tmp_path / 'mine.py'}:MyTS"))
    command = [sys.executable, "-m", "riskbandits", "playground", "--policy", "mine.py:MyTS", "--out", "page.html"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        page = browser.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        page.wait_for_function("document.body.dataset.finished", timeout=120_000)
        assert "MyTS" in page.inner_text("#results")
        best = rb.problems.zhu_tan_gaussian(1.0).best_arm
        assert f"The best is arm {best}:" in page.inner_text("#best-shown")
        browser.close()
