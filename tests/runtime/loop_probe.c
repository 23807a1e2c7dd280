/* SPDX-License-Identifier: Apache-2.0
 * What tests see of a loop, and a system whose clock stands still until it is read, for `pace.c`: the library is
 * compiled with the names below renamed (scripted.py), so that no test depends on a clock or asks for a privilege. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "pace.h"

typedef struct {
    int64_t now;        /* ns of the clock */
    int64_t reading;    /* by how much it goes on when it is read */
    int64_t working;    /* by how much the thread's own clock does */
    int64_t worked;
    int64_t memory;     /* errno of locking memory, of the processor, of the scheduler; 0: granted */
    int64_t processor;
    int64_t scheduler;
    int64_t priority;   /* what was asked for; -1: nothing */
    int64_t kept_to;
    int64_t interrupts; /* sleeps that a signal is going to end too soon */
    int64_t sleeps;
    void (*slept)(void);
} probe_system;

probe_system probe_world;
static void (*handlers[65])(int);

void probe_signal(int number) { handlers[number](number); }
size_t probe_loop_size(void) { return sizeof(pp_loop); }
int probe_loop_ended(const pp_loop *loop) { return loop->ended; }
uint64_t probe_loop_lost(const pp_loop *loop) { return loop->lost; }
void probe_loop_log(pp_loop *loop, pp_ring *log) { loop->log = log; }

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int64_t *const read = clock == CLOCK_MONOTONIC ? &probe_world.now : &probe_world.worked;
    *read += clock == CLOCK_MONOTONIC ? probe_world.reading : probe_world.working;
    time->tv_sec = *read / 1000000000;
    time->tv_nsec = *read % 1000000000;
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    const int64_t time = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec;
    (void)left;
    if (clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME) return EINVAL;
    if (probe_world.interrupts > 0) {
        --probe_world.interrupts;
        return EINTR;
    }
    if (probe_world.now < time) probe_world.now = time;
    ++probe_world.sleeps;
    if (probe_world.slept) probe_world.slept();
    return 0;
}

static int allowed(int64_t number)
{
    errno = (int)number;
    return number ? -1 : 0;
}

int mlockall(int flags) { return flags == (MCL_CURRENT | MCL_FUTURE) ? allowed(probe_world.memory) : -1; }

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    int i;
    for (i = 0; process == 0 && i < (int)size; ++i)
        if (CPU_ISSET((size_t)i, set)) probe_world.kept_to = i;
    return allowed(probe_world.processor);
}

int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
    if (process == 0 && policy == SCHED_FIFO) probe_world.priority = parameters->sched_priority;
    return allowed(probe_world.scheduler);
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    (void)before;
    handlers[number] = action->sa_handler;
    return 0;
}
