/* SPDX-License-Identifier: Apache-2.0
 * The virtual cell as a process: its clock, its signals, and its seat at a segment. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cell.h"

#define PP_SECOND INT64_C(1000000000)
#define PP_LOCKSTEP_PAUSE 20000 /* ns between looks for a frame where there is no clock */

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
    (void)number;
    ended = 1;
}

/* Numbers between 0 and 1 for jitter and losses: Marsaglia's xorshift (Journal of Statistical Software 8, 2003, 14). */
static double drawn(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) * 0x1p-53;
}

static int64_t now_of(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * PP_SECOND + now.tv_nsec;
}

static void sleep_until(int64_t time)
{
    struct timespec until;
    until.tv_sec = (time_t)(time / PP_SECOND);
    until.tv_nsec = (long)(time % PP_SECOND);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR && !ended) continue;
}

static int ending(const pp_segment *segment)
{
    return ended || atomic_load_explicit(&segment->head.ending, memory_order_relaxed) != 0;
}

/* At the instants of the bus cycle: take the newest frame, sample, write, move on. */
static void run_paced(pp_cell *cell, pp_segment *segment, pp_ring *turns)
{
    const int64_t period = segment->head.period, epoch = now_of() + period;
    const pp_cell_settings *settings = &segment->cell;
    const int64_t jitter = (int64_t)(settings->jitter * 1e9);
    uint64_t seed = settings->seed | 1;
    pp_cell_turn turn;
    pp_out out;
    pp_in in;
    memset(&turn, 0, sizeof turn);
    memset(&out, 0, sizeof out);
    uint64_t taken = pp_bus_read_out(segment, &out); /* what is there is left by a master before */
    atomic_store(&segment->head.epoch, epoch);
    for (int64_t next = epoch; !ending(segment); next += period) {
        sleep_until(next + (int64_t)(drawn(&seed) * (double)jitter));
        turn.read = pp_bus_read_out(segment, &out);
        const int fresh = turn.read > taken && !(drawn(&seed) < settings->dropped);
        taken = turn.read > taken ? turn.read : taken;
        pp_cell_sense(cell, &in);
        turn.time = now_of();
        const int excused = !fresh && turn.time - next > period + jitter;
        turn.flags = (fresh ? PP_TURN_FRESH : 0) | (excused ? PP_TURN_EXCUSED : 0);
        pp_cell_answer(&turn, &out, &in);
        pp_bus_write_in(segment, &in);
        pp_cell_pass(cell, &turn, &out);
        if (turns) (void)pp_ring_write(turns, &turn);
        /* Somebody stopped this process for a while: it goes on from now and does not hurry after the time lost. */
        if (now_of() - next > PP_SECOND) next = now_of();
    }
}

/* Without a clock: a sample, and a period for every frame that answers it. */
static void run_lockstep(pp_cell *cell, pp_segment *segment)
{
    pp_out out;
    pp_in in;
    uint64_t taken = pp_bus_read_out(segment, &out);
    atomic_store(&segment->head.epoch, 1);
    for (;;) {
        pp_cell_sense(cell, &in);
        in.time = (int64_t)in.cycle * segment->head.period;
        pp_bus_write_in(segment, &in);
        while (pp_bus_read_out(segment, &out) <= taken) {
            if (ending(segment)) return;
            sleep_until(now_of() + PP_LOCKSTEP_PAUSE);
        }
        ++taken;
        pp_cell_move(cell, &out);
    }
}

int pp_cell_run(const pp_plant *plant, const char *name, const uint8_t fingerprint[32])
{
    pp_bus bus;
    pp_ring *turns;
    static pp_cell cell;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    pp_reason reason = pp_bus_attach(&bus, name, PP_SEAT_DRIVES, fingerprint);
    if (reason != PP_OK) {
        fprintf(stderr, "%s: %s\n", name, pp_bus_reason(reason));
        return 2;
    }
    const uint64_t place = bus.segment->head.cell_turns;
    if (!pp_cell_start(&cell, plant, bus.segment)) reason = PP_ROBOT;
    else if (!pp_turns_at(bus.segment, bus.bytes, place, sizeof(pp_cell_turn), &turns)) reason = PP_FOREIGN;
    if (reason != PP_OK) {
        fprintf(stderr, "%s: %s\n", name, pp_bus_reason(reason));
        pp_bus_detach(&bus);
        return 2;
    }
    if (bus.segment->head.flags & PP_FLAG_LOCKSTEP) run_lockstep(&cell, bus.segment);
    else run_paced(&cell, bus.segment, turns);
    pp_bus_detach(&bus);
    return 0;
}
