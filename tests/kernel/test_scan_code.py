"""Code of scans: cached on disk, shared between threads, and with nothing repeated that could be done before."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.kernel import Scan, Substep, build_scan, compilations
from parapick.kernel.llvm.scan_loop import scan_module
from parapick.kernel.llvm.target import host_target
from scans import arrays, example


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def counted(action: Callable[[], object]) -> tuple[int, int]:
    """How many pieces of code an action built and loaded."""
    before = compilations()
    action()
    after = compilations()
    return after.built - before.built, after.loaded - before.loaded


def record() -> None:
    example()(*arrays(steps=2))


def fold() -> None:
    example().final(*arrays(steps=2))


def test_compiled_when_first_called_and_then_loaded(folder: Path) -> None:
    assert counted(example) == (0, 0)
    assert counted(record) == (1, 0)
    assert counted(fold) == (1, 0)
    assert counted(lambda: [record(), fold()]) == (0, 2)
    assert len(list(folder.iterdir())) == 2
    scan = example(outputs={})
    assert counted(lambda: [scan(*arrays()), scan(*arrays(), substeps=5), scan(*arrays(), substeps=2)]) == (1, 0)


@pytest.mark.parametrize("damage", [lambda whole: whole[: len(whole) // 2], lambda _: b"", lambda whole: whole[::-1]])
def test_a_damaged_entry_is_rebuilt(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    wanted = example()(*arrays()).state
    (entry,) = folder.iterdir()
    entry.write_bytes(damage(entry.read_bytes()))
    assert counted(record) == (1, 0)
    np.testing.assert_array_equal(example()(*arrays()).state, wanted)


def test_scans_that_differ_in_one_place_are_different(folder: Path) -> None:
    def built(substep: bool, held: float) -> float:
        state, u = SX.sym("state", 1), SX.sym("u", 1)
        inner, kept = SX.sym("inner", 1), SX.sym("kept", 1)
        repeated = Substep(inner, kept, inner + kept, values=held * u) if substep else None
        scan = build_scan("near", state, {"u": u}, None, state + u, {}, substep=repeated)
        return float(scan([1.0], [[2.0]]).state[0])

    assert [built(False, 1.0), built(True, 1.0), built(True, 3.0), built(True, 1.0)] == [3.0, 5.0, 9.0, 5.0]


def test_threads_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    scan = example()
    state, wish, push, p = arrays((133,), steps=20)
    alone, last = scan(state, wish, push, p, threads=1), scan.final(state, wish[0], push, p, threads=1)
    for threads in (2, 3, 64, 1000):
        run = scan(state, wish, push, p, threads=threads)
        np.testing.assert_array_equal(run.outputs["square"], alone.outputs["square"])
        np.testing.assert_array_equal(scan.final(state, wish[0], push, p, threads=threads), last)
    monkeypatch.setenv("PARAPICK_THREADS", "3")
    many = [np.concatenate([one] * 10) for one in (state, wish, push, p)]
    np.testing.assert_array_equal(scan.final(*many, substeps=20)[:133], scan.final(state, wish, push, p, substeps=20))


def test_several_threads_may_call_and_compile_at_once(folder: Path) -> None:
    scan = example()
    given = arrays((9,))
    start = threading.Barrier(8)

    def call(number: int) -> np.ndarray:
        start.wait()
        return scan.final(*given, substeps=3) if number % 2 else scan(*given, substeps=3).state

    def all_of_them() -> None:
        with ThreadPoolExecutor(8) as pool:
            results = list(pool.map(call, range(8)))
        for number, result in enumerate(results):
            np.testing.assert_array_equal(result, results[number % 2])

    assert counted(all_of_them) == (2, 0)


def test_no_lock_is_held() -> None:
    """Another thread gets on while a long scan runs: with the lock held it would stand still."""
    scan = example()
    given = (*arrays((8,), steps=2000),)
    scan.final(*given)
    done = threading.Event()
    ticks = 0

    def run() -> None:
        scan.final(*given, substeps=400, threads=1)
        done.set()

    interval = sys.getswitchinterval()
    worker = threading.Thread(target=run)
    sys.setswitchinterval(1e-4)
    try:
        worker.start()
        while not done.is_set():
            ticks += 1
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert ticks > 1000


def functions_of(scan: Scan) -> dict[str, str]:
    """The text of each function, by name."""
    text = scan_module(scan.trace, host_target(width=1))
    parts = [part.split("\n}")[0] for part in text.split("\ndefine ")[1:]]
    return {part.split("@")[1].split("(")[0]: part for part in parts}


def test_what_can_be_done_before_is_done_before() -> None:
    """A function of parameters is called before the run, one of held values once a step, one of the state each time."""
    state, u, p = SX.sym("state", 1), SX.sym("u", 1), SX.sym("p", 1)
    inner, held = SX.sym("inner", 1), SX.sym("held", 1)
    after = casadi.tanh(inner) + casadi.log(held) * casadi.exp(p) + casadi.sinh(p + held)
    next_state = casadi.cosh(state) + casadi.exp(p) + casadi.asinh(u)
    substep = Substep(inner, held, after, values=casadi.acosh(u))
    scan = build_scan("levels", state, {"u": u}, p, next_state, {}, substep=substep)
    functions = functions_of(scan)
    where = {
        name: [place for place in ("prologue", "step", "hold", "substep") if f"@{name}(" in functions[place]]
        for name in ("exp", "cosh", "asinh", "acosh", "log", "sinh", "tanh")
    }
    assert where == {
        "exp": ["prologue"],
        "cosh": ["step"],
        "asinh": ["step"],
        "acosh": ["step"],
        "log": ["hold"],
        "sinh": ["hold"],
        "tanh": ["substep"],
    }


def test_nothing_is_computed_for_outputs_nobody_reads() -> None:
    state, u = SX.sym("state", 1), SX.sym("u", 1)
    scan = build_scan("lean", state, {"u": u}, None, state + u, {"costly": casadi.tanh(state)})
    assert "@tanh(" in scan_module(scan.trace, host_target(width=1))
    assert "tanh" not in scan_module(scan.trace.without_outputs(), host_target())
