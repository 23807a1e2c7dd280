"""Gains from poles, so that laws can be compared fairly.

Laws with the same poles differ in the law only: those on accelerations have them directly, joint laws through the mean
inertia that each motor feels along the motion.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Final

from parapick.control.errors import LawError, UnknownControlLawError
from parapick.control.fields import gain_axis, prepared
from parapick.control.laws import LAWS, acts_on_accelerations, gain_problems
from parapick.control.poles import DAMPING, FREQUENCY, Poles, inertia_at_joints
from parapick.model import check_regular
from parapick.motors import LEAST_NORM

if TYPE_CHECKING:
    from parapick.control.stage import ControlLaw
    from parapick.model import Model
    from parapick.motion import Motion

INERTIA_RATE: Final = 500.0
"""Samples a second (Hz) at which the inertia along the motion is looked at."""


def law_named(name: str) -> Any:
    """The class of a control law.

    Args:
        name: a name of `LAWS`.

    Raises:
        UnknownControlLawError: no law has this name.
    """
    if name not in LAWS:
        raise UnknownControlLawError(name, tuple(LAWS))
    return LAWS[name]


def sharing_by_default(law: Any, model: Model) -> Any:
    """The same law; one with a model of a redundant robot shares by least norm where it states no rule.

    Least norm is smooth in time, unlike the least peak.

    Args:
        law: the law.
    """
    silent = getattr(law, "sharing", "") is None and model.robot.redundant
    return dataclasses.replace(law, sharing=LEAST_NORM) if silent else law


def with_gains(law: ControlLaw, model: Model, motion: Motion) -> ControlLaw:
    """The same law with the gains that follow from its poles, where it states poles.

    Args:
        model: the robot as the controller knows it.
        motion: the motion along which joint laws look at the inertia.

    Raises:
        LawError: gains beside poles, or poles that cannot be meant.
        MissingMassError: the inertia is to be found and the robot lacks masses.
        SingularPoseError: the inertia is to be found and the motion passes a singular pose.
    """
    stated: Poles | None = getattr(law, "poles", None)
    if stated is None:
        return law
    placing: Any = law
    poles, problems = prepared(stated, model.robot, "poles", gain_axis(law))
    problems += gain_problems(law)
    if problems:
        raise LawError(law.name, tuple(problems))
    if poles.inertia is None and not acts_on_accelerations(law):
        poles = dataclasses.replace(poles, inertia=inertia_along(model, motion))
    return placing.placed(poles)


def inertia_along(model: Model, motion: Motion) -> tuple[float, ...]:
    """Mean inertia that each motor feels along a motion (n), kg m2.

    Args:
        model: the robot as the controller knows it.

    Raises:
        SingularPoseError: the motion passes a singular pose, where a motor feels whatever one likes.
        UnreachableError: a pose of the motion is out of reach.
    """
    samples = motion.sample(INERTIA_RATE)
    model.reach(samples.x).raise_if_open()
    check_regular(model, lambda t: motion.at(t).x, samples.t)
    return tuple(inertia_at_joints(model, samples.x).tolist())


def tuned(
    name: str,
    model: Model,
    motion: Motion,
    *,
    frequency: float = FREQUENCY,
    damping: float = DAMPING,
    sharing: str = LEAST_NORM,
) -> ControlLaw:
    """A control law with gains from one pair of poles.

    Args:
        name: a name of `LAWS`.
        model: the robot as the controller knows it.
        motion: the motion along which joint laws look at the inertia.
        frequency: natural frequency of the error (Hz).
        damping: its damping ratio; a cascade has its own.
        sharing: how redundant motors share.

    Raises:
        UnknownControlLawError: no law has this name.
        LawError: poles that cannot be meant.
    """
    law = law_named(name)(poles=Poles(frequency, damping))
    if model.robot.redundant and hasattr(law, "sharing"):
        law = dataclasses.replace(law, sharing=sharing)
    return with_gains(law, model, motion)
