"""Every number of every plate kind as it is built, against loops that are closed here once more, by hand.

The elbows stand where nominal joint angles put them; the plate joints follow from a drawing of each plate, in which a
longer bar carries the half plate at its end along. Newton's method then finds the pose at which all rods have their
length.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.accuracy import as_built, sources_of
from parapick.accuracy.built_robot import pose_slopes
from parapick.parameters import leaves

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

Errors = dict[str, float]
OFFSETS = [(0.0, 0.0, 0.0, 0.0), (0.0, -0.1, 0.0, 0.0), (0.06, 0.04, 0.02, 0.35)]


def level(length: float, angle: float) -> np.ndarray:
    return length * np.array([math.cos(angle), math.sin(angle), 0.0])


def hinged(numbers: dict[str, float], errors: Errors, bar: str) -> Callable[[np.ndarray, int], np.ndarray]:
    """Where a body hangs on a bar: from its hinge on the first body on, the bar, and back to its own centre."""
    length, angle = numbers[f"plate.{bar}_length"], numbers[f"plate.{bar}_angle"]
    drilled = level(length, angle)
    longer, turned = (errors.get(f"plate.{bar}_{what}", 0.0) for what in ("length", "angle"))

    def shift(x: np.ndarray, carried: int) -> np.ndarray:
        # Both bodies are drilled for the bar that was drawn, half of it from their centres.
        return carried * (-drilled / 2 + level(length + longer, angle + turned + x[3]) - drilled / 2)

    return shift


def shift_of(model: pp.Model, errors: Errors) -> Callable[[np.ndarray, int], np.ndarray]:
    """How far the body of a leg is from the plate's centre at a pose, by the kind of its plate."""
    numbers = dict(leaves(model.robot))
    kind = model.robot.plate.kind
    if kind in ("parallelogram", "bars"):
        return hinged(numbers, errors, {"parallelogram": "bar", "bars": "crossbar"}[kind])
    if kind == "screw":
        pitch = numbers["plate.pitch"] + errors.get("plate.pitch", 0.0)
        return lambda x, carried: carried * np.array([0.0, 0.0, pitch * x[3] / (2 * math.pi)])
    if kind == "slider":
        radius = numbers["plate.pinion_radius"] + errors.get("plate.pinion_radius", 0.0)
        angle = numbers["plate.slide_angle"] + errors.get("plate.slide_angle", 0.0)
        return lambda x, side: side * x[3] * level(radius, angle)
    raise AssertionError(kind)


def vector(value: Any) -> np.ndarray:
    return np.array(ca.DM(value), dtype=float).ravel()


def elbow(leg: Any, q: float) -> np.ndarray:
    """Where an arm ends: `P + l (cos(phi) forward + sin(phi) up)`, `phi = zero + sign q`."""
    phi = float(leg.zero) + float(leg.sign) * q
    return vector(leg.base) + float(leg.arm) * (math.cos(phi) * vector(leg.forward) + math.sin(phi) * vector(leg.up))


def by_hand(model: pp.Model, meant: np.ndarray, errors: Errors) -> np.ndarray:
    """The pose of a built robot whose rods and arms are as drawn, with the joint angles that were meant."""
    robot, numbers = model.robot, dict(leaves(model.robot))
    groups = robot.plate.traits.groups
    assert groups is not None
    choice = getattr(robot.plate, groups[0])
    legs, q = robot.rod_legs(), model.inverse_kinematics(meant)
    elbows = [elbow(leg, angle) for leg, angle in zip(legs, q, strict=True)]
    joints = [vector(one) for one in robot.plate_joints()]
    shift, rod = shift_of(model, errors), numbers["limb.rod_length"]

    def rest(x: np.ndarray) -> np.ndarray:
        ends = [x[:3] + joint + shift(x, part) for joint, part in zip(joints, choice, strict=True)]
        return np.array([np.linalg.norm(end - elbow) - rod for end, elbow in zip(ends, elbows, strict=True)])

    x = meant.copy()
    for _ in range(8):
        step = 1e-6
        slope = np.column_stack([(rest(x + step * one) - rest(x - step * one)) / (2 * step) for one in np.eye(4)])
        x = x - np.linalg.solve(slope, rest(x))
    return x


