"""Learner files with a right checksum and impossible content: a sentence, or a learner as good as any, no crash."""

from __future__ import annotations

import copy
import itertools
import json
import random
import signal
from pathlib import Path

import pytest

import riskbandits as rb
from interrupting import in_a_child
from riskbandits.core.errors import FileError, RiskBanditsError
from riskbandits.learner import file_schema, persistence
from riskbandits.numerics import history
from riskbandits.testing.policy import fitting_problem

V02 = Path(__file__).parents[1] / "files" / "v0.2" / "learners"
FORGED = [
    None, True, -1, 0, 1, 0.5, -3.0, 3.0, 1e300, -1e300, 2**53 + 1, 10**30, 10**400, "x", "", "nan", "inf", "1",
    [], [[]], {}, {"class": "MVTS", "fields": {}},
]  # fmt: skip
REMOVED = object()
WRONG = (*FORGED, REMOVED)
SECONDS_PER_FILE = 30


def life(policy):
    """A learner that was asked and told, with an arm retired, answers outstanding, and decisions open and settled."""
    learner = rb.Learner(policy, ["x", "y", "z"], fitting_problem(policy).risk, horizon=200, seed=5)
    for turn in range(30):
        learner.tell(learner.ask(), float(turn % 3 == 0))
    learner.tell("z", 1.0)
    for available in (["x"], ["y"], ["z"]):
        made = learner.decide(count=3, available=available)
        learner.answer(made[0].id, 1.0)
        learner.forget(made[1].id)
    learner.retire("z")
    learner.ask()
    return learner


