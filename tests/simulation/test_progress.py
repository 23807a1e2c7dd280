"""What loops say of their progress, and that what a listener raises ends them; supervised runs too."""

from __future__ import annotations

import numpy as np
import pytest

import parapick as pp
from parapick.operation import fault_from
from parapick.simulation import TOLD


def cancelling(after: int, seen: list[pp.Progress]) -> object:
    """A listener that cancels at its call of some number."""

    def listen(progress: pp.Progress) -> None:
        seen.append(progress)
        if len(seen) == after:
            raise pp.errors.CancelledError

    return listen


def test_a_compiled_loop_is_told_before_it_runs() -> None:
    seen: list[pp.Progress] = []
    record = pp.simulate("par4", "adept-120", "tsid", progress=seen.append)
    assert [(one.what, one.done, one.total) for one in seen] == [("samples", 0, len(record.t))]


def test_a_stepped_loop_says_how_far_it_is_and_gives_the_same_record() -> None:
    seen: list[pp.Progress] = []
    motion = pp.hold(pp.load("par4").robot.home, "200 ms")
    heard, alone = (
        pp.simulate("par4", motion, "tsid", engine="python", progress=progress) for progress in (seen.append, None)
    )
    assert [one.done for one in seen] == list(range(0, len(alone.t), TOLD))
    assert np.array_equal(heard.q, alone.q)
    with pytest.raises(pp.errors.CancelledError):
        pp.simulate("par4", motion, "tsid", engine="python", progress=cancelling(2, []))


def test_a_law_that_learns_counts_its_cycles() -> None:
    seen: list[pp.Progress] = []
    with pytest.raises(pp.errors.CancelledError):
        pp.simulate("par4", "adept-120", "par4-learning", cycles=3, progress=cancelling(2, seen))
    assert [str(one) for one in seen] == ["0 of 3 cycles", "1 of 3 cycles"]


def test_a_supervised_run_names_its_states() -> None:
    seen: list[pp.Progress] = []
    run = pp.supervise("par4", "adept-120", "tsid", faults=["emergency@100ms"], progress=seen.append)
    assert [one.what for one in seen] == [change.after.value for change in run.changes]
    assert run.faults == (fault_from("emergency@0.1", pp.load("par4")),)
    assert run.trip is not None
    assert run.trip.guard == "emergency"
    with pytest.raises(pp.errors.CancelledError):
        pp.supervise("par4", "adept-120", "tsid", progress=cancelling(3, []))
    with pytest.raises(pp.errors.ParapickError, match="emergency"):
        pp.supervise("par4", "adept-120", "tsid", faults=["emergancy@100ms"])
