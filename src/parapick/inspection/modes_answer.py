"""Working modes with the room they leave, and assembly modes, at a pose, as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from parapick.answer import Answer, Cell, Column, Table, fixed
from parapick.inspection.mode_clearances import mode_clearances
from parapick.inspection.naming import at_pose, out_of_reach, place_text, subject
from parapick.model import SAME, Model

_COLLIDES: Final = "collides"


def modes_answer(model: Model, x: Sequence[float], default: str) -> Answer:
    """Every working mode at a pose, and every pose of the same joint angles; refused where it cannot be reached.

    Args:
        model: the robot; the assembly modes are of the joint angles in its working mode.
        x: task vector (m, rad).
        default: signs of the working mode that the robot's file states.
    """
    about = at_pose(model, x)
    tables: tuple[Table, ...] = ()
    without: tuple[str, ...] = ()
    q = np.array([])
    if model.reach(x).closes:
        q, without = model.inverse_kinematics(x), model.clearance(x).without_radius
        tables = _working_modes(model, x, default, without), _assembly_modes(model, x, q)
    return Answer(
        key="modes",
        title=subject(model, f"at {place_text(about['pose'])}"),
        tables=tables,
        data={**about, "q": q.tolist(), "default": default, "without_radius": list(without)},
        refusal=out_of_reach(about),
        headline=_headline(tables) if about["reachable"] else "",
    )


def _headline(tables: Sequence[Table]) -> str:
    """How many working modes are free of collision, and the one with most room."""
    working = next(table for table in tables if table.name == "working_modes")
    free, signs, room = (working.column(name) for name in ("collision", "elbows", "clearance"))
    modes = f"{free.count('free')} of {len(free)} working modes are free of collision at this pose"
    most = f"{signs[0]} leaves most room, {fixed(float(room[0] or 0.0), 1, 1e3)} mm"
    return f"{modes}; {most}."


def _working_modes(model: Model, x: Sequence[float], default: str, without: tuple[str, ...]) -> Table:
    """Every working mode, most room first."""
    rows: list[tuple[Cell, ...]] = []
    for entry in mode_clearances(model, x):
        signs = entry.mode.signs
        name = None if entry.mode.name == signs else entry.mode.name
        exceeded = str(model.with_working_mode(signs).reach([x]).cause[0]) or None
        rows.append((signs, name, entry.distance, entry.closest, entry.arms, _collision(entry.distance), exceeded))
    free = sum(row[5] == "free" for row in rows)
    columns = (
        Column("elbows"),
        Column("working mode"),
        Column("clearance", "m", decimals=1),
        Column("nearest links"),
        Column("arms", "m", decimals=1),
        Column("collision", alarm=_COLLIDES),
        Column("exceeds"),
    )
    title = f"{len(rows)} working modes, {free} free of collision, most room first; {default} is the default"
    lines = f"the file gives no radius of the {' and '.join(without)}: they count as lines" if without else ""
    return Table("working_modes", title, columns, tuple(rows), note=lines)


def _assembly_modes(model: Model, x: Sequence[float], q: np.ndarray) -> Table:
    """Every pose that has these joint angles."""
    rows: list[tuple[Cell, ...]] = []
    for number, pose in enumerate(model.assembly_modes(q), start=1):
        elbows = _elbows(model, pose, q)
        distance = float(model.with_working_mode(elbows).clearance(pose).distance)
        itself = bool(np.max(np.abs(pose - x)) < SAME)
        rows.append((number, *map(float, pose), elbows, distance, _collision(distance), itself))
    places = (Column(name, *(("rad", "deg", 3) if name == "yaw" else ("m", "m", 5))) for name in model.robot.task_names)
    rest = (
        Column("elbows"),
        Column("clearance", "m", decimals=1),
        Column("collision", alarm=_COLLIDES),
        Column("given"),
    )
    sliding = model.robot.limb.axis.unit == "m"
    amounts = ", ".join(fixed(value, 3) for value in (1e3 * q if sliding else np.degrees(q)))
    words, unit = ("places", "mm") if sliding else ("joint angles", "deg")
    title = f"assembly modes of these {words}, {amounts} {unit}; given: this pose"
    return Table("assembly_modes", title, (Column("number"), *places, *rest), tuple(rows))


def _collision(distance: float) -> str:
    return "free" if distance > 0 else _COLLIDES


def _elbows(model: Model, pose: np.ndarray, q: np.ndarray) -> str:
    """Working mode in which the robot stands at a pose with these joint angles: of each leg, the nearer of two."""
    arms = model.robot.arms
    plus, minus = (model.with_working_mode(sign * arms).inverse_kinematics(pose)[:arms] for sign in "+-")
    # Whole turns apart is the same angle.
    far, near = (np.abs(np.sin((angles - q[:arms]) / 2)) for angles in (minus, plus))
    return "".join("+" if a <= b else "-" for a, b in zip(near, far, strict=True))
