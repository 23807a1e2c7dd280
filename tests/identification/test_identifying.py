"""Numbers of machines identified from their logs, against what the machines have."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import parapick as pp
from identification.machines import exciting, ideal, logged, machine
from parapick.control import JointFriction, load_controller
from parapick.errors import ParameterError, ParapickError
from parapick.identification import (
    Identification,
    Log,
    changed_model,
    exciting_motion,
    feedforward,
    identify,
    residual_of,
    robot_change,
    unknowns_of,
)
from parapick.model import Model
from parapick.motion.route import Route, by_law
from parapick.parameters import leaves
from parapick.ride.ride import Ride
from parapick.simulation import Record, simulate
from parapick.tasks import load_task

pytestmark = pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")

PAR4 = JointFriction((1.5, 1.2, 1.8, 1.0), (0.3, 0.25, 0.4, 0.35))
SPINDLE = JointFriction((2.0, 2.0, 1.5, 0.25), (3.0, 3.0, 0.15, 0.3))


def truth_of(friction: JointFriction, payload: float) -> dict[str, float]:
    """What a machine has, by the names of the estimates."""
    kinds = {"coulomb": friction.coulomb, "viscous": friction.viscous}
    numbers = {f"friction.{kind}.{i + 1}": one for kind, own in kinds.items() for i, one in enumerate(own)}  # pyright: ignore[reportArgumentType]
    return {**numbers, "gripper.mass": payload}


def worst(found: Identification, truth: dict[str, float]) -> float:
    """Largest error as a share of the truth."""
    return max(abs(found.value(name) / value - 1.0) for name, value in truth.items())


@cache
def par4_record() -> Record:
    model = pp.load("par4")
    return machine(model, exciting("par4", 3.0), PAR4, 0.6, engine="mujoco")


def test_a_mujoco_machine_is_identified_and_holds_on_another_motion() -> None:
    """16-bit encoders, torque noise of 1 %: friction and payload within 5 %, and at most 3 % of the torque left."""
    model = pp.load("par4")
    found = identify(model, logged(par4_record(), seed=1))
    truth = truth_of(PAR4, 0.6)
    assert worst(found, truth) < 0.05
    inside = [abs(one.value - truth[one.unknown.name]) < one.half for one in found.estimates]
    assert sum(inside) >= 7
    # A torque that is held over a sample is recorded half a sample before it acts.
    assert found.lead == pytest.approx(0.5e-3, abs=0.15e-3)
    other = machine(model, load_task("arch").motion(model), PAR4, 0.6, engine="mujoco")
    left = residual_of(found, logged(other, seed=2))
    assert (left.peak(left.after) / left.size).max() < 0.03
    assert (left.rms(left.before) / left.size).min() > 0.05
    assert np.all(np.sqrt(np.mean(left.after**2, axis=0)) < 0.03 * left.size)


def test_what_follows_is_a_robot_and_a_controller_that_tracks_better() -> None:
    model = pp.load("par4")
    found = identify(model, logged(par4_record(), seed=1))
    change = robot_change(found)
    assert set(change.numbers) == {"drive.friction.coulomb", "drive.friction.viscous", "gripper.mass"}
    assert any("the motors differ" in note for note in change.notes)
    better = changed_model(found)
    assert better.gripper.mass == found.value("gripper.mass")
    assert better.motors.coulomb == pytest.approx([change.numbers["drive.friction.coulomb"]] * 4)
    plain = pp.control.machine_controller("tsid")
    helped = feedforward(found, plain)
    motion = load_task("adept-120").motion(model)
    heavy = model.with_parameters({"gripper.mass": 0.6})
    rubbing = pp.control.PlantChanges(friction=PAR4)
    errors = [
        np.sqrt(np.mean(simulate(one, motion, controller, plant=heavy).distance ** 2))
        for one, controller in (
            (model, pp.control.Controller(plain.law, rate=plain.rate, plant=rubbing)),
            (model, pp.control.Controller(helped.law, rate=plain.rate, plant=rubbing, model=helped.model)),
        )
    ]
    assert errors[1] < 0.2 * errors[0]


def with_friction(name: str, payload: float, **numbers: float) -> Model:
    """A robot with friction and a payload in its file."""
    changes = {path.replace("__", "."): value for path, value in numbers.items()}
    return pp.load(name).with_parameters(changes).with_payload(payload)


def test_losses_of_gearboxes_are_counted_as_the_drives_count_them() -> None:
    rubbing = {"drive__friction__coulomb": 2.0, "drive__friction__viscous": 3.0, "plate__drive__friction__coulomb": 0.5}
    losing = {"drive__efficiency": 0.8, "plate__drive__efficiency": 0.7}
    lossy = with_friction("fivebar-spindle", 0.5, **rubbing, **losing)
    log = ideal(lossy, exciting("fivebar-spindle", 3.0), seed=1)
    found = identify(with_friction("fivebar-spindle", 0.0, **losing), log)
    assert found.friction("coulomb") == pytest.approx([2.0, 2.0, 0.5, 0.5], rel=0.03)
    assert found.friction("viscous")[:2] == pytest.approx([3.0, 3.0], rel=0.03)
    assert found.value("gripper.mass") == pytest.approx(0.5, rel=0.03)
    # A model without them is another: friction would have to stand for what gearboxes lose.
    lossless = identify(pp.load("fivebar-spindle"), log)
    assert abs(lossless.friction("coulomb") / [2.0, 2.0, 0.5, 0.5] - 1.0).max() > 0.1


def test_redundant_motors_are_identified_by_what_they_do_to_the_plate() -> None:
    rubbing = with_friction("delta-r4", 0.5, drive__friction__coulomb=0.8, drive__friction__viscous=0.2)
    log = ideal(rubbing, exciting("delta-r4", 3.0), seed=3)
    # The motors may strain each other as they like.
    model = pp.load("delta-r4")
    jacobian = model.inverse_jacobian(model.forward_kinematics(log.q))
    strained = np.linalg.svd(jacobian)[0][..., -1] * 5.0 * np.sin(7.0 * log.t)[:, None]
    assert log.torque is not None
    for one in (log, replace(log, torque=log.torque + strained)):
        found = identify(model, one)
        truth = truth_of(JointFriction((0.8,) * 4, (0.2,) * 4), 0.5)
        for number in found.estimates:
            assert abs(number.value - truth[number.unknown.name]) < 2.0 * number.half
            assert number.half < 0.12 * truth[number.unknown.name]


@cache
def tsid_record() -> Record:
    model = pp.load("fivebar-spindle")
    return simulate(model, load_task("righettini2024").motion(model), load_controller("righettini2024-tsid"))


def test_friction_of_righettini2024_from_its_tsid_record() -> None:
    """Section 4's loop: friction from the record of TSID, whose model has other masses than the plant."""
    record = tsid_record()
    log = Log("tsid", record.t, record.q_meas, record.torque, None, {})
    model = pp.load("fivebar-spindle")
    found = identify(model, log, ("friction",))
    assert found.friction("coulomb") == pytest.approx([2.0, 2.0, 1.5, 0.25], rel=0.03)
    assert found.friction("viscous") == pytest.approx([3.0, 3.0, 0.15, 0.3], rel=0.03)
    # With the masses identified too, nothing is left that friction would have to stand for.
    whole = identify(model, log, ("friction", "inertia"))
    assert whole.friction("coulomb") == pytest.approx([2.0, 2.0, 1.5, 0.25], rel=2e-3)
    numbers = dict(leaves(model.robot))
    assert whole.value("limb.rod_mass") == pytest.approx(1.03 * numbers["limb.rod_mass"], rel=2e-3)
    assert whole.value("limb.rod_inertia") == pytest.approx(0.96 * numbers["limb.rod_inertia"], rel=2e-3)
    assert whole.value("plate.mass") == pytest.approx(1.10 * numbers["plate.mass"], rel=5e-3)
    why = {one.unknown.name: one.why for one in whole.estimates if not one.identified}
    assert why["drive.inertia"] == "no motion tells it from limb.arm_inertia"
    assert why["limb.arm_mass"] == "no torque depends on it"


