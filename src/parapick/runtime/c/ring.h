/* SPDX-License-Identifier: Apache-2.0
 * A ring of rows in shared memory between one writer and one reader: references in, log out. No lock, no system call.
 *
 * The head stands at a multiple of 64 bytes; the rows follow it. A row is `row_size` bytes, a multiple of 8. Counters
 * only grow: `written` is the writer's, `taken` the reader's, a row k stands at `k % rows`.
 */
#ifndef PP_RING_H
#define PP_RING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PP_RING_MAGIC UINT64_C(0x474e49525f505000)

typedef struct {
    uint64_t magic;
    uint64_t rows;     /* how many it holds */
    uint64_t row_size; /* bytes */
    _Atomic uint64_t closed;  /* the writer says that nothing more comes */
    uint8_t gap0[32];
    _Atomic uint64_t written; /* rows written since the beginning; a cache line of its own */
    uint8_t gap1[56];
    _Atomic uint64_t taken;   /* rows taken since the beginning */
    uint8_t gap2[56];
} pp_ring;

_Static_assert(sizeof(pp_ring) == 192, "Python mirrors this layout");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "atomics in shared memory must not need a lock");

/* Bytes of a ring; the next one may begin behind them. */
static inline size_t pp_ring_bytes(uint64_t rows, uint64_t row_size)
{
    return (sizeof(pp_ring) + (size_t)(rows * row_size) + 63u) & ~(size_t)63u;
}

/* Make an empty ring at an address. */
static inline void pp_ring_make(pp_ring *ring, uint64_t rows, uint64_t row_size)
{
    ring->rows = rows;
    ring->row_size = row_size;
    atomic_store(&ring->closed, 0);
    atomic_store(&ring->written, 0);
    atomic_store(&ring->taken, 0);
    ring->magic = PP_RING_MAGIC;
}

/* Whether there is a sound ring in so many bytes at an address, with rows of the size that is expected. */
static inline int pp_ring_sound(const pp_ring *ring, size_t bytes, uint64_t row_size)
{
    if (bytes < sizeof(pp_ring) || ring->magic != PP_RING_MAGIC) return 0;
    if (ring->row_size != row_size || row_size % 8 != 0 || ring->rows == 0 || row_size == 0) return 0;
    if (ring->rows > (bytes - sizeof(pp_ring)) / row_size) return 0;
    return atomic_load(&ring->written) - atomic_load(&ring->taken) <= ring->rows;
}

static inline unsigned char *pp_ring_row(pp_ring *ring, uint64_t count)
{
    return (unsigned char *)ring + sizeof(pp_ring) + (size_t)(count % ring->rows * ring->row_size);
}

/* How many rows wait for the reader; either side may ask. */
static inline uint64_t pp_ring_waiting(pp_ring *ring)
{
    uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
    return atomic_load_explicit(&ring->written, memory_order_acquire) - taken;
}

/* Write a row; 0 where the ring is full, and nothing is written. The writer's side. */
static inline int pp_ring_write(pp_ring *ring, const void *row)
{
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    if (written - atomic_load_explicit(&ring->taken, memory_order_acquire) >= ring->rows) return 0;
    memcpy(pp_ring_row(ring, written), row, (size_t)ring->row_size);
    atomic_store_explicit(&ring->written, written + 1, memory_order_release);
    return 1;
}

/* What a reader knows of a ring for a while: what is written later is not there yet. */
typedef struct {
    pp_ring *ring;
    uint64_t written;
    int closed;
} pp_ring_view;

static inline int pp_ring_closed(pp_ring *ring)
{
    return atomic_load_explicit(&ring->closed, memory_order_acquire) != 0;
}

/* A ring as it is now. A writer closes it behind its last row: who sees that it is closed sees all rows. */
static inline pp_ring_view pp_ring_now(pp_ring *ring)
{
    const int closed = pp_ring_closed(ring);
    const pp_ring_view view = {ring, atomic_load_explicit(&ring->written, memory_order_acquire), closed};
    return view;
}

/* How many rows of a view are left. The reader's side. */
static inline uint64_t pp_view_waiting(const pp_ring_view *view)
{
    const uint64_t taken = atomic_load_explicit(&view->ring->taken, memory_order_relaxed);
    return view->written > taken ? view->written - taken : 0;
}

/* Look at a row without taking it, 0 for the next one; 0 where it is not there. The reader's side. */
static inline int pp_view_look(const pp_ring_view *view, uint64_t ahead, void *row)
{
    if (pp_view_waiting(view) <= ahead) return 0;
    const uint64_t taken = atomic_load_explicit(&view->ring->taken, memory_order_relaxed);
    memcpy(row, pp_ring_row(view->ring, taken + ahead), (size_t)view->ring->row_size);
    return 1;
}

/* The same at once. */
static inline int pp_ring_look(pp_ring *ring, uint64_t ahead, void *row)
{
    const pp_ring_view view = pp_ring_now(ring);
    return pp_view_look(&view, ahead, row);
}

/* Let go of rows that were looked at, at most those that are there; how many were. The reader's side. */
static inline uint64_t pp_ring_drop(pp_ring *ring, uint64_t count)
{
    uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
    uint64_t there = atomic_load_explicit(&ring->written, memory_order_acquire) - taken;
    if (count > there) count = there;
    atomic_store_explicit(&ring->taken, taken + count, memory_order_release);
    return count;
}

/* Take the next row; 0 where there is none. The reader's side. */
static inline int pp_view_take(const pp_ring_view *view, void *row)
{
    return pp_view_look(view, 0, row) && pp_ring_drop(view->ring, 1) == 1;
}

static inline int pp_ring_take(pp_ring *ring, void *row)
{
    const pp_ring_view view = pp_ring_now(ring);
    return pp_view_take(&view, row);
}

/* Say that nothing more comes: an empty ring then is an end and no starving. The writer's side. */
static inline void pp_ring_close(pp_ring *ring)
{
    atomic_store_explicit(&ring->closed, 1, memory_order_release);
}

#endif