def places(data, path=()):
    """The paths to all parts of the content, the whole excepted."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from places(part, (*path, key))


def forged(content, path, value):
    content = copy.deepcopy(content)
    part = content
    for key in path[:-1]:
        part = part[key]
    if value is REMOVED:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return content


def write(path, content, loads=()):
    data = {"format": file_schema.FORMAT, "version": file_schema.VERSION, "loads": loads, "content": content}
    path.write_text(json.dumps(data | {"checksum": persistence.checksum(data)}))


def without_places(state):
    """Size and total of a history follow from its entries."""
    return [*state[: history.START], *state[history.WIDTH :]]


def agree(said, written):
    """Whether a learner says of itself what the file said. What the file leaves out, older versions did not write."""
    if isinstance(said, dict) and isinstance(written, dict):
        if "history" in said:
            said, written = ({**one, "state": without_places(one["state"])} for one in (said, written))
        return all(key not in said or agree(said[key], part) for key, part in written.items())
    if isinstance(said, list) and isinstance(written, list):
        return len(said) == len(written) and all(itertools.starmap(agree, zip(said, written, strict=True)))
    return said == written or (isinstance(said, float) and said == float(written))


def one_sentence(call):
    """Call; an error of the package, if there is one, is said in one line."""
    try:
        return call()
    except RiskBanditsError as error:
        if "\n" in str(error):
            raise AssertionError(str(error)) from error
        return None


def go_on(learner, path):
    for _ in range(4):
        learner.tell(learner.ask(), 1.0)
        for arm in learner.arms:
            learner.tell(arm, 0.0)
    learner.summary()
    assert rb.Learner.load(learner.save(path)).decisions == learner.decisions


def try_file(path, content, again):
    """Load it: an error in one line, or a learner that says the same of itself and goes on."""
    signal.alarm(SECONDS_PER_FILE)
    write(path, content)
    learner = one_sentence(lambda: rb.Learner.load(path))
    if learner is not None:
        assert agree(persistence.content_of(learner), content)
        one_sentence(lambda: go_on(learner, again))


@pytest.mark.parametrize(
    ("policy", "tries"),
    [
        (rb.MVTS(), 150),
        pytest.param(rb.MVTS(), 3000, marks=pytest.mark.full),
        *(
            pytest.param(policy, 1500, marks=pytest.mark.full)
            for policy in (rb.BMVTS(), rb.SwitchingAware(), rb.RobustUCB(), rb.RAUCB(), rb.NPTS(), rb.MVDSEE())
        ),
    ],
    ids=str,
)
def test_forged_files_are_refused_or_harmless(policy, tries, tmp_path):
    content = json.loads(json.dumps(persistence.content_of(life(policy))))
    choices = [(path, value) for path in places(content) for value in WRONG]
    random.Random(1).shuffle(choices)

    def work():
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # a hang is a death
        for path, value in choices[:tries]:
            try:
                try_file(tmp_path / "forged.json", forged(content, path, value), tmp_path / "again.json")
            except BaseException:
                print(path, value)
                raise

    assert in_a_child(work) == 0


IMPOSSIBLE = {
    ("arms", 0, "counts", 0): [-1, 1e9, "7", True, 12.5, 2**70],
    ("arms", 0, "counts", 1): [-5, 2**40],
    ("arms", 0, "moments", 0): [-1.0, "nan", 1e9],
    ("arms", 0, "moments", 1): ["nan", "inf", [1.0], 1e300, -1e141],
    ("arms", 0, "moments", 2): [-0.5, "inf", None, 1e300],
    ("arms", 0, "state", 0): [-1.0, "nan", 1e300],
    ("arms", 0, "state", 1): ["nan", 7.0],
    ("arms", 0, "state", 2): [-1.0, "inf"],
    ("arms", 1, "name"): ["x", "z", "", 1.5, None, ["y"], "\ud800"],
    ("retired", 0, "name"): ["x", ""],
    ("retired", 0, "counts", 1): [0, 9],
    ("retired", 0, "state", 0): [-1.0, "nan", 1e300],
    ("retired", 0, "state"): [[], [1.0], None],
    ("retired", 0, "open"): [[0], [10**6], ["36"], [1.0], [True], [38, 38], 5],
    ("arms", 0, "open", 0): [0, -3, 10**6, "36", None, 36.0],
    ("remember",): [-1, 0, 1.5, "x", None, 10**30],
    ("settled", "numbers"): ["", "x", 3, None, "AAAA", "AAAAAAAAAAA="],
    ("settled", "rewards"): ["", "x", 3],
    ("dropped",): [-1, 10**6, "x", True, 0.5, None],
    ("propensity",): [1, "x", None],
    ("guard",): [
        3,
        {},
        "x",
        {"least": [], "most": [], "baseline": None, "paused": True},
        {"least": [["x", 2.0]], "most": [], "baseline": None, "paused": False},
    ],
    ("long_retired", "told"): [-1, 0.5],
    ("run", 0): [-1.0, 1e18, "nan"],
    ("run", 1): ["nan", -5.0],
    ("run", 2): [0.0, "inf"],
    ("run", 3): [-1.0, 1e6],
    ("run", 4): ["nan", "inf"],
    ("decisions",): [-1, 0, 10**30, 10**400, "5", True],
    ("horizon",): [0, -1, 10**400, "x", 1.5],
    ("outstanding",): [-1, 100],
    ("rng", "state", "state"): [-1, 2**128, 0.5, "1"],
    ("rng", "state", "inc"): [0, 2],
    ("rng", "has_uint32"): [2, True],
    ("rng", "bit_generator"): ["MT19937", None],
    ("policy", "class"): ["int", "Learner", None, []],
    ("policy", "fields", "shape"): ["x", -1.0, {"class": "MVTS", "fields": {}}],
    ("risk",): [None, {"class": "MVTS", "fields": {}}, []],
}


def test_impossible_values_are_refused(tmp_path):
    content = json.loads(json.dumps(persistence.content_of(life(rb.MVTS()))))
    path = tmp_path / "learner.json"
    write(path, content)
    assert rb.Learner.load(path).decisions == content["decisions"]
    for place, values in IMPOSSIBLE.items():
        for value in values:
            write(path, forged(content, place, value))
            with pytest.raises(RiskBanditsError) as caught:
                rb.Learner.load(path)
            assert "\n" not in str(caught.value)


def test_impossible_loads_are_refused(tmp_path):
    content = json.loads(json.dumps(persistence.content_of(life(rb.MVTS()))))
    path, made, token = tmp_path / "learner.json", content["decisions"], "0a1b2c3d"
    write(path, content, [[1, token], [made, "00000000"]])
    assert rb.Learner.load(path).open_decisions()[0].id.endswith(token)
    for wrong in (
        None, 3, "x", {}, [1], [[1]], [[1, 2]], [[1, token, 3]], [[0, token]], [[1.0, token]], [[True, token]],
        [[1, "0A1B2C3D"]], [[1, token + "\n"]], [[made + 1, token]], [[5, token], [5, token]], [[5, token], [3, token]],
    ):  # fmt: skip
        write(path, content, wrong)
        with pytest.raises(FileError, match="is damaged: .+must be"):
            rb.Learner.load(path)


def test_deep_nesting_and_numbers_beyond_json_are_damage(tmp_path):
    path = tmp_path / "learner.json"
    for text in ("[" * 100_000, '{"format": ' * 50_000, "1" * 5000, '{"a": NaN}', "﻿{}"):
        path.write_text(text)
        with pytest.raises(FileError, match="damaged"):
            rb.Learner.load(path)
    content = json.loads(json.dumps(persistence.content_of(life(rb.MVTS()))))
    nested: list = []
    for _ in range(800):
        nested = [nested]
    write(path, forged(content, ("arms", 0, "state", 0), nested))
    with pytest.raises(FileError, match="damaged"):
        rb.Learner.load(path)


def test_a_file_does_not_grow_with_arms_long_retired(tmp_path):
    learner = rb.Learner(rb.MVTS(), ["keep"], rb.MeanVariance(1.0), seed=2)
    sizes, told = [], 0
    for turn in range(600):
        learner.add(f"arm {turn:03}")
        learner.tell(["keep", f"arm {turn:03}", f"arm {turn:03}"], [0.5, 0.25, 0.75])
        told += 3
        learner.retire(f"arm {turn:03}")
        if turn % 200 == 199:
            sizes.append(len(learner.save(tmp_path / "learner.json").read_bytes()))
    assert sizes[2] - sizes[1] < 100
    summary = learner.summary()
    assert summary.arm.tolist() == ["keep", *(f"arm {turn}" for turn in range(500, 600))]
    assert learner.decisions == told
    back = rb.Learner.load(tmp_path / "learner.json")
    assert back.summary().equals(summary)
    assert back._state.long_retired == {"arms": 500, "told": 1000, "chosen": 1000}
    back.add("arm 001")  # nothing is known of it any more
    with pytest.raises(RiskBanditsError, match="'arm 599' was retired"):
        back.tell("arm 599", 1.0)


def test_the_schema_is_a_json_schema():
    """What it accepts and refuses is what a validator of that language does."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(file_schema.SCHEMA)
    validator = jsonschema.Draft202012Validator(file_schema.SCHEMA)
    data = json.loads((V02 / "guarded.json").read_text())
    data |= {"version": 3, "loads": [[3, "0a1b2c3d"]]}
    history = json.loads((V02 / "history.json").read_text())
    for whole in (data, history):
        assert validator.is_valid(whole)
        file_schema.check(whole)
        for path in places(whole):
            for value in (None, True, -1, 0, 7, 0.5, 10**400, "x", "", "nan", [], {}, [["x", 2.0]], REMOVED):
                wrong = forged(whole, path, value)
                if validator.is_valid(wrong):
                    file_schema.check(wrong)
                else:
                    with pytest.raises(ValueError, match=r"must be .+\. Got .+ instead\."):
                        file_schema.check(wrong)
