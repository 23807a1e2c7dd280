/* Master, cell and a spectator as threads on one segment and one ring, as fast as they can.
 *
 * Every frame carries its number in all that can be compared, so that a torn one is seen. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "master.h"
#include "ring.h"

extern const pp_plant *probe_plant(void);

typedef struct {
    uint64_t number;
    double values[6];
} row;

static pp_segment segment;
static pp_ring *ring;
static long rounds;
static _Atomic int done;
static long torn, enabled, seen_by_spectator, rows_taken;

static void mark(pp_out *out)
{
    out->time = (int64_t)out->cycle;
    out->load[4] = (double)out->cycle;
    for (int i = 0; i < PP_MOTORS_MAX; ++i) out->drives[i].exact_position = (double)out->cycle;
}

static int whole(const pp_out *out)
{
    int good = out->time == (int64_t)out->cycle && out->load[4] == (double)out->cycle;
    for (int i = 0; i < PP_MOTORS_MAX; ++i) good = good && out->drives[i].exact_position == (double)out->cycle;
    return good;
}

static void *master_thread(void *nothing)
{
    pp_master master;
    pp_drives_seen seen;
    pp_out out;
    pp_in in;
    const double torque[PP_MOTORS_MAX] = {0};
    memset(&out, 0, sizeof out);
    memset(&in, 0, sizeof in);
    memset(&seen, 0, sizeof seen);
    pp_master_start(&master, &segment, PP_MODE_TORQUE);
    for (long k = 0; k < rounds || (!enabled && k < 1000 * rounds); ++k) {
        row reference = {(uint64_t)k, {0}};
        pp_master_look(&master, &in, pp_bus_read_in(&segment, &in), &seen);
        enabled += seen.enabled;
        pp_master_want(&master, &seen, PP_WANT_ON, &out);
        pp_master_ask(&master, torque, NULL, &out);
        pp_master_stamp(&master, 0, &out);
        mark(&out);
        pp_bus_write_out(&segment, &out);
        for (int i = 0; i < 6; ++i) reference.values[i] = (double)reference.number;
        if (k < rounds)
            while (!pp_ring_write(ring, &reference)) continue;
        if (k == rounds - 1) pp_ring_close(ring);
    }
    done = 1;
    return nothing;
}

static void *cell_thread(void *nothing)
{
    static pp_cell cell;
    pp_out out;
    pp_in in;
    uint64_t taken = 0;
    if (!pp_cell_start(&cell, probe_plant(), &segment)) abort();
    while (!done) {
        const uint64_t count = pp_bus_read_out(&segment, &out);
        if (count > taken && !whole(&out)) ++torn;
        pp_cell_sense(&cell, &in);
        in.time = (int64_t)in.cycle;
        pp_bus_write_in(&segment, &in);
        pp_cell_move(&cell, count > taken ? &out : NULL);
        taken = count > taken ? count : taken;
    }
    return nothing;
}

static void *spectator_thread(void *nothing)
{
    pp_in in;
    row next;
    while (!done || pp_ring_waiting(ring)) {
        if (pp_bus_read_in(&segment, &in)) {
            ++seen_by_spectator;
            if (in.time != (int64_t)in.cycle) ++torn;
        }
        while (pp_ring_take(ring, &next)) {
            if (next.number != (uint64_t)rows_taken || next.values[5] != (double)rows_taken) ++torn;
            ++rows_taken;
        }
    }
    return nothing;
}

int main(int count, char **arguments)
{
    pthread_t threads[3];
    void *(*const bodies[3])(void *) = {master_thread, cell_thread, spectator_thread};
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fread(&segment, sizeof segment, 1, file) != 1) return 2;
    fclose(file);
    rounds = atol(arguments[2]);
    ring = aligned_alloc(64, pp_ring_bytes(64, sizeof(row)));
    if (!ring) return 2;
    pp_ring_make(ring, 64, sizeof(row));
    for (int i = 0; i < 3; ++i)
        if (pthread_create(&threads[i], NULL, bodies[i], NULL)) return 2;
    for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
    printf("%ld %d %d %ld\n", torn, enabled > 0, seen_by_spectator > 0, rows_taken);
    free(ring);
    return torn != 0;
}
