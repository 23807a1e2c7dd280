"""Drives and buses that cannot be: each is refused, or doubted, by its field and with what would be valid."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from fuzzing import mutants, trial
from pages import ROOT, blocks
from parapick import toml
from parapick.errors import RobotFileError
from parapick.mechanism import Brake, Bus, Drive, Gearbox, Robot, TorqueCurve, Winding, doubts, problems, stated
from parapick.mechanism.curve_checks import largest_excess
from parapick.model import all_doubts
from parapick.robots import read_robot
from stated import stating

LINE = {"stall_torque": 6.0, "rated_torque": 3.0, "rated_speed": 600.0}
"""Continuous torques of a motor by the two ends of a line."""

PEAK = TorqueCurve(peak=((0.0, 20.0), (400.0, 20.0), (700.0, 5.0)))
"""Peak torques of the same motor."""


def driven(**drive: Any) -> Robot:
    """A Delta with a drive of its own numbers only."""
    robot = pp.load("delta-nr").robot
    return replace(robot, drive=Drive(**{"inertia": 2e-4, **drive}))


def fed(**bus: Any) -> Robot:
    """A Delta with a bus."""
    return replace(pp.load("delta-nr").robot, bus=Bus(**bus))


def refusals(robot: Robot) -> dict[str, str]:
    return {problem.path: problem.message for problem in problems(robot)}


@pytest.mark.parametrize(
    ("drive", "path", "valid"),
    [
        pytest.param({"rated_torque": 3.0, "peak_torque": 2.0}, "rated_torque", "not exceed drive.peak_torque = 2 N m"),
        pytest.param({**LINE, "peak_torque": 5.0}, "stall_torque", "not exceed drive.peak_torque = 5 N m"),
        pytest.param({**LINE, "stall_torque": 2.0}, "rated_torque", "not exceed drive.stall_torque = 2 N m"),
        pytest.param({**LINE, "peak_speed": 500.0}, "rated_speed", "not exceed drive.peak_speed = 500 rad/s"),
        pytest.param({**LINE, "rated_speed": 800.0, "curve": PEAK}, "curve.peak", "up to that speed", id="peak ends"),
        pytest.param(
            {"rated_torque": 1.0, "rated_speed": 500.0, "curve": TorqueCurve(continuous=((0.0, 4.0), (450.0, 2.0)))},
            "curve.continuous",
            "ends at 450 rad/s, below drive.rated_speed = 500 rad/s",
            id="continuous ends",
        ),
        pytest.param(
            {"stall_torque": 6.0, "rated_torque": 3.0}, "stall_torque", "without drive.rated_speed", id="stall"
        ),
        pytest.param(
            {"stall_torque": 6.0},
            "stall_torque",
            "without drive.rated_torque and drive.rated_speed",
            id="stall alone",
        ),
        pytest.param({"rated_torque": 3.0, "rated_speed": 600.0}, "rated_speed", "leave rated_speed out", id="speed"),
        pytest.param(
            {"stall_torque": 6.0, "curve": TorqueCurve(continuous=((0.0, 6.0), (600.0, 3.0)))},
            "stall_torque",
            "give one of them",
            id="twice",
        ),
        pytest.param(
            {"curve": TorqueCurve(continuous=((0.0, 4.0), (100.0, 5.0)))},
            "curve.continuous.2",
            "at most 4 N m",
            id="up",
        ),
        pytest.param(
            {"curve": TorqueCurve(continuous=((100.0, 4.0), (50.0, 3.0)))},
            "curve.continuous.2",
            "order of their speeds",
            id="order",
        ),
        pytest.param(
            {"curve": TorqueCurve(continuous=((0.0, 4.0),))}, "curve.continuous", "give 2 to 64", id="one point"
        ),
        pytest.param(
            {"curve": TorqueCurve(continuous=((0.0, 0.0), (9.0, 0.0)))},
            "curve.continuous.1",
            "largest torque",
            id="none",
        ),
        pytest.param({"curve": TorqueCurve()}, "curve", "peak or continuous", id="no curve"),
        pytest.param(
            {"curve": replace(PEAK, continuous=((0.0, 6.0), (650.0, 6.0), (700.0, 5.5)))},
            "curve.continuous",
            "has 5.5 N m at 700 rad/s, where drive.curve.peak has 5 N m",
            id="crosses",
        ),
        pytest.param(
            {"curve": replace(PEAK, continuous=((0.0, 6.0), (750.0, 1.0)))},
            "curve.continuous",
            "at 750 rad/s, where drive.curve.peak has 0 N m",
            id="beyond the peak's end",
        ),
        pytest.param(
            {"peak_torque": 5.0, "curve": TorqueCurve(continuous=((0.0, 6.0), (600.0, 3.0)))},
            "curve.continuous.1",
            "not exceed drive.peak_torque = 5 N m",
            id="continuous above peak",
        ),
        pytest.param(
            {**LINE, "curve": TorqueCurve(peak=((0.0, 20.0), (300.0, 4.0), (700.0, 3.5)))},
            "stall_torque",
            "4.5 N m at 300 rad/s, where drive.curve.peak has 4 N m",
            id="line crosses",
        ),
        pytest.param(
            {"rated_torque": 21.0, "curve": PEAK},
            "rated_torque",
            "start of drive.curve.peak = 20 N m",
            id="above start",
        ),
        pytest.param(
            {
                "rated_torque": 3.5,
                "rated_speed": 600.0,
                "curve": TorqueCurve(continuous=((0.0, 6.0), (600.0, 3.0))),
            },
            "rated_torque",
            "drive.curve.continuous at 600 rad/s = 3 N m",
            id="rated point",
        ),
        pytest.param(
            {"gearbox": Gearbox(peak_torque=78.0, nominal_torque=126.0)},
            "gearbox.nominal_torque",
            "not exceed drive.gearbox.peak_torque = 78 N m",
            id="nominal",
        ),
        pytest.param(
            {"gearbox": Gearbox(peak_torque=78.0, mean_torque=90.0)},
            "gearbox.mean_torque",
            "not exceed drive.gearbox.peak_torque = 78 N m",
            id="mean",
        ),
        pytest.param(
            {"winding": Winding(temperature_max=40.0)},
            "winding.temperature_max",
            "above drive.winding.ambient = 40 degC",
            id="no warmer",
        ),
        pytest.param(
            {"winding": Winding(temperature_max=110.0, ambient=120.0)},
            "winding.temperature_max",
            "above drive.winding.ambient = 120 degC",
            id="hot around",
        ),
        pytest.param({"winding": Winding(resistance=0.0)}, "winding.resistance", "greater than 0", id="no resistance"),
        pytest.param({"brake": Brake(torque=-1.0)}, "brake.torque", "greater than 0", id="no brake"),
        pytest.param({"brake": Brake(closing_time=-0.1)}, "brake.closing_time", "at least 0", id="closes before"),
    ],
)
def test_drives_that_cannot_be(drive: dict[str, Any], path: str, valid: str) -> None:
    found = refusals(driven(**drive))
    assert valid in found[f"drive.{path}"]
    # One fault, one message: except that an end below the rated speed is also beyond the curve.
    assert len(found) == 1 or path == "curve.peak", found


@pytest.mark.parametrize(
    ("bus", "path", "valid"),
    [
        pytest.param({}, "voltage", "is missing", id="empty"),
        pytest.param({"capacitance": 1e-3}, "voltage", '"560 V"', id="no voltage"),
        pytest.param(
            {"voltage": 560.0, "brake_voltage": 560.0, "brake_resistance": 20.0},
            "brake_voltage",
            "above bus.voltage = 560 V",
            id="brakes at once",
        ),
        pytest.param(
            {"voltage": 560.0, "brake_voltage": 780.0, "brake_resistance": 20.0, "voltage_max": 780.0},
            "voltage_max",
            "above bus.brake_voltage = 780 V",
            id="off before it brakes",
        ),
        pytest.param({"voltage": 560.0, "voltage_max": 500.0}, "voltage_max", "above bus.voltage = 560 V", id="off"),
        pytest.param({"voltage": 560.0, "brake_resistance": 20.0}, "brake_voltage", "is switched on", id="never on"),
        pytest.param(
            {"voltage": 560.0, "brake_voltage": 780.0}, "brake_resistance", "leave the voltage out", id="none"
        ),
        pytest.param({"voltage": -5.0}, "voltage", "greater than 0", id="negative"),
    ],
)
def test_buses_that_cannot_be(bus: dict[str, float], path: str, valid: str) -> None:
    found = refusals(fed(**bus))
    assert list(found) == [f"bus.{path}"]
    assert valid in found[f"bus.{path}"]


SOUND = {
    "peak_torque": 18.0,
    "peak_speed": 700.0,
    "ratio": 28.0,
    **LINE,
    "curve": PEAK,
    "gearbox": Gearbox("28:1", 78.0, 785.0, 60.0, 50.0, 0.22, 3.2e-4),
    "brake": Brake(8.0, 0.69e-4, 0.038, 0.055),
    "winding": Winding(0.863, 0.81, 1800.0, 110.0),
    "encoder_inertia": 0.022e-4,
}
"""A drive that states everything."""


def test_a_drive_and_a_bus_that_state_everything_are_sound() -> None:
    robot = replace(driven(**SOUND), bus=Bus(560.0, 1.2e-3, 20.0, 780.0, 900.0))
    assert not refusals(robot)
    paths = {doubt.path for doubt in all_doubts(pp.Model(robot))}
    assert not {path for path in paths if path.startswith(("drive.", "bus."))}


def test_curves_may_touch() -> None:
    """A continuous curve that ends where the peak one does, at numbers that are no binary fractions."""
    shared = (0.3 * 2100, 0.1 + 0.2)
    curve = TorqueCurve(((0.0, 9.1), (123.4, 7.7), shared), ((0.0, 2.2), shared))
    assert not refusals(driven(curve=curve))


def test_where_curves_are_furthest_apart_is_seen_between_their_points_too() -> None:
    """Against a thousand speeds by interpolation, on random curves."""
    chance = random.Random(7)
    for _ in range(50):
        lower, upper = (
            [(speed, torque) for speed, torque in zip(speeds, torques, strict=True)]
            for speeds, torques in (
                ([0.0, *sorted(chance.uniform(1, 99) for _ in range(3)), 100.0], sorted(_torques(chance), reverse=True))
                for _ in range(2)
            )
        )
        speeds = np.linspace(0.0, 100.0, 20_001)
        apart = np.interp(speeds, *np.transpose(lower)) - np.interp(speeds, *np.transpose(upper))
        excess = largest_excess(lower, upper)
        if excess is None:
            assert apart.max() <= 1e-9
        else:
            assert excess[1] - excess[2] == pytest.approx(apart.max(), abs=0.05)


def _torques(chance: random.Random) -> list[float]:
    return [chance.uniform(1, 10) for _ in range(5)]


def test_linear_motors_keep_their_words() -> None:
    robot = pp.load("delta-linear").robot
    found = refusals(replace(robot, drive=replace(robot.drive, rated_force=900.0, peak_force=800.0)))
    assert "drive.peak_force = 800 N" in found["drive.rated_force"]


def test_the_plates_own_drive_is_checked_too() -> None:
    robot = pp.load("fivebar-spindle").robot
    drive = replace(robot.plate.drive, stall_torque=1.0, rated_torque=0.5, winding=Winding(temperature_max=20.0))
    found = refusals(replace(robot, plate=replace(robot.plate, drive=drive)))
    assert set(found) == {"plate.drive.stall_torque", "plate.drive.winding.temperature_max"}


GEARED: dict[str, Any] = {"ratio": 28.0, "rated_torque": 3.0, "peak_torque": 11.0, "peak_speed": 700.0}


@pytest.mark.parametrize(
    ("robot", "path", "readings"),
    [
        pytest.param(
            driven(**GEARED, gearbox=Gearbox(nominal_torque=2.0)),
            "drive.gearbox.nominal_torque",
            ("write 56 N m", "write 0.107143 N m"),
            id="nominal",
        ),
        pytest.param(
            driven(**GEARED, gearbox=Gearbox(mean_torque=2.5)),
            "drive.gearbox.mean_torque",
            ("write 70 N m",),
            id="mean",
        ),
        pytest.param(
            driven(**GEARED, gearbox=Gearbox(static_friction=6.16)),
            "drive.gearbox.static_friction",
            ("172.5 N m at the joint", "write 0.22 N m"),
            id="static",
        ),
        pytest.param(
            driven(**GEARED, gearbox=Gearbox(viscous_friction=0.249555)),
            "drive.gearbox.viscous_friction",
            ("195.7 N m s/rad at the joint", "write 0.0003183 N m s/rad"),
            id="viscous",
        ),
        pytest.param(
            stating("delta-nr", **GEARED, inertia=3.952e-4, limits={"joint_acceleration": 35_000 * 28 / 57.3}),
            "limits.joint_acceleration",
            ("994.1 rad/s2", "write 610.82 rad/s2"),
            id="acceleration",
        ),
        pytest.param(
            stating("delta-nr", **GEARED, limits={"joint_speed": (1.0, 1.0, 300.0)}),
            "limits.joint_speed",
            ("write 10.7143 rad/s", "write 19600 rad/s"),
            id="speed of one leg",
        ),
        pytest.param(driven(**{**LINE, "rated_speed": 6000.0}), "drive.rated_speed", ('"6000 rpm"',), id="rpm"),
        pytest.param(
            driven(gearbox=Gearbox(peak_speed=7500.0)), "drive.gearbox.peak_speed", ('"7500 rpm"',), id="gearbox rpm"
        ),
        pytest.param(
            driven(curve=TorqueCurve(continuous=((0.0, 6.0), (6000.0, 3.0)))),
            "drive.curve.continuous",
            ('"6000 rpm"',),
            id="curve rpm",
        ),
        pytest.param(driven(brake=Brake(closing_time=38.0)), "drive.brake.closing_time", ('"38 ms"',), id="closing"),
        pytest.param(driven(brake=Brake(opening_time=55.0)), "drive.brake.opening_time", ('"55 ms"',), id="opening"),
        pytest.param(fed(voltage=560.0, capacitance=470.0), "bus.capacitance", ('"470 uF"',), id="capacitor"),
        pytest.param(fed(voltage=0.56), "bus.voltage", ('"0.56 kV"',), id="kilovolts"),
        pytest.param(
            driven(winding=Winding(resistance=86_300.0, torque_constant=0.8)),
            "drive.winding.resistance",
            ('"86300 mohm"',),
            id="milliohm",
        ),
        pytest.param(
            driven(winding=Winding(resistance=0.8, torque_constant=810.0)),
            "drive.winding.torque_constant",
            ('"810 mN m/A"',),
            id="millinewton",
        ),
        pytest.param(
            driven(winding=Winding(temperature_max=383.0)),
            "drive.winding.temperature_max",
            ("at most 300 degC",),
            id="kelvin",
        ),
        pytest.param(
            driven(winding=Winding(torque_constant=0.81)),
            "drive.winding.torque_constant",
            ("without drive.winding.resistance", "its losses"),
            id="no resistance",
        ),
        pytest.param(
            driven(winding=Winding(resistance=0.81)),
            "drive.winding.resistance",
            ("without drive.winding.torque_constant", "its losses"),
            id="no constant",
        ),
        pytest.param(
            driven(winding=Winding(thermal_time=1800.0)),
            "drive.winding.thermal_time",
            ("without drive.winding.temperature_max", "its temperature"),
            id="no limit",
        ),
    ],
)
def test_numbers_that_are_probably_not_meant(robot: Robot | pp.Model, path: str, readings: tuple[str, ...]) -> None:
    robot = robot.robot if isinstance(robot, pp.Model) else robot
    assert not refusals(robot)
    message = {doubt.path: doubt.message for doubt in doubts(robot)}[path]
    for reading in readings:
        assert reading in message


def test_a_brake_that_holds_at_home_but_not_everywhere() -> None:
    """The worst of the workspace is that of statics at the poses tried, by hand on a finer grid of its rim."""
    model = pp.load("par4")
    home = float(np.abs(model.inverse_dynamics(model.robot.home, [0.0] * 4, [0.0] * 4)).max())
    region = model.robot.workspace
    rim = [(region.radius * np.cos(a), region.radius * np.sin(a)) for a in np.linspace(0.0, 2 * np.pi, 24)]
    poses = [(x, y, z, 0.0) for (x, y), z in itertools.product(rim, (region.z_min, region.z_max))]
    worst = float(np.nanmax(np.abs(model.inverse_dynamics(poses, [0.0] * 4, [0.0] * 4))))
    assert worst > 1.1 * home
    weak, strong = (
        {doubt.path: doubt.message for doubt in all_doubts(stating("par4", brake=Brake(torque=torque)))}
        for torque in (0.5 * (home + worst), 1.2 * worst)
    )
    assert "m, rad, so that the arm comes down" in weak["drive.brake.torque"]
    assert "drive.brake.torque" not in strong


@pytest.mark.parametrize(
    ("path", "text", "value"),
    [
        ("drive.winding.resistance", "863 mohm", 0.863),
        ("drive.winding.temperature_max", "110 degC", 110.0),
        ("drive.brake.torque", "8 N m", 8.0),
        ("drive.gearbox.mean_torque", "50 N m", 50.0),
        ("bus.voltage", "560 V", 560.0),
        ("plate.drive.winding.torque_constant", "810 mN m/A", 0.81),
    ],
)
def test_numbers_of_tables_that_a_file_lacks_can_be_set(path: str, text: str, value: float) -> None:
    robot = stated(pp.load("fivebar-spindle").robot, {path: text})
    node: Any = robot
    for name in path.split("."):
        node = getattr(node, name)
    assert node == pytest.approx(value)


FULL = next(block.text for block in blocks(ROOT / "docs" / "drives.md") if block.language == "toml")
"""Everything that a file can say of its drives: the example of the page about them."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a Delta with every field of drives and bus."""
    target = tmp_path_factory.mktemp("full") / "full.toml"
    pp.save(pp.load("delta-nr"), target)
    blocks = target.read_text().split("\n[")
    kept = [block for block in blocks if not block.startswith(("drive", "limits", "sources"))]
    target.write_text("\n[".join(kept) + "\n" + FULL)
    return target


