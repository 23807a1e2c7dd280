/* SPDX-License-Identifier: Apache-2.0
 * Belts, items on them, sensors and the gripper of a virtual cell. */
#include "belts.h"

#include <string.h>

#include "numbers.h"

void pp_belts_start(pp_cell *cell)
{
    cell->held = -1;
    for (uint32_t i = 0; i < cell->settings->items; ++i) {
        const pp_item *item = &cell->settings->item[i];
        cell->place[i] = item->position;
        cell->across[i] = item->across;
        cell->belt[i] = item->there ? item->belt : -1;
    }
}

/* Whether belts run in this cycle. */
static int running(pp_cell *cell)
{
    const pp_cell_settings *settings = cell->settings;
    if (settings->belt_state == PP_ALWAYS) return 1;
    if (cell->belt_count > 0 || cell->out.state == settings->belt_state) ++cell->belt_count;
    return cell->belt_count > settings->belt_begin;
}

void pp_belts_move(pp_cell *cell)
{
    if (!running(cell)) return;
    for (uint32_t k = 0; k < cell->settings->belts; ++k)
        cell->travelled[k] += cell->settings->belt[k].speed * cell->period;
    for (uint32_t i = 0; i < cell->settings->items; ++i) {
        if (cell->belt[i] < 0) continue;
        const pp_belt *belt = &cell->settings->belt[cell->belt[i]];
        const double before = cell->place[i];
        cell->place[i] += belt->speed * cell->period;
        /* Without a light barrier its position is NaN, which nothing passes. */
        if (before < belt->sensor && belt->sensor <= cell->place[i]) ++cell->passed;
    }
}

static double component(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Where the tool is, seen from a belt: along it, to its left, and the distance from its surface's line upwards. */
static void seen_from(const pp_cell *cell, const pp_belt *belt, double place[3])
{
    const double from[3] = {cell->x[0] - belt->point[0], cell->x[1] - belt->point[1], cell->x[2] - belt->point[2]};
    const double up[3] = {
        belt->along[1] * belt->across[2] - belt->along[2] * belt->across[1],
        belt->along[2] * belt->across[0] - belt->along[0] * belt->across[2],
        belt->along[0] * belt->across[1] - belt->along[1] * belt->across[0],
    };
    place[0] = component(from, belt->along);
    place[1] = component(from, belt->across);
    place[2] = component(from, up);
}

static void take(pp_cell *cell)
{
    double nearest = cell->settings->reach;
    for (uint32_t i = 0; i < cell->settings->items; ++i) {
        double place[3];
        if (cell->belt[i] < 0) continue;
        seen_from(cell, &cell->settings->belt[cell->belt[i]], place);
        const double distance = hypot(hypot(place[0] - cell->place[i], place[1] - cell->across[i]), place[2]);
        if (distance <= nearest) {
            nearest = distance;
            cell->held = (int)i;
        }
    }
    if (cell->held >= 0) cell->belt[cell->held] = -1;
}

/* It comes to lie on the belt whose surface is nearest. */
static void put_down(pp_cell *cell)
{
    double nearest = INFINITY;
    for (uint32_t k = 0; k < cell->settings->belts && cell->held >= 0; ++k) {
        double place[3];
        seen_from(cell, &cell->settings->belt[k], place);
        const double distance = hypot(place[1], place[2]);
        if (distance < nearest) {
            nearest = distance;
            cell->belt[cell->held] = (int32_t)k;
            cell->place[cell->held] = place[0];
            cell->across[cell->held] = place[1];
        }
    }
    cell->held = -1;
}

void pp_belts_grip(pp_cell *cell, int grip)
{
    if (grip && !cell->gripping) take(cell);
    if (!grip && cell->gripping) put_down(cell);
    cell->gripping = grip;
}

void pp_belts_load(const pp_cell *cell, double load[PP_PAYLOAD])
{
    if (cell->held < 0) memset(load, 0, PP_PAYLOAD * sizeof(double));
    else memcpy(load, cell->settings->item[cell->held].load, PP_PAYLOAD * sizeof(double));
}

void pp_belts_report(const pp_cell *cell, pp_in *in)
{
    for (uint32_t k = 0; k < cell->settings->belts; ++k)
        in->belts[k] = pp_int32(cell->travelled[k] / cell->settings->belt[k].resolution);
    for (uint32_t i = 0; i < cell->settings->items; ++i) {
        const int k = cell->belt[i];
        if (k >= 0 && fabs(cell->place[i] - cell->settings->belt[k].sensor) <= cell->settings->reach)
            in->inputs |= PP_IN_SENSOR << k;
    }
    if (cell->held >= 0) in->inputs |= PP_IN_HELD;
    in->items = cell->passed;
}
