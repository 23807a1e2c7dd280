"""What the sections of an evaluation share: the robot, its task and motion, and series that several of them need.

A series is computed when the first section asks for it, and once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, final

import numpy as np

from parapick.errors import MissingMassError
from parapick.evaluation.answer import Finding, Place
from parapick.evaluation.pace import Pace, fastest_pace
from parapick.evaluation.reaching import requirements
from parapick.model.payload import combined
from parapick.motion import motor_loads

if TYPE_CHECKING:
    from parapick.model import Model, Motors, Reach
    from parapick.motion import Motion, MotorLoads, Samples, Task

__all__ = ["Context"]


@final
@dataclass(frozen=True, eq=False)
class Context:
    """A robot on its way through a task.

    Attributes:
        model: the robot.
        task: the task; None where a motion was given.
        motion: the motion of the task.
        samples: the motion as it is looked at (T samples), both sides of every corner included.
    """

    model: Model
    task: Task | None
    motion: Motion
    samples: Samples

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
    def limiting(self) -> tuple[int, int]:
        """Sample and motor (both from 0) whose torque comes nearest to, or furthest above, its peak rating.

        Where no motor has one it is the largest torque of all.
        """
        from parapick.motion.extremes import first_largest

        share = np.abs(self.loads.torque) / self.motors.scale(self.motors.peak_torque)
        sample, motor = np.unravel_index(first_largest(share), share.shape)
        return int(sample), int(motor)

    @cached_property
    def requirements(self) -> tuple[Finding, ...]:
        """What must hold for the robot to be on this motion at all: slacks and margins."""
        return requirements(self)

    @cached_property
    def no_pace(self) -> str:
        """Why no pace makes the motion possible; empty where one may."""
        if self.no_torque:
            return self.no_torque
        broken = [finding for finding in self.requirements if not finding.ok]
        return f"no pace makes it possible: {broken[0].text}" if broken else ""

    @cached_property
    def pace(self) -> Pace:
        """The way of the task, as fast as the drives can run through it.

        Raises:
            MotionError: there is no such timing.
            ParameterError: the motors cannot even hold the plate without getting too hot.
        """
        return fastest_pace(self.model, self.motion)

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
