"""What tasks of several kinds have in common: fields, each with its unit and meaning, and how they become a motion."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, Self

from parapick.answer import at_most
from parapick.errors import FileProblem, MotionError
from parapick.fields import label, quantity
from parapick.forms import Listed, Name, Sources, Text
from parapick.mechanism import Payload
from parapick.motion import Law, LawForm, LimitError, Motion, PlateLimits, Route, by_law, law_of, plate_limits
from parapick.ride import workspace_center
from parapick.tasks.load_form import LoadForm
from parapick.timing import fastest_along

if TYPE_CHECKING:
    from parapick.model import Model

Frame = Literal["base", "workspace"]
"""What coordinates are counted from."""

# What the fastest timing has no use for, and what to do instead.
_SETTLED: Final = 'timing = "fastest" follows from the motors and the limits; leave this out'
_PER_PLATE: Final = 'with timing = "fastest" limits hold for the plate, not for its strokes; leave this out'
_PLATE: Final = {"v_max": "m/s", "a_max": "m/s2", "j_max": "m/s3"}
"""Limits on the plate, with their units."""

_HALVINGS: Final = 16
"""Halvings of a pace until it is known to the digits that are printed."""

_UNUSED: Final = {
    "duration": _SETTLED,
    "lift_time": _SETTLED,
    "cycles_per_minute": _SETTLED,
    "picks_per_minute": _SETTLED,
    "per_stroke": _PER_PLATE,
}


@dataclass(frozen=True, kw_only=True)
class AnyTask:
    """The fields of every task."""

    name: str = label("short name, as in file names and commands", form=Name())
    title: str = label("one line that says what it is", default="", form=Text())
    frame: Frame = label(
        "what coordinates are counted from: the robot's base, or the middle of its workspace", default="base"
    )
    robots: tuple[str, ...] = label(
        "names of the robots that it is made for, in whose workspaces it lies; it may be asked of any other",
        default=(),
        form=Listed((Name(),)),
    )
    sources: Mapping[str, str] = label("where numbers come from, by field", factory=dict, form=Sources())

    def entitled(self, changes: Iterable[str]) -> Self:
        """The task with a title that says what is otherwise here than its file states; itself where nothing is.

        Args:
            changes: each change in words.
        """
        words = ", ".join(changes)
        return replace(self, title=f"{self.title or self.name}; here {words}") if words else self

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot, besides what its fields say."""
        return ()


@dataclass(frozen=True, kw_only=True)
class MoveTask(AnyTask, abc.ABC):
    """Every task that moves from pose to pose, without belts: it states a route, which a law or the motors time."""

    v_max: float | None = quantity("m/s", "largest speed of the plate", default=None, above=0.0)
    a_max: float | None = quantity(
        "m/s2", "largest acceleration of the plate, its Euclidean norm", default=None, above=0.0
    )
    j_max: float | None = quantity("m/s3", "largest jerk of the plate", default=None, above=0.0)
    payload: float | Payload = label(
        "what is carried on the way there: a mass (kg), or a table with mass, offset and inertia",
        default=0.0,
        form=LoadForm(),
    )
    payload_back: float | Payload = label("what is carried on the way back", default=0.0, form=LoadForm())
    timing: Literal["law", "fastest"] = label(
        '"law", or "fastest" for the same path as fast as the robot\'s motors and the limits allow', default="law"
    )

    @property
    def limits(self) -> PlateLimits:
        """Speed, acceleration and jerk of the plate."""
        return plate_limits(self.v_max, self.a_max, self.j_max)

    @abc.abstractmethod
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
            return by_law(self.route(model)).with_payload(payload_of(model))
        for name, reason in _UNUSED.items():
            if getattr(self, name, None):
                raise LimitError(name, reason)
        if model is None:
            raise MotionError(f'{self.name}: timing = "fastest" follows from a robot; give one')
        return fastest_along(model, self.route(model), v_max=self.v_max, a_max=self.a_max, j_max=self.j_max)


