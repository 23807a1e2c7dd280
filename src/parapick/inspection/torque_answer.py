"""Torques of the motors at one state, as an answer: what they are spent on, against ratings; forces inside."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, amount, percent
from parapick.inspection.naming import (
    at_pose,
    load_lines,
    named,
    out_of_reach,
    place_text,
    rod_names,
    sharing_words,
    subject,
)
from parapick.inspection.plate_joint_tables import state_table
from parapick.model import DriveLoad, Model, unknown_joints, why_unknown
from parapick.motors import LEAST_NORM, LEAST_PEAK, Motors

SHARES: Final = tuple(Column(name, "", "%", 1, alarm=1.0) for name in ("of rated", "of peak", "of top speed"))
"""Columns for what a motor gives against what it may give."""


def singular_pose(motors: Motors) -> str:
    """Why a pose that can be reached has no torques, in words.

    Args:
        motors: the robot's motors.
    """
    return f"the pose is singular: no finite {motors.word} holds it"


def share_cells(motors: Motors, motor: int, lasting: float, peak: float, speed: float) -> tuple[float | None, ...]:
    """The cells of a motor in these columns; None where it has no such rating.

    Args:
        motors: what the drives allow.
        motor: which of them, from 0.
        lasting: torque to compare with the continuous one (N m): effective along a motion, its speed counted.
        peak: torque to compare with the peak one (N m).
        speed: speed (rad/s).
    """
    ratings = (motors.continuous_torque[motor], motors.peak_torque[motor], motors.peak_speed[motor])
    pairs = zip((lasting, peak, speed), ratings, strict=True)
    return tuple(None if math.isinf(rating) else abs(value) / float(rating) for value, rating in pairs)


def torque_answer(model: Model, x: Sequence[float], xd: Sequence[float], xdd: Sequence[float]) -> Answer:
    """Torques at one state; refused where the pose cannot be reached or is singular.

    The motors of a redundant robot share by one rule in all of it, that of the model or else least peak.

    Args:
        model: the robot, with what its tool holds.
        x: task vector (m, rad).
        xd: its rate (m/s, rad/s).
        xdd: its acceleration (m/s2, rad/s2).

    Raises:
        MissingMassError: a robot without masses.
    """
    # Least peak has no torques that are not finite, even at a singularity.
    singular = bool(np.isnan(model.inverse_dynamics(x, xd, xdd, sharing=LEAST_NORM)).any())
    about, load = at_pose(model, x), model.drive_torque(x, xd, xdd, sharing=model.judged_sharing)
    refusal = out_of_reach(about)
    if not refusal and singular:
        refusal = singular_pose(model.motors)
        about = {**about, "reachable": False, "reason": refusal}
    moving = {"rate": named(model.robot, xd), "acceleration": named(model.robot, xdd)}
    return Answer(
        key="torque",
        title=subject(model, f"at {place_text(about['pose'])}", _moving(moving), *load_lines(model.loads)),
        tables=() if refusal else _tables(model, (x, xd, xdd), load),
        notes=() if refusal else tuple(_notes(model)),
        data={
            **about,
            **moving,
            **model.loads._asdict(),
            "sharing": model.judged_sharing,
        },
        refusal=refusal,
        headline="" if refusal else most_loaded(model, load.torque, "here"),
    )


def most_loaded(model: Model, torques: np.ndarray, where: str) -> str:
    """The motor that gives the largest share of its peak torque, or the largest torque where none is stated.

    Args:
        torques: at the motor shafts, largest of each (n,), N m.
        where: where or when, in words.
    """
    motors = model.motors
    limits = np.asarray(motors.peak_torque, float)
    rated = bool(np.isfinite(limits).any())
    motor = int(np.argmax(np.abs(torques) / limits if rated else np.abs(torques)))
    unit, size = motors.axes[motor].effort, abs(float(torques[motor]))
    limit = float(limits[motor])
    share = f", {percent(size / limit)} of its peak of {amount(limit, unit)}" if rated else "; no peak is stated"
    return f"{model.robot.name} needs {amount(size, unit)} of motor {motor + 1} {where}{share}."


def _notes(model: Model) -> Iterator[str]:
    if words := sharing_words(model):
        yield words
    if model.judged_sharing == LEAST_PEAK:
        yield "forces of rods and plate are those of motors that share by least norm"
    if path := unknown_joints(model.robot):
        yield f"joints of the plate: {path} {why_unknown(path)}"


def _tables(model: Model, state: tuple[Sequence[float], ...], load: DriveLoad) -> tuple[Table, ...]:
    motors, parts = model.motors, dict(model.torque_parts(*state))
    effort, torques = motors.torque_unit, load.joint_torque
    if model.judged_sharing == LEAST_PEAK:
        # Parts are those of the least norm; what the rule adds moves nothing.
        parts["sharing"] = torques - sum(parts.values())
    rows = [(i + 1, float(torque), *(float(part[i]) for part in parts.values())) for i, torque in enumerate(torques)]
    names = (Column("motor"), *(Column(name, effort, decimals=4) for name in (motors.word, *parts)))
    spent = Table("joints", f"{motors.word} at the joints, and what it is spent on", names, tuple(rows))
    joints = () if unknown_joints(model.robot) else state_table(model.plate_joint_loads(*state))
    return spent, _shafts(model, load), _rods(model, state), *joints


def _shafts(model: Model, load: DriveLoad) -> Table:
    motors = model.motors
    rows: list[tuple[Cell, ...]] = []
    heating = np.sqrt(motors.heat(load.torque, load.speed)).tolist()
    for i, (torque, speed) in enumerate(zip(load.torque.tolist(), load.speed.tolist(), strict=True)):
        rows.append((i + 1, torque, speed, *share_cells(motors, i, heating[i], torque, speed)))
    quantities = (Column(motors.word, motors.torque_unit, decimals=4), Column("speed", motors.speed_unit, decimals=2))
    return Table(
        "motors", "at the motors, with friction and gearbox", (Column("motor"), *quantities, *SHARES), tuple(rows)
    )


def _rods(model: Model, state: tuple[Sequence[float], ...]) -> Table:
    """Axial forces, which differ between the ends of a rod by what moves the rod itself."""
    inner = model.inner_forces(*state)
    ends = (inner.axial_elbow.ravel().tolist(), inner.axial_plate.ravel().tolist())
    columns = (Column("rod"), *(Column(name, "N", decimals=2) for name in ("at the elbow", "at the plate")))
    lost = "no finite forces of the rods keep the plate level: an internal singularity"
    note = lost if np.isnan(inner.axial_plate).any() else ""
    rows = tuple(zip(rod_names(model), *ends, strict=True))
    return Table("rods", "axial force of the rods, tension positive", columns, rows, note)


def _moving(state: Mapping[str, Mapping[str, Any]]) -> str:
    words = []
    for (word, values), per in zip(state.items(), ("/s", "/s2"), strict=True):
        parts = [f"{name} {value:g} {'rad' if name == 'yaw' else 'm'}{per}" for name, value in values.items() if value]
        words += [f"{word} {', '.join(parts)}"] if parts else []
    return "; ".join(words) or "at rest"
