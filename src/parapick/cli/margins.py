"""`parapick margins`."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from parapick.answer.plain import finite
from parapick.cli.answers import about, at_pose, named
from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import Coordinate, Json, Mode, RobotName, load, pose_given
from parapick.cli.tables import (
    DEGREES,
    alarm,
    busy,
    headline,
    number,
    place_text,
    print_json,
    print_list,
    print_table,
    say,
)
from parapick.model.margins import MARGIN_KINDS

if TYPE_CHECKING:
    import numpy as np

    from parapick.model import Model

__all__ = ["margins"]

_QUANTITIES: Final = {
    "margins": MARGIN_KINDS,
    "indices": ("conditioning", "plate_conditioning", "internal_conditioning"),
}
"""What is looked for over a workspace: the first outputs of two kernels."""

_INDICES: Final = {
    "conditioning": "conditioning of J_m",
    "plate_conditioning": "conditioning of J_x",
    "internal_conditioning": "conditioning of J_int",
}


def margins(
    robot: RobotName,
    x: Coordinate | None = None,
    y: Coordinate | None = None,
    z: Coordinate | None = None,
    yaw: Coordinate | None = None,
    /,
    *,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """How far a robot is from its singularities, at a pose or over its workspace.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        x: In metres, or with its unit: 100mm. Without a pose: over the workspace of the file.
        y: In metres, or with its unit.
        z: In metres, or with its unit.
        yaw: In radians, or with its unit: 30deg. Zero if not given.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    model = load(robot, mode)
    vector = pose_given(model.robot, (x, y, z), yaw)
    answer = finite(_at_pose(model, vector) if vector else _over_workspace(model))
    if as_json:
        print_json(answer)
    elif vector:
        _print_pose(model, answer)
    else:
        _print_workspace(model, answer)
    return 0 if answer["reachable"] else UNREACHABLE


def _at_pose(model: Model, vector: list[float]) -> dict[str, Any]:
    import numpy as np

    answer = {**at_pose(model, vector), "kinds": [], "indices": {}, "internal": None}
    if not model.reach(vector).closes:
        return answer
    answer["kinds"] = [
        {**dataclasses.asdict(kind), "singular": kind.singular, "lost": str(kind)}
        for kind in model.singularities(vector)
    ]
    answer["indices"] = {name: float(value) for name, value in model.indices(vector)._asdict().items()}
    matrices = model.kernel("constraint_matrices")(vector, model.parameters)
    if len(matrices) == 3:
        internal = np.asarray(matrices[2])
        answer["internal"] = {
            "J_int": internal.tolist(),
            "rank": _rank(internal),
            "determinant": float(np.linalg.det(internal)) if internal.shape[0] == internal.shape[1] else None,
            "minors": _minors(internal),
        }
    return answer


def _rank(matrix: np.ndarray) -> int:
    import numpy as np

    from parapick.model.singularity import NEAR

    return int(np.count_nonzero(np.linalg.svd(matrix, compute_uv=False) >= NEAR))


def _minors(internal: np.ndarray) -> dict[str, float] | None:
    """D_ijk of nabat2005 (12) to (15), the determinant of rows i, j and k; None unless there are three columns."""
    import numpy as np

    if internal.shape[1] != 3:
        return None
    triples = itertools.combinations(range(len(internal)), 3)
    return {f"D_{i + 1}{j + 1}{k + 1}": float(np.linalg.det(internal[[i, j, k]])) for i, j, k in triples}


def _print_pose(model: Model, answer: dict[str, Any]) -> None:
    headline(model, f"at {place_text(answer['pose'])}")
    if answer["kinds"]:
        cells = [
            (kind["kind"], number(kind["margin"], 4), _yes(kind["singular"]), kind["lost"]) for kind in answer["kinds"]
        ]
        print_table(("kind", "margin", "singular", "what is lost at margin 0"), cells, numbers=(1,))
        say()
        indices = {text: number(answer["indices"][name], 4) for name, text in _INDICES.items()}
        indices["manipulability"] = f"{answer['indices']['manipulability']:.4g} (m/rad)^{model.robot.dof}"
        print_list(indices | _internal(answer))
        say()
    say("the pose can be reached" if answer["reachable"] else f"out of reach: {answer['reason']}")


