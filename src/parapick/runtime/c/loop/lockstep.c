/* SPDX-License-Identifier: Apache-2.0 */
#include "lockstep.h"

#include <string.h>

int pp_lockstep_start(pp_lockstep *both, const pp_machine *machine, const pp_plant *plant, pp_segment *segment,
                      size_t bytes)
{
    const uint64_t log = segment->head.log;
    memset(both, 0, sizeof *both);
    if (!pp_loop_start(&both->loop, machine, segment, bytes)) return 0;
    if (log == 0 || log % 64 || log >= bytes) return 0;
    both->log = (pp_ring *)(void *)((unsigned char *)segment + log);
    return pp_ring_sound(both->log, bytes - log, sizeof(pp_log_row)) && pp_cell_start(&both->cell, plant, segment);
}

/* Whether a period can be run: there is room for its row, and the planner is far enough ahead. */
static int can_run(const pp_lockstep *both)
{
    const pp_loop *loop = &both->loop;
    if (pp_ring_waiting(both->log) >= both->log->rows) return 0;
    return pp_ring_closed(loop->ring) || pp_ring_waiting(loop->ring) > loop->settings->horizon;
}

uint64_t pp_lockstep_run(pp_lockstep *both, uint64_t periods)
{
    uint64_t done = 0;
    pp_in in;
    pp_out out;
    pp_log_row row;
    memset(&out, 0, sizeof out);
    for (; done < periods && !both->loop.ended && can_run(both); ++done) {
        pp_cell_sense(&both->cell, &in);
        in.time = (int64_t)in.cycle * both->loop.master.period;
        if (pp_loop_period(&both->loop, &in, ++both->count, 0, in.time, &out, &row)) {
            row.begin = row.computed = row.written = in.time;
            (void)pp_ring_write(both->log, &row);
        }
        pp_cell_move(&both->cell, &out);
    }
    return done;
}

int pp_lockstep_ended(const pp_lockstep *both)
{
    return both->loop.ended;
}
