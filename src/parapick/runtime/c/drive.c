/* SPDX-License-Identifier: Apache-2.0
 * A virtual drive. */
#include "drive.h"

#include <string.h>

#include "numbers.h"

pp_drive pp_drive_start(void)
{
    pp_drive drive;
    memset(&drive, 0, sizeof drive);
    drive.machine = pp_cia402_start();
    drive.holds = 1;
    return drive;
}

static pp_drive_state state_of(const pp_drive *drive) { return (pp_drive_state)drive->machine.state; }

/* Whether it follows the ramp 6085 instead of the master. */
static int ramps(const pp_drive *drive, const pp_drive_settings *settings)
{
    switch (state_of(drive)) {
    case PP_ENABLED: return drive->slowing;
    case PP_QUICK_STOP: return settings->quick_stop != PP_OPTION_FREE;
    case PP_FAULT_REACTION: return settings->reaction != PP_OPTION_FREE;
    default: return 0;
    }
}

int pp_drive_powered(const pp_drive *drive, const pp_drive_settings *settings)
{
    return state_of(drive) == PP_ENABLED || ramps(drive, settings);
}

/* Where the interpolation is after so much of the bus cycle, and how fast: at rest at its end. */
static double place_of(const pp_drive *drive, const pp_drive_settings *settings, double share, double *rate)
{
    const double done = (drive->passed + share) / settings->interpolation;
    *rate = done < 1.0 ? drive->rate : 0.0;
    return done < 1.0 ? drive->before + done * (drive->target - drive->before) : drive->target;
}

/* A new target is reached, at constant speed from where the interpolation is, in the time 60C2. Without a new one the
 * interpolation goes on: a frame that comes too late is bridged for as long as that time lasts. */
static void interpolate(pp_drive *drive, const pp_drive_settings *settings, double target, double period)
{
    double rate;
    const double place = place_of(drive, settings, 1.0, &rate);
    drive->passed += 1.0;
    if (target == drive->target) return;
    drive->passed = 0.0;
    drive->before = place;
    drive->target = target;
    drive->rate = (target - place) / (settings->interpolation * period);
}

static void take_targets(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                         const pp_drive_out *out, const pp_motor *motor, uint32_t flags, double period)
{
    const int exact = (flags & PP_FLAG_EXACT) != 0;
    const int16_t share = drive->mode == PP_MODE_POSITION ? out->torque_offset : out->target_torque;
    drive->asked = exact ? out->exact_torque : units->torque * share;
    if (!isfinite(drive->asked)) drive->asked = 0.0;
    const double target = exact ? out->exact_position : units->angle * out->target_position;
    interpolate(drive, settings, isfinite(target) ? target : motor->q, period);
}

static void slow_down_from(pp_drive *drive, double speed)
{
    drive->ramp_speed = speed;
    drive->integral = 0.0;
}

/* The control word that counts: 605C lets the drive slow down before it disables operation. */
static uint16_t word_that_counts(pp_drive *drive, const pp_drive_settings *settings, uint16_t word, double speed)
{
    const int leaves = pp_cia402_command(word, drive->machine.control_word) == PP_SWITCH_ON;
    const int slows = state_of(drive) == PP_ENABLED && leaves && settings->disable == PP_OPTION_SLOW;
    if (slows && !drive->slowing) slow_down_from(drive, speed);
    if (!slows || (drive->slowing && drive->ramp_speed == 0.0)) {
        drive->slowing = 0;
        return word;
    }
    drive->slowing = 1;
    return PP_COMMAND_ENABLE;
}

static void on_transition(pp_drive *drive, const pp_motor *motor)
{
    if (drive->machine.transition == 4 || drive->machine.transition == 16) {
        /* It starts from where it stands. */
        drive->before = motor->q;
        drive->passed = 0.0;
        drive->rate = 0.0;
        drive->integral = 0.0;
    }
    if (drive->machine.transition == 11 || drive->machine.transition == 13) slow_down_from(drive, motor->qd);
    if (drive->machine.transition == 15) drive->error_code = PP_ERROR_NONE;
}

static void move_brake(pp_drive *drive, const pp_drive_settings *settings, double period)
{
    const uint8_t release = (uint8_t)pp_drive_powered(drive, settings);
    drive->brake_time = release == drive->release ? drive->brake_time + period : 0.0;
    drive->release = release;
    if (release && drive->brake_time >= settings->opening) drive->holds = 0;
    if (!release && drive->brake_time >= settings->closing) drive->holds = 1;
}

