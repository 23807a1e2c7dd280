"""What the sections say, beside numbers found in another way."""

from __future__ import annotations

import dataclasses
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.evaluation import Evaluation
from parapick.mechanism import Drive
from parapick.mechanism.drive import Friction
from parapick.model import Model
from parapick.motion import Motion, straight
from parapick.motors import power_of
from parapick.tasks import AdeptTask, LineTask, load_task
from parapick.timing import fastest_cycle

GEARED = Drive(
    rated_torque=0.35,
    peak_torque=2.0,
    peak_speed=400.0,
    inertia=3e-5,
    ratio=40.0,
    efficiency=0.9,
    friction=Friction(coulomb=1.0, viscous=0.5),
)


@cache
def geared() -> Model:
    """par4 with gears, friction, ratings and rods of a known material."""
    robot = pp.load("par4").robot
    limb = dataclasses.replace(robot.limb, rod_modulus=70e9, rod_bore=0.0)
    return Model(dataclasses.replace(robot, drive=GEARED, limb=limb))


@cache
def made() -> Evaluation:
    return pp.evaluate(geared(), payload=0.5, sections=["joints", "torque", "power", "forces", "fastest"])


def records(evaluation: Evaluation, key: str, table: str) -> dict[Any, dict[str, Any]]:
    """Rows of a table by their first cell, each by the names of its columns."""
    rows = evaluation[key].table(table).records
    return {next(iter(row.values())): row for row in rows}


def plain_torque(model: Model, samples: Any) -> np.ndarray:
    """Motor torques (T, n) from the joint torques, by the gearbox law written out."""
    drive = model.robot.drive
    out = []
    for x, xd, xdd, mass in zip(samples.x, samples.xd, samples.xdd, samples.payload, strict=True):
        tau = model.with_payload(float(mass)).inverse_dynamics(x, xd, xdd)
        rate, acceleration = model.joint_rates(x, xd), model.joint_accelerations(x, xd, xdd)
        rotor = drive.ratio**2 * drive.inertia * acceleration
        passing = tau - rotor + drive.friction.coulomb * np.sign(rate) + drive.friction.viscous * rate
        out.append((rotor + passing * np.where(passing * rate >= 0, 1 / 0.9, 0.9)) / drive.ratio)
    return np.array(out)


def test_torque_and_its_parts() -> None:
    samples, series = made().samples, {one.name: one for one in made()["torque"].series}
    torque = series["motor torque"].values
    some = slice(None, None, 97)
    part = dataclasses.replace(samples, **{n: getattr(samples, n)[some] for n in ("t", "x", "xd", "xdd", "load")})
    np.testing.assert_allclose(torque[some], plain_torque(geared(), part), rtol=1e-9, atol=1e-9)
    motor = made()["torque"].data["limiting_motor"]
    parts = series[f"torque of motor {motor} by part"]
    np.testing.assert_allclose(parts.values.sum(axis=1), torque[:, motor - 1], atol=1e-9)
    assert {"motors", "arms", "rods", "plate", "payload", "gravity", "friction", "gearbox"} == set(parts.labels)
    assert series["motor torque"].limits == {"peak": 2.0, "rated": 0.35}


def test_parts_of_a_redundant_robot_contain_the_sharing() -> None:
    found = pp.evaluate("delta-r4", sections=["torque"])
    torque, parts = found["torque"].series
    motor = found["torque"].data["limiting_motor"]
    assert "sharing" in parts.labels
    np.testing.assert_allclose(parts.values.sum(axis=1), torque.values[:, motor - 1], atol=1e-9)
    assert any("least peak" in note for note in found["torque"].notes)


def test_inertia_ratio_is_the_torque_of_a_unit_acceleration() -> None:
    model = geared().with_gravity(0.0).with_payload(0.5)
    motor, rotor = 3, 40.0**2 * 3e-5
    ratio = records(made(), "torque", "motors")[motor]["load : rotor"]
    felt = []
    for x in made().samples.x[::20]:
        unit = np.zeros(4)
        unit[motor - 1] = 1.0
        acceleration = np.linalg.solve(model.inverse_jacobian(x), unit)
        felt.append(model.inverse_dynamics(x, np.zeros(4), acceleration)[motor - 1])
    assert ratio == pytest.approx(max(felt) / rotor - 1.0, rel=1e-3)


