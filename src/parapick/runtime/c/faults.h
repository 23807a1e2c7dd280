/* SPDX-License-Identifier: Apache-2.0
 * Injected faults of a virtual cell: numbers made from the house's table of faults act at their stages.
 *
 * A fault acts in the cycles `begin` to `end`, counted from the first frame whose `state` is the fault's. */
#ifndef PP_FAULTS_H
#define PP_FAULTS_H

#include "cell.h"

/* Count the cycle of a frame. */
void pp_faults_count(pp_cell *cell, uint32_t state);

/* Encoder angles (n) at a sample, before its frame is there; keeps what faults repeat. */
void pp_faults_angles(pp_cell *cell, double *q);

/* Torques asked of the motors (n) with power, `given` being what they gave at the sample. */
void pp_faults_torques(pp_cell *cell, double *torque, const double *given);

/* What the tool holds beyond the gripper (5), and the force on the plate (d). */
void pp_faults_load(const pp_cell *cell, double load[PP_PAYLOAD], double *force);

/* Whether a drive switches itself off at a sample, before its frame is there. */
int pp_faults_dead(const pp_cell *cell, int motor);

/* Signals: PP_IN_ bits at a sample, before its frame is there. */
uint32_t pp_faults_signals(const pp_cell *cell);

#endif
