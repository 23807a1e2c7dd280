"""A step of the controller: a law with the limit and the delay of the drives, started at its first sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import casadi as ca

from parapick.control import Sample, column
from parapick.errors import ParameterError
from parapick.formulas import inlined
from parapick.simulation.loop import Loop


@final
@dataclass(frozen=True)
class ControlStep:
    """One sample of the controller, as expressions.

    The first entry of the state is 1 before the first sample and 0 after it: at the first sample the law starts from
    what it gets, and the drives have been giving the torque it asks for then.

    Attributes:
        sample: the symbols of the sample; its limit is that of the drives.
        state: column of symbols.
        next: state after the sample.
        fresh: whether this is the first sample.
        command: torques the law wants (n), N m.
        applied: torques the drives are asked for from this sample on, limit and delay included (n), N m.
        terms: named terms of the command (n each).
        estimate: what the law believes.
    """

    sample: Sample
    state: Any
    next: Any
    fresh: Any
    command: Any
    applied: Any
    terms: dict[str, Any]
    estimate: dict[str, Any]


def control_step(loop: Loop) -> ControlStep:
    """A step of the controller of a loop.

    Args:
        loop: the loop, with symbols in its fields.

    Raises:
        ParameterError: a Python callable stands in for its law, which has no expressions.
    """
    if loop.law is None:
        raise ParameterError("law", "is a Python callable, which cannot be compiled")
    stage = loop.law.stage(loop.controller)
    n, limit = loop.motors, column(loop.drives.torque_max)
    fresh, memory = ca.SX.sym("fresh"), stage.state
    queue = [ca.SX.sym(f"queue{k}", n) for k in range(loop.drives.delay)]
    started = ca.if_else(fresh > 0, stage.initial, memory)
    values = inlined(
        [stage.next, stage.torque, *stage.terms.values(), *stage.estimate.values()],
        [memory, stage.sample.limit],
        [started, limit],
    )
    after, command, *rest = values
    terms, estimate = rest[: len(stage.terms)], rest[len(stage.terms) :]
    limited = ca.fmin(ca.fmax(command, -limit), limit)
    waiting = [ca.if_else(fresh > 0, limited, entry) for entry in queue] + [limited]
    return ControlStep(
        sample=stage.sample,
        state=ca.vertcat(fresh, memory, *queue),
        next=ca.vertcat(ca.SX(0.0), after, *waiting[1:]),
        fresh=fresh,
        command=command,
        applied=waiting[0],
        terms=dict(zip(stage.terms, terms, strict=True)),
        estimate=dict(zip(stage.estimate, estimate, strict=True)),
    )