def test_a_file_with_every_field_is_sound_and_shown(full: Path) -> None:
    model = pp.load(full)
    assert not {doubt.path for doubt in all_doubts(model) if doubt.path.startswith(("drive", "bus"))}
    drive: Any = model.robot.drive
    for part in (drive.gearbox, drive.brake, drive.winding, model.robot.bus):
        assert None not in vars(part).values()
    shown = pp.robots.robot_answer(pp.robots.load_robot(full))
    rows = {row["path"]: row["value"] for row in shown.data["parameters"]}
    assert rows["drive.winding.resistance"] == 0.863
    assert rows["bus.capacitance"] == pytest.approx(1.2e-3)
    assert rows["drive.gearbox.mean_torque"] == 50.0
    assert "8LSA44" in str(shown.table("about").rows)


def test_changed_files_of_drives_are_refused_in_words_or_stand(full: Path) -> None:
    """Only lines of drives and bus are changed, so that every change meets one of these checks."""
    head = full.read_text()[: -len(FULL)]
    part = full.parent / "part.toml"
    part.write_text(FULL)

    def load(text: str) -> Any:
        contents, found = read_robot(toml.parsed(full, head + text, "a robot file"))
        if contents is None:
            raise RobotFileError(str(full), found)
        return contents

    def use(contents: Any) -> str:
        doubts(contents.robot)
        motors = pp.Model(contents.robot).motors
        speed = np.linspace(0.0, 900.0, 7)[:, None] * np.ones(motors.count)
        assert np.isfinite(motors.heat(speed, speed)).all()
        assert (motors.curve_torque(speed) >= 0.0).all()
        return "computed"

    counts, faults = trial(mutants([part], 400, seed=33), load, use)
    assert not faults, "\n".join(faults[:10])
    assert 0.15 * counts["files"] <= counts["accepted"] == counts["computed"]
