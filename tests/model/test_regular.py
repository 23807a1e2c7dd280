"""Whether a motion keeps away from singular poses, what is lost at them, and the inertia that motors feel."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.model import LEAST_MARGIN, SingularPoseError, check_regular, felt_inertia, too_near
from parapick.motion import straight
from simulation.cases import delta


class Turning:
    """A robot of two motors whose second one changes its side halfway."""

    robot = pp.load("delta-nr").robot

    def __init__(self, second: Any) -> None:
        self.second = second

    def inverse_jacobian(self, x: np.ndarray) -> np.ndarray:
        return np.stack([np.diag([1.0, 1.0, self.second(t)]) for t in x[:, 0]])

    def __getattr__(self, name: str) -> Any:
        return getattr(delta(), name)


@pytest.mark.parametrize(
    ("second", "singular"),
    [
        (lambda t: t - 0.0335, True),
        (lambda t: abs(t - 0.0335), True),
        (lambda t: (t - 0.0335) ** 2 + 1e-4, False),
        (lambda t: math.nan if t > 0.09 else 1.0, True),
        (lambda t: 1.0, False),
    ],
    ids=["passed", "touched", "neared", "no number", "far"],
)
def test_what_is_singular_between_two_instants(second: Any, singular: bool) -> None:
    """Sides that change, margins that vanish between two instants, and those that do not."""
    home = np.array(delta().robot.home)
    t = np.linspace(0.0, 0.1, 51)

    def place(when: np.ndarray) -> np.ndarray:
        return np.column_stack([when, *np.broadcast_to(home[1:, None], (2, len(when)))])

    model: Any = Turning(second)
    if singular:
        with pytest.raises(SingularPoseError):
            check_regular(model, place, t)
    else:
        check_regular(model, place, t)


def test_shipped_robots_are_regular_on_short_ways() -> None:
    for entry in pp.list_robots():
        model = pp.load(entry.name)
        home = np.array(model.robot.home)
        to = home.copy()
        to[0] += 0.01
        motion = straight(tuple(home), tuple(to), duration=0.1)
        check_regular(model, lambda t, motion=motion: motion.at(t).x, motion.sample(100.0).t)


def test_the_error_names_the_pose_and_the_kind() -> None:
    home = np.array(delta().robot.home)
    model: Any = Turning(lambda t: t - 0.055)

    def place(when: np.ndarray) -> np.ndarray:
        return np.column_stack([when, *np.broadcast_to(home[1:, None], (2, len(when)))])

    with pytest.raises(SingularPoseError, match="passes a singular pose next to") as caught:
        check_regular(model, place, np.arange(11) / 100)
    assert caught.value.pose[0] == pytest.approx(0.055, abs=0.01)
    assert caught.value.kind in ("under-mobility", "over-mobility", "internal")


@pytest.mark.parametrize("name", ["delta-4", "par4", "fivebar-spindle"])
def test_felt_inertia_of_a_square_robot_is_the_diagonal_in_joint_space(name: str) -> None:
    model = pp.load(name)
    x = np.array([model.robot.home])
    felt = felt_inertia(model.inverse_jacobian(x), model.mass_matrix(x))
    np.testing.assert_allclose(felt[0], np.diagonal(model.joint_space(x, np.zeros_like(x)).M[0]), rtol=1e-9)


def test_felt_inertia_of_redundant_motors_is_what_they_move_together() -> None:
    """The kinetic energy of the plate that follows when one motor turns as far as the others let it."""
    model = pp.load("delta-r4")
    x = np.array(model.robot.home)
    jacobian, mass = model.inverse_jacobian(x), model.mass_matrix(x)
    felt = felt_inertia(jacobian, mass)
    for motor, turn in enumerate(np.eye(len(jacobian))):
        plate = np.linalg.lstsq(jacobian, turn, rcond=None)[0]
        assert felt[motor] == pytest.approx(plate @ mass @ plate)


def test_felt_inertia_at_a_singular_pose_is_that_of_what_still_moves() -> None:
    felt = felt_inertia(np.diag([1.0, 2.0, 0.0]), np.eye(3))
    np.testing.assert_allclose(felt, [1.0, 0.25, 0.0])


def test_kinds_of_singularity_say_what_is_lost() -> None:
    model = pp.load("h4")
    kinds = {kind.kind: str(kind) for kind in model.singularities(model.robot.home)}
    assert set(kinds) == {"under-mobility", "over-mobility", "internal"}
    assert "cannot move along (" in kinds["under-mobility"]
    assert kinds["over-mobility"] != kinds["internal"].replace("internal", "plate")


def test_the_first_kind_that_is_too_near_is_named() -> None:
    model = pp.load("par4")
    home = np.array(model.robot.home)
    far = home + np.array([1.5 * model.robot.workspace.radius, 0.0, 0.0, 0.0])
    margins = model.margins(np.stack([home, far]))
    least = np.array(list(margins))
    assert too_near(margins, LEAST_MARGIN)[0] == -1
    bound = float(np.nanmin(least[:, 0])) * 1.001
    kind = int(too_near(margins, bound)[0])
    assert least[kind, 0] < bound
    assert np.all(least[:kind, 0] >= bound)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda model: model.with_rod_model("quarters"), "is 'quarters'; valid are "),
        (lambda model: model.with_parameters({"limb.arm": -0.2}), "limb.arm"),
    ],
    ids=["rod model", "number"],
)
def test_changes_that_no_robot_can_have_are_refused(change: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        change(delta())


def test_another_rod_model_moves_the_mass_and_not_the_geometry() -> None:
    slender, halves = delta(), delta().with_rod_model("halves")
    x = np.array(delta().robot.home)
    np.testing.assert_array_equal(halves.inverse_kinematics(x), slender.inverse_kinematics(x))
    assert np.abs(halves.mass_matrix(x) - slender.mass_matrix(x)).max() > 1e-3
