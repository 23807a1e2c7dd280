"""What is wrong with a loop, as a requirement that names what, where and by how much."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from parapick.control import Controller
from parapick.simulation import Record, fault_of, loop_answer, simulate
from parapick.simulation.loop_fault import CHATTERING, LOST
from parapick.simulation.record import Divergence
from simulation.cases import TSID, cycle, delta


@cache
def sound() -> Record:
    return simulate(delta(), cycle(), Controller(TSID, rate=1000.0))


def extent() -> float:
    return float(np.linalg.norm(np.ptp(sound().x_ref[:, :3], axis=0)))


def off_by(distance: float, row: int = 50) -> Record:
    x = sound().x_ref.copy()
    x[row, 1] += distance
    return replace(sound(), x=x, qd=sound().qd_ref)


def test_a_loop_that_does_its_work_has_no_fault() -> None:
    assert fault_of(sound()) is None
    assert fault_of(off_by(0.999 * LOST * extent())) is None


def test_a_lost_path_says_where_and_by_how_much() -> None:
    fault = fault_of(off_by(1.01 * LOST * extent()))
    assert fault is not None
    assert fault.name == "lost"
    assert fault.limit == pytest.approx(LOST * extent())
    assert fault.use == pytest.approx(1.01)
    assert fault.place is not None
    assert fault.place.time == sound().t[50]
    assert f"{1.01e3 * LOST * extent():.4g} mm" in fault.text
    assert f"at {sound().t[50]:.4g} s" in fault.text


def test_a_path_without_an_extent_is_never_lost() -> None:
    resting = np.repeat(sound().x_ref[:1], len(sound().t), axis=0)
    still = np.zeros_like(sound().qd)
    record = replace(sound(), x_ref=resting, x=resting + 0.01, qd_ref=still, qd=still)
    assert fault_of(record) is None


@pytest.mark.parametrize(("share", "chatters"), [(0.5 * CHATTERING, False), (1.5 * CHATTERING, True)])
def test_a_command_that_changes_its_sign_too_often(share: float, chatters: bool) -> None:
    command = np.ones_like(sound().command)
    changes = round(share * (len(command) - 1))
    command[1 : changes + 1, 1] = (-1.0) ** np.arange(1, changes + 1)
    command[changes + 1 :, 1] = command[changes, 1]
    fault = fault_of(replace(sound(), x=sound().x_ref, qd=sound().qd_ref, command=command))
    assert (fault is not None) == chatters
    if fault is not None:
        assert (fault.name, fault.whose) == ("chattering", "motor 2")
        assert fault.value == pytest.approx(share, rel=0.02)
        assert "motor 2: changes its sign at 15 % of the samples" in fault.text


def test_a_joint_that_shakes() -> None:
    shaking = sound().qd_ref.copy()
    shaking[:, 2] += 0.5 * np.abs(np.diff(shaking[:, 2])).max() * (-1.0) ** np.arange(len(shaking)) * 4.0
    fault = fault_of(replace(sound(), x=sound().x_ref, qd=shaking, command=np.ones_like(sound().command)))
    assert fault is not None
    assert (fault.name, fault.whose, fault.limit) == ("chattering", "motor 3", 1.0)
    assert fault.value > 2.0


def test_one_sample_is_no_chatter() -> None:
    assert fault_of(sound().rows(slice(0, 1))) is None


def test_a_loop_that_diverged_keeps_no_limit() -> None:
    ended = replace(sound().rows(slice(0, 20)), divergence=Divergence(0.019, "leg 2", "the loop diverged: leg 2 broke"))
    fault = fault_of(ended)
    assert fault is not None
    assert (fault.name, fault.ok, fault.limit) == ("diverged", False, None)
    assert fault.text.startswith("the loop diverged: leg 2 broke, at (")
    assert fault.place is not None
    np.testing.assert_array_equal(fault.place.pose, ended.x[-1])
    nothing = fault_of(ended.rows(slice(0, 0)))
    assert nothing is not None
    assert "before anything was recorded" in nothing.text


def test_a_no_names_the_fault_of_every_law() -> None:
    lost = off_by(1.01 * LOST * extent())
    answer = loop_answer(delta(), "adept", cycle().duration, {"first": lost, "second": lost})
    assert not answer.ok
    for name in ("first", "second"):
        assert f"{name}: error of the plate: " in answer.refusal
    data = answer.data["laws"]["first"]["fault"]
    assert (data["kind"], data["limit"], data["unit"]) == ("lost", pytest.approx(LOST * extent()), "m")
    assert loop_answer(delta(), "adept", cycle().duration, {"first": lost, "sound": sound()}).ok