def _internal(answer: Mapping[str, Any]) -> dict[str, str]:
    found = answer["internal"]
    if found is None:
        return {}
    lines = {"rank of J_int": str(found["rank"])}
    if found["determinant"] is not None:
        lines["determinant of J_int"] = f"{found['determinant']:.4g}"
    if found["minors"] and len(found["minors"]) > 1:
        lines["minors of J_int"] = ", ".join(f"{name}={number(value, 4)}" for name, value in found["minors"].items())
    return lines


def _yes(singular: bool) -> Any:
    return alarm("yes") if singular else "no"


def _over_workspace(model: Model) -> dict[str, Any]:
    import numpy as np

    from parapick.cli.region import lattice, placed, region_of, worst
    from parapick.model.singularity import NEAR

    region, shares = region_of(model.robot), lattice(model.robot)
    smallest = {}
    with busy("looking at the poses of the workspace"):
        poses = placed(model.robot, shares)
        reachable = model.reach(poses).ok
        for kernel, names in _QUANTITIES.items():
            for index, values in enumerate(_where_reachable(model, kernel, poses)[: len(names)]):
                if np.isfinite(values).any():
                    value, place = worst(model.robot, shares, values, _value_of(model, kernel, index))
                    singular = {"singular": value < NEAR} if kernel == "margins" else {}
                    smallest[names[index]] = {"value": value, **singular, "pose": named(model.robot, place)}
    return {
        **about(model),
        "workspace": dataclasses.asdict(region),
        "poses": len(poses),
        "reachable_poses": int(np.count_nonzero(reachable)),
        "reachable": bool(reachable.any()),
        "reason": None if reachable.all() else _first_reason(model, poses, reachable),
        "smallest": smallest,
    }


def _first_reason(model: Model, poses: np.ndarray, reachable: np.ndarray) -> str:
    import numpy as np

    place = poses[int(np.argmin(reachable))]
    return f"{place_text(named(model.robot, place))}: {model.reach(place).reason()}"


def _where_reachable(model: Model, kernel: str, poses: np.ndarray) -> list[np.ndarray]:
    """The outputs of a kernel at poses (..., dof), infinite where a pose cannot be reached."""
    import numpy as np

    ok = model.reach(poses).ok
    outputs = model.kernel(kernel)(poses, model.parameters)
    return [np.where(ok & ~np.isnan(values), values, np.inf) for values in outputs]


def _value_of(model: Model, kernel: str, index: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda poses: _where_reachable(model, kernel, poses)[index]


def _print_workspace(model: Model, answer: dict[str, Any]) -> None:
    from parapick.cli.region import region_text

    headline(model, "over its workspace", region_text(model.robot))
    if answer["smallest"]:
        names = model.robot.task_names
        heads = ("smallest", "value", "singular", *(f"{n} (deg)" if n == "yaw" else f"at {n} (m)" for n in names))
        cells = [_smallest(name, entry) for name, entry in answer["smallest"].items()]
        print_table(heads, cells, numbers=(1, *range(3, len(heads))))
        say()
    share = answer["reachable_poses"] / answer["poses"]
    missing = f"; out of reach is {answer['reason']}" if answer["reason"] else ""
    say(f"{100 * share:.4g} % of {answer['poses']} poses can be reached{missing}")


def _smallest(name: str, entry: Mapping[str, Any]) -> tuple[Any, ...]:
    title = _INDICES.get(name, f"{name} margin")
    places = (number(v, 1, DEGREES) if k == "yaw" else number(v, 3) for k, v in entry["pose"].items())
    return (title, number(entry["value"], 4), _yes(entry["singular"]) if "singular" in entry else "", *places)
