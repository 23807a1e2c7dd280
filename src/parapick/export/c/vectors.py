"""Vectors for the test program: poses, and what the library answers there."""

from __future__ import annotations

from typing import Final

import numpy as np

from parapick.kernel import CStyle, identifier
from parapick.model import Model

COUNT: Final = 40
"""Poses of the vectors; one more is out of reach."""

MARGIN: Final = 0.1
"""Smallest margin to a singularity of a pose: nearer ones amplify rounding."""

_DRAWS: Final = 40
"""Random poses drawn for each that is wanted, at most."""

_SPREAD: Final = 0.35
"""Half width of the box about home, as a share of the longest rod, and of a rad."""


def regular_poses(model: Model, count: int, seed: int = 0) -> np.ndarray:
    """Random poses (up to count, dof) about home with margins above `MARGIN`, within every limit.

    Args:
        model: the robot.
        count: how many.
        seed: of the random numbers.
    """
    draw, home = np.random.default_rng(seed), np.array(model.robot.home)
    size = max(float(leg.rod) for leg in model.numbers.rod_legs())
    width = _SPREAD * np.array([size, size, size, 1.0])[: model.robot.dof]
    poses = home + draw.uniform(-width, width, (_DRAWS * count, model.robot.dof))
    margins = model.margins(poses)
    with np.errstate(invalid="ignore"):
        regular = np.minimum(np.minimum(margins.under, margins.over), margins.internal) > MARGIN
    return poses[regular & model.reach(poses).ok][:count]


def model_vectors(
    model: Model, names: tuple[str, ...], style: CStyle, count: int = COUNT
) -> dict[str, dict[str, np.ndarray]]:
    """Inputs and answers of every function of the model, the last row out of reach.

    Args:
        model: the robot.
        names: the functions.
        style: the type of numbers, to which inputs are rounded before the library gets them.
        count: number of poses.
    """
    inside = regular_poses(model, count)
    x = np.vstack([inside, inside[0] + 100.0])
    draw = np.random.default_rng(7)
    payload = np.tile(model.held.vector(), (len(x), 1)) + draw.uniform(0, 0.1, (len(x), 5)) * [1, 0.1, 0.1, 0.1, 0.01]
    given = {
        "x": x,
        "xd": draw.normal(0, 1, x.shape),
        "xdd": draw.normal(0, 10, x.shape),
        "payload": payload,
        "guess": x + draw.uniform(-0.02, 0.02, x.shape),
    }
    # The library's own angles; those of the pose out of reach are of no pose at all.
    given["q"] = np.nan_to_num(model.inverse_kinematics(x), nan=10.0)
    given = {name: style.rounded(values) for name, values in given.items()}
    vectors = {}
    for name in names:
        kernel = model.kernel(name)
        ports = [port.name for port in kernel.ports.inputs]
        answers = model.kernels(name, *(given[port] for port in ports))
        outputs = {port.name: answer for port, answer in zip(kernel.ports.outputs, answers, strict=True)}
        vectors[name] = {**{port: given[port] for port in ports}, **outputs}
    return vectors


def table_text(style: CStyle, function: str, name: str, values: np.ndarray) -> str:
    """A table of numbers, one row a vector.

    Args:
        style: spelling.
        function: the function it belongs to.
        name: the argument.
        values: rows first.
    """
    rows = np.asarray(values, dtype=float).reshape(len(values), -1)
    lines = [f"    {{{', '.join(style.literal(float(value)) for value in row)}}}," for row in rows]
    head = f"static const {style.number} {style.prefix}_{function}_{identifier(name)}[{len(rows)}][{rows.shape[1]}]"
    return "\n".join([f"{head} = {{", *lines, "};", ""])
