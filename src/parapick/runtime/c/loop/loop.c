/* SPDX-License-Identifier: Apache-2.0 */
#include "loop.h"

#include <math.h>
#include <string.h>

#include "pp_names.h"

#define PP_ALIGNED 64u
#define PP_KNOTS_MAX 16u /* rows between two samples, at most */

pp_loop_settings *pp_loop_settings_of(pp_segment *segment, size_t bytes)
{
    if (bytes < sizeof *segment + sizeof(pp_loop_settings) + PP_ALIGNED) return NULL;
    const size_t first = (bytes - sizeof(pp_loop_settings)) / PP_ALIGNED * PP_ALIGNED;
    pp_loop_settings *settings = (pp_loop_settings *)(void *)((unsigned char *)segment + first);
    return settings->magic == PP_LOOP_MAGIC && settings->commands <= PP_COMMANDS_MAX ? settings : NULL;
}

int pp_loop_start(pp_loop *loop, const pp_machine *machine, pp_segment *segment, size_t bytes)
{
    const pp_head *head = &segment->head;
    memset(loop, 0, sizeof *loop);
    loop->settings = pp_loop_settings_of(segment, bytes);
    if (!loop->settings || head->motors != (uint32_t)machine->motors || head->dof != (uint32_t)machine->dof) return 0;
    if (head->reference == 0 || head->reference % PP_ALIGNED || head->reference >= bytes) return 0;
    loop->ring = (pp_ring *)(void *)((unsigned char *)segment + head->reference);
    if (!pp_ring_sound(loop->ring, bytes - head->reference, sizeof(pp_row))) return 0;
    if (fabs((double)head->period * 1e-9 * (1.0 / machine->period) - 1.0) > 1e-3) return 0;
    loop->machine = machine;
    loop->flags = head->flags;
    loop->state = PP_STATE_OFF;
    loop->fault = -1;
    loop->last = loop->settings->start;
    pp_master_start(&loop->master, segment, (int8_t)loop->settings->mode);
    machine->reset();
    return 1;
}

/* Whether all drives wait for the command that enables them, or are enabled. */
static int prepared(const pp_loop *loop, const pp_drives_seen *seen)
{
    int i, ready = seen->fresh && !seen->dead;
    for (i = 0; i < loop->machine->motors; ++i)
        ready = ready && (seen->states[i] == PP_SWITCHED_ON || seen->states[i] == PP_ENABLED);
    return ready;
}

/* Whether the ring holds as much as a stop may need, or all that there is. */
static int fed(const pp_loop *loop)
{
    return loop->rows.closed || pp_view_waiting(&loop->rows) >= loop->settings->horizon;
}

/* A pose that is held from now on. */
static void hold(const pp_loop *loop, const pp_row *from, pp_row *row)
{
    *row = *from;
    row->s = (double)(loop->sample - loop->entered) * loop->machine->period;
    row->pace = 1.0;
    row->flags &= PP_ROW_GRIP;
    memset(row->xd, 0, sizeof row->xd);
    memset(row->xdd, 0, sizeof row->xdd);
    memset(row->shift, 0, sizeof row->shift);
    memset(row->shift_rate, 0, sizeof row->shift_rate);
    memcpy(row->ahead, row->x, sizeof row->ahead);
}

/* The next row of the ring that is one of a sample of the state; how many rows it takes, 0 where there is none. Before
 * it there may be knots, and the end of the segment before, which was left as soon as it was reached. */
static uint64_t next_sample(const pp_loop *loop, int state, pp_row *row)
{
    uint64_t ahead;
    for (ahead = 0; ahead < PP_KNOTS_MAX && pp_view_look(&loop->rows, ahead, row); ++ahead)
        if (!(row->flags & PP_ROW_KNOT) && row->state == (uint32_t)state) return ahead + 1;
    return 0;
}

/* Derivatives of the path by its time, without what a fault adds to it. */
static void by_path_time(pp_row *row, int dof)
{
    const double pace = row->pace != 0.0 ? row->pace : 1.0;
    int i;
    for (i = 0; i < dof; ++i) {
        row->x[i] -= row->shift[i];
        row->xd[i] = (row->xd[i] - row->shift_rate[i]) / pace;
        row->xdd[i] = row->xdd[i] / (pace * pace);
    }
}

