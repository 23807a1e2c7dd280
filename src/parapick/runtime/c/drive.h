/* SPDX-License-Identifier: Apache-2.0
 * A virtual drive: what a servo drive makes of its process data, with settings in `pp_drive_settings`.
 *
 * Its torque goes to the plant, which has the lag of the current loop in it (`parapick.simulation`), so that there is
 * one account of it. What is limited, reported and delayed is here.
 */
#ifndef PP_DRIVE_H
#define PP_DRIVE_H

#include "bus.h"
#include "cia402.h"

typedef struct {
    pp_cia402 machine;
    uint16_t error_code;
    int8_t mode;          /* 6061 */
    uint8_t limited;      /* an internal limit acts */
    uint8_t far;          /* following error in mode 8 */
    uint8_t slowing;      /* it slows down before it disables operation, 605C */
    uint8_t release;      /* the brake's signal: 1 to let go */
    uint8_t holds;        /* the brake holds */
    double age;           /* s since it has its supply */
    double brake_time;    /* s since the brake's signal changed */
    double target;        /* mode 8: target position, rad (m), */
    double before;        /* the place from which it is interpolated, */
    double rate;          /* the speed between them, rad/s (m/s), */
    double passed;        /* and bus cycles since the target was given, up to the present one */
    double integral;      /* of the speed loop, N m (N) */
    double ramp_speed;    /* speed asked for while it slows down, rad/s (m/s) */
    double asked;         /* torque asked for in the cycle, N m (N) */
} pp_drive;

/* What a drive sees of its motor, at the joint. */
typedef struct {
    double q;      /* rad (m), as its encoder says */
    double qd;     /* rad/s (m/s) */
    double torque; /* N m (N) that the motor gives now */
} pp_motor;

/* A drive that gets its supply. */
pp_drive pp_drive_start(void);

/* Once a bus cycle: take process data, step the state machine, start ramps, move the brake. `error` is an error code
 * of what happens in this cycle, PP_ERROR_NONE for nothing. */
void pp_drive_cycle(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, const pp_drive_out *out,
                    const pp_motor *motor, uint32_t flags, double period, uint16_t error);

/* Torque at the joint (N m, N) that it gives from now on, limited to 6072. `share` is how much of the bus cycle has
 * passed, `step` the time until it is asked again (s). */
double pp_drive_torque(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, const pp_motor *motor,
                       double share, double step);

/* It breaks at a sample, between two cycles: what it reports then says so. */
void pp_drive_break(pp_drive *drive, const pp_drive_settings *settings, const pp_motor *motor, uint16_t error);

/* Whether its power stage gives torque. */
int pp_drive_powered(const pp_drive *drive, const pp_drive_settings *settings);

/* Torque that its brake holds now, N m (N) at the joint: 0 while it is released. */
double pp_drive_brake(const pp_drive *drive, const pp_drive_settings *settings);

/* What it reports. */
void pp_drive_report(const pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                     const pp_motor *motor, pp_drive_in *in);

#endif
