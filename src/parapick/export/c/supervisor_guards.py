"""The guards in C: their quantities by the expressions that Python's own have, guard by guard as the table says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from parapick.export.c.supervisor_parts import CPart, RobotInC, numbers, plain_function, robot_function
from parapick.extremes import TOUCH
from parapick.formulas import expression_of
from parapick.kernel import CStyle
from parapick.supervision import (
    GUARDS,
    JOINT_QUANTITIES,
    POSE_QUANTITIES,
    WINDOW,
    Guard,
    Watch,
    columns_of,
    still_displacement,
    units_of,
)

_HEADER: Final = """/*
 * The guards: their quantities at a sample from encoder angles, the reference and the law's torque, and whether each is
 * beyond its limit.
 */
#define {M}_WINDOW {window}

/* What the supervisor reads at a sample: encoder angles; the task vector that is wanted, and the one that will be when
   a stop that begins now would end; the torques that the law asked for at the sample before; whether the torque of the
   sample before came too late; whether a drive reports that it is off; whether the emergency stop is pressed. */
typedef struct {{
    {R} q_meas[{n}];
    {R} x_ref[{dof}];
    {R} x_ahead[{dof}];
    {R} command[{n}];
    int late;
    int dead[{n}];
    int emergency;
}} {P}_signals;

/* What was before: encoder angles of the last samples, the place of the oldest, and the reference's joint angles. */
typedef struct {{
    {R} q_meas[{M}_WINDOW][{n}];
    int oldest;
    {R} q_ref[{n}];
}} {P}_guard_state;

/* Per guard one number for each of its columns. */
typedef struct {{
{columns}
}} {P}_quantities;

/* Their limits, infinite where nothing is watched; then of each encoder its smallest step and how far it may move
   within the window while its joint rests, and the control rate (Hz). */
typedef struct {{
    {P}_quantities limit;
    {R} resolution[{n}];
    {R} displacement[{n}];
    {R} rate;
}} {P}_guard_limits;

extern const {P}_guard_limits {P}_default_guard_limits;

/* A robot that rests at encoder angles q_meas where the reference asks for q_ref. */
void {P}_guards_reset({P}_guard_state *past, const {R} q_meas[{n}], const {R} q_ref[{n}]);
/* Quantities at a sample, and seen->over and seen->still from them. */
void {P}_guards({takes}const {P}_guard_limits *limits, const {P}_guard_state *past, const {P}_signals *signals,
        {P}_quantities *quantities, {P}_observation *seen);
/* The sample becomes the past: its encoder angles, and the reference x_ref that is followed at it, which is another one
   where the supervisor has just changed the state. */
void {P}_guards_remember({takes}{P}_guard_state *past, const {R} q_meas[{n}], const {R} x_ref[{dof}]);
"""

_SOURCE: Final = """{functions}
const {P}_guard_limits {P}_default_guard_limits = {{
    {{
{limits}
    }},
    {resolution},
    {displacement},
    {rate}
}};

/* Whether a number is above its limit; what is not a number is, unless nothing is watched. */
static int {P}_above(const {R} *values, const {R} *limits, int count)
{{
    int i, over = 0;
    for (i = 0; i < count; ++i) over |= !(values[i] <= limits[i]) && isfinite(limits[i]);
    return over;
}}

/* Whether a number is below its limit, which may be touched; likewise. */
static int {P}_below(const {R} *values, const {R} *limits, int count)
{{
    int i, over = 0;
    for (i = 0; i < count; ++i) over |= !(values[i] >= limits[i] - {touch}) && isfinite(limits[i]);
    return over;
}}

/* Whether there is a yes; what is neither yes nor no is none. */
static int {P}_any(const {R} *values, const {R} *limits, int count)
{{
    int i, over = 0;
    for (i = 0; i < count; ++i) over |= values[i] > limits[i];
    return over;
}}

/* What the guards on poses see at a pose. */
typedef struct {{
{pose_fields}
}} {P}_pose_seen;

static void {P}_pose({takes}const {R} x[{dof}], {P}_pose_seen *seen)
{{
{pose_locals}
{pose_calls}
{pose_copies}
}}

void {P}_guards_reset({P}_guard_state *past, const {R} q_meas[{n}], const {R} q_ref[{n}])
{{
    int i, k;
    past->oldest = 0;
    for (i = 0; i < {n}; ++i) {{
        for (k = 0; k < {M}_WINDOW; ++k) past->q_meas[k][i] = q_meas[i];
        past->q_ref[i] = q_ref[i];
    }}
}}

void {P}_guards_remember({takes}{P}_guard_state *past, const {R} q_meas[{n}], const {R} x_ref[{dof}])
{{
    int i;
    for (i = 0; i < {n}; ++i) past->q_meas[past->oldest][i] = q_meas[i];
    past->oldest = (past->oldest + 1) % {M}_WINDOW;
    (void){P}_inverse_kinematics({passes}x_ref, past->q_ref);
}}

