"""The types of the fields of tasks: each a Python type with how a file writes it."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from parapick.motion.law import Law
from parapick.motion.task_fields import Flag, LawValue, Number, Numbers

__all__ = [
    "Acceleration",
    "Angle",
    "AnyLaw",
    "Direction",
    "Frame",
    "Jerk",
    "Length",
    "Mass",
    "OneLaw",
    "Pair",
    "Point",
    "Pose",
    "Poses",
    "Radius",
    "Rate",
    "Rests",
    "Seconds",
    "Share",
    "Speed",
    "Switch",
]

Frame = Literal["base", "workspace"]
Speed = Annotated[float | None, Number("m/s", above=0.0)]
Acceleration = Annotated[float | None, Number("m/s2", above=0.0)]
Jerk = Annotated[float | None, Number("m/s3", above=0.0)]
Length = Annotated[float, Number("m", above=0.0)]
Radius = Annotated[float | None, Number("m", above=0.0)]
Seconds = Annotated[float | None, Number("s", above=0.0)]
Share = Annotated[float, Number("", at_least=0.0, at_most=1.0)]
Mass = Annotated[float, Number("kg", at_least=0.0)]
_POINT: Final = (Number("m"), Number("m"), Number("m"))
Point = Annotated[tuple[float, ...] | None, Numbers(_POINT)]
Direction = Annotated[tuple[float, ...] | None, Numbers((Number(), Number(), Number()))]
Pose = Annotated[tuple[float, ...], Numbers((*_POINT, Number("rad")), optional=1)]
Poses = Annotated[tuple[tuple[float, ...], ...], Numbers((*_POINT, Number("rad")), optional=1, many=True)]
Pair = Annotated[tuple[float, float], Numbers((Number("rad"), Number("rad")))]
Rests = Annotated[tuple[float, float], Numbers((Number("s", at_least=0.0),) * 2, scalar=True)]
Angle = Annotated[float, Number("rad")]
OneLaw = Annotated[Law, LawValue()]
AnyLaw = Annotated[Law | Literal["fastest"], LawValue(fastest=True)]
Switch = Annotated[bool, Flag()]
Rate = Annotated[float | None, Number("", above=0.0)]
