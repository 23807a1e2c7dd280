"""What is checked or counted beside the times: derivatives of torques by parameters, and what rod models cost.

The expression that is compiled is differentiated by CasADi; the differences go through the public model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["ROD_MODELS", "derivative_error", "instruction_counts"]

# Room to both sides of numbers that par4 has at the end of their range, where a central difference needs it.
INSIDE = {
    "drive.gearbox_inertia": 0.001,
    "drive.efficiency": 0.9,
    "drive.friction.coulomb": 0.5,
    "drive.friction.viscous": 0.05,
    "drive.friction.stribeck": 0.2,
    "plate.tool_inertia": 0.0005,
}
# Parameters of +1 or -1, where a difference has no meaning, and what the tool holds, which is an input of its own.
CHOICES = ("gripper.", "base.sign", "branches.")
# Step of the differences, as a share of the number or of 0.1; the error of the formula is of fourth order.
STEP = 1e-3

ROD_MODELS = ("halves", "slender", "variable-frozen", "variable-rate")


def derivative_error(model: Any, states: Sequence[np.ndarray]) -> tuple[float, str, int, int]:
    """Largest difference of d(torque)/d(parameter) between CasADi and differences, as a share of the derivative.

    Returns:
        The difference, the parameter it belongs to, how many parameters were compared, how many of them move a torque.
    """
    from parapick.parameters import leaves

    model = model.with_parameters(INSIDE)
    paths = [path for path, _ in leaves(model.robot)]
    exact = _derivatives(model, states)
    worst, where, moving = 0.0, "", 0
    compared = [(k, path) for k, path in enumerate(paths) if not path.startswith(CHOICES)]
    for k, path in compared:
        wanted = _difference(model, path, states)
        size = np.max(np.abs(wanted))
        moving += bool(size > 0)
        error = float(np.max(np.abs(exact[..., k] - wanted)) / (size if size > 0 else 1.0))
        if error >= worst:
            worst, where = error, path
    return worst, where, len(compared), moving


def _derivatives(model: Any, states: Sequence[np.ndarray]) -> np.ndarray:
    """d(torque)/d(parameters) (count, n, parameters) by differentiating the expression of the kernel."""
    import casadi as ca

    from parapick.formulas import inverse_dynamics
    from parapick.parameters import resolved, symbolic

    symbols = ca.SX.sym("p", len(model.parameters))
    expression = inverse_dynamics(resolved(symbolic(model.kernels.structure, ca.vertsplit(symbols))))
    slope = ca.jacobian(expression.outputs["tau"], symbols)
    function = ca.Function("slope", [*expression.inputs.values(), symbols], [ca.densify(slope)])
    load, numbers = model.held.vector(), model.parameters
    return np.array([function(*state, load, numbers).full() for state in zip(*states, strict=True)])


def _difference(model: Any, path: str, states: Sequence[np.ndarray]) -> np.ndarray:
    """The same for one parameter (count, n), by differences of fourth order through the public model."""
    from parapick.parameters import leaves

    value = dict(leaves(model.robot))[path]
    step = STEP * (abs(value) or 0.1)

    def torque(steps: int) -> np.ndarray:
        return model.with_parameters({path: value + steps * step}).inverse_dynamics(*states)

    return (8.0 * (torque(1) - torque(-1)) - (torque(2) - torque(-2))) / (12.0 * step)


def instruction_counts(model: Any) -> dict[str, int]:
    """Instructions a state of inverse dynamics, by rod model; what depends on parameters only is done once a call."""
    counts = {}
    for name in ROD_MODELS:
        trace = model.with_rod_model(name).kernel("inverse_dynamics").trace
        pairs = zip(trace.instructions, trace.fixed, strict=True)
        counts[name] = sum(bool(instruction.operands) and not fixed for instruction, fixed in pairs)
    return counts
