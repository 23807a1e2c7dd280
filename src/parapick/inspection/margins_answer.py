"""How far a pose is from its singularities, as an answer: margins, what is lost, conditioning, the rod-pair matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from parapick.answer import Answer, Column, Table, fixed, lines
from parapick.inspection.naming import at_pose, out_of_reach, place_text, subject
from parapick.inspection.rod_pairs import largest_minors, rod_pair_matrix
from parapick.model import NEAR, Model, Singularity

_MATRICES: Final = {"conditioning": "J_m", "plate_conditioning": "J_x", "internal_conditioning": "J_int"}
"""Indices of a pose, and the matrix whose conditioning each is."""


def margins_answer(model: Model, x: Sequence[float]) -> Answer:
    """The kinds of singularity at a pose, the nearest first; refused where the pose cannot be reached.

    Args:
        x: task vector (m, rad).
    """
    about = at_pose(model, x)
    kinds: Sequence[Singularity] = ()
    indices: dict[str, float] = {}
    internal = None
    if model.reach(x).closes:
        kinds, internal = model.singularities(x), _internal(model, x)
        indices = {name: float(value) for name, value in model.indices(x)._asdict().items()}
    known = {"kinds": [_direction(kind) for kind in kinds], "indices": indices, "internal": internal}
    return Answer(
        key="margins",
        title=subject(model, f"at {place_text(about['pose'])}"),
        tables=(_kinds(kinds), lines("indices", _texts(model, indices, internal))) if kinds else (),
        data={**about, **known},
        refusal=out_of_reach(about),
        headline=_headline(model, kinds) if about["reachable"] else "",
    )


def _headline(model: Model, kinds: Sequence[Singularity]) -> str:
    """The nearest singularity and its margin."""
    nearest = min(kinds, key=lambda kind: kind.margin)
    state = "is singular here" if nearest.singular else "is not singular here"
    least = f"its smallest margin is {fixed(nearest.margin, 4)}, {nearest.kind} (0 is singular)"
    return f"{model.robot.name} {state}: {least}."


def _kinds(kinds: Sequence[Singularity]) -> Table:
    shown = (Column("kind"), Column("margin", decimals=4), Column("singular", alarm=True))
    columns = (*shown, Column("what is lost at margin 0"))
    return Table("kinds", "", columns, tuple((kind.kind, kind.margin, kind.singular, str(kind)) for kind in kinds))


def _direction(kind: Singularity) -> dict[str, Any]:
    """What the table of kinds does not say of one."""
    return {"kind": kind.kind, "leg": kind.leg, "motion": kind.motion, "force": kind.force}


def _internal(model: Model, x: Sequence[float]) -> dict[str, Any] | None:
    """J_int with its rank, determinant and minors D_ijk, and the 8-rod matrix J_tp; None where the robot has none."""
    matrices = model.kernel("constraint_matrices")(x, model.parameters)
    if len(matrices) < 3:
        return None
    internal = np.asarray(matrices[2])
    square, three = internal.shape[0] == internal.shape[1], internal.shape[1] == 3
    return {
        "J_int": internal.tolist(),
        "full_rank": min(internal.shape),
        "rank": int(np.count_nonzero(np.linalg.svd(internal, compute_uv=False) >= NEAR)),
        "determinant": float(np.linalg.det(internal)) if square else None,
        "minors": {name: float(value) for name, value in largest_minors(internal).items()} if three else None,
        "J_tp": None if model.robot.limb.rod_spacing is None else rod_pair_matrix(model, x).tolist(),
    }


def _texts(model: Model, indices: Mapping[str, float], internal: Mapping[str, Any] | None) -> dict[str, str]:
    """Conditioning, manipulability, and what is known of the rod-pair matrix, in words."""
    texts = {f"conditioning of {matrix}": fixed(indices[name], 4) for name, matrix in _MATRICES.items()}
    texts["manipulability"] = f"{indices['manipulability']:.4g} (m/rad)^{model.robot.dof}"
    if internal is None:
        return texts
    texts["rank of J_int"] = f"{internal['rank']} of {internal['full_rank']}"
    if internal["determinant"] is not None:
        texts["determinant of J_int"] = f"{internal['determinant']:.4g}"
    if internal["minors"] and len(internal["minors"]) > 1:
        texts["minors of J_int"] = ", ".join(f"{name}={fixed(value, 4)}" for name, value in internal["minors"].items())
    return texts
