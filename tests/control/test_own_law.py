"""A law of a user's own, as expressions: one dataclass, compiled like the laws that come with parapick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np
import pytest

from control_cases import cycle, loaded
from loops import looped
from parapick.control import ControlStage, LawError, Memory
from parapick.control.stage import sample_of
from parapick.errors import FileProblem
from parapick.fields import quantity
from parapick.mechanism import Robot


@dataclass(frozen=True)
class Ramp:
    """A torque that grows by a step at every sample, from half of it."""

    name: ClassVar[str] = "ramp"
    slope: float = quantity("N m/s", "how fast the torque grows", default=100.0, at_least=0.0)

    def problems(self, robot: Robot) -> list[FileProblem]:
        return [] if robot.dof == 3 else [FileProblem("", "is for three freedoms")]

    def stage(self, robot: Robot) -> ControlStage:
        sample, before = sample_of(robot), ca.SX.sym("torque", robot.motors)
        growth = self.slope * sample.step * ca.SX.ones(robot.motors)
        memory = Memory(before, growth / 2, before + growth)
        return ControlStage(sample, (memory,), before, {"ramp": before}, {})


def test_a_law_of_ones_own_is_compiled() -> None:
    record = looped(loaded("delta-nr"), cycle("delta-nr"), Ramp(slope=200), rate=1000.0, torque_max=4.0)
    assert record.law == "ramp"
    count = len(record.t)
    np.testing.assert_allclose(record.command, np.outer(0.1 + 0.2 * np.arange(count), np.ones(3)), rtol=1e-12)
    np.testing.assert_allclose(record.torque, np.minimum(record.command, 4.0))
    assert record.estimate == {}


def test_its_own_objections_are_heard() -> None:
    with pytest.raises(LawError, match="control law ramp: is for three freedoms"):
        looped(loaded("par4"), cycle("par4"), Ramp())
    with pytest.raises(LawError, match="slope: is -1 N m/s; it must be at least 0"):
        looped(loaded("delta-nr"), cycle("delta-nr"), Ramp(slope=-1))


def test_a_law_must_be_a_description() -> None:
    class Loose:
        name = "loose"
        problems = Ramp.problems
        stage = Ramp.stage

    with pytest.raises(LawError, match="control law loose: is not a frozen dataclass"):
        looped(loaded("delta-nr"), cycle("delta-nr"), Loose())
