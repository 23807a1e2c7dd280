"""`parapick run --serve` and `--segment`: drives in one process, runs on them from others, and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from typing import Any

import pytest

from parapick.runtime.segment import segment_path

TASK = ("par4", "adept-120")
PATIENT = ("--guard", "deadline=100000")

compiled = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="a C compiler is missing: install gcc or clang"
)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--serve", "a", "--lockstep"), "--serve: has drives with a clock; leave out --lockstep"),
        (("--segment", "a", "--lockstep"), "--segment: has drives with a clock; leave out --lockstep"),
        (("--serve", "a", "--segment", "b"), "starts drives, and --segment uses those that run already"),
        (("--serve", "a", "--out", "run.csv"), "--serve: runs no task"),
        (("--serve", "a", "--explain"), "--serve: runs no task"),
        (("--segment", "a", "--explain"), "--explain: needs to know what the drives did"),
        (("--reset",), "--reset: is for drives that run already; give --segment, too"),
        (("--segment", "a", "--start", "0,0,-0.7"), "start: is where the drives say that the plate is"),
        (("--segment", "a b"), "segment: is 'a b'; a name has letters"),
        (("--segment", "parapick-none"), "/parapick-none: there is no such segment"),
    ],
)
def test_what_contradicts_itself_is_refused(run: Any, words: tuple[str, ...], message: str) -> None:
    assert message in run("run", *TASK, *words).message


@compiled
def test_a_name_that_cannot_be_is_refused_before_anything_is_compiled(run: Any) -> None:
    assert "serve: is 'a/b'" in run("run", *TASK, "--serve", "a/b").message


@compiled
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_drives_are_served_in_one_process_and_run_on_from_another(run: Any, way: signal.Signals) -> None:
    name = f"parapick-cli-{os.getpid()}-{int(way)}"
    command = [sys.executable, "-m", "parapick", "run", *TASK, *PATIENT, "--serve", name, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stderr is not None
            said = serving.stderr.readline()
            assert f"virtual drives of par4 are served as {name} at 4000 Hz" in said
            assert "Ctrl-C ends them" in said
            done = run("run", *TASK, *PATIENT, "--segment", name, "--json")
            assert done.code in (0, 1)
            states = done.column("states", "state")
            assert states[:2] == ["enabling", "homing"]
            assert done.json["settings"]["segment"] == name
            assert "belongs to another robot than delta-4" in run("run", "delta-4", TASK[1], "--segment", name).message
            assert "is in use" in run("run", *TASK, "--serve", name).message
            serving.send_signal(way)
            out, _ = serving.communicate(timeout=30)
        finally:
            serving.kill()
    answer = json.loads(out)
    assert serving.returncode == 0
    assert answer["answer"] == "serve"
    assert answer["data"]["segment"] == f"/{name}"
    assert answer["data"]["cycles"] > 1000
    assert not segment_path(f"/{name}").exists()
