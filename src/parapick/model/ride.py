"""A robot along samples of a motion: what is left of its reach, how near it comes to a singularity, what its motors do.

Every series is computed when it is first asked for, and once. The tool holds the robot's gripper and what the motion
carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, final

import numpy as np

from parapick.errors import MissingMassError, MotionError
from parapick.mechanism.parameters import followed
from parapick.model.extremes import first_largest, first_smallest, nearest_to_limit
from parapick.model.forces import InnerForces
from parapick.model.kernels import sharing_kernel
from parapick.model.margins import MARGIN_KINDS
from parapick.model.model import Model
from parapick.model.payload import ToolLoads, combined
from parapick.model.plate_joints import PlateJointLoads, plate_joint_loads_at
from parapick.model.reach import SLACKS, Reach
from parapick.model.redundancy import JUDGED
from parapick.model.room import Room
from parapick.model.samples import Samples, Trajectory
from parapick.model.singularity import NEAR
from parapick.model.worst import MotorWorst, UnfollowableError, Worst, WorstKind

_ASIDE: Final = 1e-9
"""How far before and after a reversal of a joint (s) the motion is looked at: its rate has a sign there, and nothing
else has changed."""

_HALVINGS: Final = 45
"""Bisections after which the instant of a reversal between two samples is known far below `_ASIDE`."""


@final
@dataclass(frozen=True, eq=False)
class MotorLoads:
    """What the motors give along a motion. NaN where the robot cannot be.

    Attributes:
        t: instants (T,), s.
        torque: torques at the motor shafts with friction and gearbox (T, n), N m.
        speed: speeds of the motor shafts (T, n), rad/s.
        joint_torque: torques at the arm axes without friction (T, n), N m.
        joint_speed: speeds of the joints (T, n), rad/s.
    """

    t: np.ndarray
    torque: np.ndarray
    speed: np.ndarray
    joint_torque: np.ndarray
    joint_speed: np.ndarray


@final
@dataclass(frozen=True, eq=False)
class Ride:
    """A robot along samples of a motion.

    Attributes:
        model: the robot; its gripper is held all along.
        samples: the motion (T samples), with what it carries; see `along` for a model with a payload of its own.
    """

    model: Model
    samples: Samples

    @classmethod
    def along(cls, model: Model, trajectory: Trajectory, rate: float = 4000.0) -> Ride:
        """A robot along a motion, sampled so that no peak between two samples is lost.

        Both sides of every corner are among the samples, and where friction or losses make the torque of a motor jump
        as its joint turns back, both sides of every reversal too.

        Args:
            model: the robot; a payload of its own replaces what the motion carries.
            trajectory: the motion.
            rate: samples per second (Hz).

        Raises:
            MotionError: the robot has another number of coordinates.
        """
        robot = model.robot
        if trajectory.dof != robot.dof:
            names = ", ".join(robot.task_names)
            raise MotionError(f"the motion has {trajectory.dof} coordinates; {robot.name} has {robot.dof}: {names}")
        trajectory = trajectory.with_payload(model.payload)
        samples = trajectory.sample(rate, corners=True)
        if model.motors.jumping:
            turns = _reversals(model, trajectory, samples)
            samples = trajectory.sample(rate, corners=True, also=np.concatenate([turns - _ASIDE, turns + _ASIDE]))
        return cls(model, samples)

    def sped_up(self, factor: float) -> Ride:
        """The same ride at another pace: the motion as a whole so many times as fast.

        Args:
            factor: new pace over the present one.
        """
        return replace(self, samples=self.samples.sped_up(factor))

    @cached_property
    def reach(self) -> Reach:
        """Slack of every leg, joint, yaw and link at every sample."""
        return self.model.reach(self.samples.x)

    @cached_property
    def margins(self) -> dict[str, np.ndarray]:
        """Every margin (T,) by the name of its singularity; 0 before a crossing, NaN out of reach.

        Margins are smallest singular values: they touch 0 where the motion crosses a singularity, and a sample rarely
        lies there. The determinant of a square matrix changes its sign, so a crossing is seen all the same. A kind that
        a robot does not have is left out.
        """
        around = Room(self.model).around(self.samples.x)
        determinants = (np.ones_like(around.under), around.plate_determinant, around.internal_determinant)
        margins = {}
        for name, margin, determinant in zip(MARGIN_KINDS, around.margins, determinants, strict=True):
            values = np.array(margin, dtype=float)
            # Where the robot cannot be the determinant is NaN, and nothing is crossed.
            values[np.flatnonzero(determinant[1:] * determinant[:-1] < 0.0)] = 0.0
            if np.isfinite(values).any():
                margins[name] = values
        return margins

    @cached_property
    def q(self) -> np.ndarray:
        """Joint angles (T, n), rad."""
        return self.model.inverse_kinematics(self.samples.x)

    @cached_property
    def joint_speed(self) -> np.ndarray:
        """Joint speeds (T, n), rad/s."""
        return self.model.joint_rates(self.samples.x, self.samples.xd)

    @cached_property
    def held(self) -> np.ndarray:
        """What the tool holds (T, 5) as kernels take it: the gripper, and what the motion carries."""
        return combined(self.model.gripper.vector(), self.samples.load)

    @property
    def tool_loads(self) -> ToolLoads:
        """Masses of the gripper and of the heaviest payload on the way, each by itself."""
        return ToolLoads(self.model.gripper.mass, float(self.samples.payload.max()))

    @cached_property
    def doubts(self) -> tuple[str, ...]:
        """What makes one doubt the torques: a tool that is turned and has no moment of inertia."""
        field = self.model.robot.plate.traits.tool_inertia
        turned = bool(field) and bool(np.any(self.samples.xd[:, 3]))
        if not turned or np.any(self.held[:, 4]) or followed(self.model.numbers, f"plate.{field}"):
            return ()
        fields = f"plate.{field}, gripper.inertia"
        return (f"the motion turns a tool that has no moment of inertia ({fields}): turning it costs nothing here",)

    @cached_property
    def no_masses(self) -> str:
        """Why there are no torques, where the robot's file lacks masses; empty where it has them."""
        try:
            self.model.kernel("inverse_dynamics")
        except MissingMassError as error:
            return str(error)
        return ""

    def kernel(self, name: str) -> list[np.ndarray]:
        """What a kernel of the dynamics answers for every sample, with what the tool holds there.

        Args:
            name: one of the names of `parapick.model.EXPRESSIONS` that takes a whole state, such as "inner_forces".

        Raises:
            MissingMassError: a robot without masses.
        """
        samples = self.samples
        state = (samples.x, samples.xd, samples.xdd, self.held, self.model.parameters)
        return list(self.model.kernel(name)(*state))

    @cached_property
    def loads(self) -> MotorLoads:
        """Torques and speeds of the motors.

        Raises:
            MissingMassError: a robot without masses; see `no_masses`.
        """
        rule = self.model.sharing or JUDGED
        torque, speed, joint = self.kernel(sharing_kernel(self.model.robot, "drive_torque", rule))
        return MotorLoads(self.samples.t, torque, speed, joint, self.joint_speed)

    @cached_property
    def inner_forces(self) -> InnerForces:
        """Forces in the rods and at elbows, plate joints and arm bearings.

        Raises:
            MissingMassError: a robot without masses; see `no_masses`.
        """
        return InnerForces(*self.kernel("inner_forces"))

    @cached_property
    def plate_joints(self) -> PlateJointLoads:
        """Forces and moments in the plate's own joints.

        Raises:
            MissingMassError: a robot without masses; see `no_masses`.
            ParameterError: the file lacks a number that they depend on; see `plate_joints.unknown_joints`.
        """
        samples = self.samples
        return plate_joint_loads_at(self.model, samples.x, samples.xd, samples.xdd, self.held)

    @cached_property
    def rms_torque(self) -> np.ndarray:
        """Effective torque of every motor over the motion (n,), N m, at the shaft."""
        return self.samples.effective(self.loads.torque)

    @cached_property
    def limiting(self) -> tuple[int, int]:
        """Sample and motor (both from 0) whose torque comes nearest to, or furthest above, its peak rating.

        Where no motor has one it is the largest torque of all.
        """
        sample, motor = nearest_to_limit(np.abs(self.loads.torque), self.model.motors.peak_torque)
        return sample, motor

    @cached_property
    def quickest(self) -> tuple[int, int]:
        """Sample and motor (both from 0) whose speed comes nearest to its peak; the largest where none is rated."""
        sample, motor = nearest_to_limit(
            np.abs(self.joint_speed) * self.model.motors.ratio, self.model.motors.peak_speed
        )
        return sample, motor

    @cached_property
    def hottest(self) -> int:
        """Motor (from 0) whose effective torque comes nearest to its rated one; the largest where none is rated."""
        return nearest_to_limit(self.rms_torque, self.model.motors.rated_torque)[0]

    @cached_property
    def worst(self) -> tuple[Worst, ...]:
        """The worst of every quantity there is: reach first, then margins, speed and torque.

        Of several times at which a quantity is equally bad it is the first; of the motors the one that comes nearest to
        its limit.
        """
        return (*self.floors, *self._nearest_motors())

    @cached_property
    def floors(self) -> tuple[Worst, ...]:
        """The smallest slack of every kind that is bounded, and the smallest margin of every kind there is."""
        slacks = (
            self._smallest(kind.name, "slack", self.reach.slack(kind), self.reach.unit(kind), 0.0) for kind in SLACKS
        )
        margins = (self._smallest(name, "margin", values[:, None], "", NEAR) for name, values in self.margins.items())
        return tuple(one for one in (*slacks, *margins) if one is not None)

    def _smallest(self, name: str, kind: WorstKind, values: np.ndarray, unit: str, limit: float) -> Worst | None:
        """Smallest slack or margin over all samples and legs, NaN left aside; None where nothing bounds it."""
        if not np.isfinite(values).any():
            return None
        sample, leg = np.unravel_index(first_smallest(values), values.shape)
        whose = 0 if values.shape[1] == 1 else int(leg) + 1
        return self._worst(name, kind, float(values[sample, leg]), unit, limit, whose, int(sample))

    def _nearest_motors(self) -> Iterator[Worst]:
        if np.isfinite(self.joint_speed).any():
            yield self._speed(*self.quickest)
        if not self.no_masses and np.isfinite(self.loads.torque).any():
            yield self._torque(*self.limiting)

    def _speed(self, sample: int, motor: int) -> Worst:
        limit = _stated(self.model.motors.peak_speed[motor] / self.model.motors.ratio[motor])
        value = float(self.joint_speed[sample, motor])
        return self._worst("joint speed", "speed", value, self.model.motors.axes[motor].speed, limit, motor + 1, sample)

    def _torque(self, sample: int, motor: int) -> Worst:
        limit = _stated(self.model.motors.peak_torque[motor])
        value = float(self.loads.torque[sample, motor])
        return self._worst(
            "motor torque", "torque", value, self.model.motors.axes[motor].effort, limit, motor + 1, sample
        )

    def _worst(
        self, name: str, kind: WorstKind, value: float, unit: str, limit: float | None, leg: int, sample: int
    ) -> Worst:
        time, pose = float(self.samples.t[sample]), tuple(self.samples.x[sample].tolist())
        return Worst(name, kind, value, unit, limit, leg, time, pose)

    @cached_property
    def motors(self) -> tuple[MotorWorst, ...]:
        """The worst of every motor: where its joint is fastest, and where it gives most."""
        speeds = self.joint_speed
        torques = np.full_like(speeds, np.nan) if self.no_masses else self.loads.torque
        return tuple(
            MotorWorst(
                motor + 1,
                None if np.isnan(speed).all() else self._speed(first_largest(np.abs(speed)), motor),
                None if np.isnan(torque).all() else self._torque(first_largest(np.abs(torque)), motor),
            )
            for motor, (speed, torque) in enumerate(zip(speeds.T, torques.T, strict=True))
        )

    def __getitem__(self, name: str) -> Worst:
        """The worst of one quantity by its name."""
        for worst in self.worst:
            if worst.name == name:
                return worst
        raise MotionError(f"no quantity {name!r}; there are {', '.join(worst.name for worst in self.worst)}")

    @property
    def left_out(self) -> tuple[str, ...]:
        """What could not be looked at, and why."""
        return (f"motor {self.model.motors.word}: {self.no_masses}",) if self.no_masses else ()

    @property
    def broken(self) -> tuple[Worst, ...]:
        """The worst of every quantity that breaks its limit."""
        return tuple(worst for worst in self.worst if not worst.ok)

    @property
    def ok(self) -> bool:
        """Whether the robot can follow: it reaches every pose and keeps its limits."""
        return not self.broken

    @property
    def problems(self) -> tuple[str, ...]:
        """What prevents it, each with time and pose."""
        return tuple(map(str, self.broken))

    def raise_if_not(self) -> None:
        """Raise `UnfollowableError` if the robot cannot follow."""
        if not self.ok:
            raise UnfollowableError(self.broken)


def _stated(limit: float) -> float | None:
    return float(limit) if np.isfinite(limit) else None


def _reversals(model: Model, trajectory: Trajectory, samples: Samples) -> np.ndarray:
    """Instants (k,), s, at which a joint turns back, comes to rest or starts from it."""
    sides = np.sign(model.joint_rates(samples.x, samples.xd))
    interval, motor = np.nonzero((sides[1:] != sides[:-1]) & ~np.isnan(sides[1:] + sides[:-1]))
    low, high, side = samples.t[interval], samples.t[interval + 1], sides[interval, motor]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        pose = trajectory.at(middle)
        before = np.sign(model.joint_rates(pose.x, pose.xd)[np.arange(len(motor)), motor]) == side
        low, high = np.where(before, middle, low), np.where(before, high, middle)
    return np.unique(high)