@pytest.mark.soak
def test_stribeck_friction_of_a_slow_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parapick.identification.excitation.ACCELERATION", 1.5)
    monkeypatch.setattr("parapick.identification.excitation.DRAWS", 6)
    monkeypatch.setattr("parapick.identification.excitation.STEPS", 0)
    dry = {"drive__friction__coulomb": 0.9, "drive__friction__viscous": 0.3}
    slow = {"drive__friction__stribeck": 0.8, "drive__friction__stribeck_speed": 0.3}
    log = ideal(with_friction("par4", 0.5, **dry, **slow), exciting("par4", 8.0), seed=1, rate=500.0)
    found = identify(pp.load("par4"), log, ("stribeck", "payload"))
    told = {one.unknown.name: one for one in found.estimates}
    # The joint that is fastest tells it best.
    fast = int(np.argmax(np.abs(np.gradient(log.q, log.t, axis=0)).max(axis=0))) + 1
    for name, value in (("stribeck", 0.8), ("stribeck_speed", 0.3), ("coulomb", 0.9)):
        one = told[f"friction.{name}.{fast}"]
        assert abs(one.value - value) < 1.5 * one.half
        assert one.half < 0.2 * value


# Motions


def test_the_motion_that_is_proposed_keeps_limits_and_is_the_same_again() -> None:
    model = pp.load("par4")
    unknowns = unknowns_of(model, ("friction", "payload"))
    motion = exciting_motion(model, unknowns, duration=3.0)
    samples = motion.samples
    ride = Ride(model, samples)
    assert model.reach(samples.x).ok.all()
    assert np.abs(ride.loads.torque).max() < 90.0
    assert np.hypot(*samples.x[:, :2].T).max() <= 0.3
    assert np.abs(samples.xd[[0, -1]]).max() < 1e-5
    again = exciting("par4", 3.0).sample(200.0)
    assert again.x == pytest.approx(samples.x, abs=1e-12)