def test_energy_is_what_friction_and_gears_take() -> None:
    power = made()["power"].data
    samples = made().motion.sample(4000.0)
    loads = [plain_torque(geared(), dataclasses.replace(samples))]
    speed = 40.0 * geared().joint_rates(samples.x, samples.xd)
    by_hand = power_of(samples.t, loads[0], speed)
    assert power["energy_drawn"] == pytest.approx(by_hand.drawn, rel=2e-3)
    assert power["energy_returned"] == pytest.approx(by_hand.returned, rel=2e-2)
    rate = geared().joint_rates(samples.x, samples.xd)
    friction = np.trapezoid(np.sum(1.0 * np.abs(rate) + 0.5 * rate**2, axis=-1), samples.t)
    # A body is taken up and set down at the same height; gears take more than friction alone.
    assert power["energy_used"] > friction
    assert power["mean_power"] == pytest.approx(power["energy_used"] / 0.5)


def test_rods_against_their_buckling_load() -> None:
    limb = geared().robot.limb
    euler = np.pi**2 * 70e9 * (np.pi / 4 * limb.rod_radius**4) / limb.rod_length**2
    row = records(made(), "forces", "rods")["rod 1a"]
    assert row["buckling load"] == pytest.approx(euler)
    finding = next(one for one in made().findings if one.name == "rod push")
    assert finding.limit == pytest.approx(euler)
    pushes = made()["forces"].table("rods").column("largest push")
    assert finding.value == pytest.approx(max(pushes))


def test_joint_ranges() -> None:
    row = records(made(), "joints", "joints")[2]
    q = geared().inverse_kinematics(made().motion.sample(1000.0).x)[:, 1]
    assert row["smallest angle"] == pytest.approx(q.min(), abs=1e-4)
    assert row["largest angle"] == pytest.approx(q.max(), abs=1e-4)
    assert row["of peak speed"] == pytest.approx(100.0 * row["motor speed"] / 400.0)


def test_motion_says_what_the_plate_does() -> None:
    found = pp.evaluate("delta-nr", sections=["motion"])
    assert found["motion"].data["cycles_per_minute"] == pytest.approx(120.0)
    peaks = records(found, "motion", "peaks")
    # Two strokes of 25 mm and one of 305 mm in a quarter second, all with one acceleration a.
    # 2 sqrt(4.5 h / a) a stroke of the law of thirds: T = 2 t(25) + t(305).
    acceleration = peaks["plate acceleration"]["value"]
    total = sum(n * np.sqrt(4.5 * length / acceleration) for n, length in ((2, 0.025), (1, 0.305)))
    assert total == pytest.approx(0.25, rel=1e-6)
    assert peaks["plate jerk"]["value"] == np.inf
    assert found["motion"].table("phases").column("phase")[:3] == ("lift", "over", "lower")


def test_fastest_cycle_is_at_its_limit_and_not_above() -> None:
    model = pp.load("delta-nr")
    found = pp.evaluate(model, sections=["torque", "fastest"])
    data = found["fastest"].data
    assert data["fastest_duration"] < 0.25
    assert not data["limited_by_heat"]
    assert f"{math.floor(data['fastest_cycles_per_minute'])} by the fastest timing" in found.verdict.text
    again = fastest_cycle(model, found.motion)
    assert again.duration == data["fastest_duration"]
    samples = again.sample(20_000.0)
    peak = np.abs(model.inverse_dynamics(samples.x, samples.xd, samples.xdd)).max()
    assert 0.98 * 120.0 < peak < 1.001 * 120.0


def test_a_hot_cycle_takes_as_long_as_its_rating_asks_for() -> None:
    found = made()["fastest"].data
    assert found["limited_by_heat"]
    assert found["peak_limited_duration"] < found["fastest_duration"] < found["own_law_duration"]
    t, torque = made()["fastest"].series[0].t, made()["fastest"].series[0].values
    rms = np.sqrt(np.trapezoid(torque**2, t, axis=0) / t[-1])
    assert rms.max() == pytest.approx(0.35, rel=2e-3)
    assert any("rating" in note for note in made()["fastest"].notes)


