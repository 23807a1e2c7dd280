/* SPDX-License-Identifier: Apache-2.0
 * The loop against a clock: a process that takes the master's seat at a segment. */
#ifndef PP_PACE_H
#define PP_PACE_H

#include "loop.h"

/* Exit codes. */
#define PP_EXIT_DONE 0
#define PP_EXIT_REFUSED 2 /* segment, robot or seat; the reason is on stderr */
#define PP_EXIT_SLOW 3    /* a period takes longer than it may; what it takes is on stderr */

/* ns of CLOCK_MONOTONIC. */
int64_t pp_pace_now(void);

/* How long a period takes without drives (ns): of so many rehearsals with the robot where it starts, the 999th of a
 * thousand. The machine is as at its beginning afterwards. */
int64_t pp_pace_rehearse(const pp_machine *machine, const pp_loop_settings *settings, int times);

/* Where a loop writes: rows of the log, and turns; a NULL of the latter for no turns. */
typedef struct {
    pp_ring *log;
    pp_ring *turns;
} pp_pace_rings;

/* Run at the instants of the bus until the run ends, `ending` is set, or `*ended` is. */
void pp_pace_loop(pp_loop *loop, pp_segment *segment, const pp_pace_rings *rings, pp_report *report,
                  const volatile int *ended);

/* The process. */
int pp_pace_run(const pp_machine *machine, const char *name, const uint8_t fingerprint[32]);

#endif
