"""Laws that cannot be meant, or that do not fit the robot."""

from __future__ import annotations

import dataclasses

import pytest

from control_cases import cycle, loaded
from loops import looped
from parapick.control import (
    PD,
    PID,
    ControlLaw,
    Differenced,
    FrictionFeedforward,
    LawError,
    SineTerm,
    TaskSpaceID,
    ready,
)
from parapick.errors import MissingMassError
from parapick.model import Model

REFUSED = {
    "negative": (PD(-1.0, 1.0), r"pd: kp: is -1 N m/rad; it must be at least 0"),
    "one of several": (PD((1.0, 2.0, -3.0, 4.0), 1.0), r"kp\.3: is -3"),
    "nan": (PD(float("nan"), 1.0), r"kp: is nan; it must be a finite number"),
    "infinite": (PD(1.0, float("inf")), r"kd: is inf; it must be a finite number"),
    "too many": (PD((1.0,) * 5, 1.0), r"kp: has 5 numbers; it must have 4, or be one number for all"),
    "text": (PD("much", 1.0), r"kp: is 'much'; it must be a number"),
    "texts": (PD(("a", 1.0, 1.0, 1.0), 1.0), r"kp: is .* it must hold numbers only"),
    "huge": (PD(1e15, 1.0), r"kp: is 1e\+15; no gain is larger than 1e\+12"),
    "faster than sampling": (TaskSpaceID(1e4, 1e6), r"kd: is 1e\+06 1/s; at 4000 Hz no loop is stable above 8000 1/s"),
    "bound": (PID(1.0, 1.0, 1.0, integral_max=0.0), r"integral_max: is 0 N m; it must be greater than 0"),
    "filter": (PD(1.0, 1.0, velocity=Differenced(-5.0)), r"velocity\.cutoff: is -5 Hz"),
    "friction": (PD(1.0, 1.0, friction=FrictionFeedforward(-1.0)), r"friction\.coulomb: is -1 N m"),
    "sharing": (TaskSpaceID(1.0, 1.0, sharing="fair"), r"sharing: is 'fair'; valid are least-norm, least-peak"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_impossible_gains_are_refused(case: str) -> None:
    law, message = REFUSED[case]
    with pytest.raises(LawError, match=message):
        looped(loaded("par4"), cycle("par4"), law)


def test_sine_term_counts_in_whole_senses() -> None:
    from parapick.errors import ParameterError

    with pytest.raises(ParameterError, match=r"plant\.sine\.mirror: is 0\.5; it must be -1 or 1"):
        looped(loaded("par4"), cycle("par4"), PD(1.0, 1.0), sine=SineTerm(mirror=0.5))


def test_redundant_robot_needs_a_sharing_rule() -> None:
    with pytest.raises(LawError, match="sharing: delta-r4 has 4 motors for 3 freedoms; give least-norm or least-peak"):
        looped(loaded("delta-r4"), cycle("delta-r4"), TaskSpaceID(1e4, 150.0))


def weightless(model: Model) -> Model:
    limb = dataclasses.replace(model.robot.limb, rod_mass=None)
    return dataclasses.replace(model, robot=dataclasses.replace(model.robot, limb=limb))


def test_model_based_law_needs_masses_and_a_joint_law_does_not() -> None:
    bare = weightless(loaded("par4"))
    with pytest.raises(MissingMassError, match=r"limb\.rod_mass"):
        looped(bare, cycle("par4"), TaskSpaceID(1e4, 150.0), plant=loaded("par4"))
    ready(PD(5000.0, 60.0), bare.robot, 4000.0)
    with pytest.raises(MissingMassError, match=r"limb\.rod_mass"):
        looped(bare, cycle("par4"), PD(5000.0, 60.0))


def test_numbers_given_once_are_spread_and_whole_numbers_count_as_numbers() -> None:
    law = ready(PD(100, 2), loaded("par4").robot, 4000.0)
    assert law == PD((100.0,) * 4, (2.0,) * 4)
    assert isinstance(law, ControlLaw)
