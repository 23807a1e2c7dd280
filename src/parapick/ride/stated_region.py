"""The workspace that a robot's file states, as a requirement: what is left to its border at poses.

It is where the robot is meant to work; `reach` says where it can be at all. A pose on the border is inside, to the
tolerance of every requirement (`answer.keeps`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import amount, keeps

if TYPE_CHECKING:
    from parapick.model import Model

STATED: Final = (("workspace", "m"), ("workspace yaw", "rad"))
"""Name and unit of what a stated workspace bounds, in the order of the columns of `Cylinder.slack`: place and yaw."""


def stated_slacks(model: Model, x: np.ndarray) -> dict[str, np.ndarray]:
    """What is left to the border of the stated workspace (...), by the names of `STATED`; negative is outside.

    Nothing where the robot's file states no workspace.

    Args:
        x: task vectors (..., dof), m and rad.
    """
    region = model.numbers.workspace
    if region is None:
        return {}
    slack = region.slack(x)
    return {name: slack[..., column] for column, (name, _) in enumerate(STATED[: slack.shape[-1]])}


def in_stated_workspace(model: Model, x: np.ndarray) -> np.ndarray:
    """Whether poses lie in the stated workspace (...); everywhere where the robot's file states none.

    Args:
        x: task vectors (..., dof), m and rad.
    """
    region = model.numbers.workspace
    if region is None:
        return np.ones(np.shape(x)[:-1], dtype=bool)
    return np.asarray(keeps(region.slack(x), at_least=0.0).all(axis=-1))


def outside_text(model: Model, x: np.ndarray) -> str:
    """By how much one pose lies outside the stated workspace, in words; empty where it lies inside.

    Args:
        x: task vector (dof,), m and rad.
    """
    slacks, units = stated_slacks(model, x), dict(STATED)
    left = {name: float(value) for name, value in slacks.items()}
    missing = [amount(-value, units[name]) for name, value in left.items() if not keeps(value, at_least=0.0)]
    return f"the stated workspace ends {' and '.join(missing)} before it" if missing else ""
