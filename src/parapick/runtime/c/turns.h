/* SPDX-License-Identifier: Apache-2.0
 * Turns of a paced run: what a period of the loop, or a bus cycle of the virtual drives, depended on beside its own state.
 *
 * Two processes that meet at a clock read each other's newest frame, which may be an old one, or one of several. Each
 * logs its turns in a ring of the segment; a turn for which there is no room is left out, and its number with it. Both
 * are deterministic: from their turns a run can be computed again without a clock, to the last bit.
 */
#ifndef PP_TURNS_H
#define PP_TURNS_H

#include "bus.h"
#include "ring.h"

/* Flags of a turn of the loop. */
#define PP_TURN_CLOSED 1u /* no rows of the reference come behind those that are there */

/* Flags of a turn of the drives. */
#define PP_TURN_FRESH 1u   /* the frame that was read acts from this cycle on; otherwise the one before does */
#define PP_TURN_EXCUSED 2u /* a frame is missing because the drives themselves were late */

/* A period of the loop: from a frame of the drives to a frame for them. */
typedef struct {
    uint64_t number;  /* of the period: `pp_out.cycle` of its frame */
    int64_t time;     /* ns: when it began */
    uint64_t read;    /* how many frames the drives had written up to the one it read; 0: none could be read */
    uint64_t cycle;   /* bus cycle of the frame it saw last */
    uint64_t sample;  /* number of the sample at which it wrote torques */
    uint64_t rows;    /* rows of the reference that had been written */
    int32_t asked;    /* what people asked for: an event, 0 for nothing */
    uint32_t late;    /* PP_LATE_ bits that were known */
    uint32_t flags;   /* PP_TURN_ bits */
    uint32_t spare;
    uint64_t digest;  /* of the frame that it wrote */
} pp_loop_turn;

/* A bus cycle of the drives: from a frame of the loop to one for it. */
typedef struct {
    uint64_t cycle;   /* `pp_in.cycle` of its frame */
    int64_t time;     /* ns: when the encoders were sampled */
    uint64_t read;    /* how many frames the loop had written up to the one it read; 0: none could be read */
    uint64_t taken;   /* number of the period whose frame acts from this cycle on; 0 before the first */
    uint32_t flags;   /* PP_TURN_ bits */
    uint32_t spare;
    uint64_t digest;  /* of the frame that it wrote */
} pp_cell_turn;

_Static_assert(sizeof(pp_loop_turn) == 72 && sizeof(pp_cell_turn) == 48, "Python mirrors this layout");

/* Whether a segment has a sound ring of such rows at a place, or, at place 0, none: then `*ring` is NULL. */
static inline int pp_turns_at(pp_segment *segment, size_t bytes, uint64_t place, uint64_t row_size, pp_ring **ring)
{
    *ring = NULL;
    if (place == 0) return 1;
    if (place % 64 || place >= bytes) return 0;
    *ring = (pp_ring *)(void *)((unsigned char *)segment + place);
    return pp_ring_sound(*ring, bytes - place, row_size);
}

/* Fowler, Noll and Vo's hash (FNV-1a) of a frame, word by word. */
static inline uint64_t pp_digest(const void *frame, size_t bytes)
{
    uint64_t word, digest = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        memcpy(&word, (const unsigned char *)frame + i, 8);
        digest = (digest ^ word) * UINT64_C(0x100000001b3);
    }
    return digest;
}

#endif
