"""What tasks of several kinds state alike: each field once, with its unit and meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from parapick.fields import label, quantity
from parapick.forms import Name, Sources, Text

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


@dataclass(frozen=True, kw_only=True)
class MoveTask(AnyTask):
    """The fields of every task that moves from pose to pose, without belts."""

    v_max: float | None = quantity("m/s", "largest speed of the plate", default=None, above=0.0)
    a_max: float | None = quantity(
        "m/s2", "largest acceleration of the plate, its Euclidean norm", default=None, above=0.0
    )
    j_max: float | None = quantity("m/s3", "largest jerk of the plate", default=None, above=0.0)
    payload: float = quantity("kg", "mass carried on the way there", default=0.0, at_least=0.0)
    timing: Literal["law", "fastest"] = label(
        '"law", or "fastest" for the same path as fast as the robot\'s motors and the limits allow', default="law"
    )


@dataclass(frozen=True, kw_only=True)
class SingleMoveTask(MoveTask):
    """The fields of every task whose one move may be run backwards to its start."""

    duration: float | None = quantity("s", "time one way; without it the limits decide", default=None, above=0.0)
    there_and_back: bool = label("whether the way back follows", default=False)
