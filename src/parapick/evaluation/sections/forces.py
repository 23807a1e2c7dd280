"""Forces in the rods, the largest pull and push and what is left to buckling; and in the plate's own joints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from parapick.answer import Answer, Series, Table, columns
from parapick.evaluation.context import Context
from parapick.evaluation.load_requirements import (
    axial_forces,
    buckling_loads,
    instant_requirements,
    push_requirements,
    pushes,
)
from parapick.extremes import first_largest
from parapick.inspection import (
    joint_series,
    largest_data,
    largest_words,
    left_out_note,
    peak_table,
    rod_names,
)
from parapick.motors import LEAST_PEAK

TITLE: Final = "Forces in rods and plate joints"


def section(context: Context) -> Answer:
    """Axial forces of all rods, and what the joints of the plate pass.

    Args:
        context: the robot along the motion of its task.
    """
    if context.run.no_torque:
        return Answer("forces", TITLE, left_out=(f"not computed: {context.run.no_torque}",))
    forces = axial_forces(context.ride)
    loads = buckling_loads(context.model)
    names = rod_names(context.model)
    notes = list(_notes(context, forces, loads))
    findings = (*push_requirements(context.ride), *instant_requirements(context.ride, "rod_pull", "rod_push"))
    if np.isnan(forces).all():
        return Answer("forces", TITLE, findings=findings, notes=tuple(notes))
    # The end that is loaded more counts, so that one series per rod is enough.
    ends = np.moveaxis(forces, 1, -1).reshape(len(forces), -1, 2)
    worse = np.take_along_axis(ends, np.argmax(np.abs(np.nan_to_num(ends)), axis=-1)[..., None], axis=-1)[..., 0]
    limits = {} if loads is None else {"buckling": -float(np.min(loads))}
    limits |= _stated(context)
    return Answer(
        key="forces",
        title=TITLE,
        findings=findings,
        tables=(_table(context, forces, loads, names), *peak_table(context.ride, printed=0)),
        series=(
            Series("rod force", "N", context.samples.t, worse, tuple(names), limits, sided=True),
            *joint_series(context.ride),
        ),
        notes=tuple(notes),
        summary=largest_words(context.ride),
        data=largest_data(context.ride),
    )


def _stated(context: Context) -> dict[str, float]:
    """The least pull and push that the file allows its rods (N), as figures have them: a push is negative."""
    allowed = {loads.kind.key: float(loads.limits.min()) for loads in context.ride.instant_loads}
    sides = {"rod_pull": ("pull", 1.0), "rod_push": ("push", -1.0)}
    return {name: side * allowed[key] for key, (name, side) in sides.items() if key in allowed}


def _table(context: Context, forces: np.ndarray, loads: np.ndarray | None, names: list[str]) -> Table:
    (one, other), t = np.moveaxis(forces.reshape(len(forces), 2, -1), 1, 0), context.samples.t
    rows = []
    for i, (name, pull, push) in enumerate(zip(names, pushes(-one, -other).T, pushes(one, other).T, strict=True)):
        pulled, pushed = max(float(np.max(pull)), 0.0), max(float(np.max(push)), 0.0)
        row = [name, pulled, float(t[first_largest(pull)]) if pulled else None]
        row += [pushed, float(t[first_largest(push)]) if pushed else None]
        if loads is not None:
            load = float(loads[i * len(loads) // len(names)])
            row += [load, load / pushed if pushed else None]
        rows.append(tuple(row))
    heads, units = ("rod", "largest pull", "pull at t", "largest push", "push at t"), ("", "N", "s", "N", "s")
    if loads is not None:
        heads, units = (*heads, "buckling load", "reserve"), (*units, "N", "")
    return Table(
        "rods", "axial force of the rods, at the end that bears more", columns(heads, units), tuple(rows), printed=0
    )


def _notes(context: Context, forces: np.ndarray, loads: np.ndarray | None) -> Iterator[str]:
    lost = np.asarray(np.isnan(forces).any(axis=(1, 2, 3)))
    if lost.any():
        yield (
            f"at {np.count_nonzero(lost)} of {len(lost)} samples no finite forces in the rods keep the plate level: it "
            "is internally singular there"
        )
    if loads is None:
        yield "without limb.rod_modulus and limb.rod_radius in the file the rods have no buckling load"
    yield from left_out_note(context.ride)
    if context.model.judged_sharing == LEAST_PEAK:
        yield "forces are those of motors that share by least norm; sharing by least peak adds inner forces"