void {P}_guards({takes}const {P}_guard_limits *limits, const {P}_guard_state *past, const {P}_signals *signals,
        {P}_quantities *quantities, {P}_observation *seen)
{{
    const {R} *const before = past->q_meas[(past->oldest + {M}_WINDOW - 1) % {M}_WINDOW];
    const {R} *const earlier = past->q_meas[(past->oldest + {M}_WINDOW - 2) % {M}_WINDOW];
    const {R} *const first = past->q_meas[past->oldest];
    {R} q_ref[{n}], x[{dof}], jump[{n}], speed[{n}], error[{n}], frozen[{n}], effort[{n}], still;
    {P}_pose_seen measured, ahead;
    int i;

    /* joints */
    (void){P}_inverse_kinematics({passes}signals->x_ref, q_ref);
    seen->still = 1;
    for (i = 0; i < {n}; ++i) {{
        const {R} q = signals->q_meas[i];
        (void){P}_joint_motion(q, before[i], earlier[i], first[i], limits->resolution[i], limits->displacement[i],
                limits->rate, &jump[i], &speed[i], &still);
        (void){P}_joint_following(q, before[i], q_ref[i], past->q_ref[i], limits->resolution[i], &error[i], &frozen[i]);
        (void){P}_joint_effort(signals->command[i], &effort[i]);
        seen->still = seen->still && still == 1;
    }}

    /* poses: the worse of where the encoders say that the plate is, and where the reference leads before a stop */
    (void){P}_forward_kinematics({passes}signals->q_meas, signals->x_ref, x);
    {P}_pose({passes}x, &measured);
    {P}_pose({passes}signals->x_ahead, &ahead);

{guards}
}}
"""

_COMMENTS: Final = {
    "joint_motion": "What an encoder alone says: acceleration beyond rounding, speed, whether its joint rests.",
    "joint_following": "An encoder beside its reference: the distance, and whether it repeats its angle.",
    "joint_effort": "What the law asks for.",
}


def guards_part(robot: RobotInC, watch: Watch) -> CPart:
    """The guards of a robot.

    Args:
        robot: the robot in C, whose functions of kinematics, reach and margins are in another file.
        watch: its guards with their limits, the defaults of C.
    """
    style, described, columns = robot.style, robot.model.robot, columns_of(robot.model)
    counts = {guard.name: len(columns[guard.name]) for guard in GUARDS}
    functions = (
        *(plain_function(style, name, made(), _COMMENTS[name]) for name, made in JOINT_QUANTITIES.items()),
        robot_function(
            robot, "border", lambda described: expression_of("border", described), "What is left to the border."
        ),
    )
    given = {
        "P": style.prefix,
        "M": style.prefix.upper(),
        "R": style.number,
        "n": described.motors,
        "dof": described.dof,
        "takes": robot.takes,
        "passes": robot.passes,
        "window": WINDOW,
        "touch": style.literal(TOUCH),
        "columns": _fields(robot, counts),
        "functions": "\n".join(function.definition for function in functions),
        "limits": ",\n".join(f"        /* {name} */ {numbers(style, watch.limits.values[name])}" for name in counts),
        "resolution": numbers(style, watch.resolution),
        "displacement": numbers(style, still_displacement(watch.rate, watch.resolution)),
        "rate": style.literal(watch.rate),
        **_poses(robot, counts),
        "guards": "\n".join(_guard(style, guard, counts[guard.name]) for guard in GUARDS),
    }
    return CPart(_HEADER.format(**given), _SOURCE.format(**given), functions)


def _fields(robot: RobotInC, counts: Mapping[str, int]) -> str:
    """Fields of the quantities, with what they are and their units."""
    units = units_of(robot.model)
    lines = []
    for guard in GUARDS:
        stated = ", ".join(dict.fromkeys(unit for unit in units[guard.name] if unit))
        comment = f"{guard.meaning}{f' ({stated})' if stated else ''}"
        lines.append(f"    /* {comment} */\n    {robot.style.number} {guard.name}[{counts[guard.name]}];")
    return "\n".join(lines)


def _poses(robot: RobotInC, counts: Mapping[str, int]) -> dict[str, str]:
    """How the quantities of a pose are put together from the robot's own functions."""
    number, model = robot.style.number, robot.model
    sizes = {guard.quantity: counts[guard.name] for guard in GUARDS}
    declared, calls, copies = [], [], []
    for name, (expression, outputs) in POSE_QUANTITIES.items():
        ports = {port.name: port for port in model.kernel(expression).ports.outputs}
        declared += [f"    {number} {expression}_{port.name}[{port.size}];" for port in ports.values()]
        arguments = ", ".join(f"{expression}_{port}" for port in ports)
        calls.append(f"    (void){robot.style.prefix}_{expression}({robot.passes}x, {arguments});")
        place = 0
        for output in outputs:
            for i in range(ports[output].size):
                copies.append(f"    seen->{name}[{place}] = {expression}_{output}[{i}];")
                place += 1
    fields = [f"    {number} {name}[{sizes[name]}];" for name in POSE_QUANTITIES]
    texts = {"pose_fields": fields, "pose_locals": declared, "pose_calls": calls, "pose_copies": copies}
    return {name: "\n".join(lines) for name, lines in texts.items()}


def _guard(style: CStyle, guard: Guard, count: int) -> str:
    """A guard: its quantity, and whether it is beyond its limit."""
    name, quantity, prefix = guard.name, guard.quantity, style.prefix
    if quantity in POSE_QUANTITIES:
        allowed = f" + {style.literal(guard.allowance)}" if guard.allowance else ""
        value = f"{prefix}_min(measured.{quantity}[i]{allowed}, ahead.{quantity}[i])"
    elif not quantity:
        value = "0"
    elif quantity == "dead":
        value = "signals->dead[i] != 0"
    elif quantity in ("late", "emergency"):
        value = f"signals->{quantity} != 0"
    else:
        value = f"{quantity}[i]"
    test = "any" if guard.truth else "below" if guard.floor else "above"
    compared = f"{prefix}_{test}(quantities->{name}, limits->limit.{name}, {count})"
    return (
        f"    /* {guard.meaning} */\n"
        f"    for (i = 0; i < {count}; ++i) quantities->{name}[i] = {value};\n"
        f"    seen->over[{prefix.upper()}_GUARD_{name.upper()}] = {compared};"
    )
