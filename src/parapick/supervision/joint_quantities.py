"""What the guards see of a joint, as expressions of one motor: its encoder, its reference, what the law asks for.

Letters: `q` encoder angle at a sample, `q_before` and `q_earlier` one and two samples ago, `q_first` that of `WINDOW`
samples ago; `q_ref` what the reference asks for, `q_ref_before` what it asked for a sample ago. Every expression has
its own kernel, so that what is not a number in one of them, such as a reference out of reach, stays there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import casadi as ca

from parapick.formulas import Expression
from parapick.kernel import Kernel, Recipe, build, known

WINDOW: Final = 20
"""Samples that are kept to see differences and rest."""

ROUNDED: Final = 4.0
"""Encoder steps that a second difference of rounded angles can have by rounding alone."""

MOVING: Final = 2.0
"""Encoder steps by which a reference must move within a sample to move for certain."""

EXACT: Final = 1e-9
"""Resolution (rad, m) of encoders that are exact."""


def joint_motion() -> Expression:
    """What the encoder alone says: acceleration beyond rounding, speed, and whether the joint rests.

    `jump = max(|q - 2 q_before + q_earlier| - 4 resolution, 0) rate^2` with the resolution of a rounded encoder,
    `speed = |q - q_before| rate`, `still = |q - q_first| <= displacement`.
    """
    q, before, earlier, first = _scalars("q", "q_before", "q_earlier", "q_first")
    resolution, displacement, rate = _scalars("resolution", "displacement", "rate")
    step = q - before
    rounding = ca.if_else(resolution > EXACT, ROUNDED * resolution, 0.0)
    outputs = {
        "jump": ca.fmax(ca.fabs(step - (before - earlier)) - rounding, 0.0) * rate**2,
        "speed": ca.fabs(step) * rate,
        "still": ca.fabs(q - first) <= displacement,
    }
    return Expression(_named(q, before, earlier, first, resolution, displacement, rate), outputs)


def joint_following() -> Expression:
    """The encoder beside its reference: the distance, and whether it repeats its angle while the reference moves on.

    `error = |q - q_ref|`, `frozen = (q = q_before) and |q_ref - q_ref_before| > 2 resolution`.
    """
    q, before, reference, reference_before = _scalars("q", "q_before", "q_ref", "q_ref_before")
    (resolution,) = _scalars("resolution")
    moves = ca.fabs(reference - reference_before) > MOVING * resolution
    outputs = {"error": ca.fabs(q - reference), "frozen": ca.logic_and(q == before, moves)}
    return Expression(_named(q, before, reference, reference_before, resolution), outputs)


def joint_effort() -> Expression:
    """What the law asks for: `effort = |command|`."""
    (command,) = _scalars("command")
    return Expression(_named(command), {"effort": ca.fabs(command)})


JOINT_QUANTITIES: Final[dict[str, Callable[[], Expression]]] = {
    "joint_motion": joint_motion,
    "joint_following": joint_following,
    "joint_effort": joint_effort,
}
"""Every expression of a joint by its name."""


def joint_kernel(name: str) -> Kernel:
    """The kernel of an expression of a joint; its inputs are columns of one number.

    Args:
        name: a key of `JOINT_QUANTITIES`.
    """

    def made() -> Kernel:
        expression = JOINT_QUANTITIES[name]()
        return build(name, expression.inputs, None, expression.outputs)

    return known(Recipe(("parapick.supervision",), name, ()), made)


def _scalars(*names: str) -> list[Any]:
    return [ca.SX.sym(name) for name in names]


def _named(*symbols: Any) -> dict[str, Any]:
    return {symbol.name(): symbol for symbol in symbols}
