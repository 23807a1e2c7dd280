/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include <string.h>

int pp_replay_start(pp_replay *replay, const pp_machine *machine, const pp_plant *plant, pp_segment *segment,
                    size_t bytes)
{
    const uint64_t log = segment->head.log;
    memset(replay, 0, sizeof *replay);
    if (!pp_loop_start(&replay->loop, machine, segment, bytes)) return 0;
    if (log == 0 || log % 64 || log >= bytes) return 0;
    replay->log = replay->loop.log = (pp_ring *)(void *)((unsigned char *)segment + log);
    return pp_ring_sound(replay->log, bytes - log, sizeof(pp_log_row)) && pp_cell_start(&replay->cell, plant, segment);
}

static void cycle_writes(pp_replay *replay, pp_cell_turn *turn)
{
    pp_cell_sense(&replay->cell, &replay->in);
    pp_cell_answer(turn, &replay->out_read, &replay->in);
    pp_cell_pass(&replay->cell, turn, &replay->out_read);
    ++replay->cycle;
}

static void period_writes(pp_replay *replay, pp_loop_turn *turn)
{
    pp_log_row row;
    if (pp_loop_turned(&replay->loop, &replay->in_read, turn, &replay->out, &row)) {
        row.begin = row.computed = row.written = turn->time;
        (void)pp_ring_write(replay->log, &row);
    }
    ++replay->period;
}

uint64_t pp_replay_run(pp_replay *replay, const uint8_t *steps, uint64_t count, pp_loop_turn *periods,
                       pp_cell_turn *cycles)
{
    uint64_t done = 0;
    for (; done < count; ++done) {
        /* A period writes its own row, and those of the cycles that it makes up for. */
        if (replay->log->rows - pp_ring_waiting(replay->log) < PP_GAP_MAX) break;
        switch ((pp_step)steps[done]) {
        case PP_CYCLE_READS:
            if (cycles[replay->cycle].read) replay->out_read = replay->out;
            break;
        case PP_CYCLE_WRITES: cycle_writes(replay, &cycles[replay->cycle]); break;
        case PP_PERIOD_READS:
            if (periods[replay->period].read) replay->in_read = replay->in;
            break;
        case PP_PERIOD_WRITES: period_writes(replay, &periods[replay->period]); break;
        }
    }
    return done;
}
