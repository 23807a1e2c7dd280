/* SPDX-License-Identifier: Apache-2.0
 * The state machine of CiA 402 as one table. */
#include "cia402.h"

#include <stddef.h>

/* Numbers are those of the standard. Transition 0 leads from no supply to Not ready to switch on: `pp_cia402_start`.
 * A fault leads from every state but the two of faults to Fault reaction active. */
const pp_transition pp_transitions[] = {
    {PP_NOT_READY, PP_INITIALISED, PP_SWITCH_ON_DISABLED, 1},
    {PP_SWITCH_ON_DISABLED, PP_SHUTDOWN, PP_READY, 2},
    {PP_READY, PP_SWITCH_ON, PP_SWITCHED_ON, 3},
    {PP_READY, PP_ENABLE_OPERATION, PP_SWITCHED_ON, 3}, /* and in the next step 4: the command holds */
    {PP_SWITCHED_ON, PP_ENABLE_OPERATION, PP_ENABLED, 4},
    {PP_ENABLED, PP_SWITCH_ON, PP_SWITCHED_ON, 5},
    {PP_SWITCHED_ON, PP_SHUTDOWN, PP_READY, 6},
    {PP_READY, PP_DISABLE_VOLTAGE, PP_SWITCH_ON_DISABLED, 7},
    {PP_READY, PP_STOP_QUICKLY, PP_SWITCH_ON_DISABLED, 7},
    {PP_ENABLED, PP_SHUTDOWN, PP_READY, 8},
    {PP_ENABLED, PP_DISABLE_VOLTAGE, PP_SWITCH_ON_DISABLED, 9},
    {PP_SWITCHED_ON, PP_DISABLE_VOLTAGE, PP_SWITCH_ON_DISABLED, 10},
    {PP_SWITCHED_ON, PP_STOP_QUICKLY, PP_SWITCH_ON_DISABLED, 10},
    {PP_ENABLED, PP_STOP_QUICKLY, PP_QUICK_STOP, 11},
    {PP_QUICK_STOP, PP_DISABLE_VOLTAGE, PP_SWITCH_ON_DISABLED, 12},
    {PP_QUICK_STOP, PP_HALTED, PP_SWITCH_ON_DISABLED, 12},
    {PP_NOT_READY, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_SWITCH_ON_DISABLED, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_READY, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_SWITCHED_ON, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_ENABLED, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_QUICK_STOP, PP_BROKEN, PP_FAULT_REACTION, 13},
    {PP_FAULT_REACTION, PP_REACTED, PP_FAULT, 14},
    {PP_FAULT, PP_RESET_FAULT, PP_SWITCH_ON_DISABLED, 15},
    {PP_QUICK_STOP, PP_ENABLE_OPERATION, PP_ENABLED, 16},
};

const int pp_transitions_count = (int)(sizeof(pp_transitions) / sizeof(pp_transitions[0]));

/* Bits of every state, with voltage where the standard's diagram has high-level power, and its name. */
static const struct {
    uint16_t mask;
    uint16_t bits;
    uint16_t voltage;
    const char *name;
} STATES[PP_DRIVE_STATES] = {
    {0x4F, 0x00, 0, "Not ready to switch on"},
    {0x4F, 0x40, 0, "Switch on disabled"},
    {0x6F, 0x21, 0, "Ready to switch on"},
    {0x6F, 0x23, PP_SW_VOLTAGE, "Switched on"},
    {0x6F, 0x27, PP_SW_VOLTAGE, "Operation enabled"},
    {0x6F, 0x07, PP_SW_VOLTAGE, "Quick stop active"},
    {0x4F, 0x0F, PP_SW_VOLTAGE, "Fault reaction active"},
    {0x4F, 0x08, 0, "Fault"},
};

/* The control word towards Operation enabled, by state. */
static const uint16_t TOWARDS[PP_DRIVE_STATES] = {
    PP_COMMAND_DISABLE_VOLTAGE, PP_COMMAND_SHUTDOWN, PP_COMMAND_SWITCH_ON, PP_COMMAND_ENABLE,
    PP_COMMAND_ENABLE, PP_COMMAND_DISABLE_VOLTAGE, PP_COMMAND_DISABLE_VOLTAGE, PP_COMMAND_RESET,
};

pp_cia402 pp_cia402_start(void)
{
    pp_cia402 start = {PP_NOT_READY, 0, 0};
    return start;
}