def test_a_robot_without_masses_says_so_in_its_sections() -> None:
    found = pp.evaluate("irb360")
    assert found.verdict.ok
    assert "as far as the file says" in found.verdict.text
    for key in ("torque", "power", "forces", "fastest", "improve"):
        assert "irb360 has no masses" in found[key].left_out[0]
        assert found[key].findings == ()
    assert found["joints"].tables


def test_a_robot_without_ratings_says_what_it_needs() -> None:
    found = pp.evaluate("spara3", sections=["reach", "torque"])
    assert "no drive is rated; peak torque of motor 3: 42.1 N m" in found.verdict.text
    assert any("no peak torque" in note for note in found["torque"].notes)
    assert any("no rotor inertia" in note for note in found["torque"].notes)


def test_a_motion_that_leaves_the_reach_on_the_way() -> None:
    model = pp.load("delta-nr")
    # Close below the motors both ends can be reached; on the way a rod is too long.
    start, end = (0.0, 0.0, -0.4), (0.49, 0.0, -0.4)
    assert model.reach([start, end]).ok.all()
    found = pp.evaluate(model, straight(start, end, a_max=10.0))
    assert not found.verdict.ok
    assert "leg slack" in found.verdict.text
    assert "is missing" in found.verdict.text
    slack = model.reach(found.samples.x).legs
    assert found.verdict.limiting.value == pytest.approx(slack.min())
    assert "cannot follow the whole motion" in found["torque"].left_out[0]
    assert "cannot follow the whole motion" in found["fastest"].left_out[0]


def test_default_task_is_smaller_for_a_small_robot() -> None:
    small = pp.load("delta-nr").with_parameters(
        {"base.radius": 0.04, "limb.arm": 0.05, "limb.rod_length": 0.12, "plate.radius": 0.02}
    )
    robot = dataclasses.replace(small.robot, home=(0.0, 0.0, -0.11), workspace=None)
    found = pp.evaluate(Model(robot), sections=["reach", "motion"])
    assert found.verdict.ok
    assert "times its size" in found.title
    assert 0.02 < np.ptp(found.samples.x[:, 0]) < 0.3


def test_payload_and_pace_are_those_asked_for() -> None:
    found = pp.evaluate("par4", payload=1.0, cycles_per_minute=60.0, sections=["motion"])
    assert found.motion.duration == pytest.approx(1.0)
    assert found.samples.payload.max() == 1.0
    assert found.title.endswith("payload 1 kg")
    assert "60 per minute" in found.title
    slower = pp.evaluate("par4", "arch", cycles_per_minute=30.0, sections=["motion"])
    assert slower.motion.duration == pytest.approx(2.0)
    rounded = pp.evaluate("par4", "adept-rounded", cycles_per_minute=30.0, sections=["motion"])
    assert rounded.motion.duration == pytest.approx(2.0)


