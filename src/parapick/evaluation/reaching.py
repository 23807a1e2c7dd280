"""What must hold for a robot to be on a motion at all: slack of every kind, and margins to singularities."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from parapick.evaluation.answer import Finding
from parapick.evaluation.words import amount, at_place
from parapick.model.singularity import NEAR
from parapick.motion.crossing import margins_along
from parapick.motion.extremes import first_smallest
from parapick.motion.follow import TOUCH

if TYPE_CHECKING:
    from parapick.evaluation.context import Context

__all__ = ["Kept", "margins_of", "requirements", "slacks_of"]


class Kept(NamedTuple):
    """A quantity that must not fall below a bound along the motion.

    Attributes:
        name: what it is.
        values: one column a leg, or one for all (T, k).
        unit: its unit; empty for margins.
        whose: "leg" where there is a column a leg.
    """

    name: str
    values: np.ndarray
    unit: str
    whose: str


def requirements(context: Context) -> tuple[Finding, ...]:
    """Every slack and margin against its bound.

    Args:
        context: the robot on its way.
    """
    return tuple(_finding(context, kept) for kept in (*slacks_of(context), *margins_of(context)))


def slacks_of(context: Context) -> tuple[Kept, ...]:
    """Every slack that is bounded somewhere.

    Args:
        context: the robot on its way.
    """
    reach = context.reach
    kinds = (
        Kept("leg slack", reach.legs, "m", "leg"),
        Kept("joint slack", reach.joints, "rad", "leg"),
        Kept("elbow slack", reach.elbow, "rad", "leg"),
        Kept("cone slack", reach.cone, "rad", "leg"),
        Kept("yaw slack", reach.yaw[:, None], "rad", ""),
        Kept("clearance slack", reach.clearance[:, None], "m", ""),
    )
    return tuple(kept for kept in kinds if np.isfinite(kept.values).any())


def margins_of(context: Context) -> tuple[Kept, ...]:
    """Every margin there is, 0 at the sample before a crossing.

    Args:
        context: the robot on its way.
    """
    margins = margins_along(context.model, context.samples.x)
    return tuple(Kept(f"{name} margin", values[:, None], "", "") for name, values in margins.items())


def _finding(context: Context, kept: Kept) -> Finding:
    name, values, unit, whose = kept
    sample, leg = (int(i) for i in np.unravel_index(first_smallest(values), values.shape))
    value, place = float(values[sample, leg]), context.place(sample, leg + 1 if whose else 0)
    least = 0.0 if unit else NEAR
    ok = value >= least - (TOUCH if unit else 0.0)
    of = f" of {whose} {leg + 1}" if whose else ""
    if ok:
        state = f"{amount(value, unit)} left" if unit else f"{value:.3g}"
    else:
        state = f"{amount(-value, unit)} is missing" if unit else "singular"
    brief = f"{name}{of}: {state}"
    return Finding(name, value, least, unit, ok, f"{brief}, {at_place(place)}", place, floor=True, brief=brief)
