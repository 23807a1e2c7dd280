"""The generated side of the runtime: a robot's law, guards, supervisor and stop as functions that the loop calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from parapick.control import ControlLaw, Controller
from parapick.errors import ParameterError
from parapick.export import CLaw, check_law, supervised_law
from parapick.kernel import identifier
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation import check_stoppable
from parapick.runtime.loop_layout import QUANTITIES_MAX, TERMS_MAX
from parapick.supervision import NAMES, Event, State, Supervisor, columns_of

STATES: Final = tuple(State)
"""Operating states in the order of their numbers in C."""

EVENTS: Final = (None, *Event)
"""Events in the order of their numbers in C; 0 is nothing."""

_NAMES_TEXT: Final = """/* Numbers of states, events and guards, printed from the supervisor's table. */
#ifndef PP_NAMES_H
#define PP_NAMES_H
{lines}
#endif
"""

_SOURCE: Final = """/* SPDX-License-Identifier: Apache-2.0
 * {robot}: its generated functions as the runtime's loop calls them. A program has one robot. */
#include <string.h>

#include "{P}.h"
#include "loop.h"

static {P}_law_state law_state;
static {P}_guard_state past;
static {P}_supervisor_state supervisor;
static {P}_stop_state stop;
static {P}_observation observed;

static void reset(void)
{{
    {P}_law_reset(&law_state);
    {P}_supervisor_reset(&supervisor);
    memset(&past, 0, sizeof past);
    memset(&stop, 0, sizeof stop);
    memset(&observed, 0, sizeof observed);
}}

static void rest(const double *q_meas, const double *x_ref)
{{
    double q_ref[{n}];
    (void){P}_inverse_kinematics(x_ref, q_ref);
    {P}_guards_reset(&past, q_meas, q_ref);
}}

static void look(const pp_sight *sight, double *numbers)
{{
    {P}_signals signals;
    {P}_quantities quantities;
    int i;
    memcpy(signals.q_meas, sight->q_meas, sizeof signals.q_meas);
    memcpy(signals.x_ref, sight->x_ref, sizeof signals.x_ref);
    memcpy(signals.x_ahead, sight->x_ahead, sizeof signals.x_ahead);
    memcpy(signals.command, sight->command, sizeof signals.command);
    for (i = 0; i < {n}; ++i) signals.dead[i] = sight->dead[i];
    signals.late = sight->late;
    signals.emergency = sight->emergency;
    {P}_guards(&{P}_default_guard_limits, &past, &signals, &quantities, &observed);
    memcpy(numbers, &quantities, sizeof quantities);
}}

static void decide(int arrived, int command, pp_decision *decision)
{{
    observed.arrived = arrived;
    observed.command = command;
    {P}_supervisor_step(&{P}_default_rules, &supervisor, &observed);
    decision->state = supervisor.state;
    decision->event = supervisor.event;
    decision->cause = supervisor.cause;
    decision->fault = supervisor.fault;
    decision->still = observed.still;
}}

static void keep(const double *q_meas, const double *x_ref)
{{
    {P}_guards_remember(&past, q_meas, x_ref);
}}

static int energised(void)
{{
    return {P}_supervisor_energised(&supervisor);
}}

static int law(const double *q_meas, const double *qd, const pp_row *row, double *numbers, double *command,
               double *torque)
{{
    {P}_reference reference;
    {P}_law_terms terms;
    int sound;
    memcpy(reference.x, row->x, sizeof reference.x);
    memcpy(reference.xd, row->xd, sizeof reference.xd);
    memcpy(reference.xdd, row->xdd, sizeof reference.xdd);
    memcpy(reference.payload, row->known, sizeof reference.payload);
    (void)qd;
    sound = {P}_law_step(&law_state, q_meas, {rates}&reference, &terms, torque);
    memcpy(command, terms.command, sizeof terms.command);
    memcpy(numbers, &terms, sizeof terms);
    return sound;
}}

static void joints(const double *x, double *q)
{{
    (void){P}_inverse_kinematics(x, q);
}}

static void stop_begin(double s, double pace)
{{
    {P}_stop_begin(&{P}_default_stop_limits, &stop, s, pace);
}}

