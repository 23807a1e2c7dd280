"""The simulated machine as C: the plant of `parapick simulate`, printed; for machines that a controller drives.

Each function is the library's own expression, the numbers of the robot are constants in it. What brakes hold is the
loop that a supervised run has while its drives are off, with their torques as an input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.control import JointFriction, prepared
from parapick.formulas import Expression, inlined
from parapick.kernel import (
    CArgument,
    CFunction,
    CStyle,
    Signature,
    c_function,
    helper_texts,
    plain_signature,
    trace_of,
)
from parapick.operation import braked, held_inertia, stable
from parapick.simulation import STAGES, Assembled, Loop, initial_state, plant_stage, state_rows

HEAD: Final = """\
/* SPDX-License-Identifier: {licence}
 * {title}
 */
#ifdef __FAST_MATH__
#error "compile without -ffast-math: NaN says that an answer is not valid"
#endif
#include <math.h>

typedef double {number};

"""

OWN_LICENCE: Final = "Apache-2.0"

_STAGE: Final = "One stage of Runge-Kutta."
_SEEN: Final = "Pose and its rate (m, rad, s), what encoders say of the motors, and their rates, at the joints."


@final
@dataclass(frozen=True)
class CellPlant:
    """The plant of a virtual cell as C.

    Attributes:
        text: the source; it defines `plant`, a `pp_plant`.
        substeps: integration steps of a period while brakes are released.
        finer: the same while one holds.
        start: its state at the start.
    """

    text: str
    substeps: int
    finer: int
    start: tuple[float, ...]


def printed(
    prefix: str, name: str, expression: Expression, comment: str, notes: Any = None, pointers: Iterable[str] = ()
) -> CFunction:
    """An expression as a function of C.

    Args:
        prefix: of its name and of all that it calls.
        name: its name behind the prefix.
        expression: what it computes.
        comment: stands over it.
        notes: names of its values.
        pointers: inputs and outputs that are pointers though they have one entry.
    """
    inputs: Mapping[str, Any] = expression.inputs
    trace = trace_of(name, inputs, None, expression.outputs, expression.validity, notes)
    style = CStyle(prefix)
    signature = _with_pointers(plain_signature(trace, style), frozenset(pointers), style)
    return c_function(trace, f"{prefix}_{name}", style, signature, comment)


def _with_pointers(plain: Signature, names: frozenset[str], style: CStyle) -> Signature:
    """The signature with pointers for inputs that would be single numbers."""
    changed = []
    for one in plain.arguments:
        single = one.name in names and "[" not in one.declaration
        changed.append(CArgument(one.name, f"const {style.number} {one.name}[1]") if single else one)
    inputs = {
        name: [f"{name}[0]"] if name in names and len(spelt) == 1 else spelt for name, spelt in plain.inputs.items()
    }
    return replace(plain, arguments=tuple(changed), inputs=inputs)


def included_file(prefix: str, title: str, functions: Iterable[CFunction], licence: str) -> str:
    """Functions as a file that one other file includes: nobody else sees them.

    Args:
        prefix: of their names.
        title: what the file is.
        functions: the functions.
        licence: its licence, as SPDX names it.
    """
    functions = tuple(functions)
    style = CStyle(prefix)
    helpers = helper_texts(style, frozenset(key for each in functions for key in each.helpers))
    head = HEAD.format(licence=licence, title=title, number=style.number)
    own = (each.definition.replace(each.declaration, f"static {each.declaration}", 1) for each in functions)
    return head + "\n".join([helpers, *own])


def stage_expression(loop: Loop, names: Mapping[str, str], step: float | None = None) -> Expression:
    """A stage of the plant's integrator.

    Args:
        loop: the loop, its numbers known.
        names: what its inputs are called, by the names that `PlantInput` has for them.
        step: length of an integration step (s); None: an input.
    """
    stage = plant_stage(loop)
    after = stage.next.column
    if step is not None:
        (after,) = inlined([after], [stage.load.step], [ca.SX(step)])
    load = {called: getattr(stage.load, name) for name, called in names.items()}
    return Expression({"state": stage.state.column, **load}, {"next": after})


def seen_expression(loop: Loop, names: Mapping[str, str]) -> Expression:
    """What is seen of the plant.

    Args:
        loop: the loop, its numbers known.
        names: what is given of it, by the names of `PlantStage.seen`.
    """
    stage = plant_stage(loop)
    return Expression({"state": stage.state.column}, {called: stage.seen[name] for name, called in names.items()})


def start_of(loop: Loop, x: np.ndarray, motor: tuple[np.ndarray, np.ndarray] | None = None) -> tuple[float, ...]:
    """State of the plant at rest at a pose.

    Args:
        loop: the loop.
        x: the pose (dof), m and rad.
        motor: angles and rates of the rotors where the drive train is elastic (n each); None: springs at rest.
    """
    count = sum(rows.stop - rows.start for rows in state_rows(loop).values())
    return tuple(initial_state(loop, x, np.zeros(loop.dof), count + 1, motor)[:count].tolist())


def cell_plant(assembly: Assembled, prefix: str, brake: np.ndarray, x: np.ndarray) -> CellPlant:
    """The plant of a virtual cell, with brakes.

    Args:
        assembly: the loop: its controller's plant, friction, lag and integration steps.
        prefix: of every symbol.
        brake: torque of the brakes at the joints (n,), N m.
        x: pose at the start (dof), m and rad.
    """
    loop, rate = cell_loop(assembly.loop), assembly.rate
    held = braked(loop, brake, held_inertia(assembly.plant, loop, x))
    finer = stable(replace(assembly, loop=held), x).substeps
    column = ca.SX.sym("brake", loop.motors)
    inputs = {"command": "torque", "payload": "load", "force": "force"}
    free = stage_expression(loop, {**inputs, "step": "step"})
    with_brakes = stage_expression(_braked_by(loop, held, column), {**inputs, "step": "step"})
    order = ("state", "torque", "load", "force", "brake", "step")
    inner = {**with_brakes.inputs, "brake": column}
    with_brakes = Expression({name: inner[name] for name in order}, with_brakes.outputs)
    rates = "qd" if loop.drive_train is None else "qd_motor"
    seen = seen_expression(loop, {"x": "x", "xd": "xd", "q_meas": "q", rates: "qd"})
    # A robot with one motor or one coordinate has arrays too.
    arrays = ("torque", "force", "brake")
    functions = (
        printed(prefix, "stage", free, _STAGE, pointers=arrays),
        printed(prefix, "braked", with_brakes, f"{_STAGE} Brakes hold.", pointers=arrays),
        printed(prefix, "seen", seen, _SEEN),
    )
    start = start_of(loop, x)
    steps = max(finer, assembly.substeps)
    title = f"{assembly.model.robot.name}: the simulated machine, {assembly.substeps} steps in {1e6 / rate:g} us"
    text = included_file(prefix, title, functions, OWN_LICENCE)
    table = _plant_table(loop, prefix, (assembly.substeps, steps), start)
    return CellPlant(text + table, assembly.substeps, steps, start)


def cell_loop(loop: Loop) -> Loop:
    """The loop of a plant that brakes may hold: with friction, if only with none, and a force on the plate.

    Args:
        loop: the loop.
    """
    friction = loop.friction or prepared(JointFriction(), loop.plant)[0]
    return replace(loop, friction=friction, forces=True, torques=False)


def _braked_by(free: Loop, held: Loop, brake: Any) -> Loop:
    """The loop of brakes, those of them that hold given by their torques."""
    assert free.friction is not None and held.friction is not None and held.settling is not None  # noqa: S101, PT018
    rest: tuple[Any, ...] = tuple(np.broadcast_to(free.friction.coulomb, (free.motors,)).tolist())
    coulomb = tuple(rest[i] + brake[i] for i in range(free.motors))
    settling = tuple(ca.if_else(brake[i] > 0, held.settling[i], 0.0) for i in range(free.motors))
    # A drive that is switched off still has the current's lag: the state is the same with brakes and without.
    drives = replace(free.drives, delay=0)
    return replace(held, drives=drives, friction=replace(held.friction, coulomb=coulomb), settling=settling)


def _plant_table(loop: Loop, prefix: str, steps: tuple[int, int], start: tuple[float, ...]) -> str:
    """What a cell must know of its plant, as C."""
    rows = state_rows(loop)["lag"]
    lag = rows.start if rows.stop > rows.start else -1
    style = CStyle(prefix)
    numbers = ", ".join(style.literal(value) for value in start)
    values = (len(start), loop.motors, loop.dof, *steps, STAGES, lag)
    return (
        f"\nstatic const double {prefix}_start[{len(start)}] = {{{numbers}}};\n\n"
        f"const pp_plant {prefix}_plant = {{\n    {', '.join(str(value) for value in values)}, {prefix}_start,\n"
        f"    {prefix}_stage, {prefix}_braked, {prefix}_seen,\n}};\n"
    )
