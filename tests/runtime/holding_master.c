/* A master that brings drives up, keeps them there without torque, and says what it sees. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bus.h"
#include "master.h"

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **arguments)
{
    pp_bus bus;
    pp_master master;
    pp_drives_seen seen;
    pp_out out;
    pp_in in;
    double torque[PP_MOTORS_MAX] = {0};
    int said = 0;
    const pp_reason reason = pp_bus_attach(&bus, arguments[count - 1], PP_SEAT_MASTER, NULL);
    if (reason != PP_OK) {
        fprintf(stderr, "%s\n", pp_bus_reason(reason));
        return 2;
    }
    memset(&out, 0, sizeof out);
    memset(&in, 0, sizeof in);
    memset(&seen, 0, sizeof seen);
    pp_master_start(&master, bus.segment, PP_MODE_TORQUE);
    for (int64_t next = now();; next += master.period) {
        const struct timespec until = {(time_t)(next / 1000000000), (long)(next % 1000000000)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        if (now() - next > master.period) next = now(); /* no hurry after time that was lost */
        pp_master_look(&master, &in, pp_bus_read_in(bus.segment, &in), &seen);
        pp_master_want(&master, &seen, PP_WANT_ON, &out);
        pp_master_ask(&master, torque, NULL, &out);
        pp_master_stamp(&master, now(), &out);
        pp_bus_write_out(bus.segment, &out);
        if (seen.enabled && !said) {
            said = 1;
            printf("enabled\n");
            fflush(stdout);
        }
        if (seen.dead) {
            printf("dead after %u periods\n", master.silent);
            break;
        }
        if (seen.fault) {
            printf("fault of drive %d: %04x\n", seen.fault, (unsigned)seen.error_codes[seen.fault - 1]);
            break;
        }
    }
    pp_bus_detach(&bus);
    return 3;
}