def test_it_tells_more_than_a_straight_line() -> None:
    """With the same noise in N m, and masses asked for too, which a line cannot tell apart."""
    model = pp.load("par4")
    rubbing = with_friction("par4", 0.6, drive__friction__coulomb=1.0, drive__friction__viscous=0.3)
    t = np.linspace(0.0, 3.0, 301)
    along = 0.2 * np.sin(2.0 * np.pi * t) * np.sin(np.pi * t / 3.0) ** 2
    line = by_law(Route.through(t, np.array(model.robot.home) + along[:, None] * [1.0, 0.0, 0.0, 0.0]))
    asked = ("friction", "payload", "inertia")
    poor, good = (
        identify(model, ideal(rubbing, motion, seed=1, noise=0.2), asked) for motion in (line, exciting("par4", 3.0))
    )
    told = [{one.unknown.name for one in found.estimates if one.identified} for found in (poor, good)]
    assert told[0] < told[1]
    halves = [{one.unknown.name: one.half for one in found.estimates} for found in (poor, good)]
    assert halves[1]["gripper.mass"] < halves[0]["gripper.mass"]
    assert np.exp(np.mean([np.log(halves[0][name] / halves[1][name]) for name in told[0]])) > 1.0


# Refusals


def still(torque: np.ndarray | None) -> Log:
    t = np.arange(1000) / 1000.0
    q = np.tile(pp.load("par4").inverse_kinematics(pp.load("par4").robot.home), (1000, 1))
    return Log("still.csv", t, q, torque, None, {"q1": "q1"})


def test_a_motion_that_excites_nothing_is_refused() -> None:
    with pytest.raises(ParapickError, match=r"still.csv: no joint moves faster than .* nothing can be identified"):
        identify(pp.load("par4"), still(np.zeros((1000, 4))))
    with pytest.raises(ParapickError, match="has neither torques nor currents"):
        identify(pp.load("par4"), still(None))
    short = ideal(pp.load("par4"), load_task("line-100g").motion(pp.load("par4")).held(1.0), seed=1)
    with pytest.raises(ParapickError, match=r"only . samples count for 9 unknowns"):
        identify(pp.load("par4"), short)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimate": ("beauty",)}, "'beauty' cannot be identified; valid are friction, stribeck, payload"),
        ({"estimate": ("limb.rod_mas",)}, "did you mean limb.rod_mass"),
        ({"estimate": ("limb.arm",)}, "'limb.arm' cannot be identified"),
        ({"estimate": ()}, "names nothing"),
        ({"cutoff": 400.0}, "samples 1000 per second allow up to 50 Hz"),
        ({"lead": 1.0}, "must be at most 0.05 s"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        identify(pp.load("par4"), logged(par4_record(), seed=1), **options)  # pyright: ignore[reportArgumentType]


def test_a_joint_that_stands_still_has_no_friction_to_tell() -> None:
    """The spindle neither rises nor turns: its two motors are left out, and stated."""
    model = pp.load("fivebar-spindle")
    t = np.arange(4001) / 1000.0
    x = np.column_stack([0.1 * np.sin(2.0 * t), 0.33 + 0.04 * np.sin(5.0 * t), 0.0 * t, 0.0 * t])
    q = model.inverse_kinematics(x)
    torque = np.random.default_rng(1).standard_normal(q.shape) * 0.01
    found = identify(model, Log("flat.csv", t, q, torque, None, {}), ("friction",))
    why = {one.unknown.name: one.why for one in found.estimates}
    assert why["friction.coulomb.3"] == why["friction.viscous.4"] == "its joint does not move"
    assert why["friction.coulomb.1"] == ""
