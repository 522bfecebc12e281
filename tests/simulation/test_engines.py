"""The same table on every engine, whatever happens to its workers."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future

import numpy as np
import pandas as pd
import pytest

import riskbandits as rb
from interrupting import started
from riskbandits.api.simulate import RunOptions, plan
from riskbandits.core.errors import EngineError, ParameterError, UnknownNameError
from riskbandits.simulation import payload, runner
from riskbandits.simulation.engines import cluster_watch
from riskbandits.simulation.engines.processes import Processes
from riskbandits.simulation.engines.ray import Ray
from riskbandits.simulation.engines.threads import Threads
from riskbandits.simulation.runner import run_jobs
from riskbandits.simulation.store import Store

POLICIES = [rb.MVTS(), rb.MVLCB()]
SMALL = {"horizon": 300, "runs": 20, "seed": 7, "progress": False}


def simulate(engine, policies=POLICIES, **other):
    return rb.simulate(rb.problems.zhu_tan_gaussian(1), policies, engine=engine, workers=2, **{**SMALL, **other})


def assert_same(result, expected):
    pd.testing.assert_frame_equal(result.table(), expected.table(), check_exact=True)
    for label in expected.labels:
        assert (result.pulls(label) == expected.pulls(label)).all()


def test_processes_give_the_table_of_threads(tmp_path):
    expected = simulate("threads")
    assert_same(simulate("processes"), expected)
    assert_same(simulate("processes", store=tmp_path), expected)
    assert_same(simulate("threads", store=tmp_path), expected)


def test_a_worker_that_is_killed_is_replaced(monkeypatch):
    opened, killed = [], []
    original = Processes.load

    def load(self, *arguments):
        opened.append(self)
        original(self, *arguments)

    def kill_one(done):
        if done > 0 and not killed:
            killed.append(opened[0].worker_ids()[0])
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(Processes, "load", load)
    jobs = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(10_000, 40, 7, [10_000], "plain"))
    found = run_jobs(jobs, 2, kill_one, "processes")
    assert killed
    assert (found[0].sums == run_jobs(jobs, 2)[0].sums).all()


MANY = """
import riskbandits as rb
rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], runs=10**5, engine="processes", workers=1, progress=False)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_process_that_asked_for_them(how, tmp_path):
    path = tmp_path / "error"
    with path.open("w") as error, started([sys.executable, "-c", MANY], stderr=error) as process:
        time.sleep(5)  # whether workers are busy, starting or not there yet: none may be left
        process.send_signal(how)
        process.wait(timeout=30)
        deadline = time.monotonic() + 15
        while (left := session_of(process.pid)) and time.monotonic() < deadline:
            time.sleep(0.1)
    assert left == []
    if how == signal.SIGINT:
        assert path.read_text().rstrip().endswith("KeyboardInterrupt")
        assert "Exception in thread" not in path.read_text()


def session_of(leader: int) -> list[str]:
    """The processes of a session that are still there."""
    listed = subprocess.run(["ps", "-eo", "sid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [row[-1] for row in rows if row[0] == str(leader) and not row[1].startswith("Z")]


DEADLY = '''
import os
from typing import NamedTuple

MAIN = int(os.environ["MAIN_PROCESS"])

class Deadly(NamedTuple):
    """Kills any process but the one that asks for it."""

    def score(self, state, k, run, risk, rng):
        return 1.0

    def learn(self, state, k, run, reward):
        pass

    def first_pulls(self):
        if os.getpid() != MAIN:
            os._exit(1)
        return 0
'''


@pytest.mark.full
def test_workers_that_die_again_and_again_are_an_error(tmp_path, monkeypatch):
    monkeypatch.setenv("MAIN_PROCESS", str(os.getpid()))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "deadly.py").write_text(DEADLY)
    from deadly import Deadly

    with pytest.raises(EngineError, match=r"Workers of engine 'processes' died 4 times"):
        rb.simulate(
            rb.problems.zhu_tan_gaussian(1),
            [Deadly()],
            horizon=5,
            runs=1,
            seed=0,
            engine="processes",
            workers=1,
            progress=False,
        )


OWN = '''
from typing import NamedTuple
from riskbandits.core.records import Numbers

OFFSET = 2

def liking(k):
    return float(k - OFFSET)

class Own(NamedTuple):
    """Likes high numbers."""

    weights: Numbers = (1.0, 2.0)

    def score(self, state, k, run, risk, rng):
        return self.weights[0] * (k - OFFSET)

    def learn(self, state, k, run, reward):
        pass
'''


def test_a_policy_from_a_file_travels_with_its_code(command, tmp_path):
    (tmp_path / "own_policy.py").write_text(OWN)
    small = ("--policies", f"{tmp_path}/own_policy.py:Own", "--horizon", "20", "--runs", "2", "--threads", "1")
    code, out, err = command("simulate", *small, "--json", "--engine", "processes")
    assert code == 0, err
    assert command("simulate", *small, "--json")[1] == out


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_any_joblib_backend_can_run_the_unit_of_work(backend):
    from joblib import Parallel, delayed

    job = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(300, 20, 7))[0]
    packed = payload.payload_of(job)
    calls = (delayed(payload.play_payload)(packed, r, r + 5) for r in range(0, 20, 5))
    parts = Parallel(n_jobs=2, backend=backend)(calls)
    assert (np.concatenate([part.sums for part in parts]) == run_jobs([job], 2)[0].sums).all()


