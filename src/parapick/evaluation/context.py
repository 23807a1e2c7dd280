"""What the sections of an evaluation share: the robot, its task and motion, and series that several of them need.

A series is computed when the first section asks for it, and once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

import numpy as np

from parapick.errors import MissingMassError
from parapick.evaluation.answer import Finding, Place
from parapick.evaluation.findings import nearest, push_findings, speed_findings, torque_findings
from parapick.evaluation.pace import Pace, fastest_pace
from parapick.evaluation.reaching import requirements
from parapick.evaluation.rods import axial_forces
from parapick.model.payload import combined
from parapick.motion import motor_loads
from parapick.motion.loads import looked_at
from parapick.timing import fastest_cycle

if TYPE_CHECKING:
    from parapick.model import Model, Motors, Reach
    from parapick.motion import Motion, MotorLoads, Samples
    from parapick.tasks import Task

__all__ = ["Context"]

_RATE: Final = 4000.0
"""Samples per second (Hz) at which a motion is looked at; corners are added, so that no peak at a corner is lost."""

_SAMPLES: Final = (1000.0, 40_000.0)
"""Fewest and most samples of a motion: enough for a very quick one, not too many for a very slow one."""


@final
@dataclass(frozen=True, eq=False)
class Context:
    """A robot on its way through a task.

    Attributes:
        model: the robot.
        task: the task; None where a motion was given.
        motion: the motion of the task.
        samples: the motion as it is looked at (T samples), both sides of every corner included.
        own: the motion at the task's own pace, which is another one where a pace was asked for.
    """

    model: Model
    task: Task | None
    motion: Motion
    samples: Samples
    own: Motion

    @classmethod
    def of(cls, model: Model, motion: Motion, task: Task | None = None, own: Motion | None = None) -> Context:
        """A robot on a motion, looked at as verdicts are.

        Args:
            model: the robot.
            motion: the motion.
            task: the task that it is of; None for a motion by itself.
            own: the motion at the task's own pace; the motion itself if not given.
        """
        fewest, most = (count / motion.duration for count in _SAMPLES)
        samples = looked_at(model, motion, min(max(_RATE, fewest), most))
        return cls(model, task, motion, samples, own or motion)

    def scaled(self, factor: float) -> Context:
        """The same samples at another pace: the motion as a whole so many times as fast.

        Args:
            factor: new pace over the present one; velocities grow with it, accelerations with its square.
        """
        now = self.samples
        samples = replace(now, t=now.t / factor, xd=now.xd * factor, xdd=now.xdd * factor**2)
        return replace(self, motion=self.motion.slowed(1.0 / factor), samples=samples)

    @cached_property
    def reach(self) -> Reach:
        """Slack of every leg, joint, yaw and link along the motion."""
        return self.model.reach(self.samples.x)

    @property
    def motors(self) -> Motors:
        """What the drives allow."""
        return self.model.motors

    @cached_property
    def q(self) -> np.ndarray:
        """Joint angles (T, n), rad."""
        return self.model.inverse_kinematics(self.samples.x)

    @cached_property
    def joint_speed(self) -> np.ndarray:
        """Joint speeds (T, n), rad/s."""
        return self.model.joint_rates(self.samples.x, self.samples.xd)

    @cached_property
    def payload(self) -> np.ndarray:
        """What the tool holds (T, 5) as kernels take it: what the model holds, and what the motion carries."""
        return combined(self.model.payload.vector(), self.samples.load)

    @cached_property
    def without_masses(self) -> str:
        """Why there are no torques, where the robot's file lacks masses; empty where it has them."""
        try:
            self.model.kernel("inverse_dynamics")
        except MissingMassError as error:
            return str(error)
        return ""

    @cached_property
    def loads(self) -> MotorLoads:
        """Torques and speeds of the motors; redundant robots share by least peak.

        Raises:
            MissingMassError: a robot without masses; see `no_torque`.
        """
        return motor_loads(self.model, self.samples)

    @cached_property
    def no_torque(self) -> str:
        """Why the torques cannot be looked at: no masses, or a motion that cannot be followed; empty where they can."""
        if self.without_masses:
            return self.without_masses
        if not np.isfinite(self.loads.torque).all():
            return "the robot cannot follow the whole motion, so it has no torques"
        return ""

    @cached_property
    def rms_torque(self) -> np.ndarray:
        """Effective torque of every motor over the motion (n,), N m."""
        return self.effective(self.loads.torque)

    @cached_property
    def rod_forces(self) -> np.ndarray:
        """Axial force at both ends of every rod (T, 2, arms, rods), N; tension is positive."""
        return axial_forces(self)

    @cached_property
    def limiting(self) -> tuple[int, int]:
        """Sample and motor (both from 0) whose torque comes nearest to, or furthest above, its peak rating.

        Where no motor has one it is the largest torque of all.
        """
        sample, motor = nearest(np.abs(self.loads.torque), self.motors.peak_torque)
        return sample, motor

    @cached_property
    def hottest(self) -> int:
        """Motor (from 0) whose effective torque comes nearest to its rated one; the largest where none is rated."""
        return nearest(self.rms_torque, self.motors.rated_torque)[0]

    @cached_property
    def quickest(self) -> tuple[int, int]:
        """Sample and motor (both from 0) whose speed comes nearest to its peak; the largest where none is rated."""
        sample, motor = nearest(np.abs(self.joint_speed) * self.motors.ratio, self.motors.peak_speed)
        return sample, motor

    @cached_property
    def requirements(self) -> tuple[Finding, ...]:
        """What must hold for the robot to be on this motion at all: slacks and margins."""
        return requirements(self)

    @cached_property
    def moving(self) -> tuple[Finding, ...]:
        """What must hold for the drives and rods to move the robot so fast: speed, torque, heat, buckling."""
        return (*speed_findings(self), *torque_findings(self), *push_findings(self))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every requirement: those of the path, and those of moving along it at this pace."""
        return (*self.requirements, *self.moving)

    @cached_property
    def no_pace(self) -> str:
        """Why no pace makes the motion possible; empty where one may."""
        if self.no_torque:
            return self.no_torque
        broken = [finding for finding in self.requirements if not finding.ok]
        return f"no pace makes it possible: {broken[0].text}" if broken else ""

    @cached_property
    def pace(self) -> Pace:
        """The path of the task, as fast as the drives can run through it again and again.

        Raises:
            MotionError: there is no such timing.
            ParameterError: no cycle is slow enough, such as for motors that get too hot when they hold the plate.
        """
        return self.fastest(self.model)

    def fastest(self, model: Model) -> Pace:
        """The path of the task, as fast as a robot can run through it again and again; see `pace`.

        Args:
            model: the robot, this one or a changed one.
        """
        return fastest_pace(Context.of(model, fastest_cycle(model, self.motion)))

    @property
    def groups(self) -> dict[str, slice]:
        """Motors that are of one kind: those of the arms, and those of the plate where it has its own."""
        arms, count = self.motors.arms, self.motors.count
        return {"arms": slice(0, arms)} | ({"plate": slice(arms, count)} if count > arms else {})

    def effective(self, values: np.ndarray) -> np.ndarray:
        """Root mean square over the motion.

        Args:
            values: series (T, ...).
        """
        t = self.samples.t
        return np.sqrt(np.trapezoid(values * values, t, axis=0) / (t[-1] - t[0]))

    def place(self, sample: int, motor: int = 0) -> Place:
        """Where a sample is.

        Args:
            sample: its index.
            motor: which motor or leg it is about, from 1; 0 for none.
        """
        return Place(float(self.samples.t[sample]), tuple(self.samples.x[sample].tolist()), motor)
