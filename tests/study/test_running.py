"""Runs that are stopped, in whatever way, go on and end with the table of one run through."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from parapick.errors import ParameterError, ParapickError
from parapick.progress import Progress
from parapick.study import FolderError, StudyError, run_study
from parapick.study.executors import processes
from parapick.study.status import status_answer
from studies import SMALL, changed, study_of

GRID = changed(("best = 1", "best = 0"))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table of one run through."""
    return run_study(study_of(GRID), tmp_path_factory.mktemp("whole") / "out", workers=1).store.table.read_bytes()


class StopError(Exception):
    """A run is stopped."""


def stop_after(chunks: int) -> Callable[[Progress], None]:
    def progress(now: Progress) -> None:
        if now.done >= 64 * chunks:
            raise StopError

    return progress


def test_stopped_and_resumed_it_is_the_same_table(tmp_path: Path, table: bytes) -> None:
    study = study_of(GRID)
    for chunks in (2, 4):
        with pytest.raises(StopError):
            run_study(study, tmp_path / "out", workers=1, progress=stop_after(chunks))
        answer = status_answer(tmp_path / "out")
        assert answer.data["done"] == 64 * chunks
        assert answer.data["total"] == 448
        assert answer.data["state"] == "stopped"
    assert run_study(study, tmp_path / "out", workers=1).store.table.read_bytes() == table
    assert status_answer(tmp_path / "out").data["state"] == "finished"


def test_any_executor_fills_the_same_table(tmp_path: Path, table: bytes) -> None:
    with ThreadPoolExecutor(3) as threads:
        assert run_study(study_of(GRID), tmp_path / "out", executor=threads).store.table.read_bytes() == table


def test_processes_fill_the_same_table_also_when_one_is_killed(tmp_path: Path, table: bytes) -> None:
    killed = []

    def kill_a_worker(now: Progress) -> None:
        workers = _children(os.getpid())
        if not killed and workers:
            killed.append(workers[0])
            os.kill(workers[0], signal.SIGKILL)

    study = study_of(GRID)
    assert run_study(study, tmp_path / "out", workers=2, progress=kill_a_worker).store.table.read_bytes() == table
    assert killed


def _children(pid: int, *, wait: bool = False) -> list[int]:
    """Worker processes of a process; if asked to, it waits until there is one."""
    end = time.monotonic() + 60.0
    while not (found := _listed(pid)) and wait and time.monotonic() < end:
        time.sleep(0.02)
    return found


