"""A control law as a step of C, from the expressions that `simulate` runs, with limit and delay of the drives."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final, final

import casadi as ca
import numpy as np

from parapick.control import ControlLaw, Controller, Measured, Reference, acts_on_accelerations, law_name
from parapick.errors import ParameterError
from parapick.export.c.source import CSource, Numbers
from parapick.formulas import Expression, inlined
from parapick.kernel import CArgument, CFunction, CStyle, Signature, collecting, identifier, identifiers
from parapick.model import Model
from parapick.motion import Motion
from parapick.parameters import leaves, units_of
from parapick.simulation import Assembled, CompiledController, ControlStep, assembled, control_step, loop_symbols


@final
@dataclass(frozen=True)
class CLaw:
    """A law as C.

    Attributes:
        name: its name.
        source: its numbers: gains, limits, period, and the robot as the controller knows it.
        function: the step.
        fields: fields of the state with their sizes, in the order of the library's; 0 is a number and no array.
        terms: named terms of the torque, by their names in C, with their sizes.
        exact: what beside encoder angles it is given: names of `Measured` with their sizes.
        assembly: the loop it was taken from.
    """

    name: str
    source: CSource
    function: CFunction
    fields: dict[str, int]
    terms: dict[str, int]
    exact: dict[str, int]
    assembly: Assembled


def c_law(model: Model, controller: Controller, motion: Motion, style: CStyle, *, fixed: bool) -> CLaw:
    """The law of a controller as C.

    Args:
        model: the robot.
        controller: the controller.
        motion: a motion of the robot, from which gains that are not numbers are found.
        style: spelling.
        fixed: whether numbers are written into the code.

    Raises:
        ParameterError: the law has no step that a machine could run.
    """
    check_law(controller)
    assembly = assembled(model, motion, controller)
    symbols = loop_symbols(assembly.loop)
    paths = (*(path for path, _ in leaves(assembly.loop)), "period", "substep")
    numbers = Numbers("law_parameters", "g", paths, tuple(assembly.parameters.tolist()), fixed)
    source = CSource(style, numbers, symbols.parameters)
    with collecting() as notes:
        step = control_step(symbols.loop)
        exact, fields, terms = _exact(step), _fields(step.state), {"command": step.command, **step.terms}
        expression = _expression(step, fields, terms, exact, symbols.period)
    trace = source.noted_trace("law_step", expression, notes)
    sizes = {identifier(name): ca.SX(value).numel() for name, value in terms.items()}
    signature = _signature(source, model, fields, sizes, exact)
    function = source.function(trace, _comment(controller, assembly), lambda _: signature)
    return CLaw(law_name(controller.law), source, function, fields, sizes, exact, assembly)


def check_law(controller: Controller) -> None:
    """Raise `ParameterError` if a controller's law has no step that a machine could run.

    Args:
        controller: the controller.
    """
    can = "every law that is computed from its own sample and state can be exported, such as pd, pid, tsid, ppi"
    if not isinstance(controller.law, ControlLaw):
        raise ParameterError("controller", f"its law is a Python function, which has no expressions; {can}")
    if getattr(controller.law, "learns", False):
        text = f"the law {law_name(controller.law)} learns between cycles, and a real-time step does not"
        raise ParameterError("controller", f"{text}; export the law it is built on, for {can}")


def _exact(step: ControlStep) -> dict[str, int]:
    """What the law reads beside encoder angles."""
    measured = step.sample.measured
    wanted = ca.vertcat(step.next, step.applied, step.command)
    columns = {"qd": measured.qd, "x": measured.x, "xd": measured.xd}
    return {name: column.numel() for name, column in columns.items() if ca.depends_on(wanted, column)}


def _fields(state: Any) -> dict[str, int]:
    """Fields of a state: the columns whose symbols it is made of, by their names."""
    names = [entry.name() for entry in ca.vertsplit(state)]
    columns = Counter(re.sub(r"_\d+$", "", name) for name in names)
    fields = {name: 0 if name in names else size for name, size in columns.items()}
    return {known: fields[name] for name, known in identifiers(fields).items()}


def _expression(
    step: ControlStep, fields: dict[str, int], terms: dict[str, Any], exact: dict[str, int], period: Any
) -> Expression:
    sample, reference = step.sample, step.sample.reference
    places = np.cumsum([0, *(size or 1 for size in fields.values())]).tolist()
    after = dict(zip(fields, ca.vertsplit(step.next, places), strict=True))
    outputs = {f"next.{name}": column for name, column in after.items()}
    outputs |= {"applied": step.applied, **{f"terms.{name}": value for name, value in terms.items()}}
    values = inlined([*outputs.values()], [sample.step], [period])
    inputs = {
        "state": step.state,
        "q_meas": sample.measured.q,
        **{f"{name}_meas": getattr(sample.measured, name) for name in exact},
        "x_ref": reference.x,
        "xd_ref": reference.xd,
        "xdd_ref": reference.xdd,
        "payload_ref": reference.payload,
    }
    return Expression(inputs, dict(zip(outputs, values, strict=True)))


def _signature(
    source: CSource, model: Model, fields: dict[str, int], terms: dict[str, int], exact: dict[str, int]
) -> Signature:
    style, n, dof = source.style, model.robot.motors, model.robot.dof
    real, prefix = style.number, style.prefix
    arguments = (
        *source.numbers.argument_of(style),
        CArgument("s", f"{prefix}_law_state *s"),
        CArgument("q_meas", f"const {real} q_meas[{n}]"),
        *(CArgument(f"{name}_meas", f"const {real} {name}_meas[{size}]") for name, size in exact.items()),
        CArgument("r", f"const {prefix}_reference *r"),
        CArgument("terms", f"{prefix}_law_terms *terms"),
        CArgument("tau", f"{real} tau[{n}]"),
    )
    state = {name: [f"s->{name}[{k}]" for k in range(size)] or [f"s->{name}"] for name, size in fields.items()}
    wanted = {f"{name}_ref": [f"r->{name}[{k}]" for k in range(dof)] for name in ("x", "xd", "xdd")}
    inputs = {
        "state": [entry for entries in state.values() for entry in entries],
        "q_meas": [f"q_meas[{k}]" for k in range(n)],
        **{f"{name}_meas": [f"{name}_meas[{k}]" for k in range(size)] for name, size in exact.items()},
        **wanted,
        "payload_ref": [f"r->payload[{k}]" for k in range(5)],
    }
    after = {f"next.{name}": entries for name, entries in state.items()}
    outputs = {**after, "applied": [f"tau[{k}]" for k in range(n)]}
    spelt = {f"terms.{name}": [f"terms->{name}[{k}]" for k in range(size)] for name, size in terms.items()}
    return Signature(arguments, inputs, {**outputs, **spelt}, source.numbers.spelt)


def law_units(law: CLaw) -> dict[str, str]:
    """SI unit of every number of a law by its path.

    Args:
        law: the law.
    """
    torques = {path: "N m" for path in law.source.numbers.paths if path.startswith("drives.torque_max.")}
    return {**dict(units_of(law.assembly.loop)), **torques, "period": "s"}


def gains_note(controller: Controller, task: str) -> str:
    """What the gains of a law rest on beside the controller; empty where on nothing else.

    Args:
        controller: the controller.
        task: name of the task along which its gains were found.
    """
    law: Any = controller.law
    poles = getattr(law, "poles", None)
    if poles is None or poles.inertia is not None or acts_on_accelerations(law):
        return ""
    return f"gains of {law_name(law)} follow from its poles and the inertia along the task {task}; --task takes another"


def _comment(controller: Controller, assembly: Assembled) -> str:
    return (
        f"One sample of the law {law_name(controller.law)}, to be called {assembly.rate:g} times per second.\n"
        "  s: what it remembers, set up by law_reset before the first sample.\n"
        "  q_meas: encoder angles at the joints (rad, or m on rails), behind the gearboxes.\n"
        "  r: what is wanted at this sample.\n"
        "  terms: what the torque is made of, before limit and delay (N m, or N on rails).\n"
        "  tau: torque at each joint from this sample on, limit and delay of the drives in it (N m, or N on rails).\n"
        "Returns 1; 0 where a number that comes in is NaN: then all answers, and the state, are NaN."
    )


def law_structs(law: CLaw, model: Model) -> str:
    """The structs of the law's state, of its reference and of its terms.

    Args:
        law: the law.
        model: the robot.
    """
    style, dof = law.source.style, model.robot.dof
    real, prefix = style.number, style.prefix
    state = "\n".join(f"    {real} {name}{f'[{size}]' if size else ''};" for name, size in law.fields.items())
    terms = "\n".join(f"    {real} {name}[{size}];" for name, size in law.terms.items())
    return f"""/* What the law remembers from sample to sample; fresh is 1 before the first. */
