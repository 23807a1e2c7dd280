/* SPDX-License-Identifier: Apache-2.0
 * The loop and its drives in one program, from the image of a segment: `loop_program FILE lockstep` period by period,
 * `loop_program FILE gaps` with cycles that are missed, `loop_program FILE threads` as threads, the loop against the
 * clock, `loop_program FILE turns` from turns that are all in time. It prints samples, last state and latched guard. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lockstep.h"
#include "pace.h"
#include "replay.h"

#include "loop_plant.h"

#define TURNS 7200

static pp_segment *segment;
static size_t bytes;
static pp_lockstep both;
static volatile int never;
static atomic_int done;

static void *drives(void *unused)
{
    const struct timespec pause = {0, 50000};
    uint64_t taken = 0;
    pp_out out;
    pp_in in;
    (void)unused;
    memset(&out, 0, sizeof out);
    while (!atomic_load(&done)) {
        const uint64_t count = pp_bus_read_out(segment, &out);
        pp_cell_sense(&both.cell, &in);
        in.time = pp_pace_now();
        pp_bus_write_in(segment, &in);
        pp_cell_move(&both.cell, count > taken ? &out : NULL);
        taken = count;
        nanosleep(&pause, NULL);
    }
    return NULL;
}

static uint64_t drained(pp_log_row *last)
{
    uint64_t count = 0;
    while (pp_ring_take(both.log, last)) ++count;
    return count;
}

static void *recorder(void *count)
{
    static pp_log_row last;
    while (!atomic_load(&done)) *(uint64_t *)count += drained(&last);
    return NULL;
}

static uint64_t threaded(void)
{
    pthread_t cell, log;
    uint64_t count = 0;
    pp_loop_settings *settings = pp_loop_settings_of(segment, bytes);
    const pp_pace_rings rings = {both.log, NULL};
    atomic_store(&segment->head.epoch, pp_pace_now());
    both.loop.log = both.log;
    pthread_create(&cell, NULL, drives, NULL);
    pthread_create(&log, NULL, recorder, &count);
    pp_pace_loop(&both.loop, segment, &rings, &settings->report, &never);
    atomic_store(&done, 1);
    pthread_join(cell, NULL);
    pthread_join(log, NULL);
    return count;
}

/* As lockstep, but now and then a cycle passes without the loop, and a frame comes twice. */
static uint64_t with_gaps(void)
{
    pp_log_row row;
    pp_out out;
    pp_in in;
    uint64_t samples = 0;
    memset(&out, 0, sizeof out);
    both.loop.log = both.log;
    for (uint64_t k = 0; !both.loop.ended; ++k) {
        pp_cell_sense(&both.cell, &in);
        if (k > 100 && k % 50 == 7) {
            pp_cell_move(&both.cell, NULL);
            continue;
        }
        samples += (uint64_t)pp_loop_period(&both.loop, &in, ++both.count, 0, 0, &out, &row);
        if (k % 70 == 9 && pp_loop_period(&both.loop, &in, both.count, 0, 0, &out, &row)) return 0;
        pp_cell_move(&both.cell, &out);
        samples += drained(&row);
    }
    return samples;
}

/* From turns: each reads what the other has written last. The log is small, so that it is full now and then. */
static uint64_t from_turns(void)
{
    static pp_replay again;
    static pp_loop_turn periods[TURNS];
    static pp_cell_turn cycles[TURNS];
    static uint8_t steps[4 * TURNS];
    pp_log_row row;
    uint64_t samples = 0, halves = 0;
    if (!pp_replay_start(&again, &LOOP_MACHINE, &LOOP_PLANT, segment, bytes)) return 0;
    for (uint64_t k = 0; k < TURNS; ++k) {
        periods[k].read = k + 1;
        periods[k].rows = pp_ring_waiting(again.loop.ring);
        periods[k].flags = PP_TURN_CLOSED;
        cycles[k].read = k;
        cycles[k].flags = k > 0 ? PP_TURN_FRESH : 0;
        for (unsigned i = 0; i < 4; ++i) steps[4 * k + i] = (uint8_t)i;
    }
    again.log->rows = 100;
    while (halves < sizeof steps) {
        halves += pp_replay_run(&again, steps + halves, sizeof steps - halves, periods, cycles);
        samples += drained(&row);
    }
    both.loop = again.loop;
    return samples;
}

int main(int count, char **arguments)
{
    pp_log_row last;
    uint64_t samples = 0;
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    bytes = (size_t)ftell(file);
    rewind(file);
    segment = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!segment || fread(segment, 1, bytes, file) != bytes) return 2;
    fclose(file);
    const int64_t rehearsed = pp_pace_rehearse(&LOOP_MACHINE, pp_loop_settings_of(segment, bytes), 100);
    if (!pp_lockstep_start(&both, &LOOP_MACHINE, &LOOP_PLANT, segment, bytes)) return 3;
    if (strcmp(arguments[2], "threads") == 0) samples = threaded();
    else if (strcmp(arguments[2], "gaps") == 0) samples = with_gaps();
    else if (strcmp(arguments[2], "turns") == 0) samples = from_turns();
    else
        while (pp_lockstep_run(&both, 1000) > 0) samples += drained(&last);
    samples += drained(&last);
    printf("%llu %d %d %d\n", (unsigned long long)samples, both.loop.state, both.loop.fault, rehearsed > 0);
    free(segment);
    return 0;
}