pp_drive_event pp_cia402_command(uint16_t control_word, uint16_t before)
{
    const unsigned bits = control_word & 0x0Fu;
    if (control_word & PP_CW_RESET) return before & PP_CW_RESET ? PP_NOTHING : PP_RESET_FAULT;
    if (!(bits & PP_CW_VOLTAGE)) return PP_DISABLE_VOLTAGE;
    if (!(bits & PP_CW_NO_QUICK_STOP)) return PP_STOP_QUICKLY;
    if (!(bits & PP_CW_SWITCH_ON)) return PP_SHUTDOWN;
    return bits & PP_CW_OPERATION ? PP_ENABLE_OPERATION : PP_SWITCH_ON;
}

static const pp_transition *row_of(pp_drive_state state, pp_drive_event event)
{
    for (int i = 0; i < pp_transitions_count; ++i)
        if (pp_transitions[i].state == (uint8_t)state && pp_transitions[i].event == (uint8_t)event)
            return &pp_transitions[i];
    return NULL;
}

pp_drive_state pp_cia402_next(pp_drive_state state, pp_drive_event event)
{
    const pp_transition *row = row_of(state, event);
    return row ? (pp_drive_state)row->next : state;
}

/* What happens inside the drive in a state; PP_NOTHING where the command counts. */
static pp_drive_event inner_event(pp_drive_state state, const pp_cia402_inside *inside)
{
    const int stays = inside->quick_stop >= 5 && inside->quick_stop <= 8;
    if (inside->fault && state != PP_FAULT_REACTION && state != PP_FAULT) return PP_BROKEN;
    if (state == PP_NOT_READY && inside->initialised) return PP_INITIALISED;
    if (state == PP_FAULT_REACTION && inside->reacted) return PP_REACTED;
    if (state == PP_QUICK_STOP && inside->halted && !stays) return PP_HALTED;
    return PP_NOTHING;
}

/* Whether a command is refused though the table has it. */
static int refused(pp_drive_state state, pp_drive_event event, const pp_cia402_inside *inside)
{
    const int stays = inside->quick_stop >= 5 && inside->quick_stop <= 8;
    if (state == PP_FAULT && event == PP_RESET_FAULT) return inside->fault;
    return state == PP_QUICK_STOP && event == PP_ENABLE_OPERATION && !stays;
}

pp_cia402 pp_cia402_step(pp_cia402 before, uint16_t control_word, const pp_cia402_inside *inside)
{
    const pp_drive_state state = (pp_drive_state)before.state;
    pp_cia402 after = {before.state, 255, control_word};
    pp_drive_event event = inner_event(state, inside);
    if (event == PP_NOTHING) event = pp_cia402_command(control_word, before.control_word);
    const pp_transition *row = refused(state, event, inside) ? NULL : row_of(state, event);
    if (row) {
        after.state = row->next;
        after.transition = row->number;
    }
    return after;
}

uint16_t pp_cia402_status(pp_drive_state state)
{
    /* Where a state leaves the quick stop bit open it says that none acts. */
    const uint16_t open = STATES[state].mask & PP_SW_NO_QUICK_STOP ? 0 : PP_SW_NO_QUICK_STOP;
    return (uint16_t)(STATES[state].bits | STATES[state].voltage | open | PP_SW_REMOTE);
}

pp_drive_state pp_cia402_state(uint16_t status_word)
{
    for (int i = 0; i < PP_DRIVE_STATES; ++i)
        if ((status_word & STATES[i].mask) == STATES[i].bits) return (pp_drive_state)i;
    return PP_DRIVE_STATES;
}

int pp_cia402_powered(pp_drive_state state)
{
    return state == PP_ENABLED || state == PP_QUICK_STOP || state == PP_FAULT_REACTION;
}

uint16_t pp_cia402_towards_enabled(uint16_t status_word, uint16_t before)
{
    const pp_drive_state state = pp_cia402_state(status_word);
    if (state == PP_DRIVE_STATES) return PP_COMMAND_DISABLE_VOLTAGE;
    /* A reset is a rising edge, so that it is let go in between. */
    if (state == PP_FAULT && before & PP_CW_RESET) return PP_COMMAND_DISABLE_VOLTAGE;
    return TOWARDS[state];
}

const char *pp_cia402_name(pp_drive_state state)
{
    return (unsigned)state < PP_DRIVE_STATES ? STATES[state].name : "no state";
}