PLATES = {
    "par4": ("bar_length", "bar_angle"),
    "h4": ("crossbar_length", "crossbar_angle"),
    "i4": ("pinion_radius", "slide_angle"),
    "heli4": ("pitch",),
    "asymmetric-screw": ("pitch",),
}
"""Numbers of a plate as a whole, by a robot of every kind that has any."""


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in PLATES.items() for field in fields])
def test_a_number_of_a_plate_is_that_of_the_loops_closed_by_hand(name: str, field: str) -> None:
    model = pp.load(name)
    errors = {f"plate.{field}": 1e-4}
    moved = 0.0
    for offset in OFFSETS:
        x = np.array(model.robot.home) + offset
        expected = by_hand(model, x, errors)
        moved = max(moved, float(np.abs(expected - x).max()))
        assert as_built(model, x, errors) == pytest.approx(expected, abs=1e-10)
    assert moved > 1e-7


def test_the_bar_of_par4_lowers_the_plate_and_moves_it_by_half() -> None:
    """0.1 mm at yaw 0: each half plate moves by half of it, and the rods that lean more let the plate down."""
    model = pp.load("par4")
    home = np.array([0.0, 0.0, -0.7, 0.0])
    off = as_built(model, home, {"plate.bar_length": 1e-4}) - home
    assert off[:2] == pytest.approx([0.0, -5e-5], abs=1e-9)
    beside = np.array([0.0, -0.1, -0.7, 0.0])
    assert np.linalg.norm(as_built(model, beside, {"plate.bar_length": 1e-4}) - beside) == pytest.approx(
        7.29e-5, rel=1e-3
    )


def test_a_bar_at_another_azimuth_turns_the_tool_by_as_much() -> None:
    """The bars stand where the rods put them, so the tool, whose yaw counts from another azimuth, is off by that."""
    for name, field in (("par4", "bar_angle"), ("h4", "crossbar_angle")):
        model = pp.load(name)
        x = np.array(model.robot.home) + OFFSETS[2]
        assert as_built(model, x, {f"plate.{field}": 1e-3}) - x == pytest.approx([0.0, 0.0, 0.0, -1e-3], abs=1e-9)


def test_a_pitch_of_the_spindle_moves_it_by_its_share_of_the_height() -> None:
    model = pp.load("fivebar-spindle")
    pitch = dict(leaves(model.robot))["plate.pitch"]
    x = np.array([0.05, 0.3, -0.007, 0.4])
    off = as_built(model, x, {"plate.pitch": 1e-4}) - x
    assert off == pytest.approx([0.0, 0.0, -0.007 * 1e-4 / pitch, 0.0], abs=1e-12)


STILL = {
    *("arm_center", "arm_radius", "rod_radius", "rod_bore", "rod_spacing", "rod_center", "carriage_radius"),
    *("travel", "length", "tube_radius", "tube_bore", "bar_spacing"),
}
"""What a drawing states and no pose depends on: centres of mass, thicknesses, pairs of rods and bars, and stops."""


@pytest.mark.parametrize("name", ["par4", "h4", "i4", "heli4", "asymmetric-screw", "delta-4", "delta-linear", "spara3"])
def test_every_number_that_is_offered_moves_the_plate_unless_no_pose_depends_on_it(name: str) -> None:
    """Nearly all of them move it somewhere; those that do not are the same for all robots, and listed."""
    model = pp.load(name)
    sources = sources_of(model.numbers)
    draw = np.random.default_rng(0).uniform(-0.05, 0.05, (30, model.robot.dof))
    poses = np.array(model.robot.home) + draw
    slopes = np.abs(pose_slopes(model, poses[model.reach(poses).ok], sources)).max(axis=(0, 1))
    still = {source.name for source, slope in zip(sources, slopes, strict=True) if slope < 1e-9}
    expected = {one.name for one in sources if STILL & set(one.path.split("."))}
    # A plane of symmetry that the point of all legs lies in keeps some places of spara3's base still.
    assert expected <= still
    rest = {one.rpartition(".")[0] if one[-1].isdigit() else one for one in still - expected}
    assert rest <= (
        {"base.centers"} | {one.name for one in sources if "plate.place" in one.name} if name == "spara3" else set()
    )
