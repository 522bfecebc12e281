"""The reference has every public name, with its formula, its example and what it serves."""

from __future__ import annotations

import inspect
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

import riskbandits as rb

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def written(tmp_path):
    import reference

    (tmp_path / "formulas.toml").write_bytes((DOCS / "reference" / "formulas.toml").read_bytes())
    reference.write(tmp_path)
    return {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "api").iterdir()}


def test_every_public_name_has_a_page_and_stands_in_one_list(written):
    import reference

    names = [name for group in reference.groups().values() for name in group]
    assert len(names) == len(set(names))
    assert {*names, *reference.PACKAGES, "__version__"} == set(rb.__all__)
    for name in names:
        assert name in written, f"{name} is public and has no page"


def test_formulas_are_set_as_mathematics(written):
    """A record without one is served by its docstring: nothing but its own file is asked of a newcomer."""
    import reference
    from docutils.utils.math.latex2mathml import tex2mathml

    with (DOCS / "reference" / "formulas.toml").open("rb") as file:
        formulas = tomllib.load(file)
    for package in ("policies", "risk", "arms"):
        unknown = set(formulas[package]) - set(getattr(rb, package).__all__)
        assert not unknown, f"formulas.toml has formulas of {unknown}, which riskbandits.{package} has not"
    for part in formulas.values():
        for name, formula in part.items():
            for line in reference.formula_lines(formula):
                assert "<math" in tex2mathml(line, as_block=True)
                assert f"```{{math}}\n{line}\n```" in written[name]


def test_a_page_has_the_signature_the_example_and_links(written):
    page = written["MVTS"]
    assert "{py:class} MVTS(shape=0.5, rate=0.5, unbiased=False)" in page
    assert "```pycon\n>>> import riskbandits as rb\n" in page
    assert "{py:obj}`SwitchingAware <riskbandits.SwitchingAware>`" in written["VTS"]
    assert "{py:classmethod} printed()" in written["MTS"]
    assert "{py:method} decide(" in written["Learner"]


def test_sections_come_in_the_order_of_other_references(written):
    order = ["Parameters", "Attributes", "Examples", "Notes", "References", "Presets", "Methods"]
    for name in ("MVTS", "NGTS", "CVaR", "GaussianArms", "SuccessiveRejects", "simulate", "Learner", "Result"):
        titles = re.findall(r"^```\{rubric\} (.+)$", written[name], re.MULTILINE)
        assert titles == sorted(set(titles), key=order.index), name
    assert re.findall(r"rubric\} (\w+)", written["MVTS"]) == ["Parameters", "Examples", "Notes", "References"]
    row = "| `optimism` | a number in [0, 1000] | `80.0` | How many draws"
    assert row in written["NGTS"]
    assert "| `horizon` | a whole number | `30000` | Number of steps of a run. |" in written["simulate"]
    assert "Zhu & Tan, Thompson Sampling Algorithms" in written["MVTS"].partition("References")[2]
    assert "](/studies/better-than-mvts.md)" in written["NGTS"]
    assert "{py:class} SwitchingAware(policy=NGTS(), anytime=False, power=1.0)" in written["SwitchingAware"]
    assert not re.search(r" at 0x[0-9a-f]|ForwardRef", "".join(written.values()))
    named = re.findall(r"`docs/([\w/-]+\.md)`", "".join(written.values()))
    assert not [name for name in named if (DOCS / name).exists()]


def test_parameters_that_are_described_exist(written):
    """And all are described: by an entry, or by the sentence of the docstring that names them."""
    import reference

    with (DOCS / "reference" / "parameters.toml").open("rb") as file:
        known = tomllib.load(file)
    used = set()
    for name, words in known.items():
        if name != "shared":
            rows = {row[0].strip("`") for row in reference.parameters(getattr(rb, name), name)}
            fields = {*rows, *getattr(getattr(rb, name), "_fields", ())}
            assert set(words) <= fields, f"docs/reference/parameters.toml describes {set(words) - fields} of {name}"
    for group in reference.groups().values():
        for name in set(group) - set(reference.MODULES):
            rows = reference.parameters(getattr(rb, name), name)
            used |= {row[0].strip("`") for row in rows}
            assert name in reference.RESULTS or all(row[3].strip() for row in rows), (
                f"{name} has a parameter without a description"
            )
    assert set(known["shared"]) <= used