def test_records_are_read_only_again_in_a_worker():
    job = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(10, 2, 0))[0]
    unpacked, play = payload._loaded(payload.payload_of(job))
    assert not unpacked.problem.arms.means.flags.writeable
    payload.play_payload(payload.payload_of(job), 0, 2)
    # One compilation for the driver's records and for those that travelled: to numba they are one type.
    assert len(play.signatures) == 1


def test_a_job_that_cannot_be_sent_is_a_sentence(tmp_path, monkeypatch):
    text = OWN.replace("OFFSET = 2", "import threading\nLOCK = threading.Lock()\nOFFSET = 2")
    text += "\n    def refuses(self, risk, arms):\n        with LOCK:\n            return None\n"
    (tmp_path / "locked_policy.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    from locked_policy import Own

    job = plan(rb.problems.zhu_tan_gaussian(1), [Own()], RunOptions(10, 2, 0))[0]
    with pytest.raises(EngineError, match=r"Own cannot be sent to other processes: .*lock"):
        payload.payload_of(job)


def test_a_worker_without_the_module_says_so():
    data = b"cno_such_module\nThing\n."  # a pickle that names a class
    with pytest.raises(EngineError, match="A worker could not load what it was sent: ModuleNotFoundError"):
        payload.play_payload(data, 0, 1)


def test_errors_survive_the_way_home():
    for error in (rb.errors.ScoresError.at("MVTS", 3), EngineError("A sentence.")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))


def lost():
    """A policy whose scores are no numbers."""
    from typing import NamedTuple

    class Lost(NamedTuple):
        """Scores are NaN from step 5 on."""

        def score(self, state, k, run, risk, rng):
            return float("nan") if run[0] >= 5 else rng.random()

        def learn(self, state, k, run, reward):
            pass

    return Lost()


@pytest.mark.full
def test_an_error_in_a_worker_reaches_the_caller():
    with pytest.raises(rb.errors.ScoresError, match=r"^All scores of Lost were NaN at step 5"):
        rb.simulate(
            rb.problems.zhu_tan_gaussian(1),
            [lost()],
            horizon=10,
            runs=1,
            seed=0,
            engine="processes",
            workers=1,
            progress=False,
        )


@pytest.mark.parametrize("engine", ["thread", "dusk", "http://x:1", ""])
def test_an_engine_that_is_none(engine):
    with pytest.raises(UnknownNameError, match="no engine"):
        simulate(engine)


def test_an_engine_of_another_kind():
    with pytest.raises(ParameterError, match="The engine must be one of threads, processes"):
        simulate(3)