/* The quintic through two rows at a path time; Hermite's, by its Taylor coefficients at the lower one. */
static void between(const pp_loop *loop, double s, double x[], double x_s[], double x_ss[])
{
    const pp_row *a = &loop->low, *b = &loop->high;
    const double h = b->s - a->s, u = s - a->s;
    int i;
    for (i = 0; i < loop->machine->dof; ++i) {
        const double left = b->x[i] - a->x[i] - h * (a->xd[i] + 0.5 * h * a->xdd[i]);
        const double rate = b->xd[i] - a->xd[i] - h * a->xdd[i], bend = b->xdd[i] - a->xdd[i];
        const double c3 = (10.0 * left / h - 4.0 * rate + 0.5 * h * bend) / (h * h);
        const double c4 = (-15.0 * left / h + 7.0 * rate - h * bend) / (h * h * h);
        const double c5 = (6.0 * left / h - 3.0 * rate + 0.5 * h * bend) / (h * h * h * h);
        x[i] = a->x[i] + u * (a->xd[i] + u * (0.5 * a->xdd[i] + u * (c3 + u * (c4 + u * c5))));
        x_s[i] = a->xd[i] + u * (a->xdd[i] + u * (3.0 * c3 + u * (4.0 * c4 + u * 5.0 * c5)));
        x_ss[i] = a->xdd[i] + u * (6.0 * c3 + u * (12.0 * c4 + u * 20.0 * c5));
    }
}

/* Move to the rows between which a path time lies; 0 where the path is not known so far. */
static int sought(pp_loop *loop, double s)
{
    while (!loop->whole && s > loop->high.s) {
        pp_row row;
        if (loop->high.flags & PP_ROW_LAST) {
            loop->whole = 1;
            break;
        }
        if (!pp_view_take(&loop->rows, &row)) return 0;
        by_path_time(&row, loop->machine->dof);
        loop->low = loop->high;
        loop->high = row;
    }
    return 1;
}

/* A stop begins at the pace of the row that was followed last; one of a pose that is held has no path ahead. */
static void begin_stop(pp_loop *loop, const pp_row *wanted)
{
    loop->from = loop->last;
    loop->whole = !loop->ring_fed || (loop->last.flags & PP_ROW_LAST);
    loop->low = loop->last;
    by_path_time(&loop->low, loop->machine->dof);
    loop->high = loop->low;
    loop->machine->stop_begin(loop->last.s, loop->last.pace);
    memcpy(loop->last.known, wanted->known, sizeof wanted->known);
    memcpy(loop->last.load, wanted->load, sizeof wanted->load);
    loop->last.flags &= PP_ROW_GRIP;
}

/* The reference at a sample of a stop; 0 where the path ends before the stop does. */
static int stopping(pp_loop *loop, pp_row *row, double *share)
{
    const pp_row *from = &loop->from;
    const double pace = from->pace != 0.0 ? from->pace : 1.0;
    double x_s[PP_DOF_MAX] = {0}, x_ss[PP_DOF_MAX] = {0};
    int i;
    *row = loop->last;
    if (row->flags & PP_ROW_ARRIVED) return 1;
    loop->machine->stop_now(&row->s, &row->pace);
    if (!sought(loop, row->s)) return 0;
    /* A path that is left at pace 0 has no rows to be between. */
    if (loop->whole || loop->high.s <= loop->low.s) memcpy(row->x, loop->high.x, sizeof row->x);
    else between(loop, row->s, row->x, x_s, x_ss);
    for (i = 0; i < loop->machine->dof; ++i) {
        const double drift = from->shift_rate[i] / pace;
        row->x[i] += from->shift[i] + drift * (row->s - from->s);
        x_s[i] += drift;
    }
    if (row->pace == 0.0) row->flags |= PP_ROW_ARRIVED;
    memcpy(row->ahead, row->x, sizeof row->x);
    *share = loop->machine->stop_step(row->x, x_s, x_ss, row->known, row->xd, row->xdd);
    return 1;
}

/* What is wanted at the next sample of a state; 0 where nothing is there. `take` gets the rows of the ring it costs. */
static int wanted(pp_loop *loop, pp_row *row, uint64_t *take, double *share)
{
    const uint64_t k = loop->sample - loop->entered;
    *take = 0;
    if (loop->state == PP_STATE_STOPPING) return stopping(loop, row, share);
    if (loop->ring_fed) {
        if (loop->last.flags & PP_ROW_LAST && k > 0) {
            *row = loop->last;
            row->s += loop->machine->period;
            return 1;
        }
        *take = next_sample(loop, loop->state, row);
        return *take > 0;
    }
    hold(loop, &loop->last, row);
    const double time = (double)k * loop->machine->period;
    const uint64_t most = loop->state == PP_STATE_READY ? loop->settings->shown : loop->settings->dwell;
    if (loop->started || loop->state == PP_STATE_ENABLING)
        if (time >= (double)most * loop->machine->period - 1e-9) row->flags |= PP_ROW_ARRIVED;
    return 1;
}

