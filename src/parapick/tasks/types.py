"""The types of the fields of tasks: each a Python type with how a file writes it."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from parapick.motion.law import Law
from parapick.names import TEXT_MAX
from parapick.tasks.fields import Flag, LawValue, Name, Number, Numbers, Text, Whole

__all__ = [
    "Acceleration",
    "Amount",
    "Angle",
    "AnyLaw",
    "AnyPosition",
    "BeltSpeed",
    "Count",
    "Delay",
    "Direction",
    "Frame",
    "Half",
    "Jerk",
    "Length",
    "Margin",
    "Mass",
    "OneLaw",
    "OwnName",
    "OwnPose",
    "Pair",
    "Place",
    "Point",
    "Pose",
    "Poses",
    "Position",
    "Radius",
    "Rate",
    "Rests",
    "Seconds",
    "Share",
    "Sources",
    "Span",
    "Speed",
    "Spread",
    "Switch",
    "Time",
    "Timing",
    "Title",
    "Turn",
    "Vector",
    "Window",
    "YawAcceleration",
    "YawRate",
]

OwnName = Annotated[str, Name()]
Title = Annotated[str, Text()]
Sources = dict[str, Annotated[str, Text(TEXT_MAX, lines=True)]]
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
Timing = Literal["law", "fastest"]
BeltSpeed = Annotated[float, Number("m/s", at_least=0.0)]
Count = Annotated[int, Whole(at_least=0)]
Margin = Annotated[float, Number("", at_least=0.0)]
OwnPose = Annotated[tuple[float, ...] | None, Numbers((*_POINT, Number("rad")), optional=1)]
Place = Annotated[tuple[float, float, float], Numbers(_POINT)]
Position = Annotated[float, Number("m")]
Spread = Annotated[float, Number("m", at_least=0.0)]
Time = Annotated[float, Number("s")]
Turn = Annotated[float, Number("rad", at_least=0.0)]
Vector = Annotated[tuple[float, float, float], Numbers((Number(), Number(), Number()))]
Window = Annotated[tuple[float, float] | None, Numbers((Number("m"), Number("m")))]
YawRate = Annotated[float | None, Number("rad/s", above=0.0)]
YawAcceleration = Annotated[float | None, Number("rad/s2", above=0.0)]
Amount = Annotated[float, Number("", above=0.0)]
AnyPosition = Annotated[float | None, Number("m")]
Delay = Annotated[float, Number("s", at_least=0.0)]
Half = Annotated[float, Number("", at_least=0.0, at_most=0.5)]
Span = Annotated[float, Number("s", above=0.0)]