typedef struct {{
{state}
}} {prefix}_law_state;

/* What is wanted at a sample. */
typedef struct {{
    {real} x[{dof}]; /* task vector (m, rad) */
    {real} xd[{dof}]; /* its rate (m/s, rad/s) */
    {real} xdd[{dof}]; /* its acceleration (m/s2, rad/s2) */
    {real} payload[5]; /* mass (kg), offset x, y, z (m), moment of inertia (kg m2), gripper included */
}} {prefix}_reference;

/* What the torque is made of (N m, or N on rails), before limit and delay; command is their sum. */
typedef struct {{
{terms}
}} {prefix}_law_terms;
"""


def reset_text(law: CLaw) -> tuple[str, str]:
    """Declaration and definition of the function that sets up the state.

    Args:
        law: the law.
    """
    prefix = law.source.style.prefix
    declaration = f"void {prefix}_law_reset({prefix}_law_state *s)"
    # The first field says whether a sample has been; what the others hold does not matter before.
    first, *_ = law.fields
    body = f"    static const {prefix}_law_state none = {{0}};\n\n    *s = none;\n    s->{first} = 1;"
    return declaration, f"/* The state before the first sample. */\n{declaration}\n{{\n{body}\n}}\n"


VECTORS: Final = 60
"""Samples of a law's vectors, from the first one of its motion's fastest part on."""

_ERROR: Final = 1e-3
"""Tracking error (rad, or m on rails) of the encoder angles in a law's vectors: torques of the size that a drive gives,
and never 0, where laws that switch on its sign would be decided by rounding."""


def law_vectors(law: CLaw, model: Model) -> dict[str, np.ndarray]:
    """Samples along a motion with small errors, and what the library's controller answers, one after the other.

    Args:
        law: the law.
        model: the robot.
    """
    series, draw = law.assembly.series, np.random.default_rng(5)
    first = min(int(np.argmax(np.linalg.norm(series.xd, axis=1))), max(len(series.t) - VECTORS, 0))
    rows = slice(first, first + VECTORS)
    x, xd, xdd, payload = series.x[rows], series.xd[rows], series.xdd[rows], series.payload_ref[rows]
    q, qd = model.inverse_kinematics(x), model.joint_rates(x, xd)
    q = q + _ERROR * (1 + 0.3 * np.sin(0.1 * np.arange(len(q))))[:, None] * draw.uniform(0.5, 1.0, q.shape[1])
    rounded = [law.source.style.rounded(each) for each in (x, xd, xdd, payload, q, qd)]
    x, xd, xdd, payload, q, qd = rounded
    sensed = {"qd": qd, "x": x, "xd": xd}
    given = {"q_meas": q, **{f"{name}_meas": sensed[name] for name in law.exact}}
    wanted = {"x": x, "xd": xd, "xdd": xdd, "payload": payload}
    return {**given, **wanted, "tau": _torques(law, q, sensed, wanted)}


def _torques(law: CLaw, q: np.ndarray, sensed: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> np.ndarray:
    """Torques of the library's controller, sample by sample (T, n)."""
    controller, answers = CompiledController(law.assembly.loop, law.assembly.parameters), []
    for k, angles in enumerate(q):
        measured = Measured(angles, *(sensed[name][k] for name in ("qd", "x", "xd")))
        answers.append(controller.step(0.0, measured, Reference(*(column[k] for column in wanted.values()))).applied)
    return np.array(answers)


def rounding_torque(law: CLaw, table: dict[str, np.ndarray], model: Model) -> float:
    """Largest change of a law's torques where each encoder angle moves to the next number of type float and back.

    Args:
        law: the law.
        table: its vectors.
        model: the robot.
    """
    q = table["q_meas"]
    turns = np.where(np.arange(len(q)) % 2, 1.0, -1.0)[:, None]
    moved = q + turns * np.spacing(np.abs(q).astype(np.float32)).astype(float)
    wanted = {name: table[name] for name in ("x", "xd", "xdd", "payload")}
    sensed = {"qd": model.joint_rates(table["x"], table["xd"]), "x": table["x"], "xd": table["xd"]}
    return float(np.abs(_torques(law, moved, sensed, wanted) - _torques(law, q, sensed, wanted)).max())
