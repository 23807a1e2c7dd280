"""A study as its file states it: which numbers of which robot are free, what is required, what is to be best, and how.

The fields state their meaning and units (`parapick.fields`); what depends on the robot, the units of its numbers and
whether a path exists, is read in `reading`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, final, get_args

from parapick.capability import Elasticity
from parapick.fields import label, quantity
from parapick.forms import Listed, Name, Text, Whole, Word, kinds_of
from parapick.limits import MOST
from parapick.mechanism import Payload
from parapick.names import TEXT_MAX
from parapick.study.forms import BoundsForm, FreeTable, PlainTable, TaskForm
from parapick.study.study_measures import STUDY_MEASURES
from parapick.tasks import LoadForm


@final
@dataclass(frozen=True)
class Grid:
    """Every combination of the values of the free numbers."""

    kind: Literal["grid"] = label("every combination of values", default="grid")


@final
@dataclass(frozen=True)
class Sobol:
    """Points spread evenly over the ranges; in further rounds about the best designs so far, as these are spread."""

    kind: Literal["sobol"] = label("points spread evenly over the ranges", default="sobol")
    points: int = label(
        "designs of a round; powers of two are spread best", default=4096, form=Whole(1, MOST["points"])
    )
    rounds: int = label(
        "rounds; after the first, each about the best designs so far", default=1, form=Whole(1, MOST["rounds"])
    )
    widen: float = quantity("", "width of a further round over that of the best designs so far", default=1.0, above=0.0)
    seed: int = label("seed of the scrambling", default=1, form=Whole(0, MOST["seed"]))


@final
@dataclass(frozen=True)
class Gradient:
    """Searches along exact slopes from the best of evenly spread points."""

    kind: Literal["gradient"] = label("searches along exact slopes from several starts", default="gradient")
    starts: int = label("searches, each from another start", default=6, form=Whole(1, MOST["starts"]))
    points: int = label(
        "evenly spread designs of which the best are starts", default=2048, form=Whole(1, MOST["points"])
    )
    steps: int = label("most steps of a search", default=100, form=Whole(1, MOST["steps"]))
    front: int = label(
        "of two objectives, searches between the ends of their front", default=9, form=Whole(1, MOST["front"])
    )
    seed: int = label("seed of the scrambling", default=1, form=Whole(0, MOST["seed"]))


@final
@dataclass(frozen=True)
class Tpe:
    """Designs drawn where good ones are more likely than others: Optuna's tree-structured Parzen estimator."""

    kind: Literal["tpe"] = label("designs drawn by Optuna where good ones are likely", default="tpe")
    points: int = label("designs in all", default=512, form=Whole(1, MOST["points"]))
    batch: int = label(
        "designs that are drawn at a time, which workers share", default=16, form=Whole(1, MOST["batch"])
    )
    spread: int = label(
        "designs that are spread evenly before the first is drawn", default=64, form=Whole(1, MOST["points"])
    )
    seed: int = label("seed of the sampler", default=1, form=Whole(0, MOST["seed"]))


Method = Grid | Sobol | Gradient | Tpe
"""How designs are chosen."""


@final
@dataclass(frozen=True, kw_only=True)
class StudyFile:
    """A study for parapick: which robot to build."""

    name: str = label("short name, as in file names and commands", form=Name())
    title: str = label("one line that says what it is", default="", form=Text())
    description: str = label("what the study is for", default="", form=Text(TEXT_MAX, lines=True))
    robot: str = label("the robot that is varied: a shipped one, or the path of its file from here", form=Text())
    set: Mapping[str, Any] = label(
        "what differs from the robot's file before anything is varied, by path: numbers, words, tables",
        factory=dict,
        form=PlainTable("what the robot's file would have there"),
    )
    parameters: Mapping[str, Any] = label("the free numbers of the robot, by path", factory=dict, form=FreeTable())
    choices: Mapping[str, Any] = label(
        "choices by name, such as a motor: its options by name, each with the numbers that it sets by path",
        factory=dict,
        form=PlainTable("options, each a table of numbers by path"),
    )
    dependent: Mapping[str, Any] = label(
        "numbers of the robot that follow others, by path: { of = path, times = factor, plus = amount }",
        factory=dict,
        form=PlainTable("of, times, plus"),
    )
    tasks: tuple[Any, ...] = label(
        "what the robot must do: names or paths of task files, or tables as task files have them",
        default=(),
        form=Listed((TaskForm(),)),
    )
    payload: float | Payload | None = label(
        "what the tool holds beyond its gripper, in the place of what the tasks carry, and at poses of the workspace; "
        "without it each task's own, and nothing at the poses",
        default=None,
        form=LoadForm(),
    )
    stiffness: Elasticity = label("what gives way where stiffness is asked for", factory=Elasticity)
    sharing: Literal["least-norm", "least-peak"] = label("how a redundant robot's motors share", default="least-peak")
    rate: float = quantity("Hz", "samples per second along the tasks", default=4000.0, above=0.0)
    requirements: Mapping[str, Any] = label("what every design must keep", factory=dict, form=BoundsForm())
    objectives: tuple[str, ...] = label(
        "measures to be made as good as can be, the first before the others",
        form=Listed((Word(tuple(STUDY_MEASURES)),), 1),
    )
    also: tuple[str, ...] = label(
        "further measures that the table shows", default=(), form=Listed((Word(tuple(STUDY_MEASURES)),))
    )
    methods: tuple[Method, ...] = label(
        "ways to choose designs; the first one unless another is asked for",
        form=Listed((kinds_of(get_args(Method)),), 1),
    )
    chunk: int = label("designs that are evaluated and written at a time", default=4096, form=Whole(1, MOST["chunk"]))
    best: int = label("how many of the best robots are written as robot files", default=3, form=Whole(0, MOST["best"]))
