"""The controlled stop in C: a sample tries its slowings in a loop of fixed length, by the same expressions."""

from __future__ import annotations

from typing import Final

from parapick.export.c.supervisor_parts import CPart, RobotInC, numbers, plain_function, robot_function
from parapick.motors import JUDGED
from parapick.supervision import CHOICES, StopLimits, stop_advance, stop_begin, stop_try

_HEADER: Final = """/*
 * The controlled stop: the time s along the path is slowed to rest, so that the plate stays on its path.
 */
#define {M}_STOP_CHOICES {choices}

/* What a stop must hold: torque limits at the joints, the share of them that is left to the law, the time (s) in which
   a pace of 1 falls to zero, and the control period (s). */
typedef struct {{
    {R} torque_max[{n}];
    {R} reserve;
    {R} stop_time;
    {R} period;
}} {P}_stop_limits;

/* Path time s (s) at the next sample, its rate (1 is the pace of the motion, 0 rest), the strongest slowing (1/s). */
typedef struct {{
    {R} s;
    {R} pace;
    {R} slowing_max;
}} {P}_stop_state;

extern const {P}_stop_limits {P}_default_stop_limits;

/* Begin a stop after the sample whose path time and pace are given; the path is then asked for at stop->s. */
void {P}_stop_begin(const {P}_stop_limits *limits, {P}_stop_state *stop, {R} s, {R} pace);
/* One sample: x, x_s and x_ss are the path at stop->s and its derivatives by s, payload what the tool holds (5). Gives
   the reference xd, xdd of this sample and the largest share of its torque limit that a motor needs (load; infinite
   where the pose is out of reach), and moves stop to the next sample. Returns 0 where the plate rests, otherwise 1. */
int {P}_stop_step({takes}const {P}_stop_limits *limits, {P}_stop_state *stop, const {R} x[{dof}], const {R} x_s[{dof}],
        const {R} x_ss[{dof}], const {R} payload[5], {R} xd[{dof}], {R} xdd[{dof}], {R} *load);
"""

_SOURCE: Final = """{functions}
const {P}_stop_limits {P}_default_stop_limits = {{{torque}, {reserve}, {stop_time}, {period}}};

void {P}_stop_begin(const {P}_stop_limits *limits, {P}_stop_state *stop, {R} s, {R} pace)
{{
    stop->pace = pace;
    (void){P}_stop_first(s, pace, limits->period, limits->stop_time, &stop->s, &stop->slowing_max);
}}

int {P}_stop_step({takes}const {P}_stop_limits *limits, {P}_stop_state *stop, const {R} x[{dof}], const {R} x_s[{dof}],
        const {R} x_ss[{dof}], const {R} payload[5], {R} xd[{dof}], {R} xdd[{dof}], {R} *load)
{{
    const int moving = stop->pace != 0;
    {R} choice = 0, kept = 0, slowing = 0, least = INFINITY;
    int i;

    /* slowings from the strongest to none: the first under which every motor keeps its share, or the least load */
    for (i = 0; i < {M}_STOP_CHOICES; ++i) {{
        (void){P}_stop_try({passes}choice, kept, slowing, least, x, x_s, x_ss, stop->pace, stop->slowing_max,
                limits->reserve, payload, limits->torque_max, &choice, &kept, &slowing, &least);
    }}
    *load = least;
    (void){P}_stop_advance(stop->s, stop->pace, slowing, limits->period, x_s, x_ss, &stop->s, &stop->pace, xd, xdd);
    return moving;
}}
"""


def stop_part(robot: RobotInC, limits: StopLimits) -> CPart:
    """The controlled stop.

    Args:
        robot: the robot in C.
        limits: what a stop must hold, as the default of C.
    """
    model, style = robot.model, robot.style
    sharing = model.sharing or JUDGED
    functions = (
        plain_function(style, "stop_first", stop_begin(), "Path time at the first sample, and the strongest slowing."),
        robot_function(robot, "stop_try", lambda described: stop_try(described, sharing), "One slowing tried."),
        plain_function(style, "stop_advance", stop_advance(model.robot.dof), "The sample's reference, and the next s."),
    )
    given = {
        "P": style.prefix,
        "M": style.prefix.upper(),
        "R": style.number,
        "n": model.robot.motors,
        "dof": model.robot.dof,
        "takes": robot.takes,
        "passes": robot.passes,
        "choices": CHOICES,
        "functions": "\n".join(function.definition for function in functions),
        "torque": numbers(style, limits.torque),
        "reserve": style.literal(limits.reserve),
        "stop_time": style.literal(limits.stop_time),
        "period": style.literal(1.0 / limits.rate),
    }
    return CPart(_HEADER.format(**given), _SOURCE.format(**given), functions)
