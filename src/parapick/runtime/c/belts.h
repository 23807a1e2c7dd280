/* SPDX-License-Identifier: Apache-2.0
 * Belts, items on them, sensors and the gripper of a virtual cell. */
#ifndef PP_BELTS_H
#define PP_BELTS_H

#include "cell.h"

/* Items where they are at the beginning. */
void pp_belts_start(pp_cell *cell);

/* Belts move for a period, with what lies on them. */
void pp_belts_move(pp_cell *cell);

/* The gripper's bit: what is near is taken where it rises, and put down where it falls. */
void pp_belts_grip(pp_cell *cell, int grip);

/* What the gripper holds beyond itself (5): zeros where it holds nothing. */
void pp_belts_load(const pp_cell *cell, double load[PP_PAYLOAD]);

/* Encoders and sensors. */
void pp_belts_report(const pp_cell *cell, pp_in *in);

#endif
