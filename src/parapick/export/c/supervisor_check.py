"""The part of the test program that checks the supervisor: steps, guards and a stop against the library's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from parapick.export.c.law import CLaw
from parapick.export.c.source import CSource
from parapick.export.c.supervised import BELIEVED, CSupervisor
from parapick.export.c.supervisor_parts import whole
from parapick.export.c.supervisor_unit import watch_of
from parapick.export.c.supervisor_vectors import (
    RULES,
    SAMPLES,
    GuardVectors,
    StopVectors,
    guard_vectors,
    stop_vectors,
    walk,
)
from parapick.export.c.vectors import table_text
from parapick.kernel import CStyle

_PROGRAM: Final = """\
/* Whole numbers and truths must be the same. */
static int differ(const char *what, int wrong)
{{
    printf("%s %s: %d differ\\n", wrong ? "WRONG" : "ok   ", what, wrong);
    return wrong;
}}

static int check_supervisor(void)
{{
    static const {P}_rules rules = {{{persistence}, {settled}}};
    {P}_supervisor_state memory;
    {P}_observation seen;
    int i, k, wrong = 0;

    {P}_supervisor_reset(&memory);
    for (k = 0; k < {steps}; k++) {{
        const int *const row = {P}_supervisor_steps[k];
        for (i = 0; i < {M}_GUARDS; i++)
            seen.over[i] = i == row[0];
        seen.still = row[1];
        seen.arrived = row[2];
        seen.command = row[3];
        {P}_supervisor_step(&rules, &memory, &seen);
        wrong += memory.state != row[4] || memory.fault != row[5] || memory.event != row[6] || memory.cause != row[7];
    }}
    return differ("supervisor_step", wrong);
}}

static int check_guards(void)
{{
{found}
    {P}_guard_state past;
    {P}_signals signals;
    {P}_quantities quantities;
    {P}_observation seen;
    int i, k, wrong = 0;

    {P}_guards_reset(&past, {P}_guards_q_before[0], {P}_guards_q_ref[0]);
    for (k = 0; k < {samples}; k++) {{
        for (i = 0; i < {n}; i++) {{
            signals.q_meas[i] = {P}_guards_q_meas[k][i];
            signals.command[i] = {P}_guards_command[k][i];
            signals.dead[i] = {P}_guards_flags[k][2 + i];
        }}
        for (i = 0; i < {dof}; i++) {{
            signals.x_ref[i] = {P}_guards_x_ref[k][i];
            signals.x_ahead[i] = {P}_guards_x_ahead[k][i];
        }}
        signals.late = {P}_guards_flags[k][0];
        signals.emergency = {P}_guards_flags[k][1];
        {P}_guards({numbers}&{P}_default_guard_limits, &past, &signals, &quantities, &seen);
        {P}_guards_remember({numbers}&past, signals.q_meas, signals.x_ref);
{copies}
        for (i = 0; i < {M}_GUARDS; i++)
            wrong += seen.over[i] != {P}_guards_seen[k][i];
        wrong += seen.still != {P}_guards_seen[k][{M}_GUARDS];
    }}
    wrong = differ("guards over and still", wrong);
{checks}
    return wrong;
}}

