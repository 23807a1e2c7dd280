"""The machine's files: every pin that is joined exists, limits hold the task, and names fit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest

import parapick as pp
from export.linuxcnc.machines import (
    FUNCTIONS,
    NAME_MAX,
    PARAMETERS,
    component_pins,
    direction,
    read_hal,
    read_ini,
)
from parapick.errors import ParapickError
from parapick.export.linuxcnc.code import PlantCode
from parapick.export.linuxcnc.component import kinematics_component, plant_component
from parapick.export.linuxcnc.files import PREFIX_MAX, FileNames, hal_prefix
from parapick.export.linuxcnc.hal import hal_text
from parapick.export.linuxcnc.ini import ini_text
from parapick.export.linuxcnc.machine import JOINTS_MAX, CncMachine, machine_of
from parapick.formulas import expression_of
from parapick.motion import Motion
from poses import MASSIVE, ROBOTS

KINDS = ("par4", "delta-linear", "delta-r6", "spara3", "codian-d4-1100", "irb360")
"""Arms, rails, six motors, a home off the axis with limits of joints, gearboxes, and a robot without masses."""

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")


@dataclass(frozen=True)
class Made:
    """A machine with its files; the C of the model is left out, which takes longer than all the rest."""

    model: pp.Model
    motion: Motion
    machine: CncMachine
    names: FileNames

    @property
    def texts(self) -> dict[str, str]:
        margins = list(expression_of("margins", self.model.robot).outputs)
        files = {f"{self.names.kinematics}.comp": kinematics_component(self.machine, self.names, (0.0,), margins)}
        if self.machine.masses:
            plant = PlantCode("", (0.0,), ((0, 1),), 4)
            files[f"{self.names.plant}.comp"] = plant_component(self.machine, self.names, plant)
        return files


def made(name: str, own: str = "") -> Made:
    model = pp.load(name)
    motion = pp.adept_cycle(model, cycles_per_minute=40) if name != "spara3" else near_home(model)
    return Made(model, motion, machine_of(model, motion), FileNames(hal_prefix(own or name)))


def near_home(model: pp.Model) -> Motion:
    home = np.array(model.robot.home)
    return pp.motion.straight(home, home + np.array([0.03, 0.02, 0.01]), duration=0.5)


@pytest.fixture(scope="module", params=KINDS)
def one(request: pytest.FixtureRequest) -> Made:
    return made(request.param)


def test_every_pin_that_is_joined_exists_and_has_one_writer(one: Made) -> None:
    pins, hal = component_pins(one.texts), read_hal(hal_text(one.machine, one.names))
    joined = [pin for members in hal.nets.values() for pin in members]
    assert len(joined) == len(set(joined)), "a pin can be on one net only"
    for net, members in hal.nets.items():
        ways = [direction(pin, pins) for pin in members]
        assert ways.count("out") == 1, net
        assert ways.count("in") >= 1, net
    # Whatever the components read is given to them.
    assert {pin for pin, (way, _) in pins.items() if way == "in"} <= set(joined)


def test_every_joint_has_its_loop(one: Made) -> None:
    hal, count = read_hal(hal_text(one.machine, one.names)), len(one.machine.joints)
    net_of = {pin: net for net, members in hal.nets.items() for pin in members}
    for number, joint in enumerate(one.machine.joints):
        if not one.machine.masses:
            assert net_of[f"joint.{number}.motor-pos-cmd"] == net_of[f"joint.{number}.motor-pos-fb"]
            continue
        pid = f"pid.{number}"
        assert net_of[f"joint.{number}.motor-pos-cmd"] == net_of[f"{pid}.command"]
        assert net_of[f"joint.{number}.motor-pos-fb"] == net_of[f"{pid}.feedback"]
        assert net_of[f"joint.{number}.amp-enable-out"] == net_of[f"{pid}.enable"]
        assert hal.set[f"{pid}.Pgain"] > 0.0
        assert hal.set[f"{pid}.Dgain"] > 0.0
        assert hal.set.get(f"{pid}.maxoutput", math.inf) == pytest.approx(joint.torque)
    assert all(re.fullmatch(PARAMETERS, pin) for pin in hal.set)
    assert f"joint.{count}.motor-pos-cmd" not in net_of
    assert (f"pid num_chan={count}" in hal.loaded) is one.machine.masses


def test_what_runs_is_loaded_and_in_its_order(one: Made) -> None:
    """The controller plans, the model is asked, the loops are closed, and then the machine moves."""
    hal, names = read_hal(hal_text(one.machine, one.names)), one.names
    kinematics, plant = (names.pins(name) for name in (names.kinematics, names.plant))
    pids = [f"pid.{number}.do-pid-calcs" for number in range(len(one.machine.joints))]
    driven = [*pids, plant] if one.machine.masses else []
    assert [name for name in hal.threads if name not in FUNCTIONS] == [f"{kinematics}.feedforward", *driven]
    assert set(hal.threads[:2]) == FUNCTIONS
    assert any("num_aio=5" in line for line in hal.loaded)
    assert (names.plant in hal.loaded) is one.machine.masses
    assert "function feedforward fp;" in one.texts[f"{names.kinematics}.comp"]


def test_a_robot_without_masses_has_no_torques() -> None:
    name = next(name for name in ROBOTS if name not in MASSIVE)
    massless = made(name)
    assert not massless.machine.masses
    assert not [pin for pin in component_pins(massless.texts) if "torque" in pin or "payload" in pin]
    assert "_torque" not in massless.texts[f"{massless.names.kinematics}.comp"].partition("\n;;\n")[2]
    assert all(joint.stiffness == joint.damping == 0.0 for joint in massless.machine.joints)


def test_limits_hold_the_task_and_home(one: Made) -> None:
    ini, model = read_ini(ini_text(one.machine, one.names, "a title")), one.model
    samples = one.motion.sample(2000.0)
    home = np.array(model.robot.home)
    places, q = np.vstack([samples.x, home]), model.inverse_kinematics(np.vstack([samples.x, home]))
    assert ini["TRAJ"]["COORDINATES"] == "XYZC"[: model.robot.dof]
    for axis, column in zip(one.machine.axes, places.T, strict=True):
        limits = {key: float(value) for key, value in ini[f"AXIS_{axis.letter}"].items()}
        assert limits["MIN_LIMIT"] < axis.scale * column.min()
        assert axis.scale * column.max() < limits["MAX_LIMIT"]
    assert int(ini["KINS"]["JOINTS"]) == model.robot.motors
    sections = [name for name in ini.sections() if name.startswith("JOINT_")]
    assert sections == [f"JOINT_{i}" for i in range(model.robot.motors)]
    for i, (joint, column) in enumerate(zip(one.machine.joints, q.T, strict=True)):
        section = ini[f"JOINT_{i}"]
        assert float(section["MIN_LIMIT"]) <= joint.scale * column.min()
        assert joint.scale * column.max() <= float(section["MAX_LIMIT"])
        assert float(section["HOME"]) == pytest.approx(joint.scale * column[-1], abs=1e-6)
        assert section["TYPE"] == ("LINEAR" if model.motors.axes[i].unit == "m" else "ANGULAR")


def test_speeds_hold_those_of_the_task(one: Made) -> None:
    ini, model = read_ini(ini_text(one.machine, one.names, "a title")), one.model
    samples = one.motion.sample(1000.0)
    for key, values in (("VELOCITY", samples.xd), ("ACCELERATION", samples.xdd)):
        norm = 1e3 * np.linalg.norm(values[:, :3], axis=1).max()
        assert float(ini["TRAJ"][f"MAX_LINEAR_{key}"]) == pytest.approx(norm, rel=1e-6)
        assert float(ini["TRAJ"][f"DEFAULT_LINEAR_{key}"]) <= norm * (1 + 1e-6)
        for letter in "XYZ":
            assert float(ini[f"AXIS_{letter}"][f"MAX_{key}"]) >= norm * (1 - 1e-6)
    qd = np.abs(model.joint_rates(samples.x, samples.xd)).max(axis=0)
    qdd = np.abs(model.joint_accelerations(samples.x, samples.xd, samples.xdd)).max(axis=0)
    for i, joint in enumerate(one.machine.joints):
        assert float(ini[f"JOINT_{i}"]["MAX_VELOCITY"]) > joint.scale * qd[i]
        assert float(ini[f"JOINT_{i}"]["MAX_ACCELERATION"]) > joint.scale * qdd[i]
        assert 0.0 < float(ini[f"JOINT_{i}"]["HOME_FINAL_VEL"]) < float(ini[f"JOINT_{i}"]["MAX_VELOCITY"])


def test_limits_that_the_file_states_are_those_of_the_ini() -> None:
    """Rails in mm, arms in deg, and speeds at the joint behind the gearbox."""
    for name, fields, scale in (
        ("delta-linear", ("carriage_min", "carriage_max"), 1e3),
        ("codian-d4-1100", ("joint_min", "joint_max"), 180.0 / math.pi),
    ):
        one = made(name)
        ini, robot, motors = read_ini(ini_text(one.machine, one.names, "")), one.model.robot, one.model.motors
        assert robot.limb.limits == fields
        low, high = (np.broadcast_to(getattr(robot.limits, field), robot.arms) for field in fields)
        for i in range(robot.arms):
            section = ini[f"JOINT_{i}"]
            assert float(section["MIN_LIMIT"]) == pytest.approx(scale * float(low[i]), rel=1e-8)
            assert float(section["MAX_LIMIT"]) == pytest.approx(scale * float(high[i]), rel=1e-8)
            rated = scale * float(motors.peak_speed[i] / motors.ratio[i])
            assert float(section["MAX_VELOCITY"]) == pytest.approx(rated, rel=1e-8)
            if np.isfinite(motors.joint_acceleration[i]):
                stated = scale * float(motors.joint_acceleration[i])
                assert float(section["MAX_ACCELERATION"]) == pytest.approx(stated, rel=1e-8)


def test_a_joint_that_the_task_leaves_alone_can_be_homed() -> None:
    """The Adept cycle does not turn the tool; its motor has an acceleration all the same."""
    one = made("codian-d4-1100")
    samples = one.motion.sample(1000.0)
    assert np.abs(one.model.joint_rates(samples.x, samples.xd)[:, 3]).max() < 1e-9
    section = read_ini(ini_text(one.machine, one.names, ""))["JOINT_3"]
    assert all(float(section[key]) > 0.0 for key in ("MAX_VELOCITY", "MAX_ACCELERATION", "HOME_FINAL_VEL"))


def test_files_that_the_ini_names_are_written(one: Made) -> None:
    ini, names = read_ini(ini_text(one.machine, one.names, "a title")), one.names
    assert ini["HAL"]["HALFILE"] == names.hal
    assert ini["EMCIO"]["TOOL_TABLE"] == names.tools
    assert ini["DISPLAY"]["DISPLAY"] == f"./{names.runner}"
    assert ini["KINS"]["KINEMATICS"] == names.kinematics
    assert ini["EMCMOT"]["SERVO_PERIOD"] == "1000000"
    assert (ini["TRAJ"]["LINEAR_UNITS"], ini["TRAJ"]["ANGULAR_UNITS"]) == ("mm", "deg")


@pytest.mark.parametrize("name", ["a-robot-with-a-name-that-is-far-longer-than-any", "x" * 60, "Ünïcode Röbot 9000"])
def test_names_of_pins_fit_into_hal(name: str) -> None:
    long = made("par4", name)
    names = [*component_pins(long.texts), *read_hal(hal_text(long.machine, long.names)).nets]
    assert max(map(len, names)) <= NAME_MAX
    assert len(long.names.prefix) <= PREFIX_MAX
    assert max(map(len, names)) > 30


def test_names_of_shipped_robots_stay_apart() -> None:
    prefixes = [hal_prefix(name) for name in ROBOTS]
    assert len(set(prefixes)) == len(ROBOTS)
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*[a-z0-9]", prefix) for prefix in prefixes)


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("Par4", "par4"), ("4-bar", "r4_bar"), ("--", "robot"), ("é", "robot"), ("a  b..c", "a_b_c"),
        ("abcdefghijklmno-pq", "abcdefghijklmno"), ("_x_", "x"),
    ],
)  # fmt: skip
def test_a_name_becomes_a_prefix(name: str, prefix: str) -> None:
    assert hal_prefix(name) == prefix


def test_a_robot_with_too_many_motors_is_refused_by_name() -> None:
    robot = pp.load("delta-r6").robot
    count = JOINTS_MAX + 1
    angles = tuple(2 * math.pi * i / count for i in range(count))
    many = replace(robot, base=replace(robot.base, angles=angles), branches=(1.0,) * count, modes=())
    model = pp.Model(many)
    with pytest.raises(ParapickError, match=f"delta-r6 has {count} motors; LinuxCNC takes at most {JOINTS_MAX} joints"):
        machine_of(model, near_home(model))


def test_a_task_out_of_reach_is_refused() -> None:
    model = pp.load("delta-nr")
    far = pp.motion.straight([0.0, 0.0, -0.7], [3.0, 0.0, -0.7], duration=1.0)
    with pytest.raises(ParapickError, match="cannot be reached: leg 2"):
        machine_of(model, far)
