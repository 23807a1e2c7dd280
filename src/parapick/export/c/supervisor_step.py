"""The supervisor's step in C, from the tables of states, transitions and guards that Python's own step reads."""

from __future__ import annotations

from typing import Final

from parapick.export.c.supervisor_parts import CPart, enumeration, whole
from parapick.kernel import CStyle
from parapick.supervision import COMMANDS, ENDS, ENERGISED, GUARDS, NAMES, Event, Rules, State, after

EVENTS: Final = (None, *Event)
"""Events by their number in C; 0 is nothing."""

STATES: Final = tuple(State)
"""States by their number in C."""

_HEADER: Final = """/*
 * The supervisor: operating states around the law, one step per sample.
 * Whole numbers and truths (0, 1) only; a guard is its place among the guards, -1 for none.
 */
#define {M}_STATES {states}
#define {M}_EVENTS {events}
#define {M}_GUARDS {guards}
{state_names}
{event_names}
{guard_names}

/* How long things may take, in samples: for how long in a row each guard must be beyond its limit until it trips,
   and for how long in a row the plate must rest to count as at rest. */
typedef struct {{
    int persistence[{M}_GUARDS];
    int settled;
}} {P}_rules;

/* What the supervisor sees: per guard whether it is beyond its limit, whether the encoders say that the plate rests,
   whether the reference of the present state has come to its end, and what the operator asks for. */
typedef struct {{
    int over[{M}_GUARDS];
    int still;
    int arrived;
    int command;
}} {P}_observation;

/* What it remembers: the state; which guard tripped first, until a reset; whether the robot has been at home since the
   drives were enabled; per guard and for rest the samples in a row so far; what happened at the last sample, and which
   guard caused it. */
typedef struct {{
    int state;
    int fault;
    int homed;
    int counts[{M}_GUARDS];
    int rest;
    int event;
    int cause;
}} {P}_supervisor_state;

extern const {P}_rules {P}_default_rules;

/* The supervisor of a cell that is off. */
void {P}_supervisor_reset({P}_supervisor_state *memory);
/* One sample: taken before the law is asked; what it decides holds from this sample on. */
void {P}_supervisor_step(const {P}_rules *rules, {P}_supervisor_state *memory, const {P}_observation *seen);
/* Whether the motors may give torque; otherwise the brakes are applied. */
int {P}_supervisor_energised(const {P}_supervisor_state *memory);
"""

