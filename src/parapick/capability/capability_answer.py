"""What the motors allow, as an answer: accelerations, forces, speeds and stiffness at a pose or over the workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, amount, part_text
from parapick.capability.acceleration import acceleration_along, bounded_further
from parapick.capability.force import force
from parapick.capability.half_spaces import half_spaces
from parapick.capability.index import INDICES, velocity_of
from parapick.capability.index_types import Index, IndexOptions
from parapick.capability.reachable import WORDS
from parapick.capability.survey import POSES_SLOW, Survey, survey
from parapick.errors import MissingMassError, ParameterError
from parapick.formulas import missing_masses
from parapick.inspection import (
    at_pose,
    coordinates,
    load_lines,
    named,
    out_of_reach,
    place_text,
    sharing_words,
    subject,
)
from parapick.measures import MEASURES
from parapick.model import LEAST_MARGIN, MARGIN_KINDS, Model
from parapick.motors import LEAST_NORM
from parapick.ride import counted_note
from parapick.robots import RobotChoice, model_of


def _along(name: str, axis: tuple[int, int, int]) -> Index:
    """The acceleration in one direction as an index."""

    def function(model: Model, poses: np.ndarray, options: IndexOptions) -> np.ndarray:
        return acceleration_along(model, poses, axis, velocity_of(model, options), torque=options.torque)

    return Index(MEASURES[name], function)


_DIRECTIONS: Final = (
    _along("acceleration-x", (1, 0, 0)),
    _along("acceleration-y", (0, 1, 0)),
    _along("acceleration-up", (0, 0, 1)),
    _along("acceleration-down", (0, 0, -1)),
)
"""What is given at a pose alone."""

_SPEEDS: Final = ("speed", "speed-best")

_BY_CORNERS: Final = ("acceleration-best", "acceleration-ratio")
"""What takes the corners of each body where a file limits more than torques: a fraction of a millisecond a pose."""

_FIRST: Final = {"acceleration": "m/s2", "force": "N"}
"""What the first line says, with its unit."""

_QUANTITIES: Final = (
    *(INDICES[name] for name in ("acceleration", "acceleration-best", "acceleration-ratio")),
    *_DIRECTIONS,
    *(INDICES[name] for name in ("yaw-acceleration", "ellipsoid", "force", "force-best")),
    Index(MEASURES["payload-held"], lambda model, x, asked: force(model, x, torque=asked.torque).payload),
    *(INDICES[name] for name in (*_SPEEDS, "stiffness", "stiffness-ratio")),
)
"""What is given, in its order."""


_LEFT_OUT: Final = "Forces count gearboxes but not rods; jerk has no part in what is possible at a state"
"""What does not count here."""


def capability_at(
    robot: RobotChoice,
    pose: Sequence[float] | None = None,
    *,
    options: IndexOptions | None = None,
    margin: float = LEAST_MARGIN,
) -> Answer:
    """What the motors allow at a pose, or over the workspace that the robot's file states, worst and best.

    Args:
        robot: a model with its payload, the name of a shipped robot, or the path of a file.
        pose: task vector (m, rad); the workspace if not given.
        options: torque and speed limits, the velocity for accelerations, stiffness; `IndexOptions()` if not given.
        margin: smallest margin to a singularity of the poses that are looked at.

    Raises:
        UnknownRobotError, RobotFileError: no such robot, or a file that does not describe one.
        MissingMassError: the robot has no masses.
        ParameterError: a limit that the file does not state or that does not fit, or a file without a workspace.
    """
    return capability_answer(model_of(robot), pose, IndexOptions() if options is None else options, margin)


def capability_answer(
    model: Model,
    x: Sequence[float] | None,
    options: IndexOptions,
    margin: float = LEAST_MARGIN,
) -> Answer:
    """What the motors allow at a pose, or over the workspace that the robot's file states.

    Speeds are left out where the file states none and none are given.

    Args:
        model: the robot, with its payload.
        x: task vector (m, rad); None for the workspace.
        options: torque and speed limits, the velocity for accelerations, and stiffness of the servos.
        margin: smallest margin to a singularity of the poses that are looked at.

    Raises:
        MissingMassError: the robot has no masses.
        ParameterError: a limit that the file does not state or that does not fit, or a file without a workspace.
    """
    if missing := missing_masses(model.robot):
        raise MissingMassError(model.robot.name, missing)
    limits = _limits(model, options)
    if x is None:
        return _over_workspace(model, options, margin, limits)
    return _at_pose(model, x, options, margin, limits)


def _limits(model: Model, options: IndexOptions) -> dict[str, Any]:
    """Torques and speeds of the joints, the velocity, gripper and payload, as data."""
    velocity, torques = velocity_of(model, options), model.motors.joint_torque(options.torque)
    try:
        speeds = model.motors.joint_speed(options.speed).tolist()
    except ParameterError:
        if options.speed != "peak":
            raise
        speeds = None
    return {
        **model.loads._asdict(),
        "sharing": model.judged_sharing,
        "servo": options.servo,
        "joint_torque": torques.tolist(),
        "joint_speed": speeds,
        "rate": None if velocity is None else named(model.robot, velocity),
    }


def _quantities(model: Model, limits: Mapping[str, Any]) -> list[Index]:
    """What this robot has: yaw, and limits of its speeds."""
    without = {"yaw-acceleration"} if model.robot.dof < 4 else set()
    without |= set(_SPEEDS) if limits["joint_speed"] is None else set()
    return [index.on(model) for index in _QUANTITIES if index.name not in without]


def _at_pose(
    model: Model, x: Sequence[float], options: IndexOptions, margin: float, limits: Mapping[str, Any]
) -> Answer:
    about, pose = at_pose(model, x), np.array([x])
    margins = {kind: float(value) for kind, value in zip(MARGIN_KINDS, model.margins(x), strict=True)}
    rows = tuple(
        (index.name, index.heading(options), float(index.function(model, pose, options)[0]), index.unit)
        for index in _quantities(model, limits)
    )
    near = (f"{WORDS[kind]}, margin {value:.2g}" for kind, value in margins.items() if value < margin)
    notes = [f"{kind}, below {margin:g}: what depends on it has no bounds there" for kind in near]
    return Answer(
        key="capability",
        title=subject(model, f"at {place_text(about['pose'])}", *_limit_lines(model, limits)),
        tables=(Table("values", "", tuple(map(Column, ("quantity", "meaning", "value", "unit"))), rows),),
        notes=(
            *_sharing_note(model),
            *counted_note(model, _LEFT_OUT, motion=False),
            *_speed_note(model, limits),
            *notes,
        ),
        data={
            **about,
            "margin": margin,
            "margins": margins,
            **limits,
            "half_spaces": _half_spaces(model, pose, options),
        },
        refusal=out_of_reach(about),
        headline=_headline(model, {row[0]: row[2] for row in rows}, limits, "here") if about["reachable"] else "",
    )


def _headline(model: Model, values: Mapping[Cell, Cell], limits: Mapping[str, Any], where: str) -> str:
    """How fast the plate can be accelerated in any direction, and what it can push."""
    allowed = {name: amount(float(values[name] or 0.0), unit) for name, unit in _FIRST.items() if name in values}
    words = ", and push with ".join(allowed.values())
    limit = amount(min(limits["joint_torque"]), model.motors.torque_unit)
    return f"{model.robot.name} can accelerate by {words}, in any direction {where}, with {limit} at its joints."


def _half_spaces(model: Model, poses: np.ndarray, options: IndexOptions) -> dict[str, Any] | None:
    """Accelerations as inequalities `C xdd <= d` (corbel2010 (38)); None where they are not convex."""
    velocity = velocity_of(model, options)
    if velocity is not None and model.motors.lossy:
        return None
    bounds = half_spaces(model, poses, velocity, torque=options.torque)
    return {"C": bounds.C[0].tolist(), "d": bounds.d[0].tolist()}


def _over_workspace(model: Model, options: IndexOptions, margin: float, limits: Mapping[str, Any]) -> Answer:
    looked = survey(model, margin)
    counted, near = looked.share(looked.reachable & looked.far), looked.share(looked.reachable & ~looked.far)
    usable = bool((looked.reachable & looked.far).any())
    shares = {"share": counted, "left_out": near, "reachable": usable, "reason": None}
    where = f"over its workspace, margins at least {margin:g}"
    return Answer(
        key="capability",
        title=subject(model, where, looked.region_text, *_limit_lines(model, limits)),
        tables=(_extremes(looked, _quantities(model, limits), options),) if usable else (),
        notes=(
            *_sharing_note(model),
            *counted_note(model, _LEFT_OUT, motion=False),
            *_speed_note(model, limits),
            *_share_notes(looked, counted, near),
        ),
        data={**looked.data(), "margin": margin, **shares, **limits},
        refusal="" if usable else "no pose of the workspace counts",
        headline=_worst_words(model, looked, options, limits) if usable else "",
    )


def _worst_words(model: Model, looked: Survey, options: IndexOptions, limits: Mapping[str, Any]) -> str:
    worst = {name: looked.worst(INDICES[name], options) for name in _FIRST}
    values: dict[Cell, Cell] = {name: place.value for name, place in worst.items() if place is not None}
    return _headline(model, values, limits, "of its workspace")


def _extremes(looked: Survey, quantities: list[Index], options: IndexOptions) -> Table:
    """The worst pose of every quantity, and its best value."""
    rows: list[tuple[Cell, ...]] = []
    roughly = survey(looked.model, looked.margin, slow=True) if bounded_further(looked.model) else looked
    for index in quantities:
        over = roughly if index.name in _BY_CORNERS else looked
        pair = None if index in _DIRECTIONS else over.extremes(index, options)
        if pair is not None:
            worst, best = pair
            rows.append((index.name, worst.value, index.unit, *worst.pose.values(), best.value))
    places = coordinates(looked.model.robot)
    columns = (Column("quantity"), Column("worst"), Column("unit"), *places, Column("best"))
    return Table("extremes", "", columns, tuple(rows), note="a pose gives each of them in words")


def _share_notes(looked: Survey, counted: float, near: float) -> list[str]:
    out = "" if looked.reachable.all() else f"; {part_text(1.0 - counted - near)} cannot be reached"
    notes = [f"{part_text(counted)} of the workspace is computed, on {looked.reachable.size} poses{out}"]
    if near:
        notes.append(f"{part_text(near)} of it is left out: nearer to a singularity than {looked.margin:g}")
    if bounded_further(looked.model):
        notes.append(f"{' and '.join(_BY_CORNERS)} are computed on about {POSES_SLOW} poses: each takes longer")
    return notes


def _sharing_note(model: Model) -> list[str]:
    """How motors share, where there is something to share."""
    words = sharing_words(model)
    if model.judged_sharing == LEAST_NORM:
        return [f"{words}; each motor then has a limit of its own, and less is possible than by least peak"]
    return [words] if words else []


def _speed_note(model: Model, limits: Mapping[str, Any]) -> list[str]:
    if limits["joint_speed"] is not None:
        return []
    unit = model.motors.speed_unit
    return [f"the file states no drive.peak_speed: give --motor-speed in {unit} of the motor for the plate's speeds"]


def _limit_lines(model: Model, limits: Mapping[str, Any]) -> list[str]:
    """Limits, payload and velocity in words."""
    motors = model.motors
    speed = "" if limits["joint_speed"] is None else f", speed {_spread(limits['joint_speed'])} {motors.speed_unit}"
    lines = [f"{motors.word} at the joints {_spread(limits['joint_torque'])} {motors.torque_unit}{speed}"]
    lines += load_lines(model.loads)
    if limits["rate"] is not None:
        rates = (f"{name} {value:g} {'rad/s' if name == 'yaw' else 'm/s'}" for name, value in limits["rate"].items())
        lines.append(f"accelerations at the rate {', '.join(rates)}")
    return lines


def _spread(values: list[float]) -> str:
    return f"{values[0]:g}" if len(set(values)) == 1 else ", ".join(f"{value:g}" for value in values)