def _listed(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"spawn_main" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except (OSError, ValueError):
            continue
    return found


@pytest.mark.parametrize("alone", [math.inf, 0.0])
def test_this_process_fills_the_same_table_alone_and_beside_others(
    tmp_path: Path, table: bytes, monkeypatch: pytest.MonkeyPatch, alone: float
) -> None:
    """Where no number of workers is stated."""
    monkeypatch.setattr("parapick.study.running.ALONE", alone)
    monkeypatch.setattr("parapick.study.running.processors", lambda: 3)
    seen: set[int] = set()
    done: list[int] = []

    def look(now: Progress) -> None:
        done.append(now.done)
        seen.update(_children(os.getpid(), wait=alone == 0.0 and not seen))

    before = set(_children(os.getpid()))
    assert run_study(study_of(GRID), tmp_path / "out", progress=look).store.table.read_bytes() == table
    assert done == sorted(done)
    assert done[-1] == 448
    assert bool(seen - before) == (alone == 0.0)


def test_a_worker_that_is_lost_beside_this_process_costs_nothing(
    tmp_path: Path, table: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parapick.study.running.ALONE", 0.0)
    monkeypatch.setattr("parapick.study.running.processors", lambda: 2)
    killed: list[int] = []

    def kill_a_worker(now: Progress) -> None:
        if not killed:
            killed.extend(_children(os.getpid(), wait=True)[:1])
            os.kill(killed[0], signal.SIGKILL)

    assert run_study(study_of(GRID), tmp_path / "out", progress=kill_a_worker).store.table.read_bytes() == table
    assert killed


def test_killed_with_9_and_resumed_it_is_the_same_table(tmp_path: Path, table: bytes) -> None:
    file, out = tmp_path / "study.toml", tmp_path / "out"
    file.write_text(GRID)
    line = [sys.executable, "-m", "parapick", "study", "run", str(file), "--out", str(out), "--workers", "2"]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not list(out.glob("chunks/*.parquet")):
        assert process.poll() is None or process.returncode == 0
        time.sleep(0.02)
    workers = _children(process.pid)
    process.kill()
    process.wait()
    assert run_study(study_of(GRID), out, workers=1).store.table.read_bytes() == table
    # Workers end with the run that they work for.
    assert not [pid for pid in workers if _alive(pid)]


def _alive(pid: int) -> bool:
    for _ in range(100):
        try:
            if (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except OSError:
            return False
        time.sleep(0.05)
    return True


class Lossy(Executor):
    """Loses its only worker at every call."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        from concurrent.futures.process import BrokenProcessPool

        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("lost"))
        return future


def test_workers_that_are_lost_again_and_again_end_the_run_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from contextlib import nullcontext

    monkeypatch.setattr("parapick.study.running.processes", lambda _: nullcontext(Lossy()))
    with pytest.raises(StudyError, match="a worker was lost 3 times"):
        run_study(study_of(GRID), tmp_path / "out", workers=2)


@pytest.mark.parametrize("error", [CancelledError(), ConnectionError("gone"), TimeoutError()])
def test_a_scheduler_that_is_killed_is_said_in_a_line(tmp_path: Path, table: bytes, error: Exception) -> None:
    class Killed(Executor):
        """Evaluates two chunks, and is gone."""

        left = 2

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.left -= 1
            if self.left < 0:
                future.set_exception(error)
            else:
                future.set_result(fn(*args))
            return future

    with pytest.raises(StudyError, match="what is finished is kept, and the same command goes on") as caught:
        run_study(study_of(GRID), tmp_path / "out", executor=Killed(), workers=1)
    assert "\n" not in str(caught.value)
    assert run_study(study_of(GRID), tmp_path / "out", workers=1).store.table.read_bytes() == table


def test_a_fault_of_our_own_is_none_of_a_scheduler(tmp_path: Path) -> None:
    class Faulty(Executor):
        """Fails as a program does."""

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_study(study_of(GRID), tmp_path / "out", executor=Faulty(), workers=1)


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, table: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    study, out = study_of(GRID), tmp_path / "out"
    with pytest.raises(StopError):
        run_study(study, out, workers=1, progress=stop_after(2))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(ParapickError, match="cannot be written: file too large"):
            run_study(study, out, workers=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert len(list(out.glob("chunks/*"))) == 2
    assert run_study(study, out, workers=1).store.table.read_bytes() == table


def test_a_worker_that_starts_is_one_that_ends() -> None:
    with processes(1) as pool:
        assert pool.submit(os.getpid).result() != os.getpid()


def test_a_job_that_no_process_has_begun_can_be_taken_back() -> None:
    before = set(_children(os.getpid()))
    with processes(1, math.inf) as pool:
        future = pool.submit(os.getpid)
        time.sleep(0.1)
        assert future.cancel()
        assert set(_children(os.getpid())) == before
        # Jobs that are left are dropped, and their thread goes.
        left = pool.submit(os.getpid)
    assert left.cancelled()


def test_processes_begin_when_this_one_has_worked_so_long() -> None:
    with processes(1, 0.2) as pool:
        future = pool.submit(os.getpid)
        end = time.process_time() + 0.2
        while time.process_time() < end:
            sum(range(1000))
        assert future.result(timeout=60) != os.getpid()


def test_a_process_that_ends_in_its_job_is_a_broken_pool() -> None:
    with processes(1) as pool:
        with pytest.raises(BrokenExecutor):
            pool.submit(os._exit, 3).result(timeout=60)
        # It has no process any more; nobody waits for one.
        with pytest.raises(BrokenExecutor):
            pool.submit(os.getpid).result(timeout=60)


def test_a_process_killed_while_it_sends_is_a_broken_pool() -> None:
    with processes(1) as pool:
        pid = pool.submit(os.getpid).result()
        # More than a pipe holds, so that it is sent in parts; the end comes at whatever part it is.
        future = pool.submit(bytes, 400_000_000)
        time.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        with suppress(BrokenExecutor):
            assert len(future.result(timeout=60)) == 400_000_000


def test_an_error_in_a_process_is_raised_here_and_the_next_job_is_done() -> None:
    with processes(1) as pool:
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result(timeout=60)
        assert pool.submit(divmod, 7, 2).result(timeout=60) == (3, 1)


# Folders


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(FolderError, match="is not empty and holds no study"):
        run_study(study_of(GRID), tmp_path, workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_folder_of_another_study_is_left_alone(tmp_path: Path) -> None:
    run_study(study_of(GRID), tmp_path, workers=1)
    with pytest.raises(FolderError, match="holds the study 'small'"):
        run_study(study_of(changed(('name = "small"', 'name = "other"'))), tmp_path, workers=1)


def test_a_study_that_changed_before_resuming_is_refused_with_what_changed(tmp_path: Path) -> None:
    run_study(study_of(GRID), tmp_path, workers=1)
    other = study_of(GRID.replace('"180 mm"', '"190 mm"'))
    with pytest.raises(FolderError, match=r'study\.parameters\.limb\.arm\.from was "180 mm" and is "190 mm"'):
        run_study(other, tmp_path, workers=1)
    with pytest.raises(FolderError, match='method was "grid" and is "sobol"'):
        run_study(study_of(GRID), tmp_path, method="sobol", workers=1)


def test_two_runs_in_one_folder_are_kept_apart(tmp_path: Path) -> None:
    study = study_of(SMALL)

    def second(_: Progress) -> None:
        assert status_answer(tmp_path).data["state"] == "running"
        with pytest.raises(FolderError, match="is being filled by another run"):
            run_study(study, tmp_path, workers=1)
        raise StopError

    with pytest.raises(StopError):
        run_study(study, tmp_path, workers=1, progress=second)


def test_a_cluster_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from parapick.study import executors

    monkeypatch.setattr(executors, "PATIENCE", 0.3)
    with pytest.raises(StudyError, match="does not answer"), executors.cluster("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("address", ["nonsense", "http://10.0.0.1:8786", "tcp://10.0.0.1"])
def test_an_address_that_is_none(address: str) -> None:
    pytest.importorskip("distributed")
    from parapick.study import executors

    with pytest.raises(ParameterError, match="is not an address of a scheduler"), executors.cluster(address):
        pass


def test_a_dask_cluster_fills_the_same_table_also_when_a_worker_is_killed(tmp_path: Path, table: bytes) -> None:
    distributed = pytest.importorskip("distributed")
    from parapick.study.executors import cluster

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        pids = [worker.pid for worker in local.workers.values()]

        def kill_a_worker(_: Progress) -> None:
            if pids:
                os.kill(pids.pop(), signal.SIGKILL)

        with cluster(local.scheduler_address) as executor:
            run = run_study(study_of(GRID), tmp_path, executor=executor, workers=2, progress=kill_a_worker).store
    assert run.table.read_bytes() == table