def test_an_engine_that_cannot_be_reached_is_known_before_anything_is_compiled(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "compiled_kernels", lambda *_: pytest.fail("compiled"))
    with pytest.raises(EngineError, match="no Dask scheduler at 'tcp'"):
        rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=10, runs=2, engine="tcp", progress=False)


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("ray", "ray"), ("tcp://x:1", "distributed")])
def test_a_missing_extra_says_what_to_install(monkeypatch, engine, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(EngineError, match=r"pip install 'riskbandits\[(dask|ray)\]'\.$"):
        simulate(engine)


def test_joblib_is_not_imported_by_default(run_python):
    code = """
import sys, riskbandits as rb
rb.simulate(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], horizon=10, runs=1, progress=False)
print([name for name in ("joblib", "cloudpickle", "distributed", "ray") if name in sys.modules])
"""
    assert run_python(code) == "[]\n"


def test_a_cluster_is_asked_in_a_thread_of_its_own(monkeypatch):
    monkeypatch.setattr(cluster_watch, "SECONDS_UNTIL_GONE", 0.3)
    monkeypatch.setattr(cluster_watch, "SECONDS_BETWEEN_QUESTIONS", 0.02)
    never = threading.Event()

    def unreachable():
        raise OSError

    silent, broken = cluster_watch.Watch("Some", lambda: never.wait() or 1), cluster_watch.Watch("Some", unreachable)
    empty, alive = cluster_watch.Watch("Some", lambda: 0), cluster_watch.Watch("Some", lambda: 2)
    for one in (silent, broken, empty, alive):
        one.check(1e9)  # not yet
    time.sleep(0.5)
    for one in (silent, broken):
        with pytest.raises(EngineError, match="The Some cluster has not answered for 0 seconds: see whether"):
            one.check(1e9)
    with pytest.raises(
        EngineError, match="The Some cluster has had no worker for 0 seconds: start workers, or use eng"
    ):
        empty.check(1e9)
    alive.check(1e9)
    for one in (silent, broken, empty):
        one.check(0.1)  # pieces come back: it cannot be gone
    never.set()
    for one in (silent, broken, empty, alive):
        one.end()


def test_what_takes_too_long_is_left_alone():
    assert cluster_watch.within(5.0, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        cluster_watch.within(5.0, lambda: 1 / 0)
    never = threading.Event()
    with pytest.raises(TimeoutError):
        cluster_watch.within(0.05, never.wait)
    never.set()


def test_an_engine_that_is_gone_is_noticed_while_waiting(monkeypatch, tmp_path):
    def gone(self, seconds_idle):
        if seconds_idle > 0.3:
            raise EngineError("It is gone.")

    class Gone(Threads):
        """The first piece comes back, the others never."""

        check = gone

        def submit(self, number, piece):
            return super().submit(number, piece) if number == 0 else Future()

    monkeypatch.setattr("riskbandits.simulation.engines.opening.Threads", Gone)
    jobs = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(300, 20, 7, [300], "plain"))
    with pytest.raises(EngineError, match="It is gone"):
        run_jobs(jobs, 2, store=Store(tmp_path))
    assert list(tmp_path.rglob("*.chunk"))  # what came back is kept


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
class TestDask:
    @pytest.fixture
    def cluster(self, tmp_path):
        """A scheduler and two worker processes on loopback: (address, workers)."""
        pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'riskbandits[dask]'")
        where = tmp_path / "scheduler.json"
        dask = [sys.executable, "-m", "dask"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        address = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(where)]
        one = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(where)]
        with contextlib.ExitStack() as stack:
            self.scheduler = stack.enter_context(started([*dask, "scheduler", *address], **quiet))
            workers = [stack.enter_context(started([*dask, "worker", *one], **quiet)) for _ in range(2)]
            while not where.exists():
                assert self.scheduler.poll() is None
                time.sleep(0.05)
            yield json.loads(where.read_text())["address"], workers

    def test_the_table_of_threads_from_an_address_and_from_a_client(self, cluster):
        from distributed import Client

        address, _ = cluster
        expected = simulate("threads")
        assert_same(simulate(address), expected)
        assert_same(simulate(address.replace("tcp://", "dask://")), expected)
        with Client(address) as client:
            client.wait_for_workers(2)
            assert_same(simulate("dask"), expected)
            assert_same(simulate(client), expected)

    def test_a_policy_from_a_file_travels_with_its_code(self, cluster, tmp_path, monkeypatch):
        (tmp_path / "own_for_dask.py").write_text(OWN)
        monkeypatch.syspath_prepend(tmp_path)
        from own_for_dask import Own

        (tmp_path / "own_for_dask.py").unlink()  # workers started in this folder must not find it
        assert_same(simulate(cluster[0], [Own()]), simulate("threads", [Own()]))

    def test_one_worker_killed_in_the_middle(self, cluster, tmp_path):
        from distributed import Client

        address, workers = cluster
        jobs = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(30_000, 60, 7, [30_000], "plain"))
        expected = run_jobs(jobs, 2)
        seen, killed = [], []

        def kill_one(done):
            seen.append(done)
            if done > 0 and not killed:
                killed.append(done)
                workers[0].kill()

        with Client(address) as client:
            client.wait_for_workers(2)
            found = run_jobs(jobs, 2, kill_one, "dask")
        assert workers[0].wait() == -signal.SIGKILL
        assert killed[0] < 60 * 30_000  # in the middle
        assert seen[-1] == 60 * 30_000
        assert (found[0].sums == expected[0].sums).all()
        assert (found[0].pulls == expected[0].pulls).all()

    @pytest.mark.parametrize("what", ["no workers", "a frozen scheduler", "a dead scheduler"])
    @pytest.mark.parametrize("client_of_ones_own", [False, True])
    def test_a_cluster_that_is_gone_is_a_sentence(self, cluster, tmp_path, monkeypatch, what, client_of_ones_own):
        from distributed import Client

        monkeypatch.setattr(cluster_watch, "SECONDS_UNTIL_GONE", 4.0)
        address, workers = cluster
        jobs = plan(rb.problems.zhu_tan_gaussian(1), [rb.MVTS()], RunOptions(30_000, 2000, 7, [30_000], "plain"))
        gone = []

        def go(done):
            if done > 0 and not gone:
                gone.append(time.monotonic())
                for process in workers if what == "no workers" else [self.scheduler]:
                    process.send_signal(signal.SIGSTOP if what == "a frozen scheduler" else signal.SIGKILL)

        sentences = {
            "no workers": "The Dask cluster has had no worker for 4 seconds: start workers",
            "a frozen scheduler": "The Dask cluster has not answered for 4 seconds: see whether its scheduler runs",
            "a dead scheduler": "The Dask cluster has not answered for 4 seconds|Engine 'dask' dropped its work",
        }
        client = Client(address, set_as_default=False) if client_of_ones_own else None
        with pytest.raises(EngineError, match=sentences[what]):
            run_jobs(jobs, 2, go, client or address, Store(tmp_path / "store"))
        assert time.monotonic() - gone[0] < 40.0
        assert list((tmp_path / "store").rglob("*.chunk"))  # what came back is kept
        if what == "a frozen scheduler":  # one that is frozen from the beginning
            monkeypatch.setattr("riskbandits.simulation.engines.dask.SECONDS_TO_WAIT", 2)
            monkeypatch.setattr("riskbandits.simulation.engines.dask.SECONDS_TO_ANSWER", 1)
            with pytest.raises(EngineError, match="did not answer, for 2 seconds|There is no Dask scheduler at"):
                run_jobs(jobs, 2, None, client or address)
        if client is not None:
            self.scheduler.kill()
            client.close(timeout=1)

    def test_no_client_and_no_scheduler(self):
        pytest.importorskip("distributed", reason="dask.distributed is not installed: pip install 'riskbandits[dask]'")
        with pytest.raises(EngineError, match="needs a running dask.distributed.Client, or an address"):
            simulate("dask")