static int commanded(pp_loop *loop)
{
    const pp_loop_settings *settings = loop->settings;
    uint64_t i;
    for (i = 0; i < settings->commands; ++i) {
        const pp_command *one = &settings->command[i];
        const uint64_t first = one->state < 16 ? loop->first[one->state] : 0;
        if (first && loop->sample == first - 1 + one->begin) return (int)one->event;
    }
    /* Nothing moves that could be stopped: what is asked for is the end. */
    if (loop->asked == PP_EVENT_STOP && loop->state == PP_STATE_READY && !loop->started) return PP_EVENT_DISABLE;
    if (loop->asked > 0) return loop->asked;
    if (loop->state != PP_STATE_READY || loop->started || !fed(loop)) return PP_EVENT_NONE;
    return loop->sample >= loop->entered + settings->dwell ? PP_EVENT_START : PP_EVENT_NONE;
}

/* A state is entered at this sample: what it follows first in the place of the row that was wanted. */
static void enter(pp_loop *loop, int state, pp_row *row, uint64_t *take, double *share)
{
    const pp_row before = *row;
    if (state == PP_STATE_STOPPING) begin_stop(loop, row);
    loop->state = state;
    loop->entered = loop->sample;
    if (!loop->first[state]) loop->first[state] = loop->sample + 1;
    loop->started = loop->started || state == PP_STATE_RUNNING;
    loop->ring_fed = state == PP_STATE_HOMING || state == PP_STATE_RUNNING;
    if (state != PP_STATE_STOPPING) {
        loop->last = before;
        loop->last.flags &= PP_ROW_GRIP;
    }
    if (!wanted(loop, row, take, share)) hold(loop, &before, row);
}

/* What the drives say as the supervisor's signals. */
static void sight_of(pp_loop *loop, const pp_drives_seen *seen, const pp_row *row, pp_sight *sight)
{
    int i;
    sight->q_meas = seen->q;
    sight->x_ref = row->x;
    sight->x_ahead = row->ahead;
    sight->command = loop->command;
    sight->emergency = (seen->inputs & PP_IN_EMERGENCY) != 0;
    loop->was_enabled = loop->was_enabled || seen->enabled;
    for (i = 0; i < loop->machine->motors; ++i) {
        const int broken = seen->states[i] == PP_FAULT || seen->states[i] == PP_FAULT_REACTION;
        sight->dead[i] = seen->dead || broken || (loop->was_enabled && seen->states[i] != PP_ENABLED);
    }
}

/* Late torques as far as the frame and the ring say so. */
static uint32_t late_of(const pp_loop *loop, const pp_drives_seen *seen, uint32_t known)
{
    if (seen->inputs & PP_IN_LATE) known |= PP_LATE_DRIVES;
    if (seen->dead) known |= PP_LATE_BUS;
    if (loop->ring_fed && !(loop->last.flags & PP_ROW_LAST) && !fed(loop)) known |= PP_LATE_PLANNER;
    return known;
}

/* Torques of a sample; none where the motors may not give any, or the law has no number. */
static void torques(pp_loop *loop, const pp_drives_seen *seen, const pp_row *row, pp_log_row *log)
{
    const pp_machine *machine = loop->machine;
    double torque[PP_MOTORS_MAX] = {0};
    int i, sound = 1;
    memset(loop->command, 0, sizeof loop->command);
    if (machine->energised()) sound = machine->law(seen->q, seen->qd, row, log->terms, loop->command, torque);
    for (i = 0; i < machine->motors; ++i) {
        if (!sound || !isfinite(torque[i])) torque[i] = 0.0;
        log->command[i] = loop->command[i];
        log->torque[i] = torque[i];
    }
}

