"""What a control law is: a stage from encoder angles and references to torques, as expressions.

A law is a frozen description whose floats are its gains. Its `stage` is made from symbols once and compiled; gains are
inputs of the compiled loop, as the numbers of a robot are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, final, runtime_checkable

import casadi as ca

from parapick.errors import FileProblem
from parapick.mechanism import Robot


@final
@dataclass(frozen=True)
class Measured:
    """What is measured at a sample; columns of symbols in a stage, arrays for a law that is a Python callable.

    Only the angles are what a robot has. The others are exact and stand for sensors that are better than its encoders;
    a law uses them only where it says so.

    Attributes:
        q: encoder angles (n), rad.
        qd: exact joint rates (n), rad/s.
        x: exact task vector (dof), m and rad.
        xd: its exact rate (dof).
    """

    q: Any
    qd: Any
    x: Any
    xd: Any


@final
@dataclass(frozen=True)
class Reference:
    """What is wanted at a sample; columns of symbols in a stage, arrays for a law that is a Python callable.

    Attributes:
        x: task vector (dof), m and rad.
        xd: its rate (dof).
        xdd: its acceleration (dof).
        payload: what the controller believes the tool holds (5): mass, offset, inertia.
        learned: torques learned in cycles before (n), N m, for a law that learns; otherwise unused.
    """

    x: Any
    xd: Any
    xdd: Any
    payload: Any
    learned: Any = None


@final
@dataclass(frozen=True)
class Sample:
    """What a law gets at a sample.

    Attributes:
        measured: what is measured.
        reference: what is wanted.
        step: control period (s).
        limit: torque limit of every drive at the arm axes (n), N m; infinite without one.
    """

    measured: Measured
    reference: Reference
    step: Any
    limit: Any


@final
@dataclass(frozen=True)
class Memory:
    """Something a law remembers from one sample to the next.

    Attributes:
        state: column of symbols.
        initial: column, its value at the first sample, from that sample.
        next: column, its value after a sample.
    """

    state: Any
    initial: Any
    next: Any


@final
@dataclass(frozen=True)
class ControlStage:
    """A control law as expressions of a sample and of what it remembers.

    Attributes:
        sample: the symbols of the sample.
        memory: what it remembers.
        torque: torques wanted at the arm axes (n), N m, before the drive's limit.
        terms: named terms (n each) that add up to the torque: tau_p, tau_d, tau_i, tau_M, tau_n, friction, ...
        estimate: what the law believes: q, qd and, where it needs them, x, xd.
    """

    sample: Sample
    memory: tuple[Memory, ...]
    torque: Any
    terms: dict[str, Any]
    estimate: dict[str, Any]

    @property
    def state(self) -> Any:
        """All that is remembered, as one column of symbols."""
        return ca.vertcat(ca.SX(0, 1), *(item.state for item in self.memory))

    @property
    def initial(self) -> Any:
        """The state at the first sample."""
        return ca.vertcat(ca.SX(0, 1), *(item.initial for item in self.memory))

    @property
    def next(self) -> Any:
        """The state after a sample."""
        return ca.vertcat(ca.SX(0, 1), *(item.next for item in self.memory))


@runtime_checkable
class ControlLaw(Protocol):
    """The contract of a control law: a frozen dataclass whose floats are its gains.

    A law that adds what it has learned in cycles before has a class attribute `learns`, which is true, and a method
    `relearned`; one without a slope where its error is 0 has `sloped`, which is false.
    """

    name: ClassVar[str]

    def problems(self, robot: Robot) -> list[FileProblem]:
        """What keeps the law from controlling a robot, beside the size of its numbers.

        Args:
            robot: the controller's description.
        """
        ...

    def stage(self, robot: Robot) -> ControlStage:
        """The law as expressions.

        Args:
            robot: the controller's description, with symbols in its fields.
        """
        ...


def sample_of(robot: Robot) -> Sample:
    """Columns of symbols for what a law gets at a sample.

    Args:
        robot: the controller's description.
    """
    n, dof, sym = robot.motors, robot.dof, ca.SX.sym
    return Sample(
        measured=Measured(sym("q_meas", n), sym("qd_meas", n), sym("x_meas", dof), sym("xd_meas", dof)),
        reference=Reference(
            sym("x_ref", dof), sym("xd_ref", dof), sym("xdd_ref", dof), sym("payload_ref", 5), sym("learned", n)
        ),
        step=sym("step"),
        limit=sym("limit", n),
    )