def test_examples_can_be_copied(written):
    """They run in their docstrings, where the names of the file are known; here every name is imported."""
    import reference

    for name, page in written.items():
        for example in re.findall(r"```pycon\n(.*?)\n```", page, re.DOTALL):
            assert reference.undefined(example) == set(), name
    assert ">>> rb.simulate(problem, [rb.NGTS.honda_takemura()]" in written["NGTS"]
    assert ">>> from riskbandits.theory import lower_bound\n" in written["theory"]
    assert "['NGTS:honda_takemura']" in written["NGTS"]


def test_formulas_in_prose_are_set_and_code_is_left_alone():
    import reference

    prose = (
        "rho mu - s^2, T_i (m_i - xbar)^2 >= 0, chi^2_W and chi-square, theta_0, 1/sqrt(n), a Gamma prior, Gamma_ij^2"
    )
    assert (
        reference.typeset(prose) == "ρ μ - s², Tᵢ (mᵢ - x̄)² ≥ 0, χ²_W and chi-square, θ₀, 1/√(n), a Gamma prior, Γᵢⱼ²"
    )
    assert reference.typeset("exp(-rho), sum_i T_i phi(z) as n -> inf") == "exp(-ρ), Σᵢ Tᵢ φ(z) as n → ∞"
    powers = "S^((T-1)/2), T^growth, (b - X)^+]"
    assert reference.typeset(powers) == "S<sup>(T-1)/2</sup>, T<sup>growth</sup>, (b - X)<sup>+</sup>]"
    code = '`rho >= mu_1^2` "rho" rho=1 --rho ln_rho [rho](rho.md)\n\n    rho mu - s^2\n\n```pycon\n>>> rho >= mu\n```'
    assert reference.typeset(f"{code}\n\nrho") == code.replace("[rho]", "[ρ]") + "\n\nρ"


def test_examples_of_docstrings_are_fenced_and_the_rest_is_left_alone():
    import reference

    def thing():
        """First line.

        | a | b |
        |---|---|
        | 1 | 2 |

            rho mu - s^2

        See `MVTS` and `count`.
        Reference: somebody.

        >>> 1 + 1
        2
        >>> for i in (1, 2):
        ...     print(i)
        1
        2
        """

    text = reference.markdown(thing.__doc__)
    assert "| a | b |\n|---|---|\n| 1 | 2 |\n" in text
    assert "\n    rho mu - s^2\n" in text
    assert "See {py:obj}`MVTS <riskbandits.MVTS>` and `count`.\n\nReference: somebody." in text
    assert text.count("```pycon") == 1
    assert "...     print(i)\n1\n2\n```" in text


def test_no_sentence_of_a_docstring_turns_into_a_list():
    """A line that happens to begin with a sign or a number would be an item of one."""
    item = re.compile(r"\s{0,3}([-+*]|\d+[.)])\s")
    for name in rb.__all__:
        thing = getattr(rb, name)
        methods = [one for one in vars(thing).values() if inspect.isroutine(one)] if inspect.isclass(thing) else []
        for one in (thing, *methods):
            lines = (inspect.getdoc(one) or "").split("\n")
            for before, line in pairwise(lines):
                started = not before.strip() or before.startswith("  ") or item.match(before)
                assert started or not item.match(line), f"{name}: {line}"


def test_what_is_served_is_asked_of_the_policies():
    import served

    rows = {name: served.row(getattr(rb, name)()) for name in ("BMVTS", "MVLCB", "BCVTS", "ExpExp")}
    assert rows["BMVTS"][1:4] == ["all", "0 or 1", "lazy, leaps"]
    assert rows["MVLCB"][1:4] == ["MeanVariance", "any", "rising"]
    assert rows["BCVTS"][1:3] == ["CVaR", "bounded"]
    assert rows["BCVTS"][6] == ""
    assert rows["ExpExp"][4] == "yes"
    assert served.served().count("\n| {py:obj}") == len(rb.policies.__all__)


def test_every_command_is_on_the_page_of_the_command_line():
    import command_line

    page = command_line.page()
    for name in ("simulate", "sweep", "reproduce", "playground", "keys add", "import"):
        assert f"## riskbandits {name}\n" in page
    assert "`--horizon`" in page
    assert "| `--seed` | The same seed gives the same numbers. | `0` |" in page
    assert page.count("| `--separator` |") == 1  # once for all commands
