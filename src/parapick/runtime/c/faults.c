/* SPDX-License-Identifier: Apache-2.0
 * Injected faults of a virtual cell. */
#include "faults.h"

#include <string.h>

void pp_faults_count(pp_cell *cell, uint32_t state)
{
    for (uint32_t f = 0; f < cell->settings->faults; ++f)
        if (cell->count[f] > 0 || state == cell->settings->fault[f].state) ++cell->count[f];
}

/* Whether a fault acts in a cycle, numbered from 0 since its state began. */
static int acts(const pp_fault *fault, uint64_t cycle)
{
    return fault->active && fault->begin <= cycle && cycle < fault->end;
}

/* While the frame of a cycle acts. */
static int acts_now(const pp_cell *cell, uint32_t f)
{
    return cell->count[f] > 0 && acts(&cell->settings->fault[f], cell->count[f] - 1);
}

/* At its sample, when the frame is not there yet. */
static int acts_at_sample(const pp_cell *cell, uint32_t f)
{
    return cell->count[f] > 0 && acts(&cell->settings->fault[f], cell->count[f]);
}

void pp_faults_angles(pp_cell *cell, double *q)
{
    for (uint32_t f = 0; f < cell->settings->faults; ++f) {
        const pp_fault *fault = &cell->settings->fault[f];
        const int act = acts_at_sample(cell, f);
        for (int i = 0; i < cell->plant->motors; ++i) {
            if (act) q[i] = fault->angle_share[i] * q[i] + fault->angle_offset[i]
                            + fault->angle_repeat[i] * cell->angle_held[f][i];
            else cell->angle_held[f][i] = q[i];
        }
    }
}

void pp_faults_torques(pp_cell *cell, double *torque, const double *given)
{
    for (uint32_t f = 0; f < cell->settings->faults; ++f) {
        const pp_fault *fault = &cell->settings->fault[f];
        const int act = acts_now(cell, f);
        for (int i = 0; i < cell->plant->motors; ++i) {
            if (act) torque[i] = fault->torque_share[i] * torque[i] + fault->torque_offset[i]
                                 + fault->torque_repeat[i] * cell->torque_held[f][i];
            /* A drive without lag gives in the cycle what it is asked for in it. */
            else cell->torque_held[f][i] = cell->plant->lag < 0 ? torque[i] : given[i];
        }
    }
}

void pp_faults_load(const pp_cell *cell, double load[PP_PAYLOAD], double *force)
{
    for (int i = 0; i < cell->plant->dof; ++i) force[i] = 0.0;
    for (uint32_t f = 0; f < cell->settings->faults; ++f) {
        const pp_fault *fault = &cell->settings->fault[f];
        if (!acts_now(cell, f)) continue;
        for (int i = 0; i < PP_PAYLOAD; ++i) load[i] = fault->load_share[i] * load[i] + fault->load_offset[i];
        for (int i = 0; i < cell->plant->dof; ++i) force[i] += fault->force[i];
    }
}

int pp_faults_dead(const pp_cell *cell, int motor)
{
    for (uint32_t f = 0; f < cell->settings->faults; ++f)
        if (acts_at_sample(cell, f) && cell->settings->fault[f].dead[motor]) return 1;
    return 0;
}

uint32_t pp_faults_signals(const pp_cell *cell)
{
    uint32_t bits = 0;
    for (uint32_t f = 0; f < cell->settings->faults; ++f) {
        const pp_fault *fault = &cell->settings->fault[f];
        if (acts_at_sample(cell, f) && fault->emergency) bits |= PP_IN_EMERGENCY;
        /* Late is what was so in the cycle before. */
        if (acts_now(cell, f) && fault->late) bits |= PP_IN_LATE;
    }
    return bits;
}
