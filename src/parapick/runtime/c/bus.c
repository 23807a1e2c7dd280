/* SPDX-License-Identifier: Apache-2.0
 * The process image and its segment. */
#define _GNU_SOURCE /* locks of open files, which belong to whoever opened them and end with it */
#include "bus.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(pp_out) % 8 == 0 && sizeof(pp_in) % 8 == 0, "frames are copied as words");
_Static_assert(sizeof(pp_drive_out) == 32 && sizeof(pp_drive_in) == 40, "Python mirrors this layout");
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "atomics in shared memory must not need a lock");

#define PP_ATTEMPTS 8 /* the writer would have to write four frames within each of eight copies */

static const char *const REASONS[PP_REASONS] = {
    "nothing is wrong",
    "there is no such segment",
    "the segment is not one of ours, or damaged",
    "the segment was made by another version",
    "the segment belongs to another robot, or to other numbers of it",
    "somebody else is attached already",
    "no drives are attached: their process has ended",
    "the system refuses access",
};

const char *pp_bus_reason(pp_reason reason)
{
    return (unsigned)reason < PP_REASONS ? REASONS[reason] : "unknown";
}

/* Frames. A release on every word keeps it behind the odd sequence number, an acquire keeps the second look at the
 * number behind every word. */
static void write_frame(pp_frames *frames, const void *frame, size_t bytes)
{
    const uint64_t count = atomic_load_explicit(&frames->newest, memory_order_relaxed);
    pp_slot *slot = &frames->slots[count % PP_SLOTS];
    const uint64_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
    uint64_t word;
    atomic_store_explicit(&slot->sequence, sequence | 1, memory_order_relaxed);
    for (size_t i = 0; i < bytes / 8; ++i) {
        memcpy(&word, (const unsigned char *)frame + 8 * i, 8);
        atomic_store_explicit(&slot->words[i], word, memory_order_release);
    }
    atomic_store_explicit(&slot->sequence, (sequence | 1) + 1, memory_order_release);
    atomic_store_explicit(&frames->newest, count + 1, memory_order_release);
}

static int copy_slot(pp_slot *slot, uint64_t *words, size_t bytes)
{
    const uint64_t sequence = atomic_load_explicit(&slot->sequence, memory_order_acquire);
    if (sequence & 1) return 0;
    for (size_t i = 0; i < bytes / 8; ++i) words[i] = atomic_load_explicit(&slot->words[i], memory_order_acquire);
    return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == sequence;
}

static uint64_t read_frame(pp_frames *frames, void *frame, size_t bytes)
{
    uint64_t words[sizeof(pp_in) / 8 > sizeof(pp_out) / 8 ? sizeof(pp_in) / 8 : sizeof(pp_out) / 8];
    for (int attempt = 0; attempt < PP_ATTEMPTS; ++attempt) {
        const uint64_t count = atomic_load_explicit(&frames->newest, memory_order_acquire);
        if (count == 0) return 0;
        if (copy_slot(&frames->slots[(count - 1) % PP_SLOTS], words, bytes)) {
            memcpy(frame, words, bytes);
            return count;
        }
    }
    return 0;
}

void pp_bus_write_out(pp_segment *segment, const pp_out *out) { write_frame(&segment->out, out, sizeof *out); }
void pp_bus_write_in(pp_segment *segment, const pp_in *in) { write_frame(&segment->in, in, sizeof *in); }
uint64_t pp_bus_read_out(pp_segment *segment, pp_out *out) { return read_frame(&segment->out, out, sizeof *out); }
uint64_t pp_bus_read_in(pp_segment *segment, pp_in *in) { return read_frame(&segment->in, in, sizeof *in); }

static int positive(double value) { return value > 0.0; }

static int sound_units(const pp_head *head)
{
    for (uint32_t i = 0; i < head->motors; ++i) {
        const pp_units *units = &head->units[i];
        if (!(positive(units->angle) && isfinite(units->angle))) return 0;
        if (!(positive(units->torque) && isfinite(units->torque) && positive(units->torque_max))) return 0;
    }
    return 1;
}