void pp_drive_cycle(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, const pp_drive_out *out,
                    const pp_motor *motor, uint32_t flags, double period, uint16_t error)
{
    pp_cia402_inside inside;
    memset(&inside, 0, sizeof inside);
    if (error == PP_ERROR_NONE && drive->far) error = PP_ERROR_FOLLOWING;
    if (error != PP_ERROR_NONE && drive->error_code == PP_ERROR_NONE) drive->error_code = error;
    inside.initialised = drive->age >= settings->self_test;
    inside.fault = error != PP_ERROR_NONE;
    inside.quick_stop = settings->quick_stop;
    inside.halted = settings->quick_stop == PP_OPTION_FREE || drive->ramp_speed == 0.0;
    inside.reacted = settings->reaction == PP_OPTION_FREE || drive->ramp_speed == 0.0;
    drive->age += period;
    drive->mode = out->mode == PP_MODE_POSITION || out->mode == PP_MODE_TORQUE ? out->mode : PP_MODE_NONE;
    drive->far = 0;
    drive->limited = 0;
    take_targets(drive, settings, units, out, motor, flags, period);
    const uint16_t word = word_that_counts(drive, settings, out->control_word, motor->qd);
    drive->machine = pp_cia402_step(drive->machine, word, &inside);
    on_transition(drive, motor);
    move_brake(drive, settings, period);
}

void pp_drive_break(pp_drive *drive, const pp_drive_settings *settings, const pp_motor *motor, uint16_t error)
{
    pp_cia402_inside inside;
    memset(&inside, 0, sizeof inside);
    inside.fault = 1;
    inside.quick_stop = settings->quick_stop;
    if (drive->error_code == PP_ERROR_NONE) drive->error_code = error;
    drive->machine = pp_cia402_step(drive->machine, drive->machine.control_word, &inside);
    on_transition(drive, motor);
}

/* Torque of the speed loop, a proportional and an integral part. */
static double speed_torque(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, double wanted,
                           double speed, double step)
{
    const double error = settings->speed_gain * (wanted - speed);
    const double integral = drive->integral + settings->integral_gain * error * step;
    drive->integral = pp_clipped(integral, -units->torque_max, units->torque_max);
    return error + drive->integral;
}

static double ramp_torque(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                          const pp_motor *motor, double step)
{
    const double change = settings->ramp * step, left = fabs(drive->ramp_speed) - change;
    drive->ramp_speed = left > 0.0 ? copysign(left, drive->ramp_speed) : 0.0;
    return speed_torque(drive, settings, units, drive->ramp_speed, motor->qd, step);
}

static double position_torque(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                              const pp_motor *motor, double share, double step)
{
    double rate;
    const double target = place_of(drive, settings, share, &rate);
    const double within = pp_clipped(target, settings->position_min, settings->position_max);
    const double error = within - motor->q, wanted = rate + settings->position_gain * error;
    const double speed = pp_clipped(wanted, -settings->speed_max, settings->speed_max);
    if (within != target || speed != wanted) drive->limited = 1;
    if (fabs(error) > settings->following_max) drive->far = 1;
    return drive->asked + speed_torque(drive, settings, units, speed, motor->qd, step);
}

double pp_drive_torque(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, const pp_motor *motor,
                       double share, double step)
{
    double torque = 0.0;
    if (ramps(drive, settings)) torque = ramp_torque(drive, settings, units, motor, step);
    else if (state_of(drive) != PP_ENABLED || drive->mode == PP_MODE_NONE) return 0.0;
    else if (drive->mode == PP_MODE_TORQUE) torque = drive->asked;
    else torque = position_torque(drive, settings, units, motor, share, step);
    const double given = pp_clipped(torque, -units->torque_max, units->torque_max);
    if (given != torque || fabs(motor->qd) > settings->speed_max) drive->limited = 1;
    return given;
}

double pp_drive_brake(const pp_drive *drive, const pp_drive_settings *settings)
{
    return drive->holds ? settings->brake : 0.0;
}

void pp_drive_report(const pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                     const pp_motor *motor, pp_drive_in *in)
{
    const int follows = state_of(drive) == PP_ENABLED && drive->mode != PP_MODE_NONE && !drive->slowing;
    uint16_t status = pp_cia402_status(state_of(drive));
    if (follows && !drive->holds) status |= PP_SW_FOLLOWS;
    if (drive->limited) status |= PP_SW_LIMIT;
    if (drive->far) status |= PP_SW_FOLLOWING;
    memset(in, 0, sizeof *in);
    in->status_word = status;
    in->error_code = drive->error_code;
    in->mode = drive->mode;
    in->brake = drive->holds && settings->brake > 0.0;
    in->torque = pp_int16(motor->torque / units->torque);
    in->position = pp_int32(motor->q / units->angle);
    in->speed = pp_int32(motor->qd / units->angle);
    in->exact_torque = motor->torque;
    in->exact_position = motor->q;
    in->exact_speed = motor->qd;
}
