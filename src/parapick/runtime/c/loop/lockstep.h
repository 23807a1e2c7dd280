/* SPDX-License-Identifier: Apache-2.0
 * Loop and virtual cell in one process, period by period, without a clock. */
#ifndef PP_LOCKSTEP_H
#define PP_LOCKSTEP_H

#include "cell.h"
#include "loop.h"

typedef struct {
    pp_loop loop;
    pp_cell cell;
    pp_ring *log;
    uint64_t count; /* frames so far */
} pp_lockstep;

/* Loop and cell at their beginning; 0 where segment, machine and plant do not fit each other. */
int pp_lockstep_start(pp_lockstep *both, const pp_machine *machine, const pp_plant *plant, pp_segment *segment,
                      size_t bytes);

/* So many periods, fewer where the run ends, where the log is full, or where the ring of references needs more rows;
 * how many they were. */
uint64_t pp_lockstep_run(pp_lockstep *both, uint64_t periods);

/* Whether the run has ended. */
int pp_lockstep_ended(const pp_lockstep *both);

#endif
