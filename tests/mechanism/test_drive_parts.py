"""Parts of a drive: what is wrong with them, what makes one doubt them, and what they add up to."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from parapick.errors import ParapickError
from parapick.mechanism import Brake, Gearbox, Robot, TorqueCurve, doubts, problems, stated
from parapick.model import all_doubts
from stated import stating


def geared(**drive: Any) -> Robot:
    """A Delta whose motors have a gearbox of 20."""
    return stating("delta-nr", **{"ratio": 20.0, "peak_torque": 6.0, "inertia": 2e-4, **drive}).robot


def messages(robot: Robot) -> dict[str, str]:
    return {problem.path: problem.message for problem in problems(robot)}


@pytest.mark.parametrize(
    ("curve", "path", "valid"),
    [
        pytest.param(((0.0, 5.0), (100.0, 6.0)), "drive.curve.peak.2", "at most 5 N m", id="rises"),
        pytest.param(((100.0, 5.0), (50.0, 4.0)), "drive.curve.peak.2", "order of their speeds", id="order"),
        pytest.param(((0.0, 5.0), (0.0, 4.0)), "drive.curve.peak.2", "order of their speeds", id="twice"),
        pytest.param(((0.0, 0.0), (50.0, 0.0)), "drive.curve.peak.1", "largest torque", id="no torque"),
        pytest.param(((0.0, -1.0), (50.0, -2.0)), "drive.curve.peak.1.2", "at least 0 N m", id="negative"),
        pytest.param(None, "drive.curve", "give the points of peak or continuous", id="no points"),
        pytest.param(tuple((float(k), 5.0) for k in range(70)), "drive.curve.peak", "2 to 64", id="too many"),
        pytest.param(((0.0, 5.0),), "drive.curve.peak", "has 1 point; give 2 to 64", id="too few"),
    ],
)
def test_a_curve_that_no_motor_has(curve: Any, path: str, valid: str) -> None:
    assert valid in messages(geared(curve=TorqueCurve(curve)))[path]


def test_a_continuous_torque_above_the_curve() -> None:
    robot = geared(curve=TorqueCurve(((0.0, 2.0), (100.0, 2.0))), rated_torque=3.0)
    assert "2 N m" in messages(robot)["drive.rated_torque"]


def test_limits_of_the_other_kind_of_leg() -> None:
    robot = stating("delta-nr", limits={"carriage_speed": 1.0, "carriage_acceleration": 9.0}).robot
    assert "joint_speed" in messages(robot)["limits.carriage_speed"]
    assert "joint_acceleration" in messages(robot)["limits.carriage_acceleration"]


def test_a_list_of_limits_has_one_for_each_leg() -> None:
    assert "limits.rod_pull" in messages(stating("delta-nr", limits={"rod_pull": (1.0, 2.0)}).robot)


@pytest.mark.parametrize(
    ("robot", "path", "reading"),
    [
        pytest.param(geared(gearbox=Gearbox(peak_torque=5.0)), "drive.gearbox.peak_torque", "100 N m", id="torque"),
        pytest.param(
            replace(geared(peak_speed=400.0), limits=replace(geared().limits, joint_speed=300.0)),
            "limits.joint_speed",
            "15 rad/s",
            id="speed",
        ),
        pytest.param(
            geared(curve=TorqueCurve(((0.0, 6.0), (6000.0, 2.0)))), "drive.curve.peak", '"6000 rpm"', id="rpm"
        ),
        pytest.param(geared(brake=Brake(inertia=0.69)), "drive.brake.inertia", "kg cm2", id="brake"),
        pytest.param(geared(encoder_inertia=0.22), "drive.encoder_inertia", "kg cm2", id="encoder"),
    ],
)
def test_units_and_sides_that_were_mixed(robot: Robot, path: str, reading: str) -> None:
    assert not messages(robot)
    assert reading in {doubt.path: doubt.message for doubt in doubts(robot)}[path]


def test_sound_parts_leave_no_doubt() -> None:
    robot = geared(
        curve=TorqueCurve(((0.0, 6.0), (300.0, 6.0), (600.0, 2.0))),
        gearbox=Gearbox(peak_torque=80.0, peak_speed=700.0),
        brake=Brake(torque=4.0, inertia=3e-5, closing_time=0.04, opening_time=0.06),
        encoder_inertia=2e-6,
    )
    robot = replace(robot, limits=replace(robot.limits, joint_speed=12.0, joint_acceleration=600.0, rod_pull=150.0))
    assert not problems(robot)
    paths = {doubt.path for doubt in doubts(robot)}
    assert not {path for path in paths if path.startswith(("drive.", "limits."))}


def test_what_turns_with_the_rotor_is_moved_by_it() -> None:
    """The inertias of Codian's D4 add up to what its dynamic model has: 2.73 + 0.69 + 0.022 + 0.51 = 3.952 kg cm2."""
    parts = {"inertia": 2.73e-4, "gearbox_inertia": 0.51e-4, "encoder_inertia": 0.022e-4}
    apart = pp.Model(geared(ratio=28.0, brake=Brake(inertia=0.69e-4), **parts))
    whole = pp.Model(geared(ratio=28.0, inertia=3.952e-4))
    assert apart.motors.inertia == pytest.approx(whole.motors.inertia, rel=1e-12)
    x, rate = apart.robot.home, [0.3, -0.2, 0.1]
    torques = [model.inverse_dynamics(x, rate, [20.0, 5.0, -9.0]) for model in (apart, whole)]
    assert torques[0] == pytest.approx(torques[1], rel=1e-12)
    assert apart.motors.rotor == pytest.approx(28.0**2 * 2.73e-4)


