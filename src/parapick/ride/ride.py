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

from parapick.answer import Requirement
from parapick.errors import MissingMassError, MotionError
from parapick.extremes import nearest_to_limit
from parapick.formulas import missing_masses, sharing_kernel
from parapick.mechanism import ToolLoads, combined
from parapick.model import (
    InnerForces,
    Model,
    PlateJointLoads,
    Reach,
    plate_joint_loads_at,
)
from parapick.motors import JUDGED, CycleLoads, DriveCycle
from parapick.parameters import followed
from parapick.ride.crossings import margins_along
from parapick.ride.cycle_loads import cycle_requirements
from parapick.ride.errors import UnfollowableError
from parapick.ride.instant_loads import InstantLoads, instant_loads, instant_requirements, limits_jerk
from parapick.ride.motor_loads import MotorLoads
from parapick.ride.motor_peaks import largest_by_motor, speed_at, torque_at
from parapick.ride.requirements import (
    JOINT_SPEED,
    MOTOR_TORQUE,
    finite_requirement,
    margin_requirements,
    si_text,
    slack_requirements,
)
from parapick.ride.reversals import with_reversals
from parapick.ride.samples import Samples, Trajectory

_OF_POSES: Final = ("reach", "margins", "q", "no_masses")
"""What follows from poses alone, whatever is carried and at whatever pace."""

_OF_PATH: Final = (*_OF_POSES, "held")
"""What follows from poses and loads alone, at whatever pace."""

