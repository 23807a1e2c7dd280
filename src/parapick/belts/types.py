"""What pick and place on moving belts is described by: belts, items, what is done to them, and limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.fields import label, like, quantity
from parapick.mechanism import Payload
from parapick.motion import Law, LawForm, modified_trapezoid

if TYPE_CHECKING:
    from parapick.motion import Motion


# A ramp of a third leaves a third of cruise: for the yaw our cycle of righettini2024 has it, for a vertical stroke
# it needs the least mean square acceleration of all trapezoids.
_THIRD: Final = modified_trapezoid(ramp=1.0 / 3.0)
_RAMPS: Final = modified_trapezoid()


@final
@dataclass(frozen=True)
class Belt:
    """A belt, or with speed 0 a table: the straight line along which the tool grips or releases items.

    Attributes:
        name: name in messages.
    """

    point: tuple[float, float, float] = quantity("m", "a point of the line, from which positions along the belt count")
    direction: tuple[float, float, float] = quantity("", "where the belt moves, of any length; not vertical")
    speed: float = quantity("m/s", "speed of the belt; 0 for a table", at_least=0.0)
    window: tuple[float, float] = quantity(
        "m",
        "from where to where, along the belt from its point, the tool may be at the belt: from the start of a descent "
        "to the end of an ascent; without it the robot's reach decides",
        default=(-math.inf, math.inf),
    )
    name: str = "belt"

    @property
    def unit(self) -> np.ndarray:
        """Unit vector along the belt (3,)."""
        return np.array(self.direction, dtype=float) / math.hypot(*self.direction)

    @property
    def velocity(self) -> np.ndarray:
        """Velocity of what lies on it (3,), m/s."""
        return self.speed * self.unit

    def at(self, along: ArrayLike, across: float = 0.0) -> np.ndarray:
        """Points of the belt (..., 3), m.

        Args:
            along: positions along the belt from its point (...), m.
            across: horizontal distance to the left of the line, seen in the direction of the belt (m).
        """
        unit = self.unit
        left = np.array([-unit[1], unit[0], 0.0])
        return np.array(self.point) + across * left / np.linalg.norm(left) + np.asarray(along)[..., None] * unit


@final
@dataclass(frozen=True)
class Item:
    """Something on a belt, as a camera or a light barrier reports it: an item to pick, or a box to place it in.

    Attributes:
        belt: the belt.
    """

    belt: Belt
    position: float = quantity("m", "where it was read along the belt, from the belt's point")
    time: float = quantity("s", "when it was read", default=0.0)
    yaw: float = quantity("rad", "yaw of the task vector with which it is gripped or released", default=0.0)
    across: float = quantity("m", "horizontal distance to the left of the belt's line", default=0.0)

    def along(self, t: ArrayLike, dead_time: float = 0.0) -> np.ndarray:
        """Position along the belt (...), m, `position + speed (t - time + dead_time)`.

        Args:
            t: when (...), s.
            dead_time: age of the reading when it was stamped (s).
        """
        return np.asarray(self.position + self.belt.speed * (np.asarray(t, dtype=float) - self.time + dead_time))

    def at(self, t: ArrayLike, dead_time: float = 0.0) -> np.ndarray:
        """Where it is (..., 3), m.

        Args:
            t: when (...), s.
            dead_time: age of the reading when it was stamped (s).
        """
        return self.belt.at(self.along(t, dead_time), self.across)

    def pose(self, t: ArrayLike, dof: int, dead_time: float = 0.0) -> np.ndarray:
        """Task vectors (..., dof) with the tool at the item.

        Args:
            t: when (...), s.
            dof: 3, or 4 with yaw.
            dead_time: age of the reading when it was stamped (s).
        """
        place = self.at(t, dead_time)
        yaw = np.full((*place.shape[:-1], 1), self.yaw)
        return np.concatenate([place, yaw], axis=-1)[..., :dof]


@final
@dataclass(frozen=True)
class Anywhere:
    """Any place along a belt, for placing where no boxes are.

    Attributes:
        belt: the belt.
    """

    belt: Belt
    yaw: float = like(Item, "yaw")
    across: float = like(Item, "across")


@final
@dataclass(frozen=True)
class Handling:
    """What is done at a belt: down, grasp or release, up."""

    lift: float = quantity("m", "height above the belt at which the tool comes and goes", above=0.0)
    rest: float = quantity("s", "how long it grasps or releases", above=0.0)
    stroke_time: float | None = quantity(
        "s",
        "duration of each vertical stroke; the shortest that limits allow if not given",
        default=None,
        above=0.0,
    )
    law: Law = label("law of the vertical strokes", default=_THIRD, form=LawForm())

    @property
    def duration(self) -> float:
        """Descent, rest and ascent together (s); infinite while the strokes have no duration."""
        return math.inf if self.stroke_time is None else 2.0 * self.stroke_time + self.rest


@final
@dataclass(frozen=True)
class PickPlace:
    """What is done in a cycle.

    Attributes:
        pick: at the belt of the items.
        place: at the belt where they are put.
        law: law whose acceleration pulse makes the ramps of intercepts and of the stop.
        yaw_law: law by which the yaw turns over a whole intercept.
    """

    pick: Handling
    place: Handling
    stop_time: float | None = quantity(
        "s",
        "how long the tool takes to come to rest behind the last ascent; the shortest that limits allow if not given",
        default=None,
        above=0.0,
    )
    payload: float | Payload = quantity(
        "kg",
        "mass of an item, beyond the gripper; borne by the tool from the end of the grasp to the start of "
        "the release, and otherwise by a belt",
        default=0.0,
        at_least=0.0,
    )
    dead_time: float = quantity(
        "s",
        "how old a reading of the belts is when it is stamped; positions are predicted with it",
        default=0.0,
        at_least=0.0,
    )
    law: Law = _RAMPS
    yaw_law: Law = _THIRD
    timing: Literal["law", "fastest"] = label(
        '"law" for intercepts by a law, "fastest" for the same paths as fast as the drives allow', default="law"
    )


@final
@dataclass(frozen=True)
class ConveyorLimits:
    """What a cycle has to keep."""

    v_max: float = quantity("m/s", "largest speed of the plate, its norm", default=math.inf, above=0.0)
    a_max: float = quantity("m/s2", "largest acceleration of the plate, its norm", default=math.inf, above=0.0)
    margin: float = quantity("", "what every margin to a singularity keeps", default=0.1, at_least=0.0)
    yaw_rate: float = quantity("rad/s", "largest yaw rate", default=math.inf, above=0.0)
    yaw_acceleration: float = quantity("rad/s2", "largest yaw acceleration", default=math.inf, above=0.0)
    motor_speed: float | None = quantity(
        "", "share of the drives' peak speed that may be used; not checked if not given", default=None, above=0.0
    )
    motor_torque: float | None = quantity(
        "", "share of the drives' peak torque that may be used; not checked if not given", default=None, above=0.0
    )


@final
@dataclass(frozen=True)
class Approach:
    """An intercept, up to where it leads.

    Attributes:
        duration: T (s).
        ramp_time: t_a (s), at most half of the duration.
        bend: U (m/s), dof numbers or none.
        wait: rest before it (s); only from rest.
        stop: how long the tool takes to come to rest before that (s); 0 if it rests or goes at once.
        timed: the same way by a timing of its own, which takes `duration`; None for the law.
    """

    duration: float
    ramp_time: float
    bend: tuple[float, ...] = ()
    wait: float = 0.0
    stop: float = 0.0
    timed: Motion | None = field(default=None, compare=False, repr=False)


def task_vector(values: Sequence[float] | np.ndarray, dof: int) -> tuple[float, ...]:
    """The first three or four coordinates of a vector, zeros where there are none."""
    return tuple(float(value) for value in (*values, 0.0)[:dof])
