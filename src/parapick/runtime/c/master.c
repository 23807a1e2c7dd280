/* SPDX-License-Identifier: Apache-2.0
 * The master's side of the process image. */
#include "master.h"

#include <string.h>

#include "numbers.h"

void pp_master_start(pp_master *master, const pp_segment *segment, int8_t mode)
{
    memset(master, 0, sizeof *master);
    master->motors = (int)segment->head.motors;
    master->mode = mode;
    master->flags = segment->head.flags;
    master->period = segment->head.period;
    master->watchdog = segment->head.watchdog;
    memcpy(master->units, segment->head.units, sizeof master->units);
}

static void look_at_drive(const pp_master *master, int i, const pp_drive_in *drive, pp_drives_seen *seen)
{
    const pp_units *units = &master->units[i];
    const int exact = (master->flags & PP_FLAG_EXACT) != 0;
    seen->q[i] = exact ? drive->exact_position : units->angle * drive->position;
    seen->qd[i] = exact ? drive->exact_speed : units->angle * drive->speed;
    seen->torque[i] = exact ? drive->exact_torque : units->torque * drive->torque;
    seen->status_words[i] = drive->status_word;
    seen->error_codes[i] = drive->error_code;
    seen->states[i] = (uint8_t)pp_cia402_state(drive->status_word);
    seen->brakes[i] = drive->brake;
}

/* What all drives together say. */
static void summarise(const pp_master *master, pp_drives_seen *seen)
{
    seen->enabled = 1;
    seen->off = 1;
    seen->fault = 0;
    for (int i = 0; i < master->motors; ++i) {
        const int state = seen->states[i];
        if (state != PP_ENABLED || !(seen->status_words[i] & PP_SW_FOLLOWS)) seen->enabled = 0;
        if (state == PP_DRIVE_STATES || pp_cia402_powered((pp_drive_state)state)) seen->off = 0;
        if (!seen->fault && (state == PP_FAULT || state == PP_FAULT_REACTION)) seen->fault = i + 1;
    }
}

void pp_master_look(pp_master *master, const pp_in *in, uint64_t count, pp_drives_seen *seen)
{
    seen->fresh = count != 0 && (master->seen == 0 || in->cycle + 1 != master->seen);
    if (seen->fresh) master->silent = 0;
    else if (master->silent < UINT32_MAX) ++master->silent;
    seen->dead = (int64_t)master->silent * master->period > master->watchdog;
    if (count != 0) {
        master->seen = in->cycle + 1;
        for (int i = 0; i < master->motors; ++i) look_at_drive(master, i, &in->drives[i], seen);
        seen->inputs = in->inputs;
        seen->cycle = in->cycle;
        seen->time = in->time;
        memcpy(seen->belts, in->belts, sizeof seen->belts);
        summarise(master, seen);
    } else if (master->seen == 0) {
        seen->enabled = 0;
        seen->off = 0;
        seen->fault = 0;
    }
}

static uint16_t word_towards(pp_want want, int state, uint16_t status_word, uint16_t before)
{
    switch (want) {
    case PP_WANT_ON:
        return state == PP_FAULT ? PP_COMMAND_DISABLE_VOLTAGE : pp_cia402_towards_enabled(status_word, before);
    case PP_WANT_RESET:
        return state == PP_FAULT ? pp_cia402_towards_enabled(status_word, before) : PP_COMMAND_DISABLE_VOLTAGE;
    case PP_WANT_STOP:
        return state == PP_ENABLED || state == PP_QUICK_STOP ? PP_COMMAND_QUICK_STOP : PP_COMMAND_DISABLE_VOLTAGE;
    default:
        return PP_COMMAND_DISABLE_VOLTAGE;
    }
}

void pp_master_want(pp_master *master, const pp_drives_seen *seen, pp_want want, pp_out *out)
{
    for (int i = 0; i < master->motors; ++i) {
        uint16_t *word = &master->control_words[i];
        *word = word_towards(want, seen->states[i], seen->status_words[i], *word);
        out->drives[i].control_word = *word;
        out->drives[i].mode = master->mode;
    }
}

void pp_master_ask(const pp_master *master, const double *torque, const double *q, pp_out *out)
{
    const int position = master->mode == PP_MODE_POSITION;
    for (int i = 0; i < master->motors; ++i) {
        const double asked = isnan(torque[i]) ? 0.0 : torque[i];
        const int16_t share = pp_int16(asked / master->units[i].torque);
        pp_drive_out *drive = &out->drives[i];
        drive->target_torque = position ? 0 : share;
        drive->torque_offset = position ? share : 0;
        drive->exact_torque = asked;
        drive->target_position = position && q ? pp_int32(q[i] / master->units[i].angle) : 0;
        drive->exact_position = position && q ? q[i] : 0.0;
    }
}

void pp_master_stamp(pp_master *master, int64_t time, pp_out *out)
{
    out->cycle = ++master->cycle;
    out->time = time;
    out->answers = master->seen == 0 ? 0 : master->seen - 1;
}

double pp_master_understood(const pp_master *master, int motor, double torque)
{
    if (master->flags & PP_FLAG_EXACT) return torque;
    return master->units[motor].torque * pp_int16(torque / master->units[motor].torque);
}
