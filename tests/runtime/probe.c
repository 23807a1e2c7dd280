/* What tests call beside the runtime's own functions: inline functions, sizes, and loops over many cases. */
#include <stddef.h>
#include <stdlib.h>

#include "belts.h"
#include "cell.h"
#include "faults.h"
#include "master.h"
#include "numbers.h"
#include "ring.h"

size_t probe_cell_size(void) { return sizeof(pp_cell); }
size_t probe_drive_size(void) { return sizeof(pp_drive); }
size_t probe_master_size(void) { return sizeof(pp_master); }
size_t probe_bus_size(void) { return sizeof(pp_bus); }
pp_segment *probe_segment(pp_bus *bus) { return bus->segment; }

void probe_ring_make(pp_ring *ring, uint64_t rows, uint64_t size) { pp_ring_make(ring, rows, size); }
int probe_ring_sound(pp_ring *ring, size_t bytes, uint64_t size) { return pp_ring_sound(ring, bytes, size); }
int probe_ring_write(pp_ring *ring, const void *row) { return pp_ring_write(ring, row); }
int probe_ring_take(pp_ring *ring, void *row) { return pp_ring_take(ring, row); }
int probe_ring_look(pp_ring *ring, uint64_t ahead, void *row) { return pp_ring_look(ring, ahead, row); }
uint64_t probe_ring_drop(pp_ring *ring, uint64_t count) { return pp_ring_drop(ring, count); }
uint64_t probe_ring_waiting(pp_ring *ring) { return pp_ring_waiting(ring); }
void probe_ring_close(pp_ring *ring) { pp_ring_close(ring); }
int probe_ring_closed(pp_ring *ring) { return pp_ring_closed(ring); }
size_t probe_ring_bytes(uint64_t rows, uint64_t size) { return pp_ring_bytes(rows, size); }

int32_t probe_int32(double value) { return pp_int32(value); }
int16_t probe_int16(double value) { return pp_int16(value); }

/* One step of the state machine for many cases: state, words and flags in, state and transition out. */
void probe_steps(const uint8_t *states, const uint16_t *words, const uint16_t *before, const pp_cia402_inside *inside,
                 int count, uint8_t *after, uint8_t *transitions)
{
    for (int i = 0; i < count; ++i) {
        const pp_cia402 machine = {states[i], 0, before[i]};
        const pp_cia402 next = pp_cia402_step(machine, words[i], &inside[i]);
        after[i] = next.state;
        transitions[i] = next.transition;
    }
}

void probe_drive_start(pp_drive *drive) { *drive = pp_drive_start(); }
int probe_drive_state(const pp_drive *drive) { return drive->machine.state; }
int probe_drive_mode(const pp_drive *drive) { return drive->mode; }

/* A drive with an inertia behind it: `count` bus cycles of a word, `steps` steps of each; speed and angle go on. */
void probe_drive_run(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units, const pp_drive_out *out,
                     double *motor, double inertia, uint32_t flags, double period, int count, int steps)
{
    for (int k = 0; k < count; ++k) {
        pp_motor seen = {motor[0], motor[1], motor[2]};
        pp_drive_cycle(drive, settings, units, out, &seen, flags, period, PP_ERROR_NONE);
        for (int s = 0; s < steps; ++s) {
            seen.q = motor[0];
            seen.qd = motor[1];
            motor[2] = pp_drive_torque(drive, settings, units, &seen, (double)s / steps, period / steps);
            motor[1] += motor[2] / inertia * period / steps;
            motor[0] += motor[1] * period / steps;
        }
    }
}

void probe_drive_fail(pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                      const pp_drive_out *out, const double *motor, double period, uint16_t error)
{
    const pp_motor seen = {motor[0], motor[1], motor[2]};
    pp_drive_cycle(drive, settings, units, out, &seen, 0, period, error);
}

void probe_drive_report(const pp_drive *drive, const pp_drive_settings *settings, const pp_units *units,
                        const double *motor, pp_drive_in *in)
{
    const pp_motor seen = {motor[0], motor[1], motor[2]};
    pp_drive_report(drive, settings, units, &seen, in);
}

/* A cell along frames: what it reports at every sample. A frame of cycle 0 is one that got lost. */
void probe_cell_run(pp_cell *cell, const pp_out *outs, pp_in *ins, int count)
{
    for (int k = 0; k < count; ++k) {
        pp_cell_sense(cell, &ins[k]);
        pp_cell_move(cell, outs[k].cycle ? &outs[k] : NULL);
    }
}

void probe_cell_place(pp_cell *cell, const double *x)
{
    for (int i = 0; i < cell->plant->dof; ++i) cell->x[i] = x[i];
}
void probe_cell_grip(pp_cell *cell, int grip) { pp_belts_grip(cell, grip); }
void probe_cell_load(const pp_cell *cell, double *load) { pp_belts_load(cell, load); }
void probe_cell_belts(pp_cell *cell, uint32_t state, int count)
{
    cell->out.state = state;
    for (int k = 0; k < count; ++k) pp_belts_move(cell);
}
void probe_cell_in(const pp_cell *cell, pp_in *in) { pp_belts_report(cell, in); }
void probe_master_seen(pp_master *master, const pp_in *in, uint64_t count, pp_drives_seen *seen)
{
    pp_master_look(master, in, count, seen);
}
size_t probe_seen_size(void) { return sizeof(pp_drives_seen); }
void probe_seen(const pp_drives_seen *seen, int *flags, double *q, double *qd, double *torque)
{
    const int all[5] = {seen->enabled, seen->off, seen->fault, seen->fresh, seen->dead};
    for (int i = 0; i < 5; ++i) flags[i] = all[i];
    for (int i = 0; i < PP_MOTORS_MAX; ++i) {
        q[i] = seen->q[i];
        qd[i] = seen->qd[i];
        torque[i] = seen->torque[i];
    }
}
