"""Forces in the rods: the largest pull and push, and what is left to buckling."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from parapick.evaluation.answer import Finding, Section, Series, Table
from parapick.evaluation.context import Context
from parapick.evaluation.findings import against
from parapick.evaluation.words import at_place
from parapick.model import InnerForces, buckling_load
from parapick.motion.extremes import first_largest

__all__ = ["section"]


def section(context: Context) -> Section:
    """Axial forces of all rods.

    Args:
        context: the robot on its way.
    """
    if context.no_torque:
        return Section("forces", "Rod forces", notes=(f"not looked at: {context.no_torque}",))
    forces = _forces(context)
    loads = _buckling(context)
    names = _names(context, forces.shape[2])
    notes = list(_notes(context, forces, loads))
    if np.isnan(forces).all():
        return Section("forces", "Rod forces", notes=tuple(notes))
    # The end that is loaded more counts, so that one series a rod tells all.
    ends = np.moveaxis(forces, 1, -1).reshape(len(forces), -1, 2)
    worse = np.take_along_axis(ends, np.argmax(np.abs(np.nan_to_num(ends)), axis=-1)[..., None], axis=-1)[..., 0]
    limits = {} if loads is None else {"buckling": -float(np.min(loads))}
    return Section(
        key="forces",
        title="Rod forces",
        findings=() if loads is None else (_finding(context, forces, loads, names),),
        tables=(_table(context, forces, loads, names),),
        series=(Series("rod force", "N", context.samples.t, worse, tuple(names), limits),),
        notes=tuple(notes),
    )


def _forces(context: Context) -> np.ndarray:
    """Axial force at both ends of every rod (T, 2, arms, rods), N; tension is positive."""
    model, samples = context.model, context.samples
    state = (samples.x, samples.xd, samples.xdd, context.payload, model.parameters)
    found = InnerForces(*model.kernel("inner_forces")(*state))
    return np.stack([found.axial_elbow, found.axial_plate], axis=1)


def _buckling(context: Context) -> np.ndarray | None:
    """Euler's load of a rod of each leg (arms,), N; None where the file lacks what it follows from."""
    limb = context.model.numbers.limb
    if limb.rod_modulus is None or limb.rod_radius is None:
        return None
    return np.array([buckling_load(limb, leg) for leg in range(context.model.robot.arms)])


def _names(context: Context, arms: int) -> list[str]:
    letters = "ab" if context.model.robot.limb.rods == 2 else ("",)
    return [f"rod {leg + 1}{letter}" for leg in range(arms) for letter in letters]


def _table(context: Context, forces: np.ndarray, loads: np.ndarray | None, names: list[str]) -> Table:
    rods, t = forces.reshape(len(forces), 2, -1), context.samples.t
    rows = []
    for i, name in enumerate(names):
        own = rods[:, :, i]
        pull, push = _most(own), _most(-own)
        pulled, pushed = max(float(np.max(pull)), 0.0), max(float(np.max(push)), 0.0)
        row = [name, pulled, float(t[first_largest(pull)]) if pulled else None]
        row += [pushed, float(t[first_largest(push)]) if pushed else None]
        if loads is not None:
            load = float(loads[i * len(loads) // len(names)])
            row += [load, load / pushed if pushed else None]
        rows.append(tuple(row))
    heads, units = ("rod", "largest pull", "at t", "largest push", "at t"), ("", "N", "s", "N", "s")
    if loads is not None:
        heads, units = (*heads, "buckling load", "reserve"), (*units, "N", "")
    return Table("axial force of the rods, at the end that bears more", heads, units, tuple(rows))


def _most(values: np.ndarray) -> np.ndarray:
    """The larger of both ends (T, ...) of values (T, 2, ...); minus infinity where there are none."""
    return np.max(np.where(np.isnan(values), -np.inf, values), axis=1)


def _finding(context: Context, forces: np.ndarray, loads: np.ndarray, names: list[str]) -> Finding:
    """The rod that is pushed nearest to its buckling load."""
    share = _most(-forces / loads[:, None]).reshape(len(forces), -1)
    sample, rod = (int(i) for i in np.unravel_index(first_largest(share), share.shape))
    leg = rod * len(loads) // len(names)
    place = context.place(sample, leg + 1)
    return against(
        "rod push",
        f"push in {names[rod]}",
        max(float(share[sample, rod] * loads[leg]), 0.0),
        limit=float(loads[leg]),
        unit="N",
        where=at_place(place),
        place=place,
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
    if context.model.robot.redundant:
        yield "forces are those of motors that share by least norm; sharing by least peak adds inner forces"