static int sound_cell(const pp_cell_settings *cell)
{
    if (cell->belts > PP_BELTS_MAX || cell->items > PP_ITEMS_MAX || cell->faults > PP_FAULTS_MAX) return 0;
    for (uint32_t i = 0; i < cell->items; ++i)
        if (cell->item[i].there && (cell->item[i].belt < 0 || (uint32_t)cell->item[i].belt >= cell->belts)) return 0;
    for (uint32_t i = 0; i < cell->belts; ++i)
        if (!(positive(cell->belt[i].resolution) && isfinite(cell->belt[i].resolution))) return 0;
    return 1;
}

pp_reason pp_bus_check(const pp_segment *segment, size_t bytes, const uint8_t fingerprint[32])
{
    if (bytes < sizeof(pp_segment)) return PP_FOREIGN;
    const pp_head *head = &segment->head;
    if (atomic_load_explicit(&head->magic, memory_order_acquire) != PP_MAGIC) return PP_FOREIGN;
    if (head->version != PP_LAYOUT_VERSION) return PP_VERSION;
    if (head->bytes != bytes || head->reference > bytes || head->log > bytes) return PP_FOREIGN;
    if (head->loop_turns > bytes || head->cell_turns > bytes) return PP_FOREIGN;
    if (head->motors < 1 || head->motors > PP_MOTORS_MAX || head->dof < 1 || head->dof > PP_DOF_MAX) return PP_FOREIGN;
    if (head->period < 1 || head->watchdog < head->period) return PP_FOREIGN;
    if (fingerprint && memcmp(fingerprint, head->fingerprint, 32) != 0) return PP_ROBOT;
    return sound_units(head) && sound_cell(&segment->cell) ? PP_OK : PP_FOREIGN;
}

static struct flock seat_lock(pp_seat seat)
{
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)seat;
    lock.l_len = 1;
    return lock;
}

int pp_bus_seated(const pp_bus *bus, pp_seat seat)
{
    struct flock lock = seat_lock(seat);
    if (bus->seat == seat) return 1;
    return fcntl(bus->file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

static pp_reason take_seat(pp_bus *bus)
{
    struct flock lock = seat_lock(bus->seat);
    if (fcntl(bus->file, F_OFD_SETLK, &lock) != 0)
        return errno == EAGAIN || errno == EACCES ? PP_TAKEN : PP_SYSTEM;
    if (bus->seat == PP_SEAT_MASTER && !pp_bus_seated(bus, PP_SEAT_DRIVES)) return PP_DEAD;
    atomic_store(&bus->segment->head.pids[bus->seat], (int64_t)getpid());
    return PP_OK;
}

static pp_reason map_segment(pp_bus *bus, const uint8_t fingerprint[32])
{
    struct stat status;
    if (fstat(bus->file, &status) != 0) return PP_SYSTEM;
    if (status.st_uid != geteuid() || status.st_mode & 077) return PP_FOREIGN;
    if (status.st_size < (off_t)sizeof(pp_segment)) return PP_FOREIGN;
    bus->bytes = (size_t)status.st_size;
    void *memory = mmap(NULL, bus->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bus->file, 0);
    if (memory == MAP_FAILED) return PP_SYSTEM;
    bus->segment = memory;
    return pp_bus_check(bus->segment, bus->bytes, fingerprint);
}

pp_reason pp_bus_attach(pp_bus *bus, const char *name, pp_seat seat, const uint8_t fingerprint[32])
{
    bus->segment = NULL;
    bus->bytes = 0;
    bus->seat = seat;
    bus->file = shm_open(name, O_RDWR, 0);
    if (bus->file < 0) return errno == ENOENT ? PP_MISSING : errno == EACCES ? PP_FOREIGN : PP_SYSTEM;
    pp_reason reason = map_segment(bus, fingerprint);
    if (reason == PP_OK) reason = take_seat(bus);
    if (reason != PP_OK) pp_bus_detach(bus);
    return reason;
}

void pp_bus_detach(pp_bus *bus)
{
    if (bus->segment) munmap(bus->segment, bus->bytes);
    if (bus->file >= 0) close(bus->file); /* and with it the lock on the seat */
    bus->segment = NULL;
    bus->file = -1;
}
