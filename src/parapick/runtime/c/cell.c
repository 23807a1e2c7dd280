/* SPDX-License-Identifier: Apache-2.0
 * The virtual cell: drives and the plant behind them, a period at a time. */
#include "cell.h"

#include <string.h>

#include "belts.h"
#include "faults.h"
#include "numbers.h"

/* What is seen of the plant now, by the drives and by nobody. */
static void look(pp_cell *cell)
{
    double q[PP_MOTORS_MAX], qd[PP_MOTORS_MAX];
    const int lag = cell->plant->lag;
    cell->plant->seen(cell->state, cell->x, cell->xd, q, qd);
    for (int i = 0; i < cell->plant->motors; ++i) {
        cell->motors[i].q = q[i];
        cell->motors[i].qd = qd[i];
        cell->motors[i].torque = lag < 0 ? cell->asked[i] : cell->state[lag + i];
    }
}

int pp_cell_start(pp_cell *cell, const pp_plant *plant, const pp_segment *segment)
{
    const pp_head *head = &segment->head;
    memset(cell, 0, sizeof *cell);
    if (plant->motors != (int)head->motors || plant->dof != (int)head->dof) return 0;
    if (plant->states > PP_PLANT_STATES_MAX) return 0;
    cell->plant = plant;
    cell->settings = &segment->cell;
    cell->units = head->units;
    cell->flags = head->flags;
    cell->period = 1e-9 * (double)head->period;
    cell->watchdog = (uint32_t)pp_clipped(floor((double)head->watchdog / (double)head->period), 1.0, UINT32_MAX);
    memcpy(cell->state, plant->start, (size_t)plant->states * sizeof(double));
    for (int i = 0; i < plant->motors; ++i) cell->drives[i] = pp_drive_start();
    pp_belts_start(cell);
    look(cell);
    return 1;
}

/* What happens in a drive at a sample, as an error code. */
static uint16_t error_at_sample(const pp_cell *cell, int motor, double q)
{
    if (!isfinite(q)) return PP_ERROR_SENSOR;
    return pp_faults_dead(cell, motor) ? PP_ERROR_DEVICE : PP_ERROR_NONE;
}

void pp_cell_sense(pp_cell *cell, pp_in *in)
{
    double q[PP_MOTORS_MAX];
    const pp_cell_settings *settings = cell->settings;
    memset(in, 0, sizeof *in);
    look(cell);
    for (int i = 0; i < cell->plant->motors; ++i) q[i] = cell->motors[i].q;
    pp_faults_angles(cell, q);
    for (int i = 0; i < cell->plant->motors; ++i) {
        const uint16_t error = error_at_sample(cell, i, q[i]);
        cell->motors[i].q = q[i];
        if (error != PP_ERROR_NONE) pp_drive_break(&cell->drives[i], &settings->drives[i], &cell->motors[i], error);
        pp_drive_report(&cell->drives[i], &settings->drives[i], &cell->units[i], &cell->motors[i], &in->drives[i]);
    }
    in->cycle = cell->cycle;
    in->answers = cell->answered;
    in->missed = cell->missed;
    in->inputs = pp_faults_signals(cell);
    pp_belts_report(cell, in);
    memcpy(in->x, cell->x, sizeof in->x);
    memcpy(in->xd, cell->xd, sizeof in->xd);
}

/* Two loads held together, as `parapick.mechanism.combined` has them. */
static void combine(const double one[PP_PAYLOAD], double other[PP_PAYLOAD])
{
    const double mass = one[0] + other[0], share = mass > 0.0 ? other[0] / mass : 0.0;
    double square = 0.0;
    for (int i = 1; i < 4; ++i) {
        const double apart = other[i] - one[i];
        if (i < 3) square += apart * apart;
        if (share != 1.0) other[i] = one[i] + share * apart;
    }
    other[0] = mass;
    other[4] = one[4] + other[4] + one[0] * share * square;
}

/* What happens in a drive in this cycle, as an error code: what happened at its sample is there still. */
static uint16_t error_of(const pp_cell *cell, int motor)
{
    const int state = cell->drives[motor].machine.state;
    const uint16_t error = error_at_sample(cell, motor, cell->motors[motor].q);
    if (error != PP_ERROR_NONE) return error;
    /* A master that has switched the drives off may go; until the first frame there is none. */
    if (cell->missed >= cell->watchdog && state != PP_NOT_READY && state != PP_SWITCH_ON_DISABLED) return PP_ERROR_BUS;
    return PP_ERROR_NONE;
}

static void cycle_drives(pp_cell *cell)
{
    for (int i = 0; i < cell->plant->motors; ++i)
        pp_drive_cycle(&cell->drives[i], &cell->settings->drives[i], &cell->units[i], &cell->out.drives[i],
                       &cell->motors[i], cell->flags, cell->period, error_of(cell, i));
}

