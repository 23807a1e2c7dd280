"""Which room every working mode leaves between its links, over a pose or a motion."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from parapick.arrays import poses_of
from parapick.formulas import link_pairs
from parapick.mechanism import WorkingMode
from parapick.model import Model
from parapick.parameters import leaves

TIE_DIGITS: Final = 9
"""Working modes whose clearances agree to a nanometre are equally good, and the distance of their arms decides."""


class ModeClearance(NamedTuple):
    """A working mode and the room it leaves.

    Attributes:
        mode: the working mode.
        distance: smallest distance of two links over all poses, surface to surface (m).
        arms: smallest distance of two arms over all poses, centre line to centre line (m).
        closest: names of the two links that give `distance`.
    """

    mode: WorkingMode
    distance: float
    arms: float
    closest: str


def mode_clearances(model: Model, x: ArrayLike) -> tuple[ModeClearance, ...]:
    """What room every working mode leaves over some poses, most room first.

    Args:
        model: the robot; its own working mode does not matter.
        x: task vectors (..., dof), m and rad: one pose, or all those of a motion.

    Raises:
        UnreachableError: a leg does not close at one of the poses, in any working mode.
    """
    poses = poses_of("x", x, model.robot.dof)
    model.reach(poses).raise_if_open()
    modes = model.working_modes
    distance, arms, *_, pair = model.kernel("clearance")(poses, _parameters(model, modes)[:, None, :])
    names = link_pairs(model.robot)
    worst = np.argmin(distance, axis=-1)
    entries = [
        ModeClearance(mode, float(row[k]), float(between.min()), names[int(code[k])] if names else "")
        for mode, row, between, code, k in zip(modes, distance, arms, pair, worst, strict=True)
    ]
    return tuple(sorted(entries, key=lambda entry: (-round(entry.distance, TIE_DIGITS), -entry.arms)))


def _parameters(model: Model, modes: tuple[WorkingMode, ...]) -> np.ndarray:
    """The parameters (modes, numbers) of a model in every working mode: only the branches differ."""
    first = [path for path, _ in leaves(model.robot)].index("branches.1")
    table = np.tile(model.parameters, (len(modes), 1))
    table[:, first : first + model.robot.arms] = [[1.0 if sign == "+" else -1.0 for sign in m.signs] for m in modes]
    return table


def collision_free_modes(model: Model, x: ArrayLike, minimum: float = 0.0) -> tuple[ModeClearance, ...]:
    """The working modes in which no two links touch, most room first: what picks a working mode (wu2020, after (4)).

    Args:
        model: the robot; its own working mode does not matter.
        x: task vectors (..., dof), m and rad: one pose, or all those of a motion.
        minimum: smallest distance, surface to surface, that counts as free (m); exactly this is not free.

    Raises:
        UnreachableError: a leg does not close at one of the poses, in any working mode.
    """
    return tuple(entry for entry in mode_clearances(model, x) if entry.distance > minimum)
