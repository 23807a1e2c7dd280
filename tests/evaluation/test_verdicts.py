"""Verdicts on every shipped robot with masses, each beside numbers of another origin: MuJoCo, a linear programme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pytest
from scipy.optimize import linprog

import parapick as pp
from parapick.evaluation import Evaluation
from parapick.mechanism import Payload
from parapick.motion import law_of
from parapick.multibody import assemble, inverse_dynamics
from parapick.tasks import AdeptTask, LineTask

DRIVES: Final = ("drive", "plate.telescope.drive")
"""Drives of arms and of a telescope."""

LOOKED_AT: Final = ("reach", "joints", "torque")
"""What these verdicts rest on."""

AGREES: Final = 1e-6
"""Largest difference of a torque beside the engine's, as a share of it."""

SIDEWAYS = LineTask(
    name="sideways", frame="workspace", start=(0.1, 0.0, 0.0), end=(0.25, 0.0, 0.0), a_max=40.0, there_and_back=True
)
"""h4-90 is singular wherever x = 0 (nabat2005, section III), so it works beside it."""

SMOOTH = AdeptTask(name="smooth", cycles_per_minute=120.0, law=law_of("3-4-5"))

FAR = LineTask(name="far", frame="workspace", start=(0.0, 0.0, 0.0), end=(2.0, 0.0, 0.0), a_max=10.0)


@dataclass(frozen=True)
class Case:
    """A task that a robot can do, one that it cannot, and what breaks there."""

    can: dict[str, Any]
    cannot: dict[str, Any]
    breaks: str


TOO_FAST = {"task": "line-100g"}
EMPTY = {"task": "line-100g", "payload": 0.0}
CASES: Final = {
    # Its file limits jerk, and the accelerations of a trapezoidal law jump.
    "codian-d4-1100": Case({"task": SMOOTH}, {}, "joint jerk"),
    "asymmetric-screw": Case({}, {"task": FAR}, "corner"),
    "delta-linear": Case({}, {"cycles_per_minute": 240.0}, "motor torque, RMS"),
    "delta-4": Case({"task": "adept-13g"}, {"task": "adept-13g-per-stroke"}, "motor torque, peak"),
    "delta-nr": Case({"task": "adept-13g"}, {"task": "adept-13g-per-stroke"}, "motor torque, peak"),
    "delta-r4": Case({"task": "adept-13g"}, TOO_FAST, "motor torque, peak"),
    "delta-r6": Case({"task": "adept-13g"}, TOO_FAST, "motor torque, peak"),
    "fivebar-spindle": Case({"cycles_per_minute": 20.0}, {"cycles_per_minute": 30.0}, "motor speed"),
    "h4": Case({"payload": 1.0}, {"task": "adept-13g-per-stroke"}, "motor torque, peak"),
    "h4-90": Case({"task": SIDEWAYS}, {}, "internal margin"),
    "heli4": Case({"task": "box"}, TOO_FAST, "motor torque, peak"),
    "i4": Case({"task": "box"}, TOO_FAST, "motor torque, peak"),
    "par4": Case({"task": "adept-13g", "payload": 0.5}, {"task": "adept-13g", "payload": 1.0}, "motor torque, peak"),
    "r4-100g": Case(EMPTY, TOO_FAST, "motor torque, peak"),
    "spara3": Case({}, {"task": FAR}, "corner"),
}


def evaluated(name: str, question: dict[str, Any]) -> Evaluation:
    model = pp.load(name)
    if name == "delta-linear":
        # The engine's model is of bodies alone; two shipped robots state friction.
        model = model.with_parameters({"drive.friction.coulomb": 0.0, "drive.friction.viscous": 0.0})
    if name == "codian-d4-1100":
        boxes = [f"{drive}.gearbox.{kind}_friction" for drive in DRIVES for kind in ("static", "viscous")]
        model = model.with_parameters(dict.fromkeys(boxes, 0.0))
    return pp.evaluate(model, **question, sections=LOOKED_AT)


