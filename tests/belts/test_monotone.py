"""Looser limits never make a plan longer, and what can be planned stays possible: random belts, items and limits."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
import pytest

from parapick.belts import Anywhere, Belt, ConveyorLimits, Handling, Item, PickPlace, plan
from parapick.model import Model
from parapick.motion.errors import MotionError
from roomy import roomy

ROBOTS = ("par4", "delta-4", "fivebar-spindle")
Timing = Literal["law", "fastest"]
LONGER = 1.001
"""How much longer a plan under looser limits may be: a thousandth."""


@dataclass(frozen=True)
class Scene:
    """A robot at two belts."""

    model: Model
    item: Item
    place: Item | Anywhere
    handling: Handling
    start: tuple[float, ...] | None


def scene(name: str, rng: np.random.Generator) -> Scene:
    """Belts on either side of a robot, and an item that comes or is there."""
    model = roomy(name)
    if name == "fivebar-spindle":
        left = Belt((-0.2, 0.0, -0.0074), (0.0, 1.0, 0.0), rng.uniform(0.05, 0.35))
        right = Belt((0.203, 0.0, -0.0074), (0.0, -1.0, 0.0), rng.uniform(0.05, 0.3))
        item = Item(left, rng.uniform(0.0, 0.3), rng.uniform(0.0, 0.6), rng.uniform(0.0, math.pi))
        box = Item(right, -rng.uniform(0.35, 0.8), rng.uniform(0.5, 1.5))
        place = Anywhere(right) if rng.random() < 0.6 else box
        return Scene(model, item, place, Handling(0.0074, 0.15), (0.203, 0.255, 0.0, 0.0))
    height, windows = model.robot.home[2] - 0.04, ((-0.3, 0.3), (-math.inf, math.inf))
    one, two = (
        Belt(
            (0.0, side * rng.uniform(0.05, 0.25), height),
            (rng.choice([-1.0, 1.0]) if side > 0 else 1.0, rng.uniform(-0.3, 0.3), 0.0),
            rng.uniform(0.0, most) if side > 0 else rng.uniform(0.05, most),
            windows[int(rng.random() < 0.4)],
        )
        for side, most in ((-1.0, 1.0), (1.0, 0.6))
    )
    yaw = rng.uniform(-0.6, 0.6) if model.robot.dof == 4 else 0.0
    item, box = Item(one, rng.uniform(-0.6, 0.0), 0.0, yaw), Item(two, rng.uniform(-0.6, 0.1), rng.uniform(0.0, 0.6))
    return Scene(model, item, Anywhere(two) if rng.random() < 0.6 else box, Handling(0.03, 0.03), None)


def pair(model: Model, rng: np.random.Generator) -> tuple[ConveyorLimits, ConveyorLimits]:
    """Limits, and looser ones: each kept, loosened, or left out."""
    planar = model.robot.name == "fivebar-spindle"
    stated = {
        "v_max": rng.uniform(0.8, 4.0) if planar else rng.uniform(1.5, 10.0),
        "a_max": rng.uniform(5.0, 60.0) if planar else rng.uniform(30.0, 400.0),
        "yaw_rate": rng.uniform(4.0, 20.0),
        "yaw_acceleration": rng.uniform(50.0, 500.0),
        "motor_torque": rng.uniform(0.3, 1.0) if planar else rng.uniform(0.3, 1.5),
        "motor_speed": rng.uniform(0.4, 1.0),
    }
    if np.isinf(model.motors.peak_speed).all():
        del stated["motor_speed"]
    kept = [name for name in stated if name == "motor_torque" or rng.random() < 0.7]
    tight = {name: stated[name] for name in kept} | {"margin": rng.uniform(0.02, 0.3)}
    loose = dict(tight)
    for name in tight:
        chance = rng.random()
        if name == "margin":
            loose[name] *= rng.uniform(0.0, 1.0) if chance < 0.5 else 1.0
        elif chance < 0.5:
            loose[name] *= 1.0 + 10.0 ** rng.uniform(-3.0, 0.7)
        elif chance < 0.65 and _may_go(name, tight, loose):
            del loose[name]
    return ConveyorLimits(**tight), ConveyorLimits(**loose)


def _may_go(name: str, tight: dict[str, float], loose: dict[str, float]) -> bool:
    """Whether it is looser without this limit: something must limit haste, and a fastest timing takes whole peaks."""
    if name.startswith("motor"):
        return tight[name] <= 1.0 and (name != "motor_torque" or "a_max" in loose)
    return name != "a_max" or "motor_torque" in loose


def duration(scene: Scene, limits: ConveyorLimits, timing: Timing) -> float:
    """How long the plan takes (s), whose plate keeps its limits; infinite if there is none."""
    work = PickPlace(scene.handling, scene.handling, payload=0.2, timing=timing)
    try:
        cycle = plan(scene.model, scene.item, scene.place, work, limits, start=scene.start)
    except MotionError:
        return math.inf
    peaks = cycle.peaks
    assert peaks.speed.value <= limits.v_max * (1.0 + 1e-6)
    assert peaks.acceleration.value <= limits.a_max * (1.0 + 1e-6)
    assert peaks.yaw_rate.value <= limits.yaw_rate * (1.0 + 1e-6)
    assert peaks.yaw_acceleration.value <= limits.yaw_acceleration * (1.0 + 1e-6)
    return cycle.motion.duration


def assert_not_longer(key: tuple[int, int], *timings: Timing) -> None:
    """One pair of limits for one robot."""
    rng = np.random.default_rng(key)
    here = scene(ROBOTS[key[1] % len(ROBOTS)], rng)
    tight, loose = pair(here.model, rng)
    before = {timing: duration(here, tight, timing) for timing in timings}
    after = {timing: duration(here, loose, timing) for timing in timings if before[timing] < math.inf}
    for timing, value in after.items():
        assert value <= LONGER * before[timing], (key, timing, asdict(tight), asdict(loose), before, after)
    for values, limits in ((before, tight), (after, loose)):
        stated = limits.motor_torque is not None and (
            limits.motor_speed is not None or np.isinf(here.model.motors.peak_speed).all()
        )
        if stated:  # Otherwise the fastest timing keeps peaks that a law does not look at.
            assert values.get("fastest", 0.0) <= values.get("law", math.inf) * (1.0 + 1e-9)


def test_looser_limits_never_make_a_plan_longer_nor_the_fastest_timing_longer_than_the_law() -> None:
    """The fastest timing is at all four limits of the plate here, yaw included."""
    assert_not_longer((2024, 1), "law", "fastest")


@pytest.mark.parametrize(
    ("key", "timing"),
    [
        pytest.param((5, 11), "law", id="a singular line between two samples"),
        pytest.param((2024, 1127), "law", id="a stop first", marks=pytest.mark.soak),
        pytest.param((77, 1038), "fastest", id="an estimate of the fastest time", marks=pytest.mark.soak),
        pytest.param((77, 2036), "fastest", id="a path too near a singularity at first", marks=pytest.mark.soak),
        pytest.param((77, 2069), "fastest", id="and for long", marks=pytest.mark.soak),
    ],
)
def test_pairs_by_which_plans_once_became_longer(key: tuple[int, int], timing: Timing) -> None:
    assert_not_longer(key, timing)


def test_the_belts_of_the_page() -> None:
    """Limits that once went from 0.413 s to 0.625 s when those of the plate were dropped."""
    into, out = (
        Belt((0.0, y, -0.74), (1.0, 0.0, 0.0), speed, window=(-0.3, 0.3)) for y, speed in ((-0.2, 0.4), (0.2, 0.3))
    )
    stroke = Handling(0.03, 0.03)
    work = PickPlace(stroke, stroke, payload=0.3, dead_time=0.02, timing="fastest")
    limits = ConveyorLimits(8.0, 200.0, motor_torque=1.0), ConveyorLimits(motor_torque=1.0)
    tight, loose = (plan(roomy("par4"), Item(into, -0.35), Anywhere(out), work, each) for each in limits)
    assert tight.motion.duration < 0.413
    assert loose.motion.duration <= LONGER * tight.motion.duration


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(500))
def test_looser_limits_never_make_a_plan_longer_500_times(seed: int) -> None:
    """350 by a law, 150 by the fastest timing."""
    assert_not_longer((2024, 1000 + seed), "law" if seed % 10 < 7 else "fastest")