static void stop_now(double *s, double *pace)
{{
    *s = stop.s;
    *pace = stop.pace;
}}

static double stop_step(const double *x, const double *x_s, const double *x_ss, const double *payload, double *xd,
                        double *xdd)
{{
    double load;
    (void){P}_stop_step(&{P}_default_stop_limits, &stop, x, x_s, x_ss, payload, xd, xdd, &load);
    return load;
}}

extern const pp_machine {P}_machine;
const pp_machine {P}_machine = {{
    {n}, {dof}, {terms}, {quantities}, {period!r}, reset, rest, look, decide, keep, energised, law, joints, stop_begin,
    stop_now, stop_step
}};
"""


@final
@dataclass(frozen=True, eq=False)
class LoopCode:
    """A robot with its law and supervisor as C for the runtime's loop.

    Attributes:
        prefix: what its symbols begin with.
        law: its law.
        texts: its sources and headers by file names.
    """

    prefix: str
    law: CLaw
    texts: dict[str, str]

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that are compiled."""
        return tuple(name for name in self.texts if name.endswith(".c"))


def loop_code(model: Model, controller: Controller, motion: Motion, supervisor: Supervisor) -> LoopCode:
    """A robot with its law and supervisor as C.

    Args:
        model: the robot.
        controller: the controller.
        motion: a motion, from which gains that are not numbers are found.
        supervisor: its settings.

    Raises:
        LawError: a law that cannot be stopped along its path.
        MissingMassError: the robot lacks masses that its law or its stop needs.
        ParameterError: a law that has no step that a machine could run, or a setting that is not valid.
    """
    check_runnable(controller)
    made = supervised_law(model, controller, motion, supervisor)
    _check_law(made.law)
    texts = {
        **made.texts,
        "pp_names.h": names_text(),
        f"{made.prefix}_machine.c": _machine_text(made.law.assembly.model, made.law, made.prefix),
    }
    return LoopCode(made.prefix, made.law, texts)


def check_runnable(controller: Controller) -> None:
    """Raise if a controller cannot be run against a clock.

    Args:
        controller: the controller.

    Raises:
        LawError: a law that cannot be stopped along its path.
        ParameterError: a Python function, a law that learns, or references that are filtered.
    """
    check_law(controller)
    assert isinstance(controller.law, ControlLaw)  # noqa: S101
    check_stoppable(controller.law)
    if controller.command_filter:
        text = "is stated, and what a stop becomes behind it is not modelled; leave it out"
        raise ParameterError("command_filter", text)


def names_text() -> str:
    """The header with the numbers of states, events and guards."""
    words = {
        "STATE": [state.value for state in STATES],
        "EVENT": ["none" if event is None else event.value for event in EVENTS],
        "GUARD": list(NAMES),
    }
    lines = [
        f"#define PP_{kind}_{identifier(name).upper()} {i}"
        for kind, names in words.items()
        for i, name in enumerate(names)
    ]
    return _NAMES_TEXT.format(lines="\n".join(lines))


def _check_law(law: CLaw) -> None:
    """Raise `ParameterError` if a law reads what drives do not report, or says more than a row of the log holds."""
    unread = [name for name in law.exact if name != "qd"]
    if unread:
        text = f"the law {law.name} reads the true {', '.join(unread)} of the plate, which no drive reports"
        raise ParameterError("controller", f"{text}; give it an observer, or simulate")
    if sum(law.terms.values()) > TERMS_MAX:
        raise ParameterError(
            "controller", f"the law {law.name} has more terms than a row of the log holds, {TERMS_MAX}"
        )


def _machine_text(model: Model, law: CLaw, prefix: str) -> str:
    robot, quantities = model.robot, sum(len(words) for words in columns_of(model).values())
    if quantities > QUANTITIES_MAX:
        text = f"has guards with {quantities} numbers; a row of the log holds {QUANTITIES_MAX}"
        raise ParameterError("robot", f"{robot.name} {text}")
    return _SOURCE.format(
        robot=robot.name,
        P=prefix,
        n=robot.motors,
        dof=robot.dof,
        terms=sum(law.terms.values()),
        quantities=quantities,
        period=1.0 / law.assembly.rate,
        rates="qd, " if "qd" in law.exact else "",
    )