static void note(const pp_loop *loop, const pp_drives_seen *seen, const pp_row *row, const pp_in *in, pp_log_row *log)
{
    log->sample = loop->sample;
    log->sampled = seen->time;
    log->seen = seen->cycle;
    log->state = (uint32_t)loop->state;
    log->inputs = seen->inputs;
    log->s = row->s;
    log->pace = row->pace;
    memcpy(log->x_ref, row->x, sizeof row->x);
    memcpy(log->xd_ref, row->xd, sizeof row->xd);
    memcpy(log->xdd_ref, row->xdd, sizeof row->xdd);
    memcpy(log->x, in->x, sizeof in->x);
    memcpy(log->xd, in->xd, sizeof in->xd);
    memcpy(log->known, row->known, sizeof row->known);
    memcpy(log->load, row->load, sizeof row->load);
    memcpy(log->q_meas, seen->q, sizeof seen->q);
    memcpy(log->reported, seen->torque, sizeof seen->torque);
    memcpy(log->status, seen->status_words, sizeof seen->status_words);
    memcpy(log->belts, seen->belts, sizeof seen->belts);
}

/* The first sample: the drives are enabled with its torques. */
static void first_sample(pp_loop *loop, const pp_drives_seen *seen, pp_row *row, pp_log_row *log)
{
    uint64_t take;
    double share;
    pp_decision decision;
    loop->begun = 1;
    loop->machine->decide(0, PP_EVENT_ENABLE, &decision);
    loop->state = decision.state;
    loop->first[loop->state] = 1;
    log->event = decision.event;
    log->cause = decision.cause;
    log->fault = decision.fault;
    loop->machine->rest(seen->q, loop->last.x);
    (void)wanted(loop, row, &take, &share);
}

/* A later sample: guards, the supervisor's step, and what is followed after it. Returns 0 at the end of the run. */
static int later_sample(pp_loop *loop, const pp_drives_seen *seen, uint32_t late, pp_row *row, pp_log_row *log)
{
    const pp_machine *machine = loop->machine;
    const int ending = loop->started && loop->state == PP_STATE_READY;
    uint64_t take = 0;
    double share = 0.0;
    pp_sight sight;
    pp_decision decision;
    const int there = wanted(loop, row, &take, &share);
    int arrived = (row->flags & PP_ROW_ARRIVED) != 0;
    if (!there) hold(loop, &loop->last, row);
    if (loop->state == PP_STATE_ENABLING) arrived = arrived && seen->enabled && fed(loop);
    sight_of(loop, seen, row, &sight);
    /* Without a path there is nothing to follow, nor to stop along. */
    if (!there) {
        sight.dead[0] = 1;
        late |= PP_LATE_PLANNER;
    }
    log->late = late;
    sight.late = late != 0;
    machine->look(&sight, log->quantities);
    log->looked = 1;
    if (ending && arrived) return 0;
    machine->decide(arrived && loop->state != PP_STATE_READY, commanded(loop), &decision);
    log->event = decision.event;
    log->cause = decision.cause;
    log->fault = decision.fault;
    loop->fault = decision.fault;
    if (decision.state != loop->state) enter(loop, decision.state, row, &take, &share);
    if (take) (void)pp_ring_drop(loop->ring, take);
    log->share = share;
    /* In brakes the run goes on until the robot has rested for a while. */
    if (machine->energised()) return 1;
    loop->rest = decision.still ? loop->rest + 1 : 0;
    return loop->rest <= loop->settings->resting && loop->sample - loop->entered < loop->settings->braking;
}

/* A sample: 1 where it belongs to the run. */
static int sampled(pp_loop *loop, const pp_drives_seen *seen, const pp_in *in, uint32_t late, pp_row *row,
                   pp_log_row *log)
{
    int counted = 0;
    memset(log, 0, sizeof *log);
    log->fault = log->cause = -1;
    log->before = (uint32_t)loop->state;
    if (loop->begun && !loop->ended) {
        loop->sample++;
        loop->ended = !later_sample(loop, seen, late_of(loop, seen, late), row, log);
        counted = !loop->ended;
    } else if (!loop->begun && prepared(loop, seen)) {
        first_sample(loop, seen, row, log);
        counted = 1;
    }
    if (counted) {
        loop->machine->remember(seen->q, row->x);
        torques(loop, seen, row, log);
        loop->last = *row;
    }
    note(loop, seen, row, in, log);
    return counted;
}