@dataclass(frozen=True, kw_only=True)
class CycleTask(MoveTask):
    """The fields of every task that is a cycle, which can be asked for at a pace."""

    cycles_per_minute: float | None = quantity(
        "", "cycles per minute; without it the limits decide", default=None, above=0.0
    )
    law: Law | Literal["fastest"] = label("time law", default=law_of("trapezoidal"), form=LawForm(fastest=True))
    overlap: float = quantity(
        "", "share of the vertical strokes that overlaps the horizontal one", default=0.0, at_least=0.0, at_most=1.0
    )
    corner_radius: float | None = quantity("m", "radius of the corners", default=None, above=0.0)

    @property
    def paced(self) -> bool:
        """Whether it takes a pace; one that follows from motors or limits alone does not."""
        return self.law != "fastest" and self.timing == "law"

    @property
    @abc.abstractmethod
    def resting(self) -> float:
        """Time of all rests of a cycle (s)."""

    @abc.abstractmethod
    def at_pace(self, cycles_per_minute: float | None) -> CycleTask:
        """The task at another pace; None for what the limits allow.

        Args:
            cycles_per_minute: cycles per minute.
        """

    @property
    def stated_pace(self) -> tuple[str, float, float] | None:
        """The field that states the pace, its number, and how many of it are one cycle; None without a pace."""
        return None if self.cycles_per_minute is None else ("cycles_per_minute", self.cycles_per_minute, 1.0)

    def motion(self, model: Model | None = None) -> Motion:
        """The motion, for a robot or for none, with the timing that the task asks for.

        Args:
            model: the robot.

        Raises:
            LimitError: a pace that the limits do not allow; says which they do; and what `MoveTask.motion` raises.
        """
        try:
            return self.tried(model)
        except LimitError as error:
            if error.name not in ("duration", *_PLATE) or self.stated_pace is None:
                raise
            raise self._too_fast(self.stated_pace, error, model) from error

    def tried(self, model: Model | None = None) -> Motion:
        """As `motion`, for a search: a pace that the limits do not allow is refused by the first that is in the way.

        Args:
            model: the robot.
        """
        return super().motion(model)

    def _too_fast(self, pace: tuple[str, float, float], error: LimitError, model: Model | None) -> LimitError:
        """The error of a pace that the limits do not allow, by its own field, with the pace that they do allow."""
        name, number, per_cycle = pace

        def kept(cycles: float) -> bool:
            try:
                self.at_pace(cycles).tried(model)
            except LimitError:
                return False
            return True

        low, high = 0.0, number / per_cycle
        # Strokes at a pace have one acceleration, so that the limits stroke by stroke may allow a little more.
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if kept(middle) else (low, middle)
        if not low:
            return error
        limits = {limit: getattr(self, limit) for limit in _PLATE}
        stated = " and ".join(f"{limit} {value:g} {_PLATE[limit]}" for limit, value in limits.items() if value)
        most = at_most(low * per_cycle, 4)
        return LimitError(
            name, f"is {number:g}, which the limits of the task do not allow; at most {most} keep {stated}"
        )


@dataclass(frozen=True, kw_only=True)
class SingleMoveTask(MoveTask):
    """The fields of every task whose one move may be run backwards to its start."""

    duration: float | None = quantity("s", "time one way; without it the limits decide", default=None, above=0.0)
    there_and_back: bool = label("whether the way back follows", default=False)

    def loaded(self, there: Route) -> Route:
        """The way there with its payload, and the way back with its own where the task wants one."""
        loaded = there.carrying(self.payload)
        return loaded.then(there.reversed().bearing(self.payload_back)) if self.there_and_back else loaded

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against it whatever the robot: a payload for a way back that there is not."""
        if self.there_and_back or not Payload.of(self.payload_back):
            return super().problems()
        text = "is for a way back, which this task does not have; give there_and_back = true"
        return (*super().problems(), FileProblem("payload_back", text))


def payload_of(model: Model | None) -> Payload | None:
    """The payload that a model states, which replaces what a task carries; None where there is none.

    Args:
        model: the robot, or none.
    """
    return None if model is None else model.payload


def moved(model: Model | None, frame: Frame, pose: Sequence[float]) -> tuple[float, ...]:
    """A pose in the robot's base.

    Args:
        model: the robot; None leaves the pose where it is.
        frame: what the pose is counted from.
        pose: task vector, or a point (m, rad).
    """
    if frame == "base" or model is None:
        return tuple(pose)
    return (*(workspace_center(model) + pose[:3]).tolist(), *pose[3:])


def fitting(model: Model | None, pose: tuple[float, ...]) -> tuple[float, ...]:
    """A pose with as many coordinates as the robot has; a yaw that is not given is 0.

    Args:
        model: the robot; None leaves the pose as it is.
        pose: three or four coordinates (m, rad).

    Raises:
        MotionError: a yaw for a robot that has none.
    """
    dof = len(pose) if model is None else model.robot.dof
    if len(pose) > dof and pose[3] != 0.0:
        raise MotionError(f"a yaw of {pose[3]:g} rad is asked for; this robot has no yaw")
    return (*pose, 0.0)[:dof] if len(pose) < dof else pose[:dof]