def test_a_motion_is_evaluated_with_what_it_carries() -> None:
    model = pp.load("par4")
    cycle = pp.adept_cycle(model, cycles_per_minute=100, payload=0.3)
    assert pp.evaluate(model, cycle, sections=["motion"]).samples.payload.max() == 0.3
    heavier = pp.evaluate(model, cycle, payload=0.8, sections=["motion"])
    np.testing.assert_array_equal(np.unique(heavier.samples.payload), [0.0, 0.8])
    empty = pp.adept_cycle(model, cycles_per_minute=100)
    loaded = pp.evaluate(model, empty, payload=0.8, sections=["motion"])
    assert loaded.motion.payload == heavier.motion.payload
    bare = Motion(empty.pieces, empty.phases)
    assert pp.evaluate(model, bare, payload=0.8, sections=["motion"]).samples.payload.min() == 0.8


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"payload": -1.0}, "payload: is -1 kg"),
        ({"payload": float("nan")}, "payload: is nan kg"),
        ({"cycles_per_minute": 0.0}, "cycles_per_minute: is 0"),
        ({"task": "adept-13g", "cycles_per_minute": 900.0}, "cycles_per_minute: is 900, which the limits of the task"),
        ({"sections": ["torqe"]}, "'torqe' is not a section; did you mean torque\\? Valid are reach, motion"),
    ],
)
def test_wrong_input_names_itself(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pp.evaluate("par4", **options)


def test_a_robot_without_yaw_cannot_be_asked_to_turn() -> None:
    with pytest.raises(pp.errors.ParapickError, match="no yaw"):
        pp.evaluate("delta-nr", "box")


def test_sections_by_key_and_tasks_by_object() -> None:
    task = AdeptTask(name="mine", cycles_per_minute=50.0, height=0.05)
    found = pp.evaluate("par4", task, sections=["motion", "reach"])
    assert [section.key for section in found.sections] == ["reach", "motion"]
    assert found.task == "mine"
    with pytest.raises(KeyError, match="no section 'nonsense'"):
        _ = found["nonsense"]


def test_progress_is_told() -> None:
    steps: list[pp.Progress] = []
    line = LineTask(name="line", frame="workspace", start=(0, 0, 0), end=(0.1, 0, 0), a_max=10.0)
    pp.evaluate("delta-nr", line, sections=["reach", "motion"], progress=steps.append)
    assert [step.what for step in steps] == ["reach", "motion"]


def test_rows_of_joints_are_those_of_their_motors() -> None:
    model = pp.load("par4")
    motion = load_task("pick-and-place").motion(model)
    table = pp.evaluate(model, motion, sections=("joints",))["joints"].table("joints")
    assert table.column("motor") == (1, 2, 3, 4)
    samples = motion.sample(4000.0, corners=True)
    q, rates = model.inverse_kinematics(samples.x), np.abs(model.joint_rates(samples.x, samples.xd))
    for row, motor in enumerate(table.column("motor")):
        assert table.column("smallest angle")[row] == pytest.approx(q[:, motor - 1].min())
        assert table.column("largest angle")[row] == pytest.approx(q[:, motor - 1].max())
        assert table.column("joint speed")[row] == pytest.approx(rates[:, motor - 1].max())
    assert len(set(table.column("smallest angle"))) == 4, "no two motors are alike, so that none can stand for another"


def test_a_timing_slower_than_the_own_law_is_not_called_fastest() -> None:
    """Rods that buckle: the timing uses all of the torque and has to be run slower as a whole."""
    robot = pp.load("delta-nr").robot
    thin = dataclasses.replace(robot.limb, rod_modulus=2e9, rod_radius=0.006, rod_bore=None)
    model = pp.Model(dataclasses.replace(robot, name="thin", limb=thin))
    sections = ("torque", "forces", "fastest")
    found = pp.evaluate(model, "adept-120", sections=sections)
    data = found["fastest"].data
    assert data["slowed_duration"] > data["own_law_duration"]
    assert data["slowed_limited_by"] == "rod push"
    assert data["fastest_by"] == "own law"
    assert data["fastest_duration"] == data["own_law_duration"]
    assert "fastest" not in found.verdict.text
    assert "fastest timing" not in found["fastest"].summary
    assert "by its own law, which is the fastest" in " ".join(found["fastest"].notes)
    assert "fastest" not in [column.name for column in found["fastest"].table("paces").columns]
    rows = pp.compare([model, "par4"], "adept-120", sections=sections).quantities
    cells = {row[0]: row[1:] for row in rows.rows}
    fastest, slowed = (cells[f"{name}, cycles per minute"] for name in ("fastest timing", "slowed timing"))
    assert slowed[1] is None
    assert slowed[0] < fastest[0] == cells["own law, cycles per minute"][0]
    assert fastest[1] > cells["own law, cycles per minute"][1]


def test_rated_drives_are_not_said_to_be_unrated() -> None:
    assert "no drive is rated" not in pp.evaluate("par4", "adept-120", sections=("reach",)).verdict.text
    assert "left aside" in pp.evaluate("par4", "adept-120", sections=("reach",)).verdict.text
    assert "no drive is rated" in pp.evaluate("asymmetric-screw", "adept-120", sections=("reach",)).verdict.text


def test_one_law_at_least_must_do_the_task() -> None:
    (finding,) = pp.evaluate("par4", "adept-120", sections=("control",), control="tsid")["control"].findings
    assert (finding.value, finding.limit, finding.ok) == (1, 1.0, True)
