"""Forces in the plate's own joints as tables: at a state, and the largest along a motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from parapick.answer import Cell, Column, Series, Table
from parapick.extremes import first_largest
from parapick.model import (
    COMPONENTS,
    PlateJointLoads,
    unknown_joints,
    why_unknown,
)

if TYPE_CHECKING:
    from parapick.ride import Ride

NAME: Final = "plate_joints"

ROUNDING: Final = 1e-9
"""Force (N) or moment (N m) below which there is none: rounding alone gives 1e-14."""

_LOST: Final = "no finite forces of the rods keep the plate level: an internal singularity"


def state_table(loads: PlateJointLoads) -> tuple[Table, ...]:
    """The loads of every joint at one state; none where the plate is one body.

    Args:
        loads: the loads of one state.
    """
    if not loads.names:
        return ()
    columns = (Column("joint"), Column("kind"), *(Column(name, unit, decimals=3) for name, unit in COMPONENTS.items()))
    rows = zip(loads.names, loads.kinds, *(values.tolist() for values in loads.components().values()), strict=True)
    note = _LOST if np.isnan(loads.force).any() else _beside(loads)
    return (Table(NAME, "forces and moments in the plate's own joints", columns, tuple(rows), note),)


def peak_table(ride: Ride, printed: int | None = None) -> tuple[Table, ...]:
    """The largest of every component in every joint along a motion; none where the plate is one body.

    Args:
        ride: the robot along the motion.
        printed: rows on the terminal, None for all.
    """
    if unknown_joints(ride.model.robot) or not ride.plate_joints.names:
        return ()
    loads, t = ride.plate_joints, ride.samples.t
    # Forces are NaN where the plate is internally singular.
    sizes = {name: np.nan_to_num(np.abs(values)) for name, values in loads.components().items()}
    rows: list[tuple[Cell, ...]] = []
    for i, (name, kind) in enumerate(zip(loads.names, loads.kinds, strict=True)):
        cells: list[Cell] = [name, kind]
        for along in (values[:, i] for values in sizes.values()):
            worst = first_largest(along)
            cells += [float(along[worst]), float(t[worst]) if along[worst] > ROUNDING else None]
        rows.append(tuple(cells))
    columns = [Column("joint"), Column("kind")]
    for name, unit in COMPONENTS.items():
        columns += [Column(name, unit, decimals=2), Column(f"{name} at t", "s", decimals=4)]
    title = "largest forces and moments in the plate's own joints"
    return (Table(NAME, title, tuple(columns), tuple(rows), _beside(loads), printed=printed),)


def _beside(loads: PlateJointLoads) -> str:
    """What of the loads does not act on the joints themselves, in words; empty where all does."""
    hinges = [i for i, kind in enumerate(loads.kinds) if kind == "hinge"]
    words = ["the axial force of a slide is its rack's"] if "slide" in loads.kinds else []
    if np.nanmax(np.abs(loads.torque[..., hinges]), initial=0.0) > ROUNDING:
        words.append("the torque of a hinge is that of a belt or gear beside it")
    return "; ".join(words)


def joint_series(ride: Ride) -> tuple[Series, ...]:
    """Force across the axis of every joint along a motion; none where the plate is one body.

    Args:
        ride: the robot along the motion.
    """
    if unknown_joints(ride.model.robot) or not ride.plate_joints.names:
        return ()
    loads = ride.plate_joints
    return (Series("lateral force in the plate's joints", "N", ride.samples.t, loads.lateral, loads.names),)


def left_out_note(ride: Ride) -> tuple[str, ...]:
    """Why there are no forces in the plate's joints; nothing where there are, or where it has none.

    Args:
        ride: the robot along the motion.
    """
    path = unknown_joints(ride.model.robot)
    return (f"joints of the plate: {path} {why_unknown(path)}",) if path else ()


def largest_data(ride: Ride) -> dict[str, float]:
    """The largest force and moment across the axis of any joint of the plate (N, N m); empty where it has none.

    Args:
        ride: the robot along the motion.
    """
    if unknown_joints(ride.model.robot) or not ride.plate_joints.names:
        return {}
    loads = ride.plate_joints
    names = {"joint_lateral": loads.lateral, "joint_bending": loads.bending}
    return {name: float(np.max(np.nan_to_num(values))) for name, values in names.items()}


def largest_words(ride: Ride) -> dict[str, str]:
    """The joints of the plate with the largest force across their axis and the largest moment across it, as a line.

    Args:
        ride: the robot along the motion.
    """
    if unknown_joints(ride.model.robot) or not ride.plate_joints.names:
        return {}
    loads, words = ride.plate_joints, []
    for name, values in (("lateral", loads.lateral), ("bending", loads.bending)):
        sizes = np.nan_to_num(values)
        sample, joint = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        place = f"{loads.names[joint]}, t {ride.samples.t[sample]:.4f} s"
        words.append(f"{sizes[sample, joint]:.4g} {COMPONENTS[name]} {name} at most, {place}")
    return {"plate joints": "; ".join(words)}