_SOURCE: Final = """/* Transitions: the state after an event (columns, 0 is nothing) in a state (rows). */
static const unsigned char {P}_next[{M}_STATES][{M}_EVENTS] = {{
{next}
}};
/* What the end of a reference means in a state; while stopping it depends on what was before. */
static const unsigned char {P}_ends[{M}_STATES] = {ends};
/* States in which the motors may give torque. */
static const unsigned char {P}_energised[{M}_STATES] = {energised};
/* Events that the operator may ask for. */
static const unsigned char {P}_commands[{M}_EVENTS] = {commands};
/* States (columns) in which each guard (rows) is watched. */
static const unsigned char {P}_armed[{M}_GUARDS][{M}_STATES] = {{
{armed}
}};
/* Guards after which no path is followed any more. */
static const unsigned char {P}_brakes[{M}_GUARDS] = {brakes};

const {P}_rules {P}_default_rules = {{{persistence}, {settled}}};

static int {P}_counted(int count, int most)
{{
    return count < most ? count + 1 : most;
}}

void {P}_supervisor_reset({P}_supervisor_state *memory)
{{
    int i;
    memory->state = {M}_STATE_OFF;
    memory->fault = -1;
    memory->homed = 0;
    for (i = 0; i < {M}_GUARDS; ++i) memory->counts[i] = 0;
    memory->rest = 0;
    memory->event = {M}_EVENT_NONE;
    memory->cause = -1;
}}

int {P}_supervisor_energised(const {P}_supervisor_state *memory)
{{
    return {P}_energised[memory->state];
}}

/* What the end of a reference means, once the plate rests there. */
static int {P}_progress(const {P}_supervisor_state *memory)
{{
    if (memory->state != {M}_STATE_STOPPING) return {P}_ends[memory->state];
    if (memory->fault >= 0) return {M}_EVENT_HALTED;
    return memory->homed ? {M}_EVENT_STOPPED : {M}_EVENT_ABORTED;
}}

/* What the operator asks for; nothing is switched on or cleared while the emergency stop is pressed. */
static int {P}_command(const {P}_observation *seen)
{{
    const int command = seen->command;
    if (command < 0 || command >= {M}_EVENTS || !{P}_commands[command]) return {M}_EVENT_NONE;
    if (!seen->over[{M}_GUARD_EMERGENCY]) return command;
    return command == {M}_EVENT_ENABLE || command == {M}_EVENT_RESET ? {M}_EVENT_NONE : command;
}}

void {P}_supervisor_step(const {P}_rules *rules, {P}_supervisor_state *memory, const {P}_observation *seen)
{{
    const int before = memory->state;
    int i, event = {M}_EVENT_NONE, first = -1, brake = 0, settled;

    memory->rest = seen->still ? {P}_counted(memory->rest, rules->settled) : 0;
    settled = memory->rest >= rules->settled;

    /* guards: the first that trips is latched; brakes come before a stop along the path */
    for (i = 0; i < {M}_GUARDS; ++i) {{
        const int over = i == {M}_GUARD_UNREST ? seen->arrived && !settled : seen->over[i];
        memory->counts[i] = over && {P}_armed[i][before] ? {P}_counted(memory->counts[i], rules->persistence[i]) : 0;
        if (memory->counts[i] >= rules->persistence[i]) {{
            if (first < 0) first = i;
            if ({P}_brakes[i]) brake = 1;
        }}
    }}

    /* event: trips, then progress of the motion, then what the operator asks for */
    if (brake) event = {M}_EVENT_BRAKE;
    else if (first >= 0 && memory->fault < 0) event = {M}_EVENT_TRIP;
    if (event == {M}_EVENT_NONE && seen->arrived && settled) event = {P}_progress(memory);
    if (event == {M}_EVENT_NONE) event = {P}_command(seen);

    memory->event = event;
    memory->cause = event == {M}_EVENT_TRIP || event == {M}_EVENT_BRAKE ? first : -1;
    memory->state = {P}_next[before][event];
    if (memory->fault < 0) memory->fault = memory->cause;
    if (memory->state == {M}_STATE_OFF) memory->fault = -1;
    memory->homed = (memory->homed || event == {M}_EVENT_HOMED) && {P}_energised[memory->state];
    if (memory->state != before) {{
        for (i = 0; i < {M}_GUARDS; ++i) memory->counts[i] = 0;
        memory->rest = 0;
    }}
}}
"""


def step_part(style: CStyle, rules: Rules) -> CPart:
    """The supervisor's step.

    Args:
        style: spelling.
        rules: how long things may take, as the default of C.
    """
    given = {
        "P": style.prefix,
        "M": style.prefix.upper(),
        "states": len(STATES),
        "events": len(EVENTS),
        "guards": len(GUARDS),
        "state_names": enumeration(style, "STATE", [state.value for state in STATES]),
        "event_names": enumeration(style, "EVENT", ["none", *(event.value for event in Event)]),
        "guard_names": enumeration(style, "GUARD", NAMES),
        "persistence": whole(rules.persistence),
        "settled": rules.settled,
        **_tables(),
    }
    return CPart(_HEADER.format(**given), _SOURCE.format(**given))


def _tables() -> dict[str, str]:
    """The tables as initialisers."""
    transitions = [whole(STATES.index(after(state, event)) for event in EVENTS) for state in STATES]
    armed = [whole(state in guard.armed for state in STATES) for guard in GUARDS]
    states = [f"    /* {state.value} */ {row}" for state, row in zip(STATES, transitions, strict=True)]
    guards = [f"    /* {guard.name} */ {row}" for guard, row in zip(GUARDS, armed, strict=True)]
    return {
        "next": ",\n".join(states),
        "ends": whole(EVENTS.index(ENDS.get(state)) for state in STATES),
        "energised": whole(state in ENERGISED for state in STATES),
        "commands": whole(event in COMMANDS for event in EVENTS),
        "armed": ",\n".join(guards),
        "brakes": whole(guard.stopping == "brakes" for guard in GUARDS),
    }
