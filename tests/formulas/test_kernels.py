"""Every expression of a robot: it can be written, and CasADi and our own machine code agree on it."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest

import parapick as pp
from parapick.errors import ParameterError
from parapick.formulas.kernels import EXPRESSIONS, expression_of, kernel_of, sharing_kernel
from parapick.mechanism import Robot
from parapick.motors import LEAST_NORM, LEAST_PEAK
from parapick.parameters import structure, symbols_of, values
from poses import MASSIVE, by_kind, workspace_poses

ONE_OF_EACH = ("h4", "r4-100g")
"""A robot with as many motors as freedoms, bars and an angle of yaw; and a redundant one."""


def lacking(robot: Robot, name: str) -> bool:
    """Whether a robot has no such quantity: no yaw, no rod pairs, or no joints in its plate."""
    if name == "plate_turn":
        return robot.dof == 3
    if name == "rod_pair_matrix":
        return robot.limb.rods != 2 or robot.limb.rod_spacing is None
    if name == "plate_joint_loads":
        return not robot.plate.traits.joints
    return name == "joint_space" and robot.redundant


def casadi_of(robot: Robot, name: str) -> tuple[ca.Function, Any]:
    """An expression as a function of CasADi of its inputs and the robot's numbers, with its outputs transposed."""
    numbers, symbolic = symbols_of(structure(robot))
    expression = expression_of(name, symbolic)
    outputs = [*expression.outputs.values()]
    validity = ca.SX(0, 1) if expression.validity is None else expression.validity
    function = ca.Function(name, [*expression.inputs.values(), numbers], [*outputs, validity])
    return function, expression


def inputs_of(model: pp.Model, expression: Any, x: np.ndarray, seed: int = 5) -> list[np.ndarray]:
    """Numbers for the inputs of an expression at a pose."""
    rng = np.random.default_rng(seed)
    poses = {
        "x": x,
        "q": model.inverse_kinematics(x),
        "guess": np.array(model.robot.home),
        "payload": model.held.vector(),
    }
    return [
        poses[name] if name in poses else 0.1 * rng.uniform(0.5, 1.0, column.shape[0])
        for name, column in expression.inputs.items()
    ]


@pytest.mark.parametrize("name", by_kind(MASSIVE))
def test_every_expression_is_finite_and_valid_at_home(name: str) -> None:
    model = pp.load(name)
    home = np.array(model.robot.home)
    for quantity in EXPRESSIONS:
        if lacking(model.robot, quantity):
            continue
        function, expression = casadi_of(model.robot, quantity)
        *outputs, validity = function.call(
            [*map(ca.DM, inputs_of(model, expression, home)), ca.DM(values(model.robot))]
        )
        assert np.all(np.array(validity) >= 0.0), quantity
        for output, values_there in zip(expression.outputs, outputs, strict=True):
            assert not np.isnan(np.array(values_there)).any(), f"{quantity}, {output}"


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "reach", "room", "inner_forces", "indices"])
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_machine_code_computes_what_casadi_does(name: str, quantity: str) -> None:
    model = pp.load(name)
    function, expression = casadi_of(model.robot, quantity)
    kernel = kernel_of(model.kernels.structure, quantity)
    for seed, x in enumerate(workspace_poses(model, 3, seed=8)):
        inputs = inputs_of(model, expression, x, seed)
        expected = function.call([*map(ca.DM, inputs), ca.DM(model.parameters)])
        for ours, theirs in zip(kernel(*inputs, model.parameters), expected, strict=False):
            wanted = np.array(theirs).reshape(np.shape(ours))
            scale = np.max(np.abs(wanted), where=np.isfinite(wanted), initial=1.0)
            np.testing.assert_allclose(ours, wanted, rtol=0, atol=1e-9 * scale)


def test_a_kernel_that_no_model_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(ParameterError, match=r"is not a kernel of a model; valid are .*inverse_dynamics"):
        kernel_of(pp.load("par4").kernels.structure, "torque")


def test_robots_that_differ_in_numbers_share_a_kernel() -> None:
    first, second = pp.load("par4"), pp.load("par4").with_parameters({"limb.arm": 0.3})
    assert kernel_of(structure(first.robot), "reach") is kernel_of(structure(second.robot), "reach")


@pytest.mark.parametrize("name", ["inverse_dynamics", "drive_torque"])
def test_only_redundant_robots_have_kernels_that_share_by_least_peak(name: str) -> None:
    square, redundant = pp.load("par4").robot, pp.load("r4-100g").robot
    assert sharing_kernel(square, name, LEAST_PEAK) == sharing_kernel(square, name, LEAST_NORM) == name
    assert sharing_kernel(redundant, name, LEAST_NORM) == name
    assert sharing_kernel(redundant, name, LEAST_PEAK) != name
    with pytest.raises(ParameterError, match="'fair' is not a sharing rule; valid are least-norm, least-peak"):
        sharing_kernel(redundant, name, "fair")
