/* SPDX-License-Identifier: Apache-2.0
 * The master's side of the process image: bringing drives up and down, and units.
 *
 * All of it is free of system calls and allocation: the runtime's loop calls it once a period.
 */
#ifndef PP_MASTER_H
#define PP_MASTER_H

#include "bus.h"
#include "cia402.h"

/* What the master wants of its drives. */
typedef enum {
    PP_WANT_OFF,    /* Switch on disabled: no power, brakes applied */
    PP_WANT_ON,     /* Operation enabled; a fault is not reset */
    PP_WANT_RESET,  /* faults are reset, then as PP_WANT_OFF */
    PP_WANT_STOP    /* quick stop */
} pp_want;

/* What the master remembers. */
typedef struct {
    int motors;
    int8_t mode;            /* PP_MODE_TORQUE or PP_MODE_POSITION */
    uint32_t flags;         /* of the segment */
    int64_t period;         /* ns */
    int64_t watchdog;       /* ns */
    pp_units units[PP_MOTORS_MAX];
    uint16_t control_words[PP_MOTORS_MAX];
    uint64_t cycle;         /* of the frame written last */
    uint64_t seen;          /* bus cycle of the newest frame that was read */
    uint32_t silent;        /* periods in a row without a new frame of the drives */
} pp_master;

/* What the drives say, in the joints' units. */
typedef struct {
    double q[PP_MOTORS_MAX];      /* rad (m): increments times their length, or exact */
    double qd[PP_MOTORS_MAX];     /* rad/s (m/s) */
    double torque[PP_MOTORS_MAX]; /* N m (N) */
    uint16_t status_words[PP_MOTORS_MAX];
    uint16_t error_codes[PP_MOTORS_MAX];
    uint8_t states[PP_MOTORS_MAX];  /* pp_drive_state */
    uint8_t brakes[PP_MOTORS_MAX];
    int enabled;   /* every drive is in Operation enabled and follows: brakes open */
    int off;       /* no drive gives torque */
    int fault;     /* motor from 1 whose drive reports a fault first in order; 0: none */
    int fresh;     /* the frame is newer than that of the period before */
    int dead;      /* no new frame for longer than the watchdog's time: the cell is dead */
    uint32_t inputs;
    uint64_t cycle;
    int64_t time;
    int32_t belts[PP_BELTS_MAX];
} pp_drives_seen;

/* A master for a segment. */
void pp_master_start(pp_master *master, const pp_segment *segment, int8_t mode);

/* What a frame of the drives says. `count` is what pp_bus_read_in gave: 0 where nothing could be read. */
void pp_master_look(pp_master *master, const pp_in *in, uint64_t count, pp_drives_seen *seen);

/* Control words towards what is wanted, one step of every drive's state machine. */
void pp_master_want(pp_master *master, const pp_drives_seen *seen, pp_want want, pp_out *out);

/* Torques at the joints (N m, N) as target of mode 10, or as offset of mode 8 beside target positions (rad, m). They
 * are limited to what an int16 holds; NaN becomes 0. `q` may be NULL in mode 10. */
void pp_master_ask(const pp_master *master, const double *torque, const double *q, pp_out *out);

/* Number the frame: cycle, time and the frame it answers; call it last, then write. */
void pp_master_stamp(pp_master *master, int64_t time, pp_out *out);

/* Torque at the joint (N m, N) that a drive will understand of what was asked: after rounding to per mille. */
double pp_master_understood(const pp_master *master, int motor, double torque);

#endif