/* Torques that the drives ask of their motors. */
static void ask(pp_cell *cell, const double *given, double share, double step)
{
    for (int i = 0; i < cell->plant->motors; ++i)
        cell->asked[i] = pp_drive_torque(&cell->drives[i], &cell->settings->drives[i], &cell->units[i],
                                         &cell->motors[i], share, step);
    pp_faults_torques(cell, cell->asked, given);
    for (int i = 0; i < cell->plant->motors; ++i)
        if (!pp_drive_powered(&cell->drives[i], &cell->settings->drives[i])) cell->asked[i] = 0.0;
}

/* The brakes' torques; how many of them hold. */
static int brakes_of(const pp_cell *cell, double *brake)
{
    int held = 0;
    for (int i = 0; i < cell->plant->motors; ++i) {
        brake[i] = pp_drive_brake(&cell->drives[i], &cell->settings->drives[i]);
        held += brake[i] > 0.0;
    }
    return held;
}

static int any_mode(const pp_cell *cell, int mode)
{
    for (int i = 0; i < cell->plant->motors; ++i)
        if (cell->drives[i].mode == mode) return 1;
    return 0;
}

static int any_powered(const pp_cell *cell)
{
    for (int i = 0; i < cell->plant->motors; ++i)
        if (pp_drive_powered(&cell->drives[i], &cell->settings->drives[i])) return 1;
    return 0;
}

/* Whether a drive closes a loop of its own, whose torque changes within a period. */
static int any_loop(const pp_cell *cell)
{
    for (int i = 0; i < cell->plant->motors; ++i) {
        const int state = cell->drives[i].machine.state;
        if (state == PP_QUICK_STOP || state == PP_FAULT_REACTION || cell->drives[i].slowing) return 1;
    }
    return any_mode(cell, PP_MODE_POSITION);
}

/* Drives that lag have settled before the robot moves for the first time. */
static void settle(pp_cell *cell)
{
    if (!cell->moving && cell->plant->lag >= 0)
        memcpy(&cell->state[cell->plant->lag], cell->asked, (size_t)cell->plant->motors * sizeof(double));
    cell->moving = 1;
}

static void integrate(pp_cell *cell, const double *load, const double *force, double step, const double *brake)
{
    double next[PP_PLANT_STATES_MAX];
    const pp_plant *plant = cell->plant;
    for (int k = 0; k < plant->stages; ++k) {
        if (brake) plant->braked(cell->state, cell->asked, load, force, brake, step, next);
        else plant->stage(cell->state, cell->asked, load, force, step, next);
        memcpy(cell->state, next, (size_t)plant->states * sizeof(double));
    }
}

static void move_plant(pp_cell *cell)
{
    double brake[PP_MOTORS_MAX], load[PP_PAYLOAD], force[PP_DOF_MAX], given[PP_MOTORS_MAX];
    const int held = brakes_of(cell, brake), own = any_loop(cell);
    const int steps = held ? cell->plant->finer : cell->plant->substeps;
    const double step = cell->period / steps;
    for (int i = 0; i < cell->plant->motors; ++i) given[i] = cell->motors[i].torque;
    if (cell->flags & PP_FLAG_STATED_LOAD) memcpy(load, cell->out.load, sizeof load);
    else pp_belts_load(cell, load);
    pp_faults_load(cell, load, force);
    combine(cell->settings->gripper, load);
    ask(cell, given, 0.0, own ? step : cell->period);
    if (any_powered(cell)) settle(cell);
    for (int k = 0; k < steps && cell->moving; ++k) {
        if (own && k > 0) {
            look(cell);
            ask(cell, given, (double)k / steps, step);
        }
        integrate(cell, load, force, step, held ? brake : NULL);
    }
}

void pp_cell_move(pp_cell *cell, const pp_out *out)
{
    if (out) {
        cell->out = *out;
        cell->answered = out->cycle;
        cell->missed = 0;
    } else if (cell->answered && cell->missed < UINT32_MAX) ++cell->missed;
    cycle_drives(cell);
    pp_faults_count(cell, cell->out.state);
    pp_belts_grip(cell, (cell->out.outputs & PP_OUT_GRIP) != 0);
    move_plant(cell);
    pp_belts_move(cell);
    ++cell->cycle;
}

void pp_cell_answer(pp_cell_turn *turn, const pp_out *out, pp_in *in)
{
    const int fresh = (turn->flags & PP_TURN_FRESH) != 0;
    in->time = turn->time;
    in->answers = fresh ? out->cycle : in->answers;
    turn->cycle = in->cycle;
    turn->taken = in->answers;
    turn->digest = pp_digest(in, sizeof *in);
}

void pp_cell_pass(pp_cell *cell, const pp_cell_turn *turn, const pp_out *out)
{
    const uint32_t missed = cell->missed;
    pp_cell_move(cell, turn->flags & PP_TURN_FRESH ? out : NULL);
    /* What this process is late by itself is no silence of the master. */
    if (turn->flags & PP_TURN_EXCUSED) cell->missed = missed;
}