static int check_stop(void)
{{
    static {R} found[{stops}][{wanted}];
    {P}_stop_limits limits = {P}_default_stop_limits;
    {P}_stop_state stop;
    int i, k, wrong = 0;

    limits.period = {period};
    {P}_stop_begin(&limits, &stop, {begin}, {pace});
    for (k = 0; k < {stops}; k++) {{
        const {R} *const row = {P}_stop_course[k];
        const {R} s = stop.s, pace = stop.pace;
        wrong += {P}_stop_step({numbers}&limits, &stop, row, row + {dof}, row + {twice}, {P}_stop_payload[0],
            &found[k][3], &found[k][3 + {dof}], &found[k][2]) != (k + 1 < {stops});
        found[k][0] = s;
        found[k][1] = pace;
        for (i = 0; i < {wanted}; i++)
            wrong += isnan(found[k][i]) != 0;
    }}
    wrong = differ("stop_step moves", wrong);
    return wrong + check("stop_step s, pace, load, xd, xdd", &found[0][0], &{P}_stop_plan[0][0], {stops} * {wanted}, 0);
}}
"""

_ALL: Final = """
static int check_supervision(void)
{
    return check_supervisor() + check_guards() + check_stop();
}
"""


class CheckTexts(NamedTuple):
    """What checks the supervisor.

    Attributes:
        program: functions of C, the last of which calls the others, and its name.
        tables: their vectors.
    """

    program: tuple[str, str]
    tables: str


def supervisor_check(source: CSource, law: CLaw, supervisor: CSupervisor) -> CheckTexts:
    """What checks the supervisor in the test program.

    Args:
        source: style and numbers of the model.
        law: the law.
        supervisor: its supervisor.
    """
    style, fixed = source.style, source.numbers.fixed
    prefix, robot = style.prefix, supervisor.model.robot
    guards, stop, steps = guard_vectors(law, supervisor, style), stop_vectors(law, supervisor, style), walk()
    values = guards.watched.values
    sizes = {name: each.shape[1] for name, each in values.items()}
    plan = np.column_stack([stop.plan.s, stop.plan.pace, stop.plan.load, stop.plan.xd, stop.plan.xdd])
    given = "" if fixed else f"&{prefix}_{BELIEVED if supervisor.believed else 'default'}, "
    text = _PROGRAM.format(
        P=prefix,
        M=prefix.upper(),
        R=style.number,
        n=robot.motors,
        dof=robot.dof,
        twice=2 * robot.dof,
        persistence=whole(RULES.persistence),
        settled=RULES.settled,
        steps=len(steps),
        samples=SAMPLES,
        found="\n".join(f"    static {style.number} {name}[{SAMPLES}][{size}];" for name, size in sizes.items()),
        numbers=given,
        copies="\n".join(_copies(sizes)),
        checks="\n".join(_checks(style, sizes, watch_of(supervisor.model, supervisor.machine).limits.values)),
        stops=len(plan),
        wanted=plan.shape[1],
        period=style.literal(stop.period),
        begin=style.literal(stop.begin[0]),
        pace=style.literal(stop.begin[1]),
    )
    return CheckTexts((f"{text}{_ALL}", "check_supervision"), "\n".join(_tables(style, guards, stop, steps, plan)))


def _copies(sizes: Mapping[str, int]) -> Iterator[str]:
    for name, size in sizes.items():
        yield f"        for (i = 0; i < {size}; i++)\n            {name}[k][i] = quantities.{name}[i];"


def _checks(style: CStyle, sizes: Mapping[str, int], limits: Mapping[str, np.ndarray]) -> Iterator[str]:
    for name, size in sizes.items():
        # Differences of encoder angles magnify the rounding of a float: judged by the limit they are compared with.
        finite = np.abs(limits[name][np.isfinite(limits[name])])
        scale = style.literal(float(finite.max())) if style.real == "float" and finite.size else "0"
        expected = f"&{style.prefix}_guards_{name}[0][0]"
        yield f'    wrong += check("guards {name}", &{name}[0][0], {expected}, {SAMPLES * size}, {scale});'


def _tables(
    style: CStyle, guards: GuardVectors, stop: StopVectors, steps: np.ndarray, plan: np.ndarray
) -> Iterator[str]:
    signals, watched = guards.signals, guards.watched
    yield _whole_table(style, "supervisor_steps", steps)
    given = {
        "q_before": guards.past.q_meas[:1],
        "q_ref": guards.past.q_ref[None],
        "q_meas": signals.q_meas,
        "x_ref": signals.x_ref,
        "x_ahead": signals.x_ahead,
        "command": signals.command,
    }
    for name, values in {**given, **watched.values}.items():
        yield table_text(style, "guards", name, values)
    yield _whole_table(style, "guards_flags", np.column_stack([signals.late, signals.emergency, signals.dead]))
    yield _whole_table(style, "guards_seen", np.column_stack([watched.over, watched.still]))
    yield table_text(style, "stop", "course", stop.course)
    yield table_text(style, "stop", "payload", stop.payload[None])
    yield table_text(style, "stop", "plan", plan)


def _whole_table(style: CStyle, name: str, rows: np.ndarray) -> str:
    """A table of whole numbers, one row a vector."""
    lines = [f"    {whole(row)}," for row in rows]
    head = f"static const int {style.prefix}_{name}[{len(rows)}][{rows.shape[1]}]"
    return "\n".join([f"{head} = {{", *lines, "};", ""])
