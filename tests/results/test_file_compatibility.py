"""Files that were kept: those of earlier versions open, and a bit that has changed never gives other numbers."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import riskbandits as rb
from riskbandits import suites
from riskbandits.compiling import jit
from riskbandits.core import parquet, records
from riskbandits.core.errors import FileError
from riskbandits.simulation.store import Store

V02 = Path(__file__).parents[1] / "files" / "v0.2"
FLIPS = 400
SHARES = 10  # of the flips; one of them is tried by every run of the tests
KEPT = ("result.parquet", "sweep.parquet", "comparison.parquet", "suite.json", "learner.json", "chunk")


@pytest.fixture(scope="module")
def numbers():
    return json.loads((V02 / "numbers.json").read_text())


def as_lists(table):
    return table.astype(object).to_numpy().tolist()


def test_results_of_version_0_2(numbers):
    result = rb.load(V02 / "result.parquet")
    assert as_lists(result.table()) == numbers["result"]["table"]
    assert {label: result.pulls(label).tolist() for label in result.labels} == numbers["result"]["pulls"]


def test_sweeps_of_version_0_2(numbers):
    found = rb.load(V02 / "sweep.parquet")
    assert as_lists(found.table()) == numbers["sweep"]
    assert found.values == [0.5, 2.0]


def test_comparisons_of_version_0_2(numbers):
    comparison = rb.Comparison.load(V02 / "comparison.parquet")
    assert comparison.labels == numbers["comparison"]["labels"]
    assert [outcome.final.tolist() for outcome in comparison.kept] == numbers["comparison"]["regret"]
    assert comparison.leaderboard()["relative"].tolist() == numbers["comparison"]["leaderboard"]


def test_suites_of_version_0_2():
    suite = suites.read_suite(V02 / "suite.json")
    assert [case.name for case in suite.cases] == ["careful", "bold"]
    assert suite.cases[0].problem.risk == rb.MeanVariance(0.1)
    assert suite.cases[0].problem.arms.means.tolist() == [0.1, 0.7]


def test_learners_of_version_0_2(numbers):
    learner = rb.Learner.load(V02 / "learner.json")
    summary = learner.summary()
    assert as_lists(summary.drop(columns="assured")) == numbers["learner"]["summary"]
    assert not summary["assured"].any()  # the sums for it were not kept
    assert [learner.ask() for _ in range(10)] == numbers["learner"]["next"]


def test_stores_of_version_0_2(numbers):
    store = Store(V02 / "store")
    pulls = {}
    for about in sorted(store.path.rglob("about.json")):
        key = "".join(about.relative_to(store.path).parts[:2])
        found = [store.read(key, first, last) for first, last in store.ranges(key)]
        label = json.loads(about.read_text())["policy"]["class"]
        pulls[label] = np.concatenate([chunk["pulls"] for chunk in found]).tolist()
    assert pulls == numbers["result"]["pulls"]


def everything_of(thing) -> str:
    """All that a file says, as one text."""
    if isinstance(thing, rb.Result):
        rows = [(t.label, t.policy, t.method, *(np.asarray(a).tolist() for a in t[4:])) for t in thing.traces]
        return repr((rows, repr(thing.problem), thing.settings, thing.versions))
    if isinstance(thing, rb.Comparison):
        rows = [[np.asarray(part).tolist() for part in outcome] for outcome in thing.kept]
        return repr((rows, thing.suite.to_data(), thing.labels, thing.settings, thing.versions, thing.notes))
    if isinstance(thing, rb.Suite):
        return repr(thing.to_data())
    if isinstance(thing, rb.Learner):
        return repr(
            (
                thing.summary().to_dict(),
                thing.policy,
                thing.risk,
                thing._state.rng.bit_generator.state,
                thing._state.run,
            )
        )
    if isinstance(thing, dict):
        return repr({name: array.tolist() for name, array in thing.items()})
    return repr((thing.to_dict(), thing.attrs))


KEY = "ab" * 20


def read(path: Path):
    """What the package makes of a kept file."""
    kind = path.name if path.suffix != ".chunk" else "chunk"
    readers = {
        "result.parquet": rb.load,
        "sweep.parquet": lambda path: rb.SweepResult.load(path).table(),
        "comparison.parquet": rb.Comparison.load,
        "suite.json": suites.read_suite,
        "learner.json": rb.Learner.load,
        "chunk": lambda path: Store(path.parents[2]).read(KEY, 0, 4),
    }
    return readers[kind](path)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A file of each kind, as this version writes it: what it holds is what version 0.2 kept."""
    folder = tmp_path_factory.mktemp("kept")
    rb.load(V02 / "result.parquet").save(folder / "result.parquet")
    rb.Comparison.load(V02 / "comparison.parquet").save(folder / "comparison.parquet")
    suites.read_suite(V02 / "suite.json").save(folder / "suite.json")
    result = rb.load(V02 / "result.parquet")
    rb.SweepResult("rho", [1.0, 2.0], [result, result]).save(folder / "sweep.parquet")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jit, "entry", lambda function, classes: function)
        rb.Learner.load(V02 / "learner.json").save(folder / "learner.json")
    sums = np.random.default_rng(0).standard_normal((4, 2, 6))
    Store(folder / "chunk").write(KEY, {}, 0, 4, {"sums": sums})
    shutil.copy(next((folder / "chunk").rglob("*.chunk")), folder / "kept.chunk")
    return folder


