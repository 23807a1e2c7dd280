"""What the drives of a robot allow: one account per robot, numbers that follow others included."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.optimize import linprog

import parapick as pp
from parapick.mechanism import Drive, Friction
from parapick.mechanism.checks import problems
from parapick.model import Model
from parapick.motors import Motors
from parapick.parameters import Follow
from parapick.timing import fastest_cycle


def driven(name: str, drive: Drive) -> Model:
    model = pp.load(name)
    return Model(dataclasses.replace(model.robot, drive=drive))


def test_one_number_per_motor_arms_first() -> None:
    motors = pp.load("delta-4").motors
    robot = pp.load("delta-4").robot
    assert (motors.count, motors.arms) == (4, 3)
    assert motors.peak_torque[:3].tolist() == [robot.drive.peak_torque] * 3
    assert motors.ratio[3] == robot.plate.drive.ratio
    own = robot.plate.drive
    assert motors.rotor[3] == pytest.approx(own.ratio**2 * own.inertia)
    assert motors.inertia[3] == pytest.approx(own.ratio**2 * (own.inertia + own.gearbox_inertia))


def rubbing(coulomb: tuple[float, ...], viscous: tuple[float, ...]) -> Model:
    """The five-bar with friction of its own at the screw nut and at the spline nut."""
    robot = pp.load("fivebar-spindle").robot
    own = dataclasses.replace(robot.plate.drive, friction=Friction(coulomb=coulomb, viscous=viscous))
    return Model(dataclasses.replace(robot, plate=dataclasses.replace(robot.plate, drive=own)))


def test_the_axes_of_a_drive_may_have_friction_of_their_own() -> None:
    """At the shaft: `(coulomb sign(qd) + viscous qd) / ratio`, each axis with its own numbers; the arms have none."""
    coulomb, viscous = (0.5, 2.0), (0.03, 0.01)
    x, xd, xdd = np.array([0.05, 0.33, -0.003, 0.4]), np.array([0.3, -0.2, 0.05, -2.0]), np.zeros(4)
    model, smooth = rubbing(coulomb, viscous), pp.load("fivebar-spindle")
    rates = smooth.joint_rates(x, xd)[2:]
    wanted = (np.array(coulomb) * np.sign(rates) + np.array(viscous) * rates) / smooth.motors.ratio[2:]
    added = model.drive_torque(x, xd, xdd).torque - smooth.drive_torque(x, xd, xdd).torque
    np.testing.assert_allclose(added, [0.0, 0.0, *wanted], rtol=1e-10, atol=1e-14)
    assert model.motors.coulomb.tolist() == [0.0, 0.0, 0.5, 2.0]
    changed = model.with_parameters({"plate.drive.friction.coulomb.2": "1 N m"})
    assert changed.motors.coulomb.tolist() == [0.0, 0.0, 0.5, 1.0]


def test_equal_entries_are_the_same_as_one_number() -> None:
    x, xd, xdd = np.array([0.05, 0.33, -0.003, 0.4]), np.array([0.3, -0.2, 0.05, -2.0]), np.ones(4)
    listed, one = rubbing((0.5, 0.5), (0.03, 0.03)), rubbing(0.5, 0.03)
    torques = [model.drive_torque(x, xd, xdd).torque for model in (listed, one)]
    np.testing.assert_array_equal(*torques)


@pytest.mark.parametrize(("count", "axes"), [(1, 2), (3, 2)])
def test_friction_of_another_number_of_axes_is_refused(count: int, axes: int) -> None:
    (problem,) = problems(rubbing((0.5,) * count, 0.0).robot)
    assert problem.path == "plate.drive.friction.coulomb"
    assert f"plate.drive has {axes} axes: give one number for all, or one per axis" in problem.message


def test_a_robot_without_drives_has_no_limits() -> None:
    robot = pp.load("par4").robot
    motors = Motors.of(dataclasses.replace(robot, drive=None))
    assert np.isinf(motors.peak_torque).all()
    assert not motors.jumping
    with pytest.raises(pp.errors.ParameterError, match=r"drive\.peak_torque: the file of par4 does not state it"):
        motors.torque("peak")


def test_ratings_may_follow_other_numbers() -> None:
    follow = Follow("limb.arm", (10.0, 100.0))
    model = driven("par4", Drive(peak_torque=follow, peak_speed=Follow("limb.arm", (0.0, 60.0)), ratio=2.0))
    assert model.motors.peak_torque.tolist() == [45.0] * 4
    assert model.motors.speed("peak").tolist() == pytest.approx([21.0] * 4)
    made = pp.evaluate(model, cycles_per_minute=60, sections=["torque", "joints"])
    assert made.verdict.ok


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("full", "torque: is 'full'; valid are 'peak', 'rated'"),
        ([1.0, 2.0], "torque: has 2 numbers; par4 has 4 motors"),
        ([1.0, 2.0, math.nan, 1.0], "torque: of motor 3 is nan N m"),
        ("rated", r"drive\.rated_torque: the file of par4 does not state it"),
    ],
)
def test_limits_that_no_motor_can_keep(limit: object, message: str) -> None:
    with pytest.raises(pp.errors.ParameterError, match=message):
        pp.load("par4").motors.torque(limit)


def least_peak_by_programme(model: Model, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> float:
    """Least largest shaft torque by mixed enumeration: a linear programme per side on which each gearbox works."""
    drive = model.robot.drive
    rate, rotor = model.joint_rates(x, xd), drive.ratio**2 * drive.inertia * model.joint_accelerations(x, xd, xdd)
    friction = drive.friction.coulomb * np.sign(rate) + drive.friction.viscous * rate
    J, n = model.inverse_jacobian(x), model.robot.motors
    force = J.T @ model.inverse_dynamics(x, xd, xdd)
    best = math.inf
    for pattern in np.ndindex(*(2,) * n):
        side = np.where(np.array(pattern) == 0, -1.0, 1.0)  # sign of what passes the gearbox
        loss = np.where(side * rate >= 0, 1 / drive.efficiency, drive.efficiency)
        # Unknowns: what passes each gearbox y (n) and the level t; tau = y + rotor - friction.
        rows = np.vstack(
            [np.c_[np.diag(loss), -drive.ratio * np.ones(n)], np.c_[-np.diag(loss), -drive.ratio * np.ones(n)]]
        )
        answer = linprog(
            np.r_[np.zeros(n), 1.0],
            A_ub=rows,
            b_ub=np.r_[-rotor, rotor],
            A_eq=np.c_[J.T, np.zeros(J.shape[1])],
            b_eq=force - J.T @ (rotor - friction),
            bounds=[(0, None) if s > 0 else (None, 0) for s in side] + [(0, None)],
        )
        if answer.status == 0:
            best = min(best, answer.fun)
    return best


@pytest.mark.parametrize("efficiency", [1.0, 0.8])
def test_redundant_motors_share_by_what_they_give(efficiency: float) -> None:
    drive = Drive(peak_torque=20.0, inertia=1e-4, ratio=5.0, efficiency=efficiency, friction=Friction(2.0, 3.0))
    model = driven("delta-r4", drive)
    rng = np.random.default_rng(4)
    for _ in range(6):
        x = model.robot.home + rng.uniform(-0.15, 0.15, 3)
        xd, xdd = rng.uniform(-3, 3, 3), rng.uniform(-80, 80, 3)
        load = model.drive_torque(x, xd, xdd, sharing="least-peak")
        J = model.inverse_jacobian(x)
        assert J.T @ load.joint_torque == pytest.approx(J.T @ model.inverse_dynamics(x, xd, xdd), rel=1e-9, abs=1e-9)
        assert np.abs(load.torque).max() == pytest.approx(least_peak_by_programme(model, x, xd, xdd), rel=1e-8)


def test_without_friction_the_shafts_share_as_the_joints_do() -> None:
    model = pp.load("delta-r6")
    rng = np.random.default_rng(5)
    x = model.robot.home + rng.uniform(-0.15, 0.15, (20, 3))
    xd, xdd = rng.uniform(-3, 3, (20, 3)), rng.uniform(-80, 80, (20, 3))
    load = model.drive_torque(x, xd, xdd, sharing="least-peak")
    plain = model.inverse_dynamics(x, xd, xdd, sharing="least-peak")
    assert np.abs(load.joint_torque).max(axis=1) == pytest.approx(np.abs(plain).max(axis=1), rel=1e-9)


def test_a_redundant_robot_with_friction_is_not_refused_its_own_fastest_cycle() -> None:
    robot = pp.load("delta-r4").robot
    model = Model(dataclasses.replace(robot, drive=dataclasses.replace(robot.drive, friction=Friction(2.0, 3.0))))
    cycle = pp.adept_cycle(model, cycles_per_minute=60, azimuth=math.radians(30))
    made = pp.evaluate(model, fastest_cycle(model, cycle), sections=["torque"])
    (peak,) = (finding for finding in made.findings if finding.name == "motor torque, peak")
    assert made.verdict.ok
    assert 0.995 < peak.use <= 1.0