@pytest.mark.full
@pytest.mark.filterwarnings("ignore")
class TestRay:
    @pytest.fixture(autouse=True)
    def ray(self):
        return pytest.importorskip("ray", reason="ray is not installed: pip install 'riskbandits[ray]'")

    def test_a_local_cluster_gives_the_table_of_threads(self, ray, capfd):
        expected = simulate("threads")
        assert_same(simulate("ray"), expected)
        assert not ray.is_initialized()
        assert capfd.readouterr().out == ""

    @pytest.fixture
    def connected(self, ray):
        """A local cluster that was there before the job."""
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield ray
        ray.shutdown()

    def test_the_cluster_that_is_connected_stays(self, connected):
        assert_same(simulate("ray"), simulate("threads"))
        assert connected.is_initialized()

    def test_a_task_whose_worker_dies_runs_again(self, connected, tmp_path, monkeypatch):
        marker = tmp_path / "died"
        once = (
            f"if os.getpid() != MAIN and not os.path.exists({str(marker)!r}):\n            open({str(marker)!r}, 'x')"
        )
        (tmp_path / "deadly_once.py").write_text(DEADLY.replace("if os.getpid() != MAIN:", once))
        monkeypatch.setenv("MAIN_PROCESS", str(os.getpid()))
        monkeypatch.syspath_prepend(tmp_path)
        from deadly_once import Deadly

        (tmp_path / "deadly_once.py").unlink()  # the code travels: no worker can find the file
        found = simulate("ray", [Deadly()])
        assert marker.exists()
        assert_same(found, simulate("threads", [Deadly()]))

    def test_a_cluster_that_is_gone_is_a_sentence(self, connected):
        engine = Ray(2)
        try:
            error = engine.unwrapped(connected.exceptions.LocalRayletDiedError())
        finally:
            engine.close(finished=True)
        assert isinstance(error, EngineError)
        assert str(error).startswith("The Ray cluster lost its work (LocalRayletDiedError): see whether it still runs")

    def test_an_error_in_a_task_is_the_sentence_alone(self, connected):
        with pytest.raises(rb.errors.ScoresError, match=r"^All scores of Lost were NaN at step 5"):
            rb.simulate(
                rb.problems.zhu_tan_gaussian(1), [lost()], horizon=10, runs=1, seed=0, engine="ray", progress=False
            )
