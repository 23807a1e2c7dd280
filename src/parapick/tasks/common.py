"""What tasks of several kinds state alike: each field once, with its unit and meaning."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from parapick.errors import FileProblem
from parapick.fields import label, quantity
from parapick.forms import Name, Sources, Text
from parapick.model.payload import Payload
from parapick.model.poses import workspace_center
from parapick.motion.errors import MotionError
from parapick.motion.law import Law, law_of
from parapick.motion.law_form import LawForm
from parapick.tasks.load_form import LoadForm

if TYPE_CHECKING:
    from parapick.model import Model
    from parapick.motion.route import Route

Frame = Literal["base", "workspace"]
"""What coordinates are counted from."""


@dataclass(frozen=True, kw_only=True)
class AnyTask:
    """The fields of every task."""

    name: str = label("short name, as in file names and commands", form=Name())
    title: str = label("one line that says what it is", default="", form=Text())
    frame: Frame = label(
        "what coordinates are counted from: the robot's base, or the middle of its workspace", default="base"
    )
    sources: Mapping[str, str] = label("where numbers come from, by field", factory=dict, form=Sources())

    def problems(self) -> tuple[FileProblem, ...]:
        """What stands against the task whatever the robot, besides what its fields say."""
        return ()


@dataclass(frozen=True, kw_only=True)
class MoveTask(AnyTask, abc.ABC):
    """The fields of every task that moves from pose to pose, without belts."""

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
    timing: Literal["law", "fastest"] = label(
        '"law", or "fastest" for the same path as fast as the robot\'s motors and the limits allow', default="law"
    )

    @abc.abstractmethod
    def route(self, model: Model | None = None) -> Route:
        """Where the task leads, for a robot or for none.

        Args:
            model: the robot.
        """


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


@dataclass(frozen=True, kw_only=True)
class SingleMoveTask(MoveTask):
    """The fields of every task whose one move may be run backwards to its start."""

    duration: float | None = quantity("s", "time one way; without it the limits decide", default=None, above=0.0)
    there_and_back: bool = label("whether the way back follows", default=False)


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
