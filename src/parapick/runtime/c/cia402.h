/* SPDX-License-Identifier: Apache-2.0
 * The state machine of CiA 402, as a drive has it, and the numbers of its objects.
 *
 * CiA 402 is IEC 61800-7-201 (profile) and -7-301 (CANopen, EtherCAT). States, their bits in the status word, the
 * commands of the control word and the numbers of the transitions are those of its tables as makers of drives print
 * them: ABB, FEPL-02 user's manual (commands and transitions); Toshiba, VF-S15 CANopen manual (bits of the states);
 * Beckhoff, AX8000 object 6041 (bits of the status word in cyclic modes).
 *
 * Everything here is a pure function of its arguments: no clock, no memory of its own.
 */
#ifndef PP_CIA402_H
#define PP_CIA402_H

#include <stdint.h>

/* States; the order is that of the standard's diagram. */
typedef enum {
    PP_NOT_READY,           /* Not ready to switch on: the drive tests itself */
    PP_SWITCH_ON_DISABLED,
    PP_READY,               /* Ready to switch on */
    PP_SWITCHED_ON,
    PP_ENABLED,             /* Operation enabled: the only state in which it follows what it is asked for */
    PP_QUICK_STOP,          /* Quick stop active */
    PP_FAULT_REACTION,      /* Fault reaction active */
    PP_FAULT,
    PP_DRIVE_STATES
} pp_drive_state;

/* What makes a transition: commands of the control word, and what happens inside the drive. */
typedef enum {
    PP_NOTHING,
    PP_SHUTDOWN,            /* xxxx x110 */
    PP_SWITCH_ON,           /* xxxx 0111; in Operation enabled it is Disable operation */
    PP_ENABLE_OPERATION,    /* xxxx 1111 */
    PP_DISABLE_VOLTAGE,     /* xxxx xx0x */
    PP_STOP_QUICKLY,        /* xxxx x01x */
    PP_RESET_FAULT,         /* bit 7 rises */
    PP_INITIALISED,         /* the drive has tested itself */
    PP_BROKEN,              /* a fault is there */
    PP_REACTED,             /* the reaction to a fault is over */
    PP_HALTED,              /* the ramp of a quick stop is over, and 605A says that the drive is switched off then */
    PP_DRIVE_EVENTS
} pp_drive_event;

/* Bits of the control word, 6040. */
#define PP_CW_SWITCH_ON 0x0001u
#define PP_CW_VOLTAGE 0x0002u
#define PP_CW_NO_QUICK_STOP 0x0004u
#define PP_CW_OPERATION 0x0008u
#define PP_CW_RESET 0x0080u
#define PP_CW_HALT 0x0100u

/* Control words of the commands. */
#define PP_COMMAND_DISABLE_VOLTAGE 0x0000u
#define PP_COMMAND_QUICK_STOP 0x0002u
#define PP_COMMAND_SHUTDOWN 0x0006u
#define PP_COMMAND_SWITCH_ON 0x0007u
#define PP_COMMAND_ENABLE 0x000Fu
#define PP_COMMAND_RESET 0x0080u

/* Bits of the status word, 6041. */
#define PP_SW_READY 0x0001u
#define PP_SW_SWITCHED_ON 0x0002u
#define PP_SW_OPERATION 0x0004u
#define PP_SW_FAULT 0x0008u
#define PP_SW_VOLTAGE 0x0010u
#define PP_SW_NO_QUICK_STOP 0x0020u
#define PP_SW_DISABLED 0x0040u
#define PP_SW_WARNING 0x0080u
#define PP_SW_REMOTE 0x0200u
#define PP_SW_LIMIT 0x0800u     /* an internal limit acts: torque, speed or position */
#define PP_SW_FOLLOWS 0x1000u   /* cyclic modes: the drive follows the target */
#define PP_SW_FOLLOWING 0x2000u /* following error, in mode 8 */

/* Modes of operation, 6060 and 6061. */
#define PP_MODE_NONE 0
#define PP_MODE_POSITION 8 /* cyclic synchronous position, with torque offset 60B2 */
#define PP_MODE_TORQUE 10  /* cyclic synchronous torque */

/* Error codes, 603F: the classes of CiA 301 and CiA 402. */
#define PP_ERROR_NONE 0x0000u
#define PP_ERROR_DEVICE 0x5000u    /* device hardware: the drive has switched itself off */
#define PP_ERROR_BUS 0x8130u       /* life guard or heartbeat: the master is silent */
#define PP_ERROR_FOLLOWING 0x8611u /* following error */
#define PP_ERROR_SENSOR 0x7300u    /* sensor: an encoder says no number */

/* Option codes 605A (quick stop), 605C (disable operation) and 605E (fault reaction), those that are modelled. */
#define PP_OPTION_FREE 0       /* torque off at once */
#define PP_OPTION_SLOW 1       /* 605C: slow down on the ramp 6085, then torque off */
#define PP_OPTION_RAMP 2       /* 605A, 605E: slow down on the ramp 6085, then torque off */
#define PP_OPTION_RAMP_STAY 6  /* 605A: slow down on the ramp 6085 and stay in Quick stop active */

/* A row of the table of transitions. */
typedef struct {
    uint8_t state;
    uint8_t event;
    uint8_t next;
    uint8_t number; /* of the standard */
} pp_transition;

/* Every transition; what is not here leaves the state as it is. */
extern const pp_transition pp_transitions[];
extern const int pp_transitions_count;

/* What the state machine remembers. */
typedef struct {
    uint8_t state;         /* pp_drive_state */
    uint8_t transition;    /* number of the transition made last in a step; 255: none */
    uint16_t control_word; /* of the step before: a reset is a rising edge */
} pp_cia402;

/* What happens inside a drive in a step. */
typedef struct {
    uint8_t initialised; /* it has tested itself */
    uint8_t fault;       /* a fault is there now; while it is, a reset does nothing */
    uint8_t reacted;     /* the reaction to a fault is over */
    uint8_t halted;      /* the ramp of a quick stop is over */
    int16_t quick_stop;  /* option code 605A: 5 to 8 stay in Quick stop active, and only they can be enabled again */
} pp_cia402_inside;

/* State before a drive has power: transition 0 leads here. */
pp_cia402 pp_cia402_start(void);

/* The command that a control word is, in a state. */
pp_drive_event pp_cia402_command(uint16_t control_word, uint16_t before);

/* The state after an event, by the table. */
pp_drive_state pp_cia402_next(pp_drive_state state, pp_drive_event event);

/* One step: at most one transition. What happens inside comes before commands, a fault before everything. */
pp_cia402 pp_cia402_step(pp_cia402 before, uint16_t control_word, const pp_cia402_inside *inside);

/* The bits of a state in the status word; the quick stop bit is 1 where it does not act, and voltage where there is. */
uint16_t pp_cia402_status(pp_drive_state state);

/* The state that a status word says; PP_DRIVE_STATES where it is none. */
pp_drive_state pp_cia402_state(uint16_t status_word);

/* Whether the power stage gives torque in a state. */
int pp_cia402_powered(pp_drive_state state);

/* The control word by which a master comes from the state that a status word says towards Operation enabled. A fault is
 * reset by a rising edge: where `before` has the bit already it is let go first. */
uint16_t pp_cia402_towards_enabled(uint16_t status_word, uint16_t before);

/* Words for people. */
const char *pp_cia402_name(pp_drive_state state);

#endif
