"""A study of 100,000 points, masses varying: killed twice, or on a Dask cluster that loses a worker, one table."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parapick.progress import Progress
from parapick.study import run_study
from parapick.study.files import STUDIES
from studies import study_of

POINTS = 100_000
MEMORY_MAX = 500.0
"""Peak memory of a run (MB)."""


def large() -> str:
    """The search for the robot for 100G as 100,000 spread points, plate and motor varying with the geometry."""
    text = STUDIES.find("corbel2010-100g").read_text(encoding="utf-8")
    methods = re.compile(r"\[\[methods\]\].*?(?=# The four lines)", re.DOTALL)
    text = methods.sub(f'[[methods]]\nkind = "sobol"\npoints = {POINTS}\n\n', text)
    more = '"plate.mass" = { from = 0.1, to = 0.3 }\n"drive.inertia" = { from = 0.003, to = 0.006 }\n\n[dependent]'
    return text.replace("[dependent]", more).replace("objectives =", "best = 0\nobjectives =")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return run_study(study_of(large()), tmp_path_factory.mktemp("whole") / "out").store.table.read_bytes()


@pytest.mark.soak
def test_killed_twice_it_is_the_table_of_one_run_through(tmp_path: Path, whole: bytes) -> None:
    file, out = tmp_path / "large.toml", tmp_path / "out"
    file.write_text(large())
    # Memory of the run and of its workers, and how many kernels it compiled.
    code = (
        "import resource, sys; from parapick.cli import main; code = main(sys.argv[1:]); "
        "from parapick.kernel import compilations; "
        "who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN); "
        "peak = max(resource.getrusage(one).ru_maxrss / 1024 for one in who); "
        "print('PEAK', peak, compilations().built, file=sys.stderr)"
    )
    line = [sys.executable, "-c", code, "study", "run", str(file), "--out", str(out), "--workers", "2"]
    for chunks in (4, 12):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(list(out.glob("chunks/*.parquet"))) < chunks:
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
        process.wait()
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    _, peak, compiled = next(text for text in done.stderr.splitlines() if text.startswith("PEAK")).split()
    assert (out / "table.parquet").read_bytes() == whole
    assert float(peak) < MEMORY_MAX
    # The first run made every kernel of the designs; those left are of the slopes that the answer shows.
    assert int(compiled) <= 3


@pytest.mark.soak
def test_a_dask_cluster_loses_a_worker_midway(tmp_path: Path, whole: bytes) -> None:
    distributed = pytest.importorskip("distributed")
    from parapick.study.executors import cluster

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        pids = [worker.pid for worker in local.workers.values()]

        def kill_a_worker(now: Progress) -> None:
            if len(pids) == 2 and now.done > POINTS / 2:
                os.kill(pids.pop(), signal.SIGKILL)

        with cluster(local.scheduler_address) as executor:
            run = run_study(study_of(large()), tmp_path, executor=executor, workers=2, progress=kill_a_worker).store
    assert len(pids) == 1
    assert run.table.read_bytes() == whole