FILE = """
[drive]
motor = "8LSA44"
ratio = 28
peak_torque = "11 N m"
inertia = "2.73 kg cm2"
encoder_inertia = "0.022 kg cm2"
curve.peak = [[0, "22.8 N m"], ["3000 rpm", "22.8 N m"], ["6000 1/min", 9]]

[drive.gearbox]
name = "28:1"
peak_torque = "78 N m"
peak_speed = "7500 rpm"
static_friction = "0.22 N m"

[drive.brake]
torque = "8 N m"
closing_time = "38 ms"

[limits]
joint_speed = "680 deg/s"
joint_acceleration = "35000 deg/s2"
rod_pull = [150, 150, 150]
"""


def test_a_file_states_all_of_it_and_is_saved_as_it_is(tmp_path: Path) -> None:
    target = tmp_path / "own.toml"
    pp.save(pp.load("delta-nr"), target)
    text = target.read_text()
    head = text[: text.index("[drive]")]
    tail = text[text.index("[drive]") :]
    keep = [part for part in tail.split("\n[") if not part.lstrip("[").startswith(("drive", "limits"))]
    target.write_text(head + FILE + "".join(f"\n[{part.lstrip('[')}" for part in keep))
    model = pp.load(target)
    assert model.robot.drive.curve.peak[1] == pytest.approx((314.159265, 22.8))
    assert model.motors.peak_torque[0] == 11.0
    assert model.motors.peak_speed[0] == pytest.approx(28 * 680 * 0.017453292519943295)
    assert model.motors.coulomb[0] == pytest.approx(28 * 0.22)
    again = tmp_path / "again.toml"
    pp.save(model.with_parameters({"drive.curve.peak.3.2": 8.0, "drive.gearbox.peak_torque": 70.0}), again)
    table = tomllib.loads(again.read_text())
    assert table["drive"]["curve"]["peak"][2][1] == 8.0
    assert pp.load(again).robot.drive.gearbox.name == "28:1"


def test_numbers_of_parts_that_a_file_lacks_can_be_set() -> None:
    changes = {"drive.gearbox.peak_torque": "40 N m", "drive.brake.inertia": "0.5 kg cm2"}
    model = pp.Model(stated(pp.load("par4").robot, changes))
    assert model.motors.gearbox_torque[0] == 40.0
    assert model.motors.inertia[0] - model.motors.rotor[0] == pytest.approx(0.5e-4)


def test_a_point_of_a_curve_has_a_speed_and_a_torque(tmp_path: Path) -> None:
    target = tmp_path / "own.toml"
    pp.save(pp.load("par4"), target)
    target.write_text(target.read_text().replace("[drive]", "[drive]\ncurve.peak = [[0], [100, 5]]"))
    with pytest.raises(ParapickError, match=r"drive.curve.peak.1"):
        pp.load(target)


def test_a_brake_weaker_than_gravity_is_doubted() -> None:
    """Where no workspace is stated, home is all that is known."""
    held = abs(pp.load("par4").inverse_dynamics(pp.load("par4").robot.home, [0.0] * 4, [0.0] * 4)).max()
    weak, strong = (
        pp.Model(replace(stating("par4", brake=Brake(torque=share * held)).robot, workspace=None))
        for share in (0.9, 1.1)
    )
    assert "gravity at home" in {doubt.path: doubt.message for doubt in all_doubts(weak)}["drive.brake.torque"]
    assert "drive.brake.torque" not in {doubt.path for doubt in all_doubts(strong)}
