/* SPDX-License-Identifier: Apache-2.0
 * A paced run again: loop and virtual cell in one process, turn by turn as they were logged, without a clock. */
#ifndef PP_REPLAY_H
#define PP_REPLAY_H

#include "cell.h"
#include "loop.h"

/* Halves of turns: reading the other's newest frame, and writing one of its own. */
typedef enum { PP_CYCLE_READS, PP_CYCLE_WRITES, PP_PERIOD_READS, PP_PERIOD_WRITES } pp_step;

typedef struct {
    pp_loop loop;
    pp_cell cell;
    pp_ring *log;
    pp_in in;          /* newest frame of the drives, */
    pp_in in_read;     /* and that which the loop has read */
    pp_out out;
    pp_out out_read;
    uint64_t period;   /* turns of the loop so far, */
    uint64_t cycle;    /* and of the drives */
} pp_replay;

/* Loop and cell at their beginning; 0 where segment, machine and plant do not fit each other. */
int pp_replay_start(pp_replay *replay, const pp_machine *machine, const pp_plant *plant, pp_segment *segment,
                    size_t bytes);

/* So many halves of turns, fewer where the log is full; how many they were. `periods` and `cycles` are all turns of the
 * run; what came of a turn is written into it. */
uint64_t pp_replay_run(pp_replay *replay, const uint8_t *steps, uint64_t count, pp_loop_turn *periods,
                       pp_cell_turn *cycles);

#endif
