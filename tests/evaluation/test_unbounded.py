"""A motion without finite torques is never a yes: designs swept through the singularities of every shipped robot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
import pytest

import parapick as pp
from parapick.errors import MissingMassError, ParapickError
from parapick.evaluation.motion_answer import motion_answer
from parapick.inspection.samples_file import SampleFile
from parapick.inspection.torque_along import torque_along
from parapick.model import Model
from parapick.model.room import Room
from parapick.motion import Motion
from parapick.parameters import leaves
from parapick.ride import Samples
from parapick.robots import list_robots
from parapick.tasks import LineTask, load_task
from parapick.timing import SingularPathError, fastest_along

ROBOTS: Final = tuple(entry.name for entry in list_robots())

LINE = LineTask(
    name="line", frame="workspace", start=(-0.02, 0.0, 0.0), end=(0.02, 0.0, 0.0), a_max=5.0, there_and_back=True
)
"""A short line through the middle of a workspace, on which a singularity there is met."""

ASIDE: Final = (0.0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2)
"""How far beside a singular design one is looked at, as shares of the number that is swept."""

NOT_SWEPT: Final = ("mass", "inertia", "center", "modulus", "sign", "ratio", "arm_radius", "rod_radius", "bore")
"""Parts of the paths of numbers that move no singularity."""


def lengths(model: Model) -> list[tuple[str, float]]:
    """The numbers of base, limb and plate that make the geometry."""
    parts = [leaf for leaf in leaves(model.robot) if leaf[0].startswith(("base.", "limb.", "plate."))]
    return [(path, float(v)) for path, v in parts if v and not any(word in path for word in NOT_SWEPT)]


def singular_designs(model: Model, steps: int) -> Iterator[tuple[str, float]]:
    """Numbers at which a leg is stretched or folded, or a determinant changes its sign, in the middle of the line."""
    x = np.array([*LINE.motion(model).at(np.zeros(1)).x[0]])
    x[0] += 0.02

    def side(path: str, value: float) -> float:
        try:
            changed = model.with_parameters({path: value})
        except ParapickError:
            return math.nan
        return 1.0 + float(Room(changed).around(x).orientation) if changed.reach(x).closes else 0.0

    for path, own in lengths(model):
        values = own * np.geomspace(0.3, 3.0, steps)
        for start, end in pairwise(values.tolist()):
            first, second = side(path, start), side(path, end)
            if math.isnan(first + second) or first == second:
                continue
            low, high = start, end
            for _ in range(50):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if side(path, middle) == first else (low, middle)
            yield path, low


def beside(model: Model, steps: int) -> Iterator[Model]:
    """Designs at and next to singular ones."""
    for path, value in singular_designs(model, steps):
        for share in ASIDE:
            for sign in (-1.0, 1.0):
                try:
                    yield model.with_parameters({path: value * (1.0 + sign * share)})
                except ParapickError:
                    continue


def finite(model: Model, motion: Motion) -> bool:
    """Whether torques and joint speeds are finite all along a motion, asked of the model itself."""
    return known(model, motion.sample(4000.0, corners=True))


def known(model: Model, samples: Samples) -> bool:
    """The same at samples."""
    load = model.drive_torque(samples.x, samples.xd, samples.xdd, sharing="least-peak")
    rates = model.joint_rates(samples.x, samples.xd)
    return bool(np.isfinite(load.torque).all() and np.isfinite(rates).all())


def yes_of(model: Model, motion: Motion) -> dict[str, bool]:
    """What every command says of a motion."""
    along = SampleFile("line", motion.sample(4000.0), "")
    return {
        "evaluate": pp.evaluate(model, motion, sections=("reach", "joints", "torque", "forces")).verdict.ok,
        "evaluate, reach alone": pp.evaluate(model, motion, sections=("reach",)).verdict.ok,
        "evaluate, torque alone": pp.evaluate(model, motion, sections=("torque",)).verdict.ok,
        "motion": motion_answer(model, LINE)[0].ok,
        "follow": motion.follow(model).ok,
        "torque": torque_along(model, along)[0].ok and not known(model, along.samples),
    }


def timed(model: Model, motion: Motion) -> bool:
    """Whether the fastest timing of a motion's path finds one."""
    try:
        return finite(model, fastest_along(model, LINE.route(model), v_max=1.0, a_max=5.0)) or not finite(model, motion)
    except ParapickError:
        return False


def contradictions(name: str, steps: int, most: int | None = None) -> tuple[int, list[str]]:
    """How many designs have no finite torques all along the line, and every yes that is said of them."""
    model, wrong, lost = pp.load(name), [], 0
    designs = list(beside(model, steps))
    if most is not None and len(designs) > most:
        designs = [designs[i] for i in np.random.default_rng(29).choice(len(designs), most, replace=False)]
    motion = LINE.motion(model)
    for design in designs:
        if not finite(design, motion):
            lost += 1
            answers = yes_of(design, motion) | {"fastest": timed(design, motion)}
            wrong += [f"{name}: {command}" for command, yes in answers.items() if yes]
    return lost, wrong


def test_a_path_past_a_singularity_is_a_no_with_place_and_time() -> None:
    wide = pp.load("par4").with_parameters({"plate.radius": 0.66})
    task = load_task("adept-120")
    for sections in (None, ("reach",), ("torque",), ("fastest",)):
        verdict = pp.evaluate(wide, task, sections=sections).verdict
        assert not verdict.ok
        assert verdict.limiting is not None
        assert verdict.limiting.name == "motor torque"
        place = verdict.limiting.place
        assert place is not None
        still = np.zeros(4)
        assert np.isnan(wide.drive_torque(place.pose, still, still).torque).all()
        assert verdict.limiting.place.time == pytest.approx(0.084, abs=1e-3)
    answer, run = motion_answer(wide, task)
    assert not answer.ok
    assert run is not None
    assert run.ride.torque_by_motor == {}
    assert "unbounded" in answer.refusal
    both = pp.compare([wide, "h4"], task, sections=("reach", "torque"))
    assert [made is not None and made.verdict.ok for made in both.evaluations] == [False, True]
    with pytest.raises(SingularPathError):
        fastest_along(wide, task.route(wide))


@pytest.mark.parametrize("name", ["par4", "delta-r4", "delta-linear"])
def test_no_yes_without_finite_torques(name: str) -> None:
    lost, wrong = contradictions(name, 9, 12)
    assert lost
    assert not wrong


@pytest.mark.soak
@pytest.mark.parametrize("name", ROBOTS)
def test_no_yes_without_finite_torques_on_any_robot(name: str) -> None:
    try:
        pp.load(name).kernel("inverse_dynamics")
    except MissingMassError:
        pytest.skip("no masses")
    lost, wrong = contradictions(name, 25)
    assert lost
    assert not wrong
