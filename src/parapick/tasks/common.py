"""What tasks of several kinds have in common: fields, each with its unit and meaning, and how they become a motion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from parapick.fields import label, quantity
from parapick.forms import Name, Sources, Text
from parapick.model.poses import workspace_center
from parapick.motion.errors import LimitError, MotionError
from parapick.motion.fitting import PlateLimits, plate_limits
from parapick.motion.motion import Motion
from parapick.motion.route import Route, by_law
from parapick.timing import fastest

if TYPE_CHECKING:
    from parapick.model import Model


@dataclass(frozen=True, kw_only=True)
class AnyTask:
    """The fields of every task."""

    name: str = label("short name, as in file names and commands", form=Name())
    title: str = label("one line that says what it is", default="", form=Text())
    frame: Literal["base", "workspace"] = label(
        "what coordinates are counted from: the robot's base, or the middle of its workspace", default="base"
    )
    sources: Mapping[str, str] = label("where numbers come from, by field", factory=dict, form=Sources())

    def moved(self, model: Model | None, pose: Sequence[float]) -> tuple[float, ...]:
        """A pose or a point of the task (m, rad) in the base of a robot; without a robot it stays where it is."""
        if self.frame == "base" or model is None:
            return tuple(pose)
        return (*(workspace_center(model) + pose[:3]).tolist(), *pose[3:])

    def pose(self, model: Model | None, pose: Sequence[float]) -> tuple[float, ...]:
        """A pose of the task (m, rad) in the base of a robot, with its number of coordinates: a yaw not given is 0.

        Raises `MotionError` for a yaw of a robot that has none.
        """
        moved = self.moved(model, pose)
        dof = len(moved) if model is None else model.robot.dof
        if len(moved) > dof and moved[3] != 0.0:
            raise MotionError(f"a yaw of {moved[3]:g} rad is asked for; this robot has no yaw")
        return (*moved, 0.0)[:dof]


# What the fastest timing has no use for, and what to do instead.
_SETTLED: Final = 'timing = "fastest" follows from the motors and the limits; leave this out'
_PER_PLATE: Final = 'with timing = "fastest" limits hold for the plate, not for its strokes; leave this out'
_UNUSED: Final = {
    "duration": _SETTLED,
    "lift_time": _SETTLED,
    "cycles_per_minute": _SETTLED,
    "per_stroke": _PER_PLATE,
}


@dataclass(frozen=True, kw_only=True)
class MoveTask(AnyTask, ABC):
    """Every task that moves from pose to pose, without belts: it states a route, which a law or the motors time."""

    v_max: float | None = quantity("m/s", "largest speed of the plate", default=None, above=0.0)
    a_max: float | None = quantity(
        "m/s2", "largest acceleration of the plate, its Euclidean norm", default=None, above=0.0
    )
    j_max: float | None = quantity("m/s3", "largest jerk of the plate", default=None, above=0.0)
    payload: float = quantity("kg", "mass carried on the way there", default=0.0, at_least=0.0)
    timing: Literal["law", "fastest"] = label(
        '"law", or "fastest" for the same path as fast as the robot\'s motors and the limits allow', default="law"
    )

    @property
    def limits(self) -> PlateLimits:
        """Speed, acceleration and jerk of the plate."""
        return plate_limits(self.v_max, self.a_max, self.j_max)

    @abstractmethod
    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none, with the timing that the task asks for.

        Args:
            model: the robot.

        Raises:
            LimitError: a field that its timing has no use for.
            MotionError: no robot to follow the fastest timing from; and what `fastest` raises.
        """
        if self.timing == "law":
            return by_law(self.route(model))
        for name, reason in _UNUSED.items():
            if getattr(self, name, None):
                raise LimitError(name, reason)
        if model is None:
            raise MotionError(f'{self.name}: timing = "fastest" follows from a robot; give one')
        return fastest(model, self.route(model), v_max=self.v_max, a_max=self.a_max, j_max=self.j_max)


@dataclass(frozen=True, kw_only=True)
class SingleMoveTask(MoveTask):
    """The fields of every task whose one move may be run backwards to its start."""

    duration: float | None = quantity("s", "time one way; without it the limits decide", default=None, above=0.0)
    there_and_back: bool = label("whether the way back follows", default=False)

    def loaded(self, there: Route) -> Route:
        """The way there with the load, and the way back without it where the task wants one."""
        loaded = there.carrying(self.payload)
        return loaded.then(there.reversed()) if self.there_and_back else loaded
