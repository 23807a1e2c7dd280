"""The fastest timing: limits hold between the nodes, one is always reached, and no other timing is faster."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
import re

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.optimize import linprog

import parapick as pp
from motion.helpers import difference_error
from pages import run_program
from parapick.errors import MissingMassError, MotionError
from parapick.formulas.redundancy import least_peak
from parapick.mechanism.drive import Friction
from parapick.motion import (
    LimitError,
    Motion,
    Path,
    StrokeError,
    along,
    fit,
    follow_path,
    gate_path,
    line_path,
    via_path,
    with_yaw,
)
from parapick.motion.corners import fastest_rounded
from parapick.motion.path import Arc, Line
from parapick.timing import fastest_along
from parapick.timing.errors import HoldingTorqueError, SingularPathError, UnreachablePathError
from parapick.timing.limit_rows import RowForm
from parapick.timing.limits_along import PathLimits
from parapick.timing.speed_profile import Cells, profile, use_of
from timing.collocation import Curve, fastest_duration

OVER, ACTIVE, SHARE = 1.005, 0.98, 0.95
"""What a limit may be exceeded by, from when on it counts as reached, and for what share of the time one must be."""


def with_drive(model: pp.Model, **numbers: object) -> pp.Model:
    """The robot with other numbers of its drives; `friction` is a `Friction`."""
    return dataclasses.replace(
        model, robot=dataclasses.replace(model.robot, drive=dataclasses.replace(model.robot.drive, **numbers))
    )


def roomy(model: pp.Model) -> pp.Model:
    """The robot without a stated workspace: what it reaches is all that bounds its paths."""
    return dataclasses.replace(model, robot=dataclasses.replace(model.robot, workspace=None))


def rounded(model: pp.Model) -> Path:
    z = model.robot.home[2]
    path = gate_path((-0.15, 0.03, z - 0.02), (0.15, -0.02, z - 0.02), height=0.05, corner_radius=0.03)
    return with_yaw(path, -0.4, 0.4) if model.robot.dof == 4 else path


def curved(model: pp.Model) -> Path:
    z = model.robot.home[2]
    points = np.array([(-0.15, 0.0, z - 0.03), (-0.1, 0.03, z + 0.02), (0.1, 0.05, z + 0.02), (0.15, 0.0, z - 0.03)])
    yaw = np.array([[0.0], [0.2], [0.5], [0.3]])
    return via_path((np.hstack([points, yaw]) if model.robot.dof == 4 else points).tolist())


def sharp(model: pp.Model) -> Path:
    z = model.robot.home[2]
    path = gate_path((-0.15, 0.03, z - 0.02), (0.15, -0.02, z - 0.02), height=0.05)
    return with_yaw(path, -0.4, 0.4) if model.robot.dof == 4 else path


CASES = {"delta-nr": rounded, "par4": curved, "r4-100g": curved}


def torque_use(model: pp.Model, motion: Motion, limit: float, corners: bool = False) -> np.ndarray:
    """Largest share of the motors' limits (T,) on a grid ten times denser than the motion's own.

    Friction and losses are the model's `drive_torque`. Redundant robots: the gauge of the zonotope, that is, the peak
    of least-peak sharing, with friction added by its formula.
    """
    samples = motion.sample(10 * len(motion.knots) / motion.duration, corners=corners)
    if not model.robot.redundant:
        return np.abs(model.drive_torque(samples.x, samples.xd, samples.xdd).torque).max(axis=1) / limit
    jacobian, friction = model.inverse_jacobian(samples.x), model.robot.drive.friction
    rates = model.joint_rates(samples.x, samples.xd)
    torque = model.inverse_dynamics(samples.x, samples.xd, samples.xdd)
    torque = torque + friction.coulomb * np.sign(rates) + friction.viscous * rates
    force = np.einsum("tnd,tn->td", jacobian, torque)
    n, d = jacobian.shape[1:]
    J, W = ca.SX.sym("J", n, d), ca.SX.sym("W", d)
    gauge = ca.Function("gauge", [J, W], [least_peak(J, W)[1]]).map(len(force))
    stacked = jacobian.transpose(1, 0, 2).reshape(n, -1)
    return np.array(gauge(stacked, force.T)).ravel() / limit


FRICTIONS = {
    "none": Friction(),
    "viscous": Friction(viscous=2.0),
    "coulomb and viscous": Friction(coulomb=3.0, viscous=1.0),
}


@pytest.mark.parametrize("friction", FRICTIONS)
@pytest.mark.parametrize("name", CASES)
def test_torques_hold_on_a_denser_grid_and_one_is_always_reached(name: str, friction: str) -> None:
    model = with_drive(pp.load(name), friction=FRICTIONS[friction])
    use = torque_use(model, fastest_along(model, CASES[name](model)), model.robot.drive.peak_torque)
    assert use.max() <= OVER
    assert np.mean(use > ACTIVE) >= SHARE


def curves_of(path: Path) -> list[Curve]:
    """The pieces of a path as curves of a parameter from 0 to 1: lines, circles, cubics."""
    found: list[Curve] = []
    for piece in path.pieces:
        if isinstance(piece, Line):
            found.append(lambda r, p=piece: ca.DM(p.start) + r * (ca.DM(p.end) - ca.DM(p.start)))
        elif isinstance(piece, Arc):
            found.append(
                lambda r, p=piece: (
                    ca.DM(p.start)
                    + p.radius * ca.sin(r * p.angle) * ca.DM(p.direction)
                    + p.radius * (1 - ca.cos(r * p.angle)) * ca.DM(p.normal)
                )
            )
        else:
            spline = piece.timed.piece.spline  # pyright: ignore[reportAttributeAccessIssue]
            found.append(lambda r, p=spline: sum(ca.DM(c) * (r * p.x[-1]) ** k for k, c in enumerate(p.c[::-1, 0])))
    return found


@pytest.mark.parametrize(("name", "viscous"), [("delta-nr", 0.0), ("par4", 2.0), ("r4-100g", 0.0), ("r4-100g", 2.0)])
def test_as_fast_as_direct_collocation(name: str, viscous: float) -> None:
    model = with_drive(pp.load(name), friction=Friction(viscous=viscous))
    path = CASES[name](model)
    shortest = fastest_duration(model, curves_of(path), model.robot.drive.peak_torque, viscous)
    assert fastest_along(model, path).duration == pytest.approx(shortest, rel=0.01)


def test_viscous_friction_costs_time_and_is_not_left_out() -> None:
    model = pp.load("r4-100g")
    rubbing = with_drive(model, friction=Friction(viscous=2.0))
    motion = fastest_along(model, curved(model))
    assert fastest_along(rubbing, curved(model)).duration > 1.1 * motion.duration
    assert torque_use(rubbing, motion, model.robot.drive.peak_torque).max() > 1.05


@settings(max_examples=8)
@given(data=st.data())
def test_limits_hold_on_random_paths(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["delta-nr", "par4", "i4", "r4-100g"]))
    friction = Friction(coulomb=data.draw(st.floats(0.0, 4.0)), viscous=data.draw(st.floats(0.0, 2.0)))
    model = roomy(with_drive(pp.load(name), friction=friction))
    offset = st.tuples(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(-0.05, 0.05), st.floats(-0.3, 0.3))
    points = np.array(data.draw(st.lists(offset, min_size=3, max_size=5)))[:, : model.robot.dof] + model.robot.home
    try:
        path = via_path(points.tolist())
    except MotionError:
        return
    motion = fastest_along(model, path)
    use = torque_use(model, motion, model.robot.drive.peak_torque)
    assert use.max() <= OVER
    assert np.mean(use > ACTIVE) >= SHARE


@pytest.mark.parametrize("route", [rounded, curved, sharp])
def test_a_robot_can_follow_it(route: object) -> None:
    model = with_drive(pp.load("par4"), peak_speed=15.0, friction=Friction(coulomb=2.0, viscous=0.5))
    followed = fastest_along(model, route(model)).follow(model)
    followed.raise_if_not()
    assert max(followed["motor torque"].use, followed["joint speed"].use) > ACTIVE


def test_losses_of_a_gearbox() -> None:
    model = with_drive(pp.load("par4"), ratio=5.0, peak_torque=20.0, inertia=6e-4, efficiency=0.8)
    lossless = with_drive(model, efficiency=1.0)
    motion = fastest_along(model, rounded(model))
    use = torque_use(model, motion, 20.0, corners=True)
    assert use.max() <= OVER
    assert np.mean(use > ACTIVE) >= SHARE
    assert motion.duration != pytest.approx(fastest_along(lossless, rounded(model)).duration, rel=1e-3)


def test_plate_limits_in_closed_form() -> None:
    model = pp.load("delta-nr")
    path = rounded(model)
    for limits in ({"a_max": 80.0}, {"a_max": 80.0, "v_max": 2.0}):
        motion = fastest_along(model, path, torque=None, **limits)
        assert motion.duration == pytest.approx(fastest_rounded(path, **limits).duration, rel=1e-3)
        peaks = motion.peaks()
        assert peaks.acceleration.value <= 80.0
        assert peaks.speed.value <= limits.get("v_max", np.inf) * (1 + 1e-9)


def test_plate_and_motor_limits_together() -> None:
    model = with_drive(pp.load("par4"), peak_speed=7.0)
    motion = fastest_along(model, curved(model), v_max=2.5, a_max=150.0)
    samples = motion.sample(10 * len(motion.knots) / motion.duration)
    load = model.drive_torque(samples.x, samples.xd, samples.xdd)
    uses = {
        "torque": np.abs(load.torque).max(axis=1) / 90.0,
        "speed": np.abs(load.speed).max(axis=1) / 7.0,
        "v_max": np.linalg.norm(samples.xd[:, :3], axis=1) / 2.5,
        "a_max": np.linalg.norm(samples.xdd[:, :3], axis=1) / 150.0,
    }
    # Every one of them is the one that counts somewhere.
    assert min(use.max() for use in uses.values()) > ACTIVE
    together = np.max(list(uses.values()), axis=0)
    assert together.max() <= OVER
    assert np.mean(together > ACTIVE) >= SHARE


def test_motor_speed_can_be_left_out() -> None:
    model = with_drive(pp.load("par4"), peak_speed=5.0)
    assert (
        fastest_along(model, curved(model), speed=False).duration < 0.9 * fastest_along(model, curved(model)).duration
    )


def test_rated_torque_numbers_and_one_number_a_motor() -> None:
    model = with_drive(pp.load("par4"), rated_torque=30.0)
    path = curved(model)
    rated = fastest_along(model, path, torque="rated")
    assert (
        rated.duration
        == fastest_along(model, path, torque=30.0).duration
        == fastest_along(model, path, torque=[30.0] * 4).duration
    )
    assert torque_use(model, rated, 30.0).max() <= OVER
    assert rated.duration > fastest_along(model, path).duration


def test_a_payload_is_moved_and_carried() -> None:
    model = pp.load("par4")
    motion = fastest_along(model, curved(model), payload=1.0)
    loaded = model.with_payload(1.0)
    assert motion.payload_at(0.5 * motion.duration) == 1.0
    assert motion.duration == fastest_along(loaded, curved(model)).duration
    use = torque_use(loaded, motion, 90.0)
    assert use.max() <= OVER
    assert np.mean(use > ACTIVE) >= SHARE


def test_a_plate_stops_where_the_path_turns_sharply() -> None:
    model = pp.load("delta-nr")
    path = sharp(model)
    motion = fastest_along(model, path)
    speed = np.linalg.norm(motion.at(motion.starts).xd, axis=1)
    assert speed == pytest.approx(0.0, abs=1e-12)
    points = [piece.start for piece in path.pieces] + [path.pieces[-1].end]
    alone = sum(fastest_along(model, line_path(*ends)).duration for ends in itertools.pairwise(points))
    assert motion.duration == pytest.approx(alone, rel=1e-9)
    assert motion.at(motion.starts).x == pytest.approx(np.array(points), abs=1e-12)


def test_a_plate_stops_where_yaw_turns_sharply() -> None:
    model = pp.load("par4")
    path = Path(
        (Line((-0.1, 0.0, -0.7, 0.0), (0.0, 0.0, -0.7, 0.0)), Line((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.4)))
    )
    motion = fastest_along(model, path)
    assert np.abs(motion.at(motion.starts[1]).xd).max() < 1e-12


def test_speeds_at_the_ends() -> None:
    model = pp.load("par4")
    path = curved(model)
    motion = fastest_along(model, path, end_speeds=(1.0, 0.5))
    speeds = np.linalg.norm(motion.at(np.array([0.0, motion.duration])).xd[:, :3], axis=1)
    assert speeds == pytest.approx([1.0, 0.5], rel=1e-9)
    assert motion.duration < fastest_along(model, path).duration
    assert torque_use(model, motion, 90.0).max() <= OVER


def test_derivatives_are_derivatives() -> None:
    model = pp.load("par4")
    motion = fastest_along(model, curved(model))
    assert difference_error(motion, 1) < 1e-6
    assert difference_error(motion, 2) < 1e-6
    smooth = fastest_along(model, curved(model), j_max=3e4)
    for order in (1, 2, 3):
        assert difference_error(smooth, order) < 1e-5


def test_a_law_is_slower() -> None:
    model = pp.load("delta-nr")
    path = rounded(model)
    law = follow_path(path, "3-4-5", duration=0.2)
    peak = torque_use(model, law, model.robot.drive.peak_torque).max()
    # Gravity is small here, so torques go with the inverse square of the duration.
    assert fastest_along(model, path).duration < 0.8 * 0.2 * np.sqrt(peak)


@pytest.mark.parametrize(("name", "jerk"), [("par4", 1e6), ("r4-100g", 2e4)])
def test_a_bound_on_jerk_holds_with_all_others(name: str, jerk: float) -> None:
    model = with_drive(pp.load(name), friction=Friction(coulomb=2.0, viscous=1.0))
    plain, motion = fastest_along(model, curved(model)), fastest_along(model, curved(model), j_max=jerk)
    assert len(motion.corners) == 0
    assert motion.peaks().jerk.value <= jerk * 1.005
    assert torque_use(model, motion, model.robot.drive.peak_torque).max() <= OVER
    assert motion.duration > plain.duration


def test_a_bound_on_jerk_costs_little_when_it_is_wide() -> None:
    model = pp.load("par4")
    line = line_path((-0.15, 0.0, -0.7, 0.0), (0.15, 0.0, -0.7, 0.0))
    assert fastest_along(model, line, j_max=1e6).duration == pytest.approx(
        fastest_along(model, line).duration, rel=0.01
    )


@pytest.mark.parametrize("limits", [{"a_max": 100.0, "j_max": 1e4}, {"a_max": 100.0, "j_max": 5e3, "v_max": 2.0}])
def test_a_bound_on_jerk_along_a_line_is_the_s_curve(limits: dict[str, float]) -> None:
    motion = fastest_along(pp.load("delta-nr"), line_path((-0.15, 0.0, -0.7), (0.15, 0.0, -0.7)), torque=None, **limits)
    assert motion.duration == pytest.approx(fit("s-curve", 0.3, **limits).duration, rel=0.01)
    peaks = motion.peaks()
    assert peaks.jerk.value <= limits["j_max"]
    assert peaks.acceleration.value <= limits["a_max"]


def test_jerk_at_moving_ends() -> None:
    model = pp.load("par4")
    motion = fastest_along(model, curved(model), j_max=3e4, end_speeds=(0.5, 0.8))
    jerk = np.linalg.norm(motion.jerk(np.linspace(0.0, motion.duration, 5001))[:, :3], axis=1)
    assert jerk.max() <= 3e4 * 1.005
    speeds = np.linalg.norm(motion.at(np.array([0.0, motion.duration])).xd[:, :3], axis=1)
    assert speeds == pytest.approx([0.5, 0.8], rel=1e-6)


@pytest.mark.parametrize("name", ["r4-100g", "delta-r6"])
def test_rows_are_the_least_peak_of_a_linear_programme(name: str) -> None:
    model, generator = pp.load(name), np.random.default_rng(7)
    torque = generator.uniform(0.5, 2.0, model.robot.motors)
    limits = PathLimits(model, torque, np.full(model.robot.motors, np.inf))
    path = curved(model)
    for s, b, u in generator.uniform([0.0, -200.0, 0.0], [path.length, 200.0, 20.0], (6, 3)):
        x, d1, d2, _ = path.at(s)
        share = use_of(limits.form, limits.rows(path.at(s)), np.array(b), np.array(u), np.array(np.inf))
        jacobian, joint = model.inverse_jacobian(x), model.inverse_dynamics(x, d1 * np.sqrt(u), d1 * b + d2 * u)
        # Least z with J' tau = W and |tau| <= z limits.
        bounds = [np.hstack([sign * np.eye(len(torque)), -torque[:, None]]) for sign in (1.0, -1.0)]
        answer = linprog(
            np.append(np.zeros(len(torque)), 1.0),
            A_ub=np.vstack(bounds),
            b_ub=np.zeros(2 * len(torque)),
            A_eq=np.hstack([jacobian.T, np.zeros((model.robot.dof, 1))]),
            b_eq=jacobian.T @ joint,
            bounds=(None, None),
        )
        assert share == pytest.approx(answer.fun, rel=1e-8)


def by_programmes(A: np.ndarray, B: np.ndarray, C: np.ndarray, cap: float) -> np.ndarray:
    """TOPP-RA as it is written: a linear programme in p and q, `A q + B p <= C`, for every step of both passes."""

    def solve(cell: int, cost: tuple[float, float], bounds: list[tuple[float, float]]) -> np.ndarray:
        capped = [(low, min(high, cap)) for low, high in bounds]
        return linprog(cost, A_ub=np.column_stack([B[cell], A[cell]]), b_ub=C[cell], bounds=capped).x

    reachable = np.zeros(len(A) + 1)
    for i in reversed(range(len(A))):
        reachable[i] = solve(i, (-1.0, 0.0), [(0.0, np.inf), (0.0, reachable[i + 1])])[0]
    u = np.zeros(len(A) + 1)
    for i in range(len(A)):
        u[i + 1] = solve(i, (0.0, -1.0), [(u[i], u[i]), (0.0, reachable[i + 1])])[1]
    return u


def test_passes_are_those_of_linear_programmes() -> None:
    generator, count, k, tight, cap = np.random.default_rng(3), 25, 8, 1.1, 4.0
    place, form = np.linspace(0.0, 1.0, count + 1), RowForm(k, rough=False, bounded=False)
    h, expected, sides = np.diff(place), [], []
    for _ in range(3):
        waves = generator.uniform(0.5, 6.0, (3, k, 2))
        alpha, beta, gamma = (np.sin(np.multiply.outer(place, wave[:, 0]) + wave[:, 1]) for wave in waves)
        gamma = 0.3 * gamma
        slope, room = tight * alpha / (2.0 * h[0]), 1.0 - tight * gamma
        A = np.hstack([slope[:-1], slope[1:] + tight * beta[1:]])
        B = np.hstack([tight * beta[:-1] - slope[:-1], -slope[1:]])
        expected.append(by_programmes(A, B, np.hstack([room[:-1], room[1:]]), cap))
        rows = np.hstack([alpha, beta, gamma, np.tile([cap, 0.0, 1.0], (count + 1, 1))])
        sides.append((rows[:-1], rows[1:]))
    before, after = (np.vstack(side) for side in zip(*sides, strict=True))
    given = np.full((3, count), -1.0)
    given[:, 0] = 0.0
    cells = Cells(before, after, np.tile(h, 3), np.full(3 * count, tight), np.full(3 * count, np.inf))
    # Three stretches in one call.
    u, _ = profile(form, cells, given.ravel(), given[:, ::-1].ravel(), np.zeros((3 * count, 2)))
    for found, wanted in zip(u.reshape(3, count, 2), expected, strict=True):
        assert wanted.max() > 0.05
        assert found[:, 0] == pytest.approx(wanted[:-1], abs=1e-7)
        assert found[:, 1] == pytest.approx(wanted[1:], abs=1e-7)


def test_torques_too_small_to_hold_the_plate() -> None:
    model = pp.load("par4")
    path = rounded(model)
    with pytest.raises(
        HoldingTorqueError, match=r"motor \d needs [\d.]+ N m .* its limit is 5 N m, [\d.]+ N m less"
    ) as caught:
        fastest_along(model, path, torque=5.0)
    error = caught.value
    assert path.at(error.length).x == pytest.approx(error.pose)
    held = model.inverse_dynamics(error.pose, np.zeros(4), np.zeros(4))
    assert held[error.motor - 1] == pytest.approx(error.torque)
    # The same motor where it is worst, and dry friction on top.
    everywhere = path.at(np.linspace(0.0, path.length, 2001)).x
    still = np.zeros_like(everywhere)
    assert np.abs(model.inverse_dynamics(everywhere, still, still)).max() == pytest.approx(error.torque, rel=1e-3)
    with pytest.raises(HoldingTorqueError) as rubbing:
        fastest_along(with_drive(model, friction=Friction(coulomb=1.0)), path, torque=5.0)
    assert rubbing.value.torque == pytest.approx(error.torque + 1.0, rel=0.02)


def test_a_motor_that_can_just_hold_the_plate_cannot_move_it() -> None:
    model = pp.load("par4")
    path = line_path((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0))
    with pytest.raises(HoldingTorqueError) as caught:
        fastest_along(model, path, torque=4.0)
    with pytest.raises(HoldingTorqueError, match="which leaves nothing to move it with"):
        fastest_along(model, path, torque=caught.value.torque * 1.0001)
    assert fastest_along(model, path, torque=caught.value.torque * 1.01).duration < 1.0


def test_torques_too_small_of_a_redundant_robot() -> None:
    model = pp.load("delta-r6")
    path = rounded(model)
    with pytest.raises(HoldingTorqueError) as caught:
        fastest_along(model, path, torque=3.0)
    still = np.zeros(3)
    shared = model.inverse_dynamics(caught.value.pose, still, still, sharing="least-peak")
    assert np.abs(shared).max() == pytest.approx(caught.value.torque, rel=1e-6)
    assert abs(shared[caught.value.motor - 1]) == pytest.approx(caught.value.torque, rel=1e-6)


def test_an_unreachable_path_says_where_and_by_how_much() -> None:
    model = pp.load("par4")
    path = line_path((0.0, 0.0, -0.7, 0.0), (0.9, 0.0, -0.7, 0.0))
    with pytest.raises(
        UnreachablePathError, match=r"worst at 0.9 m, .* leg \d: the rod is [\d.]+ mm too short"
    ) as caught:
        fastest_along(model, path)
    assert model.reach(path.at(caught.value.start).x).ok.item() is False
    assert model.reach(path.at(caught.value.start - 0.01).x).ok.item() is True
    with pytest.raises(UnreachablePathError, match="yaw limit of the plate is exceeded by"):
        fastest_along(model, line_path((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.9)))


def test_a_path_through_a_singularity() -> None:
    wide = {
        f"{part}.yaw_{end}": turn for part in ("limits", "workspace") for end, turn in (("min", -2.0), ("max", 2.0))
    }
    model = pp.load("par4").with_parameters(wide).with_gravity(0.0)
    low, high = 1.4, 1.8
    for _ in range(60):
        middle = 0.5 * (low + high)
        before = np.linalg.det(model.inverse_jacobian((0.0, 0.0, -0.7, middle))) > 0.0
        same = before == (np.linalg.det(model.inverse_jacobian((0.0, 0.0, -0.7, 1.4))) > 0.0)
        low, high = (middle, high) if same else (low, middle)
    # One path starts in the singularity, the other crosses it between two points of the grid.
    with pytest.raises(SingularPathError, match="the robot is singular at 0 m of the path"):
        fastest_along(model, line_path((0.0, 0.0, -0.7, high), (0.01, 0.0, -0.7, high + 0.1)))
    with pytest.raises(SingularPathError, match="the robot is singular at") as caught:
        fastest_along(model, line_path((-0.01, 0.0, -0.7, 1.4), (0.01, 0.0, -0.7, 1.8)))
    assert caught.value.pose[3] == pytest.approx(high, abs=0.02)


def test_paths_that_are_none() -> None:
    model = pp.load("delta-nr")
    with pytest.raises(StrokeError, match="the path is 0 m"):
        fastest_along(model, Path(()))
    with pytest.raises(StrokeError, match="the path is 0 m"):
        fastest_along(model, Path((Line((0.0, 0.0, -0.7), (0.0, 0.0, -0.7)),)))
    with pytest.raises(MotionError, match="the path has 4 coordinates; delta-nr has 3: x, y, z"):
        fastest_along(model, line_path((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"torque": "rated"}, "drive.rated_torque: the file of par4 does not state it; add it, or give torque="),
        ({"torque": "full"}, "torque: is 'full'; valid are 'peak', 'rated', None and numbers"),
        ({"torque": [90.0, 90.0]}, "torque: has 2 numbers; par4 has 4 motors"),
        ({"torque": [90.0, 0.0, 90.0, 90.0]}, "torque: of motor 2 is 0 N m; it must be finite and greater than 0"),
        ({"torque": None}, "a_max: without torques it is what bounds the acceleration"),
        ({"v_max": -1.0}, "v_max: is -1 m/s"),
        ({"end_speeds": (-1.0, 0.0)}, "end_speeds: are -1 and 0 m/s; they must be 0 or greater"),
        ({"end_speeds": (20.0, 0.0)}, "end_speeds: is 20 m/s at the start; the limits allow at most 6.4"),
        ({"end_speeds": (0.0, 20.0)}, "end_speeds: is 20 m/s at the end; the limits allow at most 6.7"),
    ],
)
def test_limits_that_cannot_hold(arguments: dict[str, object], message: str) -> None:
    model = pp.load("par4")
    with pytest.raises(LimitError, match=message):
        fastest_along(model, curved(model), **arguments)


def test_no_bound_on_jerk_where_the_curvature_jumps() -> None:
    model = pp.load("delta-nr")
    with pytest.raises(LimitError, match=r"j_max: the curvature jumps at 0.02 m of the path"):
        fastest_along(model, rounded(model), j_max=1e5)


def test_a_robot_without_masses_keeps_plate_limits_only() -> None:
    model = pp.load("irb360")
    line = line_path((0.0, 0.0, -1.05), (0.1, 0.0, -1.05))
    assert fastest_along(model, line, torque=None, a_max=50.0).duration == pytest.approx(
        2 * np.sqrt(0.1 / 50.0), rel=1e-3
    )
    with pytest.raises(MissingMassError):
        fastest_along(model, line, torque=10.0)


def test_a_timing_of_another_path_is_refused_by_along() -> None:
    model = pp.load("delta-nr")
    timing = fastest_along(model, rounded(model)).pieces[0].timing
    assert along(rounded(model), timing).duration == pytest.approx(timing.duration)
    with pytest.raises(MotionError, match="the timing ends at"):
        along(curved(model), timing)


def test_the_programs_of_its_page_run() -> None:
    page = (pathlib.Path(__file__).parents[2] / "docs" / "timing.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE):
        assert run_program(block, "timing.md", names)[0] == []
    assert names["motion"].duration == pytest.approx(0.113, abs=5e-4)
    assert names["smooth"].peaks().jerk.value <= 5e4
