"""Whole motions run through as fast as a robot can: the same way, rests, payloads and places of the phases."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MotionError
from parapick.motion import Gate, Motion, adept_cycle, by_law, gate, gate_path, hold, straight, with_yaw
from parapick.motion.motion_pieces import path_of
from parapick.papers.righettini2024.cycle import righettini2024_cycle
from parapick.tasks import load_task
from parapick.timing import fastest_along, fastest_cycle


@pytest.fixture(scope="module")
def par4() -> pp.Model:
    return pp.load("par4")


def chain(motion: Motion, count: int) -> np.ndarray:
    """Points along the way of a motion, close to each other (n, 3)."""
    return motion.at(np.linspace(0.0, motion.duration, count)).x[:, :3]


def gap(one: Motion, other: Motion) -> float:
    """How far (m) points of one way are from the polygon through the other's at most."""
    points, corners = chain(one, 300), chain(other, 4000)
    start, way = corners[:-1], np.diff(corners, axis=0)
    square = np.maximum((way**2).sum(axis=-1), 1e-30)
    share = np.clip(((points[:, None] - start) * way).sum(axis=-1) / square, 0.0, 1.0)
    return float(np.linalg.norm(points[:, None] - start - share[..., None] * way, axis=-1).min(axis=1).max())


MOTIONS: dict[str, Callable[[pp.Model], Motion]] = {
    "stops": lambda model: adept_cycle(model, cycles_per_minute=120),
    "overlap": lambda model: adept_cycle(model, cycles_per_minute=90, overlap=0.6, law="half-sine"),
    "whole overlap": lambda model: adept_cycle(model, cycles_per_minute=60, overlap=1.0, law="4-5-6-7"),
    "rounded": lambda model: load_task("adept-rounded").motion(model),
    "via": lambda model: load_task("arch").motion(model),
    "box": lambda model: load_task("box").motion(model),
    "placed": lambda model: adept_cycle(model, cycles_per_minute=60, overlap=0.5).placed(0.3, (0.01, 0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("kind", MOTIONS)
def test_the_way_stays_and_the_limits_hold(par4: pp.Model, kind: str) -> None:
    motion = MOTIONS[kind](par4)
    timed = fastest_cycle(par4, motion)
    assert timed.duration < 0.8 * motion.duration
    assert gap(timed, motion) < 2e-6
    assert gap(motion, timed) < 2e-6
    torque = timed.follow(par4)["motor torque"]
    assert 0.99 < (torque.use or 0.0) <= 1.0
    # Phases begin and end where they did, and are told in the same order.
    assert [phase.name for phase in timed.phases] == [phase.name for phase in motion.phases]
    for old, new in zip(motion.phases, timed.phases, strict=True):
        assert timed.at(new.start).x == pytest.approx(motion.at(old.start).x, abs=1e-5)
        assert timed.at(new.end).x == pytest.approx(motion.at(old.end).x, abs=1e-5)


def test_a_rounded_gate_is_timed_as_its_path_is(par4: pp.Model) -> None:
    ends = (-0.1, 0.0, -0.7, 0.0), (0.1, 0.05, -0.7, 0.4)
    motion = by_law(Gate(0.03, "3-4-5", corner_radius=0.02).route(*ends, 0.4))
    path = with_yaw(gate_path(*ends, 0.03, 0.02), 0.0, 0.4)
    assert fastest_cycle(par4, motion).duration == pytest.approx(fastest_along(par4, path).duration, rel=1e-9)


def test_rests_keep_their_time_and_loads_their_way(par4: pp.Model) -> None:
    motion = adept_cycle(par4, cycles_per_minute=60, dwell=(0.05, 0.02), payload=1.0)
    timed = fastest_cycle(par4, motion)
    assert [phase.name for phase in timed.phases] == [phase.name for phase in motion.phases]
    rests = {phase.name: phase.end - phase.start for phase in timed.phases if phase.name in ("grasp", "release")}
    assert rests == pytest.approx({"grasp": 0.05, "release": 0.02})
    assert [step.mass for step in timed.payload] == [1.0, 0.0]
    assert timed.payload[0].time == pytest.approx(0.05)
    assert timed.at(timed.payload[1].time).x == pytest.approx(motion.at(motion.payload[1].time).x, abs=1e-9)
    assert timed.follow(par4).ok
    # The way back is empty and therefore faster than the way there.
    there, back = timed.payload[1].time - 0.05, timed.duration - timed.payload[1].time - 0.02
    assert back < 0.97 * there
    empty = fastest_cycle(par4, adept_cycle(par4, cycles_per_minute=60))
    assert back == pytest.approx(empty.duration / 2, rel=1e-6)


def test_friction_is_not_the_same_on_the_way_back() -> None:
    model = pp.load("par4").with_parameters({"drive.friction.coulomb": 4.0, "drive.friction.viscous": 0.5})
    motion = straight((-0.1, 0.0, -0.72, 0.0), (0.15, 0.1, -0.65, 0.0), duration=0.4)
    timed = fastest_cycle(model, motion.then(motion.reversed()))
    assert timed.follow(model).ok
    back = fastest_cycle(model, motion.reversed())
    there = fastest_cycle(model, motion)
    assert timed.duration == pytest.approx(there.duration + back.duration, rel=1e-9)
    assert not there.reversed().follow(model).ok


def test_further_limits_are_kept(par4: pp.Model) -> None:
    timed = fastest_cycle(par4, load_task("adept-13g"), a_max=80.0, v_max=2.0, torque=60.0)
    peaks = timed.peaks()
    assert peaks.acceleration.value == pytest.approx(80.0, rel=5e-3)
    assert peaks.speed.value == pytest.approx(2.0, rel=1e-6)
    assert abs(timed.follow(par4)["motor torque"].value) <= 60.0


def test_a_traced_curve_is_parameterised_by_its_length() -> None:
    motion = gate((0.0, 0.0, 0.0, 0.1), (0.3, 0.0, 0.01, 0.9), law="half-sine", duration=0.3, overlap=0.8)
    curves = [part for part in path_of(motion.pieces[0]).pieces if part.curvature is None]
    assert curves
    for curve in curves:
        s, step = np.linspace(0.02, 0.98, 40) * curve.length, 1e-7
        low, here, high = (curve.at(s + shift) for shift in (-step, 0.0, step))
        assert np.linalg.norm(here.d1[:, :3], axis=-1) == pytest.approx(1.0, abs=1e-12)
        for order in range(3):
            difference = (high[order] - low[order]) / (2 * step)
            assert difference == pytest.approx(here[order + 1], rel=1e-4, abs=1e-4 * np.abs(here[order + 1]).max())


def test_what_cannot_be_timed_again_says_why(par4: pp.Model) -> None:
    turning = straight((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0), duration=0.2)
    with pytest.raises(MotionError, match=r"the payload changes at 0\.1 s, on the way of a piece"):
        fastest_cycle(par4, turning.carrying(0.5, 0.1, 0.2))
    moving = pp.motion.track((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, 0.0, 0.0), 0.5)
    with pytest.raises(MotionError, match=r"the motion starts at 0\.1 m/s; only one from rest to rest"):
        fastest_cycle(par4, moving)
    spin = pp.motion.track((0.0, 0.0, -0.7, 0.0), (0.0,) * 4, 0.5, stroke=(0.0, 0.0, 0.0, 0.5))
    with pytest.raises(MotionError, match=r"turns on the spot at \(0, 0, -0\.7, 0\)"):
        fastest_cycle(par4, spin.then(hold(spin.end, 0.1)))
    with pytest.raises(MotionError, match=r"meets something that moves, .* plan it with timing = \"fastest\""):
        fastest_cycle(par4, righettini2024_cycle().then(hold(righettini2024_cycle().end, 0.1)))
