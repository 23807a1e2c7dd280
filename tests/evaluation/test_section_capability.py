"""The reserve along a task, beside linear programmes, the torque section and numbers worked out by hand."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import parapick as pp
from parapick import capability as cap
from parapick.evaluation import Evaluation
from parapick.mechanism import Drive
from parapick.mechanism.drive import Friction
from parapick.model import Model
from parapick.tasks import LineTask

GEARED = Drive(peak_torque=2.0, inertia=3e-5, ratio=40.0, efficiency=0.9, friction=Friction(coulomb=1.0, viscous=0.5))


@cache
def geared() -> Evaluation:
    """par4 with gears and friction, turning its plate and carrying something on half of its way."""
    robot = dataclasses.replace(pp.load("par4").robot, drive=GEARED)
    return pp.evaluate(Model(robot), "box", payload=0.5, sections=["capability"])


@cache
def redundant() -> Evaluation:
    return pp.evaluate("delta-r4", "adept-13g", sections=["torque", "capability"])


def programme(model: Model, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> float:
    """Largest s with which the motors can accelerate by s xdd, by a linear programme over joint torques and s.

    On one side of its torque a motor gives `rotor + loss (torque + friction - rotor)`, its rotor before the gearbox.
    """
    motors, rate = model.motors, model.joint_rates(x, xd)
    friction = motors.coulomb * np.sign(rate) + motors.viscous * rate
    nothing = np.zeros_like(xdd)
    offset = motors.inertia * model.joint_accelerations(x, xd, nothing)
    slope = motors.inertia * model.joint_accelerations(x, xd, xdd) - offset
    rows, right = [], []
    for side in (1.0, -1.0):
        loss = np.where(side * rate >= 0.0, 1.0 / motors.efficiency, motors.efficiency)
        rows.append(side * np.column_stack([np.diag(loss), (1.0 - loss) * slope]))
        right.append(motors.ratio * motors.peak_torque - side * ((1.0 - loss) * offset + loss * friction))
    equal = np.column_stack([model.inverse_jacobian(x).T, -model.mass_matrix(x) @ xdd])
    found = linprog(
        np.r_[np.zeros(len(rate)), -1.0],
        A_eq=equal,
        b_eq=model.bias(x, xd),
        A_ub=np.vstack(rows),
        b_ub=np.concatenate(right),
        bounds=(None, None),
    )
    assert found.success
    return float(-found.fun)


def at(made: Evaluation, time: float) -> tuple[Model, float, np.ndarray, np.ndarray, np.ndarray, int]:
    samples = made.samples
    k = int(np.argmin(np.abs(samples.t - time)))
    mass = float(samples.payload[k])
    return made.model.with_payload(mass), mass, samples.x[k], samples.xd[k], samples.xdd[k], k


@pytest.mark.parametrize("share", [0.07, 0.2, 0.37, 0.62, 0.9])
@pytest.mark.parametrize("make", [geared, redundant])
def test_what_is_possible_in_the_tasks_direction_by_a_linear_programme(make: Any, share: float) -> None:
    made = make()
    model, _, x, xd, xdd, k = at(made, share * made.motion.duration)
    asked, along, _ = made["capability"].series[0].values[k]
    size = float(np.linalg.norm(xdd[:3]))
    assert asked == pytest.approx(size)
    if size < 1e-3 * np.abs(made.samples.xdd).max():
        return
    factor = programme(model, x, xd, xdd)
    assert along == pytest.approx(factor * size, rel=1e-9)


def test_any_direction_keeps_the_yaw_acceleration_of_the_task() -> None:
    made = geared()
    turning = np.abs(made.samples.xdd[:, 3])
    for k in (int(np.argmax(turning)), int(np.argmax(turning > 0.4 * turning.max()))):
        model, _, x, xd, xdd, _ = at(made, float(made.samples.t[k]))
        assert abs(xdd[3]) > 10.0
        possible = made["capability"].series[0].values[k, 2]
        assert possible == pytest.approx(cap.acceleration(model, x, xd, yaw=float(xdd[3])).min_max, rel=1e-9)
        assert possible != pytest.approx(cap.acceleration(model, x, xd).min_max, rel=1e-6)


def test_rows_are_the_places_they_say() -> None:
    made = redundant()
    asked, along, everywhere = made["capability"].series[0].values.T
    rows = {row["where"]: row for row in made["capability"].table("reserve").records}
    finding = next(one for one in made.findings if one.name == "motor torque, peak")
    assert rows["most torque"]["at t"] == finding.place.time
    assert rows["least in any direction"]["in any direction"] == pytest.approx(everywhere.min())
    with np.errstate(invalid="ignore", divide="ignore"):
        assert rows["least reserve"]["reserve"] == pytest.approx(np.nanmin(along / asked))
    for row in rows.values():
        assert row["in any direction"] <= row["in its direction"] <= row["in the best"]
        assert row["reserve"] == pytest.approx(row["in its direction"] / row["asked"])


@pytest.mark.parametrize(("robot", "task"), [("par4", "adept-13g"), ("delta-r4", "adept-13g"), ("heli4", "box")])
def test_the_largest_payload_uses_all_of_the_peak_torque(robot: str, task: str) -> None:
    data = pp.evaluate(robot, task, payload=0.05, sections=["capability"])["capability"].data
    full = pp.evaluate(robot, task, payload=data["largest_payload"], sections=["torque", "capability"])
    assert full.verdict.limiting.name == "motor torque, peak"
    assert full.verdict.limiting.use == pytest.approx(1.0, abs=1e-6)
    assert full.verdict.limiting.place.time == pytest.approx(data["largest_payload_time"], abs=1e-3)
    assert full["capability"].data["reserve_factor"] == pytest.approx(1.0, abs=1e-6)


def test_the_largest_payload_uses_all_of_the_peak_torque_of_lossy_drives() -> None:
    made = geared()
    data = made["capability"].data
    model, _, x, xd, xdd, _ = at(made, data["largest_payload_time"])
    loaded = made.model.with_payload(data["largest_payload"])
    use = np.abs(loaded.drive_torque(x, xd, xdd).torque).max() / GEARED.peak_torque
    assert use == pytest.approx(1.0, abs=1e-6)
    model, _, x, xd, xdd, _ = at(made, data["reserve_time"])
    use = np.abs(model.drive_torque(x, xd, data["reserve_factor"] * xdd).torque).max() / GEARED.peak_torque
    assert use == pytest.approx(1.0, abs=1e-6)


def test_a_reserve_below_one_is_a_torque_above_its_limit_and_not_counted_twice() -> None:
    made = pp.evaluate("par4", "adept-13g", payload=1.0, sections=["torque", "capability"])
    assert made["capability"].data["reserve_factor"] < 1.0
    assert made["capability"].findings == ()
    assert sum(not finding.ok for finding in made.findings) == 1
    # 0.661 kg are possible at this pace, whatever is carried now.
    less = pp.evaluate("par4", "adept-13g", payload=0.2, sections=["capability"])["capability"].data
    assert made["capability"].data["largest_payload"] == pytest.approx(less["largest_payload"])
    assert made["capability"].data["largest_payload"] == pytest.approx(0.661, abs=5e-4)


def test_a_task_that_is_too_fast_allows_no_payload() -> None:
    made = pp.evaluate("par4", cycles_per_minute=400.0, sections=["capability"])
    assert made["capability"].data["largest_payload"] == 0.0
    assert any("no payload" in note for note in made["capability"].notes)


def test_speeds_of_a_spindle_by_hand() -> None:
    made = pp.evaluate("fivebar-spindle", cycles_per_minute=5.0, sections=["capability"])
    plate = made.model.robot.plate
    lifting = plate.drive.peak_speed / plate.drive.ratio * plate.pitch / (2 * np.pi)
    row = next(row for row in made["capability"].table("speed").records if row["where"] == "most motor speed")
    # The spindle is by far the slowest, and the task lifts straight up.
    assert row["in any direction"] == pytest.approx(lifting)
    assert row["in its direction"] == pytest.approx(lifting)
    assert row["reserve"] == pytest.approx(lifting / np.abs(made.samples.xd[:, 2]).max())
    assert row["in the best"] > row["in any direction"]


def test_what_is_missing_is_left_out() -> None:
    bare = pp.evaluate("irb360", sections=["capability"])["capability"]
    assert bare.left_out[0].startswith("not computed: irb360 has no masses")
    spara = pp.evaluate("spara3", sections=["capability"])["capability"]
    assert spara.left_out == (
        "not computed: the file states no peak torque of the drives, so nothing bounds the acceleration",
    )
    robot = pp.load("fivebar-spindle").robot
    drive = dataclasses.replace(robot.plate.drive, peak_torque=None)
    half = Model(dataclasses.replace(robot, plate=dataclasses.replace(robot.plate, drive=drive)))
    made = pp.evaluate(half, cycles_per_minute=5.0, sections=["capability"])["capability"]
    assert "no peak torque of motor 3, 4, so" in made.left_out[0]
    assert made.tables == made.series == made.findings == ()


def test_without_peak_speeds_there_is_no_table_of_speeds() -> None:
    made = redundant()["capability"]
    assert len(made.tables) == 1
    assert any("peak speed" in note for note in made.notes)
    assert any("efficiency of the gearbox (90 %)" in note for note in geared()["capability"].notes)


def test_the_largest_payload_counts_heat() -> None:
    robot = Path(__file__).parent / "robots" / "edu-servo.toml"
    task = LineTask(
        name="line", frame="workspace", start=(-0.05, 0, 0), end=(0.05, 0, 0), duration=0.6, there_and_back=True
    )
    found = pp.evaluate(robot, task, sections=["capability"])["capability"]
    data = found.data
    assert data["largest_payload_limited_by"] == "motor torque, RMS"
    assert any("kg at most, for heat" in note for note in found.notes)
    # The task carries nothing now; with a payload it does so there, and not back.
    for share, can in ((0.995, True), (1.005, False)):
        made = pp.evaluate(robot, task, payload=share * data["largest_payload"], sections=["joints", "torque"])
        assert made.verdict.ok is can
    half = made.samples.payload > 0.0
    assert 0.45 < half.mean() < 0.55
    # Peak torques alone would allow more, as the table says of the place where they allow least.
    row = next(row for row in found.table("reserve").records if row["where"] == "least payload")
    assert row["payload"] > 1.1 * data["largest_payload"]


def test_the_largest_payload_is_the_same_whatever_is_carried() -> None:
    gripping = pp.load("delta-nr").with_parameters({"gripper.mass": 0.2})
    empty, some, held = (
        pp.evaluate(model, payload=payload, sections=["capability"])["capability"].data["largest_payload"]
        for model, payload in (("delta-nr", None), ("delta-nr", 0.3), (gripping, 0.1))
    )
    assert some == pytest.approx(empty, rel=1e-5)
    # The gripper takes its part of what the motors bear.
    assert held == pytest.approx(empty - 0.2, rel=1e-5)


@pytest.mark.soak
def test_a_belt_cycle_bears_its_load_from_pick_to_place() -> None:
    empty, loaded = (
        pp.evaluate("fivebar-spindle", "belts-5r", payload=payload, sections=["capability"])["capability"]
        for payload in (None, 10.0)
    )
    assert empty.data["largest_payload"] == pytest.approx(loaded.data["largest_payload"], rel=1e-5)
    assert any("timed anew" in note for note in empty.notes)