@pytest.mark.parametrize("share", [pytest.param(k, marks=[pytest.mark.full] if k else []) for k in range(SHARES)])
@pytest.mark.parametrize("kind", KEPT)
def test_a_flipped_bit_never_gives_other_numbers(kind, share, kept, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(jit, "entry", lambda function, classes: function)  # nothing here is worth compiling
    if kind == "chunk":
        path = tmp_path / KEY[:2] / KEY[2:] / "00000000-00000004.chunk"
        path.parent.mkdir(parents=True)
        whole = (kept / "kept.chunk").read_bytes()
    else:
        path = tmp_path / kind
        whole = (kept / kind).read_bytes()
    path.write_bytes(whole)
    right = everything_of(read(path))
    rng = random.Random(f"{kind} {share}")
    noticed = 0
    for _ in range(FLIPS // SHARES):
        place, bit = rng.randrange(len(whole)), rng.randrange(8)
        broken = bytearray(whole)
        broken[place] ^= 1 << bit
        path.write_bytes(broken)
        try:
            found = read(path)
        except FileError:
            found = None
        noticed += found is None
        assert found is None or everything_of(found) == right, f"bit {bit} of byte {place}"
    assert noticed > 0.2 * FLIPS / SHARES  # others hit what nobody reads, such as the statistics in Parquet


@pytest.mark.parametrize("kind", ["result.parquet", "sweep.parquet", "comparison.parquet"])
def test_every_page_has_a_checksum_that_others_can_verify(kind, kept, tmp_path):
    if not parquet.verifying():
        pytest.skip("this pyarrow has no checksums of pages: that takes version 15")
    whole = (kept / kind).read_bytes()
    column = pq.ParquetFile(kept / kind).metadata.row_group(0).column(3)
    start = column.dictionary_page_offset or column.data_page_offset
    broken = bytearray(whole)
    broken[start + column.total_compressed_size - 1] ^= 4  # the last byte of the last page
    (tmp_path / kind).write_bytes(broken)
    with pytest.raises(OSError, match="CRC|crc"):
        pq.read_table(tmp_path / kind, page_checksum_verification=True)


def test_the_oldest_pyarrow_has_no_checksums_of_pages(kept, tmp_path, monkeypatch):
    def write_table(table, where, version="2.6"):
        return original_write(table, where, version=version)

    def read_table(source, columns=None):
        return original_read(source, columns=columns)

    original_write, original_read = pq.write_table, pq.read_table
    monkeypatch.setattr(pq, "write_table", write_table)
    monkeypatch.setattr(pq, "read_table", read_table)
    result = rb.load(kept / "result.parquet")
    path = result.save(tmp_path / "result.parquet")
    assert everything_of(rb.load(path)) == everything_of(result)


@pytest.mark.parametrize("kind", ["result", "sweep", "comparison"])
def test_a_table_without_its_checksum_is_refused(kind, kept, tmp_path):
    path = kept / f"{kind}.parquet"
    table, name = pq.read_table(path), f"riskbandits-{kind}".encode()
    header = json.loads(table.schema.metadata[name])
    for broken in ({k: v for k, v in header.items() if k != "checksum"}, header | {"versions": {}}):
        metadata = table.schema.metadata | {name: json.dumps(broken)}
        pq.write_table(table.replace_schema_metadata(metadata), tmp_path / path.name)
        with pytest.raises(FileError, match="damaged"):
            read(tmp_path / path.name)


def test_a_suite_without_its_checksum_is_refused(kept, tmp_path):
    data = json.loads((kept / "suite.json").read_text())
    del data["checksum"]
    (tmp_path / "suite.json").write_text(json.dumps(data))
    with pytest.raises(FileError, match="has changed since it was saved"):
        read(tmp_path / "suite.json")


def test_a_suite_that_was_edited_says_how_to_keep_the_change(kept, tmp_path):
    path = tmp_path / "suite.json"
    data = json.loads((kept / "suite.json").read_text())
    data["problems"][0]["name"] = "other"
    path.write_text(json.dumps(data))
    with pytest.raises(FileError, match='If you edited it, remove "checksum" and "format"'):
        suites.read_suite(path)
    del data["checksum"], data["format"]
    path.write_text(json.dumps(data))
    assert suites.read_suite(path).cases[0].name == "other"


def test_a_policy_that_was_renamed(tmp_path):
    """`SharpeUCB` was called `UCBRSSR` in version 0.1, which is another policy now: the field tells which is meant."""
    old = {"class": "UCBRSSR", "fields": {"range_width": 2.0}}
    assert records.rebuilt(old, (rb.UCBRSSR, rb.SharpeUCB), "policy") == rb.SharpeUCB(2.0)
    assert records.rebuilt({"class": "UCBRSSR", "fields": {}}, (rb.SharpeUCB, rb.UCBRSSR), "policy") == rb.UCBRSSR()
    assert records.digest(rb.SharpeUCB(2.0)) == records.digest(old)
    learner = rb.Learner(rb.SharpeUCB(), ["a", "b"], rb.Sharpe(), seed=1)
    assert rb.Learner.from_json(learner.to_json()).policy == rb.SharpeUCB()


def test_every_file_of_a_table_opens_and_says_what_it_is(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    problem = rb.Problem(rb.GaussianArms([0.0, 1.0], [1.0, 1.0]), rb.MeanVariance(1.0))
    how = {"horizon": 20, "runs": 4, "progress": False}
    policies = [rb.UniformRandom()]
    result = rb.simulate(problem, policies, **how)
    sweep = rb.sweep(lambda rho: problem.with_risk(rb.MeanVariance(rho)), [0.5, 2.0], policies, **how)
    comparison = rb.compare({"p": problem}, policies, **how)
    for found, name, words, expected in (
        (result, "r.CSV", "a row per policy and checkpoint", result.table()),
        (sweep, "s.csv", "a row per policy and checkpoint", sweep.table()),
        (comparison, "c.csv", "the leaderboard of a comparison", comparison.leaderboard()),
        (comparison, "c.JSON", "the leaderboard of a comparison", comparison.leaderboard()),
    ):
        table = rb.load(found.save(name))
        assert list(table.columns) == list(expected.columns)
        assert len(table) == len(expected)
        assert f"{name!r} contains" in (said := capsys.readouterr().err)
        assert words in said
    assert list(rb.load("c.JSON").attrs["settings"]) == list(comparison.settings)
    for found, ending in ((result, "Parquet"), (sweep, "PARQUET"), (comparison, "Parquet")):
        assert type(rb.load(found.save(f"whole.{ending}"))) is type(found)
    arguments = ("frontier", "gaussian(means=[0, 1], variances=[1, 2])", "--out", "f.csv")
    assert command(*arguments)[0] == 0
    assert rb.load("f.csv")["arm"].tolist() == ["arm 0", "arm 1"]
    Path("returns.csv").write_text("bond,stock\n0.5,0.25\n")
    with pytest.raises(FileError, match="was not written by riskbandits"):
        rb.load("returns.csv")


def test_what_is_not_for_loading_says_what_it_is(tmp_path):
    Store(tmp_path / "store").write("ab" * 20, {}, 0, 1, {"x": np.zeros(1)})
    chunk = next((tmp_path / "store").rglob("*.chunk"))
    (tmp_path / "report.html").write_text("<!DOCTYPE html><title>x</title>")
    for path, words in (
        (tmp_path / "store", "is a folder.*a store is passed as `store=`"),
        (chunk, "a part of a store"),
        (tmp_path / "report.html", "a page: open it in a browser"),
    ):
        with pytest.raises(FileError, match=words):
            rb.load(path)