/* The samples of cycles that were missed, at angles between those of the frames before and after them. */
static void make_up(pp_loop *loop, const pp_drives_seen *seen, const pp_in *in, uint32_t late, int64_t time)
{
    const uint64_t gap = seen->cycle - loop->cycle;
    uint64_t k;
    for (k = 1; k < gap && gap <= PP_GAP_MAX && !loop->ended; ++k) {
        const double share = (double)k / (double)gap;
        pp_drives_seen there = *seen;
        pp_in at = *in;
        pp_row row = loop->last;
        pp_log_row log;
        int i;
        for (i = 0; i < loop->machine->motors; ++i) there.q[i] = loop->q[i] + share * (seen->q[i] - loop->q[i]);
        for (i = 0; i < loop->machine->dof; ++i) at.x[i] = loop->x[i] + share * (in->x[i] - loop->x[i]);
        there.cycle = loop->cycle + k;
        there.time = seen->time - (int64_t)(gap - k) * loop->master.period;
        if (!sampled(loop, &there, &at, late ? late : PP_LATE_BUS, &row, &log)) return;
        log.begin = log.computed = log.written = time;
        if (!loop->log || !pp_ring_write(loop->log, &log)) ++loop->lost;
    }
}

/* The frame for the drives. */
static void answered(pp_loop *loop, const pp_drives_seen *seen, const pp_row *row, pp_log_row *log, pp_out *out)
{
    const pp_machine *machine = loop->machine;
    const int power = !loop->ended && (!loop->begun || machine->energised());
    const int reset = loop->settings->reset && !loop->begun && seen->fault;
    double q[PP_MOTORS_MAX] = {0};
    int i;
    pp_master_want(&loop->master, seen, reset ? PP_WANT_RESET : power ? PP_WANT_ON : PP_WANT_OFF, out);
    if (loop->settings->mode == PP_MODE_POSITION) machine->joints(row->x, q);
    pp_master_ask(&loop->master, log->torque, q, out);
    for (i = 0; i < machine->motors && !(loop->flags & PP_FLAG_EXACT); ++i)
        log->torque[i] = pp_master_understood(&loop->master, i, log->torque[i]);
    out->state = (uint32_t)loop->state;
    out->outputs = row->flags & PP_ROW_GRIP ? PP_OUT_GRIP : 0;
    memcpy(out->load, row->load, sizeof out->load);
}

pp_loop_turn pp_loop_now(const pp_loop *loop, uint64_t count, uint32_t late, int64_t time)
{
    const pp_ring_view rows = pp_ring_now(loop->ring);
    pp_loop_turn turn;
    memset(&turn, 0, sizeof turn);
    turn.time = time;
    turn.read = count;
    turn.rows = rows.written;
    turn.flags = rows.closed ? PP_TURN_CLOSED : 0;
    turn.asked = (int32_t)atomic_load_explicit(&loop->settings->asked, memory_order_relaxed);
    turn.late = late;
    return turn;
}

int pp_loop_turned(pp_loop *loop, const pp_in *in, pp_loop_turn *turn, pp_out *out, pp_log_row *log)
{
    pp_drives_seen seen;
    pp_row row;
    int counted = 0;
    loop->rows.ring = loop->ring;
    loop->rows.written = turn->rows;
    loop->rows.closed = (turn->flags & PP_TURN_CLOSED) != 0;
    loop->asked = turn->asked;
    /* Where no frame can be read, what was seen last holds. */
    memset(&seen, 0, sizeof seen);
    memcpy(seen.q, loop->q, sizeof seen.q);
    seen.cycle = loop->cycle;
    pp_master_look(&loop->master, in, turn->read, &seen);
    if (seen.fresh || seen.dead || !loop->begun || loop->ended) {
        if (loop->begun && !seen.dead) make_up(loop, &seen, in, turn->late, turn->time);
        row = loop->last;
        counted = sampled(loop, &seen, in, turn->late, &row, log);
        memcpy(loop->q, seen.q, sizeof seen.q);
        memcpy(loop->x, in->x, sizeof in->x);
        loop->cycle = seen.cycle;
        answered(loop, &seen, &row, log, out);
    }
    pp_master_stamp(&loop->master, turn->time, out);
    turn->number = out->cycle;
    turn->cycle = loop->cycle;
    turn->sample = loop->sample;
    turn->digest = pp_digest(out, sizeof *out);
    return counted;
}

int pp_loop_period(pp_loop *loop, const pp_in *in, uint64_t count, uint32_t late, int64_t time, pp_out *out,
                   pp_log_row *log)
{
    pp_loop_turn turn = pp_loop_now(loop, count, late, time);
    return pp_loop_turned(loop, in, &turn, out, log);
}