_OF_SPEEDS: Final = (*_OF_POSES, "joint_speed", "quickest")
"""What follows from poses and velocities alone, whatever is carried."""


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
            samples = with_reversals(model, trajectory, samples)
        return cls(model, samples)

    def sped_up(self, factor: float) -> Ride:
        """The same ride at another pace: the motion as a whole so many times as fast.

        Args:
            factor: new pace over the present one.
        """
        return self._sharing(_OF_PATH, self.samples.sped_up(factor))

    def retimed(self, before: np.ndarray, after: np.ndarray) -> Ride:
        """The same ride along the same path, each stretch between two knots at a rate of its own.

        Args:
            before: knots of the motion (k + 1,), s, rising; every jump of its acceleration is at one of them.
            after: when they are reached instead (k + 1,), s, rising.
        """
        return self._sharing(_OF_PATH, self.samples.retimed(before, after))

    def bearing(self, load: np.ndarray) -> Ride:
        """The same ride, at the same instants, with another load.

        Args:
            load: what is carried at every sample (T, 5) as kernels take it.
        """
        return self._sharing(_OF_SPEEDS, replace(self.samples, load=load))

    def _sharing(self, names: tuple[str, ...], samples: Samples) -> Ride:
        """The ride along other samples on which what is named is the same: it is not computed again."""
        ride = replace(self, samples=samples)
        ride.__dict__.update({name: self.__dict__[name] for name in names if name in self.__dict__})
        return ride

    @cached_property
    def reach(self) -> Reach:
        """Slack of every leg, joint, yaw and link at every sample."""
        return self.model.reach(self.samples.x)

    @cached_property
    def margins(self) -> dict[str, np.ndarray]:
        """Every margin (T,) by the name of its singularity; 0 before a crossing, NaN out of reach."""
        return margins_along(self.model, self.samples.x)

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
        loads, counts = self.samples.carried
        return np.repeat(combined(self.model.gripper.vector(), loads), counts, axis=0)

    @property
    def tool_loads(self) -> ToolLoads:
        """Masses of the gripper and of the heaviest payload along the motion, each by itself."""
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
        missing = missing_masses(self.model.robot)
        return str(MissingMassError(self.model.robot.name, missing)) if missing else ""

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
        return plate_joint_loads_at(self.model.kernels, samples.x, samples.xd, samples.xdd, self.held)

    @cached_property
    def rms_torque(self) -> np.ndarray:
        """Effective torque of every motor over the motion (n,), N m, at the shaft."""
        return self.samples.effective(self.loads.torque)

    @cached_property
    def heat_torque(self) -> np.ndarray:
        """Torque at rest that would heat every motor as much as the motion does (n,), N m, at the shaft.

        That is the effective torque, and with it what the speed heats where the file states continuous torques over it.
        """
        return self.cycle.heat_torque

    @cached_property
    def cycle(self) -> DriveCycle:
        """The motors over the motion as a cycle that is repeated: sums of what they do, and what limits these.

        Raises:
            MissingMassError: a robot without masses; see `no_masses`.
        """
        loads = self.loads
        return DriveCycle(self.model.motors, loads.t, loads.torque, loads.speed, self._gearbox_outputs)

    def _gearbox_outputs(self) -> np.ndarray:
        """Torques at the outputs of the gearboxes (T, n), N m."""
        rule = self.model.sharing or JUDGED
        return self.kernel(sharing_kernel(self.model.robot, "drive_output", rule))[2]

    @cached_property
    def cycle_loads(self) -> tuple[CycleLoads, ...]:
        """What the file limits over the cycle, each kind with values and limits; none where there are no torques."""
        known = not self.no_masses and bool(np.isfinite(self.loads.torque).all())
        return self.cycle.loads if known else ()

    @cached_property
    def cycle_requirements(self) -> tuple[Requirement, ...]:
        """The worst of each of `cycle_loads`, heat first."""
        return tuple(cycle_requirements(self.cycle)) if self.cycle_loads else ()

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
        """Motor (from 0) that comes nearest to its continuous torque; that which gives most where none is rated."""
        return nearest_to_limit(self.heat_torque, self.model.motors.continuous_torque)[0]

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """The worst of every quantity there is: reach and workspace first, then margins, joint speed, motor torque.

        Last come the limits of an instant that the file states beside the peaks of its motors.

        Of several times at which a quantity is equally bad it is the first; of the motors the one that comes nearest to
        its limit.
        """
        return (*self.path_requirements, *self._nearest_motors(), *self.instant_requirements)

    @cached_property
    def path_requirements(self) -> tuple[Requirement, ...]:
        """What must hold for the robot to be on the motion at all, at whatever pace.

        The smallest slack of every kind that is bounded, the stated workspace among them; the smallest margin of every
        kind there is; and, where the legs close, that joint speeds and motor torques are finite: it is listed only
        where they are not.
        """
        return (
            *slack_requirements(self.model, self.samples, self.reach),
            *self.margin_requirements,
            *self._unbounded.values(),
        )

    @cached_property
    def instant_loads(self) -> tuple[InstantLoads, ...]:
        """What the file limits at every instant beside the peaks of its motors, each kind with values and limits."""
        samples = self.samples
        jerk = samples.jerk if limits_jerk(self.model) else None
        return instant_loads(self.model, samples.x, samples.xd, samples.xdd, self.held, jerk)

    @cached_property
    def instant_requirements(self) -> tuple[Requirement, ...]:
        """The worst of each of `instant_loads`, with its place."""
        if not self.instant_loads:
            return ()
        return tuple(instant_requirements(self.model, self.samples, self.reach.closes, self.instant_loads))

    @cached_property
    def margin_requirements(self) -> tuple[Requirement, ...]:
        """The smallest margin of every kind to a singularity, with its place."""
        return tuple(margin_requirements(self.samples, self.margins))

    @cached_property
    def _unbounded(self) -> dict[str, Requirement]:
        """Where the robot can be but has no finite joint speed, or no finite torque: next to a singularity."""
        series = {JOINT_SPEED: self.joint_speed}
        if not self.no_masses:
            series[MOTOR_TORQUE] = self.loads.torque
        # Whether legs close is asked only where something is not finite: searches for a pace ask again and again.
        lost = {name: values for name, values in series.items() if not np.isfinite(values).all()}
        axis = self.model.motors.axes[0]
        broken = (finite_requirement(name, self.samples, lost[name], self.reach.closes, axis) for name in lost)
        return {requirement.name: requirement for each in broken for requirement in each}

    @property
    def unbounded_torque(self) -> Requirement | None:
        """Where the robot can be but has no finite torque; None where it has one everywhere, or no masses."""
        return self._unbounded.get(MOTOR_TORQUE)

    @property
    def unbounded_speed(self) -> Requirement | None:
        """Where the robot can be but has no finite joint speed; None where it has one everywhere."""
        return self._unbounded.get(JOINT_SPEED)

    def _nearest_motors(self) -> Iterator[Requirement]:
        if self.unbounded_speed is None and np.isfinite(self.joint_speed).any():
            yield speed_at(self.model, self.samples, self.joint_speed, *self.quickest)
        if not self.no_masses and self.unbounded_torque is None and np.isfinite(self.loads.torque).any():
            yield torque_at(self.model, self.samples, self.loads.torque, *self.limiting)

    @cached_property
    def speed_by_motor(self) -> dict[int, Requirement]:
        """Where the joint of every motor (from 1) is fastest; none where speeds are unbounded or unknown."""
        if self.unbounded_speed is not None:
            return {}
        given = self.model, self.samples, self.joint_speed
        return {motor: speed_at(*given, sample, motor - 1) for motor, sample in largest_by_motor(given[2]).items()}

    @cached_property
    def torque_by_motor(self) -> dict[int, Requirement]:
        """Where every motor (from 1) gives most; none without masses, or where torques are unbounded or unknown."""
        if self.no_masses or self.unbounded_torque is not None:
            return {}
        given = self.model, self.samples, self.loads.torque
        return {motor: torque_at(*given, sample, motor - 1) for motor, sample in largest_by_motor(given[2]).items()}

    def __getitem__(self, name: str) -> Requirement:
        """The worst of one quantity by its name, such as "leg slack" or "motor torque"."""
        for requirement in self.requirements:
            if requirement.name == name:
                return requirement
        names = ", ".join(requirement.name for requirement in self.requirements)
        raise MotionError(f"no quantity {name!r}; there are {names}")

    @property
    def left_out(self) -> tuple[str, ...]:
        """What could not be computed, and why."""
        return (f"motor {self.model.motors.word}: {self.no_masses}",) if self.no_masses else ()

    @property
    def broken(self) -> tuple[Requirement, ...]:
        """The requirements that are not met."""
        return tuple(requirement for requirement in self.requirements if not requirement.ok)

    @property
    def ok(self) -> bool:
        """Whether the robot can follow: it reaches every pose and keeps its limits."""
        return not self.broken

    @property
    def problems(self) -> tuple[str, ...]:
        """What prevents it, each with time and pose."""
        return tuple(map(si_text, self.broken))

    def raise_if_not(self) -> None:
        """Raise `UnfollowableError` if the robot cannot follow."""
        if not self.ok:
            raise UnfollowableError(self.broken)