def engine_torque(made: Evaluation, time: float, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Torques at the motor shafts by MuJoCo, and the task force, at one side (-1, 1) of an instant."""
    motion, robot = made.motion, made.model.robot
    pose = motion.at(time, "left" if side < 0 else "right")
    mass = float(motion.payload_at(time, "left" if side < 0 else "right"))
    loads = inverse_dynamics(assemble(robot, payload=Payload(mass=mass)), *pose)
    drives = [robot.drive] * robot.arms + [robot.plate.drive] * (robot.motors - robot.arms)
    return loads.tau / [drive.ratio for drive in drives], loads.force


def least_peak(jacobian: np.ndarray, force: np.ndarray) -> float:
    """Smallest possible largest torque, by a linear programme."""
    motors = jacobian.shape[0]
    rows = np.block([[np.eye(motors), -np.ones((motors, 1))], [-np.eye(motors), -np.ones((motors, 1))]])
    equal = np.hstack([jacobian.T, np.zeros((jacobian.shape[1], 1))])
    cost = np.r_[np.zeros(motors), 1.0]
    return float(linprog(cost, rows, np.zeros(2 * motors), equal, force, bounds=(None, None)).fun)


def check_torque(made: Evaluation) -> None:
    """The peak torque of the verdict is the engine's, and no instant of a coarse look has more."""
    finding = next(one for one in made.findings if one.name == "motor torque, peak")
    robot, motor = made.model.robot, finding.place.motor - 1
    found = []
    for side in (-1, 1):
        torque, force = engine_torque(made, finding.place.time, side)
        peak = least_peak(made.model.inverse_jacobian(finding.place.pose), force) if robot.redundant else torque[motor]
        found.append(abs(peak))
    assert min(abs(abs(finding.value) / peak - 1.0) for peak in found) < AGREES
    drive = robot.drive if motor < robot.arms else robot.plate.drive
    assert finding.limit == drive.peak_torque
    assert finding.ok == (drive.peak_torque is None or abs(finding.value) <= drive.peak_torque)
    if not robot.redundant:
        coarse = made.motion.sample(30.0 / made.motion.duration)
        masses = np.unique(coarse.payload)
        looks = [
            inverse_dynamics(
                assemble(robot, payload=Payload(mass=float(mass))),
                *(series[coarse.payload == mass] for series in (coarse.x, coarse.xd, coarse.xdd)),
            ).tau[:, motor]
            for mass in masses
        ]
        ratio = drive.ratio
        assert max(np.abs(look).max() for look in looks) / ratio <= abs(finding.value) * (1.0 + AGREES)


def test_every_shipped_robot_with_masses_has_a_case() -> None:
    with_masses = {e.name for e in pp.list_robots() if pp.load(e.name).robot.limb.rod_mass is not None}
    assert with_masses == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_what_a_robot_can_do(name: str) -> None:
    made = evaluated(name, CASES[name].can)
    assert made.verdict.ok
    assert made.verdict.text.startswith("YES")
    assert all(finding.ok for finding in made.findings)
    check_torque(made)


@pytest.mark.parametrize("name", CASES)
def test_what_a_robot_cannot_do(name: str) -> None:
    made = evaluated(name, CASES[name].cannot)
    assert not made.verdict.ok
    assert made.verdict.text.startswith(f"NO: {name} cannot do this: ")
    assert made.verdict.limiting is not None
    assert made.verdict.limiting.name == CASES[name].breaks
    if CASES[name].breaks == "motor torque, peak":
        assert made.verdict.limiting.use > 1.0
        check_torque(made)


def test_a_corner_out_of_reach_by_hand() -> None:
    made = pp.evaluate("spara3", FAR)
    robot, pose = made.model.robot, np.array(made.verdict.limiting.place.pose)
    np.testing.assert_allclose(pose, [2.8, 0.0, 0.15])
    # Arms 1 and 2 turn in the plane z = 0 about (0, +-0.1): the stretched arm ends 0.65 m from its axis.
    away = np.hypot(pose[0], pose[1] - 0.1) - robot.limb.arm
    missing = np.hypot(away, pose[2]) - robot.limb.rod_length[0]
    assert -made.verdict.limiting.value == pytest.approx(missing)
    assert made.motion is None
    assert made.samples is None


def test_a_spindle_that_is_too_slow_by_hand() -> None:
    made = evaluated("fivebar-spindle", {"cycles_per_minute": 30.0})
    plate = made.model.robot.plate
    # The nut turns once a pitch, the motor `ratio` times as often.
    lifting = np.abs(made.samples.xd[:, 2]).max()
    by_hand = plate.drive.ratio * 2 * np.pi * lifting / plate.pitch
    finding = made.verdict.limiting
    assert abs(finding.value) == pytest.approx(by_hand)
    assert finding.limit == plate.drive.peak_speed == 500.0
    assert by_hand > 500.0


def test_a_singularity_between_two_samples_is_seen() -> None:
    # The path crosses x = 0 between samples, where the margin is far above rounding.
    made = evaluated("h4-90", {"task": "box"})
    finding = made.verdict.limiting
    assert finding.name == "internal margin"
    seen = made.model.margins(made.samples.x).internal
    assert 1e-6 < seen.min() < 0.1
    assert abs(seen[np.argmin(np.abs(made.samples.t - finding.place.time))]) < 0.1


def test_effective_torque_against_a_plain_mean() -> None:
    made = evaluated("fivebar-spindle", {"cycles_per_minute": 5.0})
    model = made.model
    samples = made.motion.sample(20_000.0)
    tau = model.inverse_dynamics(samples.x, samples.xd, samples.xdd)[:, 0] / model.robot.drive.ratio
    row = made["torque"].table("motors").records[0]
    assert row["RMS"] == pytest.approx(np.sqrt(np.mean(tau**2)), rel=1e-3)
    finding = next(one for one in made.findings if one.name == "motor torque, RMS")
    assert finding.limit in (model.robot.drive.rated_torque, model.robot.plate.drive.rated_torque)
