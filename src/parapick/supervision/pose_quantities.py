"""What the guards see of a pose: which outputs of the robot's own expressions each quantity is made of."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.model import Model

POSE_QUANTITIES: Final = {
    "position": ("reach", ("joints", "elbow", "cone", "yaw", "clearance")),
    "border": ("border", ("border",)),
    "margins": ("margins", ("under", "over", "internal")),
}
"""Per quantity the expression of `parapick.formulas` and its outputs, side by side."""


def pose_quantities(model: Model, x: np.ndarray) -> dict[str, np.ndarray]:
    """Every quantity of a pose by its name, (T, columns) each.

    Args:
        model: the robot as the controller knows it.
        x: task vectors (T, dof).
    """
    return {name: _side_by_side(model, x, *parts) for name, parts in POSE_QUANTITIES.items()}


def _side_by_side(model: Model, x: np.ndarray, expression: str, outputs: tuple[str, ...]) -> np.ndarray:
    kernel = model.kernel(expression)
    values = dict(zip((port.name for port in kernel.ports.outputs), kernel(x, model.parameters), strict=True))
    return np.concatenate([values[name].reshape(len(x), -1) for name in outputs], axis=-1)
