/* SPDX-License-Identifier: Apache-2.0
 * Loop and virtual cell as they are, `pp_pace_run` and `pp_cell_run`, in one process under a scheduler of its own: both
 * are contexts, and clock and sleep are those of a world in which a random number says who is late, by how much, and
 * where a turn is interrupted. What the planner does between is in here, too. The same seed gives the same run.
 *
 * The sources are compiled with clock, sleep, signals and privileges renamed (scheduled.py). */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "cell.h"
#include "pace.h"

#include "scheduled_robot.h"

#define WHO 2
#define STACK (1u << 20)
#define SECOND INT64_C(1000000000)
#define READING 200 /* ns that pass when the clock is read */

/* How a world is: shares of readings and sleeps at which somebody is late, and by how much at most (ns). */
typedef struct {
    uint64_t seed;
    double sleeps;       /* share of sleeps that last too long */
    double interrupts;   /* share of readings of the clock behind which the process stands still */
    int64_t longest;
    int64_t feeds;       /* ns between two looks of the planner at the rings */
    int64_t asks;        /* ns of the clock at which a stop is asked for; 0: never */
} world_settings;

/* What came of it: rows of the three rings, in the order in which they were written. */
typedef struct {
    unsigned char *bytes;
    uint64_t row_size;
    uint64_t rows;
    uint64_t most;
} kept;

static ucontext_t scheduler, contexts[WHO];
static int64_t now, wakes[WHO];
static int current, alive[WHO], codes[WHO];
static uint64_t state;
static world_settings world;
static const char *name;

static double drawn(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* Stand still until a time, and for longer where the dice say so. */
static void stand_still(int64_t until, double share)
{
    if (drawn() < share) until += (int64_t)(drawn() * drawn() * (double)world.longest);
    wakes[current] = until;
    swapcontext(&contexts[current], &scheduler);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock == CLOCK_MONOTONIC) {
        now += READING;
        if (drawn() < world.interrupts) stand_still(now, 1.0);
    }
    time->tv_sec = now / SECOND;
    time->tv_nsec = now % SECOND;
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    (void)clock, (void)flags, (void)left;
    stand_still((int64_t)until->tv_sec * SECOND + until->tv_nsec, world.sleeps);
    return 0;
}

int mlockall(int flags) { return flags == 0; }
int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) { return !set + (int)process + (size == 0); }
int sched_setscheduler(pid_t process, int policy, const struct sched_param *one) { return !one + policy * (int)process; }
int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    return number == 0 && action && before;
}

static void begin(int who)
{
    codes[who] = who == 0 ? pp_cell_run(&SCHEDULED_PLANT, name, NULL) : pp_pace_run(&SCHEDULED_MACHINE, name, NULL);
    alive[who] = 0;
}

static void drain(pp_segment *segment, uint64_t place, kept *to)
{
    pp_ring *ring = (pp_ring *)(void *)((unsigned char *)segment + place);
    while (place && to->rows < to->most && pp_ring_take(ring, to->bytes + to->rows * to->row_size)) ++to->rows;
}

/* The planner: some rows of the reference, and all that waits in the rings. */
static void planner(pp_segment *segment, const pp_row *rows, uint64_t count, kept *to)
{
    pp_ring *ring = (pp_ring *)(void *)((unsigned char *)segment + segment->head.reference);
    const uint64_t places[3] = {segment->head.log, segment->head.loop_turns, segment->head.cell_turns};
    uint64_t most = 1 + (uint64_t)(drawn() * 2000.0), fed = atomic_load(&ring->written);
    for (; most > 0 && fed < count && pp_ring_write(ring, &rows[fed]); --most) ++fed;
    if (fed == count) pp_ring_close(ring);
    for (int i = 0; i < 3; ++i) drain(segment, places[i], &to[i]);
}

static void start(int who, int64_t time, unsigned char *stack)
{
    getcontext(&contexts[who]);
    contexts[who].uc_stack.ss_sp = stack;
    contexts[who].uc_stack.ss_size = STACK;
    contexts[who].uc_link = &scheduler;
    makecontext(&contexts[who], (void (*)(void))begin, 1, who);
    wakes[who] = time;
    alive[who] = 1;
}

/* A run from the drives' start to the end of both; the exit codes of both, or -1 where the loop does not end. `to` gets
 * the log, the turns of the loop, and those of the drives. */
int scheduled_run(const char *segment_name, pp_segment *segment, size_t bytes, const world_settings *settings,
                  const pp_row *rows, uint64_t count, kept *to)
{
    unsigned char *stacks = malloc(WHO * STACK);
    pp_loop_settings *loop = pp_loop_settings_of(segment, bytes);
    int64_t look = 0;
    name = segment_name;
    world = *settings;
    state = settings->seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    now = SECOND;
    start(0, now, stacks);
    start(1, now + 100000000, stacks + STACK);
    while (alive[0]) {
        current = alive[1] && wakes[1] < wakes[0];
        if (wakes[current] > now) now = wakes[current];
        if (now >= look) {
            planner(segment, rows, count, to);
            look = now + (int64_t)((0.5 + drawn()) * (double)world.feeds);
        }
        if (world.asks && now >= world.asks) atomic_store(&loop->asked, SCHEDULED_STOP);
        swapcontext(&scheduler, &contexts[current]);
        if (!alive[1] || now > 60 * SECOND) atomic_store(&segment->head.ending, 1);
    }
    planner(segment, rows, count, to);
    free(stacks);
    return alive[1] ? -1 : codes[0] * 16 + codes[1];
}
