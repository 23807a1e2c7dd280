/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "pace.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "pp_names.h"

#define PP_SECOND INT64_C(1000000000)
#define PP_REHEARSALS 4000
#define PP_FAREWELL 8 /* periods for which drives are told to switch off after the end */

static volatile int ended;           /* the process is to end now */
static pp_loop_settings *asked_of;   /* where a signal asks for a stop */

int64_t pp_pace_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * PP_SECOND + now.tv_nsec;
}

/* ns for which the processor has worked for this thread: a rehearsal that was interrupted took no longer by that. */
static int64_t worked(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * PP_SECOND + now.tv_nsec;
}

static void sleep_until(int64_t time)
{
    struct timespec until;
    until.tv_sec = (time_t)(time / PP_SECOND);
    until.tv_nsec = (long)(time % PP_SECOND);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) continue;
}

/* The first signal asks for a stop along the path, the second ends the process: the drives' watchdog does the rest. */
static void on_signal(int number)
{
    (void)number;
    if (asked_of && atomic_load(&asked_of->asked) == PP_EVENT_NONE) atomic_store(&asked_of->asked, PP_EVENT_STOP);
    else ended = 1;
}

static int compare(const void *one, const void *other)
{
    const int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

int64_t pp_pace_rehearse(const pp_machine *machine, const pp_loop_settings *settings, int times)
{
    static int64_t taken[PP_REHEARSALS];
    double q[PP_MOTORS_MAX] = {0}, qd[PP_MOTORS_MAX] = {0}, command[PP_MOTORS_MAX] = {0}, torque[PP_MOTORS_MAX];
    double xd[PP_DOF_MAX], xdd[PP_DOF_MAX], terms[PP_TERMS_MAX], quantities[PP_QUANTITIES_MAX];
    const pp_row *row = &settings->start;
    pp_sight sight = {q, row->x, row->ahead, command, 0, 0, {0}};
    pp_decision decision;
    int i;
    if (times > PP_REHEARSALS) times = PP_REHEARSALS;
    machine->reset();
    machine->joints(row->x, q);
    machine->rest(q, row->x);
    machine->stop_begin(0.0, 1.0);
    for (i = 0; i < times; ++i) {
        const int64_t begin = worked();
        machine->look(&sight, quantities);
        machine->decide(0, PP_EVENT_NONE, &decision);
        machine->remember(q, row->x);
        (void)machine->stop_step(row->x, row->xd, row->xdd, row->known, xd, xdd);
        (void)machine->law(q, qd, row, terms, command, torque);
        taken[i] = worked() - begin;
    }
    machine->reset();
    qsort(taken, (size_t)times, sizeof *taken, compare);
    return taken[times - 1 - times / 1000];
}

static void counted(_Atomic uint64_t *bins, _Atomic int64_t *worst, int64_t time)
{
    const int64_t bin = time < 0 ? 0 : time / 1000;
    atomic_fetch_add_explicit(&bins[bin < PP_BINS ? bin : PP_BINS - 1], 1, memory_order_relaxed);
    if (time > atomic_load_explicit(worst, memory_order_relaxed))
        atomic_store_explicit(worst, time, memory_order_relaxed);
}

static void added(_Atomic uint64_t *count, uint64_t number)
{
    atomic_fetch_add_explicit(count, number, memory_order_relaxed);
}

/* The first instant of the loop behind now. */
static int64_t first_instant(const pp_segment *segment, const pp_loop_settings *settings)
{
    const int64_t epoch = atomic_load(&segment->head.epoch), period = segment->head.period;
    const int64_t passed = (pp_pace_now() - epoch) / period;
    return epoch + (passed + 2) * period + settings->phase;
}

void pp_pace_loop(pp_loop *loop, pp_segment *segment, const pp_pace_rings *rings, pp_report *report,
                  const volatile int *stopped)
{
    const int64_t period = segment->head.period;
    const pp_loop_settings *settings = loop->settings;
    int64_t next = first_instant(segment, settings);
    uint32_t late = 0;
    int farewell = PP_FAREWELL;
    pp_in in;
    pp_out out;
    pp_log_row row;
    memset(&in, 0, sizeof in);
    memset(&row, 0, sizeof row);
    memset(&out, 0, sizeof out);
    while (farewell > 0 && !*stopped) {
        sleep_until(next);
        const int64_t begin = pp_pace_now();
        if (begin - next >= period) {
            const int64_t missed = (begin - next) / period;
            added(&report->missed, (uint64_t)missed);
            added(&report->overruns, (uint64_t)missed);
            counted(report->late, &report->worst_late, begin - next);
            next += missed * period;
            late = PP_LATE_RUNTIME;
        }
        pp_loop_turn turn = pp_loop_now(loop, pp_bus_read_in(segment, &in), late, begin);
        const int is_sample = pp_loop_turned(loop, &in, &turn, &out, &row);
        row.computed = pp_pace_now();
        pp_bus_write_out(segment, &out);
        row.written = pp_pace_now();
        row.begin = begin;
        if (is_sample && !pp_ring_write(rings->log, &row)) added(&report->lost, 1);
        if (rings->turns) (void)pp_ring_write(rings->turns, &turn);
        counted(report->late, &report->worst_late, begin - next);
        counted(report->length, &report->worst_length, row.written - begin);
        added(&report->periods, 1);
        if (loop->lost) added(&report->lost, loop->lost);
        loop->lost = 0;
        late = row.written - next > settings->budget ? PP_LATE_RUNTIME : 0;
        if (late) added(&report->overruns, 1);
        if (loop->ended || atomic_load_explicit(&segment->head.ending, memory_order_relaxed)) --farewell;
        next += period;
    }
}

/* Real-time scheduling, locked memory and a processor of its own, where allowed; the report says where not. */
static void privileged(const pp_loop_settings *settings, pp_report *report)
{
    struct sched_param parameters;
    cpu_set_t set;
    memset(&parameters, 0, sizeof parameters);
    parameters.sched_priority = settings->priority;
    atomic_store(&report->memory, mlockall(MCL_CURRENT | MCL_FUTURE) == 0 ? 0 : errno);
    atomic_store(&report->pinned, -1);
    if (settings->processor >= 0) {
        CPU_ZERO(&set);
        CPU_SET((size_t)settings->processor, &set);
        atomic_store(&report->pinned, sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno);
    }
    atomic_store(&report->scheduler, -1);
    if (settings->priority > 0)
        atomic_store(&report->scheduler, sched_setscheduler(0, SCHED_FIFO, &parameters) == 0 ? 0 : errno);
}

static int refused(const char *name, const char *reason)
{
    fprintf(stderr, "%s: %s\n", name, reason);
    return PP_EXIT_REFUSED;
}

static int run_at(const pp_machine *machine, pp_bus *bus, const char *name)
{
    static pp_loop loop;
    pp_segment *segment = bus->segment;
    const uint64_t place = segment->head.log;
    pp_loop_settings *settings = pp_loop_settings_of(segment, bus->bytes);
    pp_pace_rings rings = {(pp_ring *)(void *)((unsigned char *)segment + place), NULL};
    if (!pp_loop_start(&loop, machine, segment, bus->bytes) || place == 0 || place % 64 || place >= bus->bytes
        || !pp_ring_sound(rings.log, bus->bytes - place, sizeof(pp_log_row))
        || !pp_turns_at(segment, bus->bytes, segment->head.loop_turns, sizeof(pp_loop_turn), &rings.turns))
        return refused(name, "its rings, settings or period are not those of this runtime");
    const int64_t took = pp_pace_rehearse(machine, settings, PP_REHEARSALS);
    atomic_store(&settings->report.rehearsed, took);
    if (took > settings->budget) {
        fprintf(stderr, "%s: a period takes %.1f us, and %.1f of its %.1f us are for it\n", name, (double)took / 1e3,
                (double)settings->budget / 1e3, (double)segment->head.period / 1e3);
        return PP_EXIT_SLOW;
    }
    loop.log = rings.log;
    asked_of = settings;
    atomic_store(&settings->report.pid, (int64_t)getpid());
    privileged(settings, &settings->report);
    pp_pace_loop(&loop, segment, &rings, &settings->report, &ended);
    return PP_EXIT_DONE;
}

int pp_pace_run(const pp_machine *machine, const char *name, const uint8_t fingerprint[32])
{
    pp_bus bus;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    const pp_reason reason = pp_bus_attach(&bus, name, PP_SEAT_MASTER, fingerprint);
    if (reason != PP_OK) return refused(name, pp_bus_reason(reason));
    const int code = run_at(machine, &bus, name);
    asked_of = NULL;
    pp_bus_detach(&bus);
    return code;
}
