/* A cell under frames of random bytes, for sanitizers: whatever a master writes, a cell computes on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"
#include "master.h"

extern const pp_plant *probe_plant(void);

static uint64_t seed = 88172645463325252u;

static uint64_t drawn(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

int main(int count, char **arguments)
{
    static pp_segment segment;
    static pp_cell cell;
    static const uint16_t words[] = {0x00, 0x06, 0x07, 0x0F, 0x02, 0x80, 0x0F, 0x0F};
    pp_master master;
    pp_drives_seen seen;
    pp_out out;
    pp_in in;
    long visited = 0;
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file || fread(&segment, sizeof segment, 1, file) != 1) return 2;
    fclose(file);
    pp_master_start(&master, &segment, PP_MODE_POSITION);
    memset(&seen, 0, sizeof seen);
    for (long k = 0; k < atol(arguments[2]); ++k) {
        if (k % 500 == 0 && !pp_cell_start(&cell, probe_plant(), &segment)) return 2;
        uint64_t *bits = (uint64_t *)&out;
        for (size_t i = 0; i < sizeof out / 8; ++i) bits[i] = drawn();
        if (k % 500 < 300) /* mild at first, so that drives are enabled and the plant is where it can be */
            for (int i = 0; i < PP_MOTORS_MAX; ++i) {
                out.drives[i].control_word = k % 500 < 10 ? words[k % 500 % 4] : words[drawn() % 8];
                out.drives[i].mode = drawn() % 9 ? (k / 500) % 2 ? 8 : 10 : 0;
                out.drives[i].target_position = (int32_t)(drawn() % 2000) - 1000;
                out.drives[i].target_torque = (int16_t)(drawn() % 200);
            }
        out.state %= 8;
        for (int i = 0; i < PP_PAYLOAD; ++i) out.load[i] = 0.0;
        pp_cell_sense(&cell, &in);
        pp_master_look(&master, &in, 1, &seen);
        pp_master_want(&master, &seen, (pp_want)(drawn() % 4), &out);
        visited |= 1L << seen.states[0];
        if (k % 500 >= 10) /* what the master wants and what noise wants, in turns */
            for (int i = 0; i < PP_MOTORS_MAX && drawn() % 2; ++i) out.drives[i].control_word = words[drawn() % 8];
        pp_cell_move(&cell, drawn() % 16 ? &out : NULL);
    }
    printf("%lx\n", visited);
    return 0;
}
