/* SPDX-License-Identifier: Apache-2.0
 * The process image between a master and its drives, and the segment of shared memory that holds it.
 *
 * Two images: `pp_out` from the master to the drives, `pp_in` back. Each has one writer, who writes frames into four
 * slots in turn; a reader gets the newest whole frame and never waits. Frames are copied as words that are atomic, so
 * that there is no data race in the sense of C11, and a slot's sequence number says whether the copy is whole.
 *
 * A segment is made by Python with mode 0600, filled with settings, and then published by its magic. Master and drives
 * take a seat each: a lock on a byte of the segment that the kernel lets go when a process ends, however it ends. What
 * is not ours, not sound, made for another robot, or taken, is refused with a reason, before any torque.
 *
 * The layout is one for all robots, with room for PP_MOTORS_MAX motors; Python mirrors it by NumPy types
 * (`parapick.runtime.layout`), and a test compares offsets and sizes.
 */
#ifndef PP_BUS_H
#define PP_BUS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PP_MAGIC UINT64_C(0x3130737562707070)
#define PP_LAYOUT_VERSION 2u
#define PP_MOTORS_MAX 8
#define PP_DOF_MAX 6
#define PP_BELTS_MAX 4
#define PP_ITEMS_MAX 256
#define PP_FAULTS_MAX 8
#define PP_PAYLOAD 5 /* mass (kg), place of its centre (m), inertia (kg m2) */
#define PP_SLOTS 4
#define PP_ALWAYS UINT32_MAX

/* Flags of a segment. */
#define PP_FLAG_EXACT 1u        /* drives take and the master reads the exact numbers, not increments and per mille */
#define PP_FLAG_STATED_LOAD 2u  /* the tool holds what `pp_out.load` says; otherwise what the gripper has taken */
#define PP_FLAG_LOCKSTEP 4u     /* no clock: the drives step once for every frame of the master */

/* Bits of `pp_out.outputs`. */
#define PP_OUT_GRIP 1u

/* Bits of `pp_in.inputs`. */
#define PP_IN_EMERGENCY 1u /* the emergency stop is pressed */
#define PP_IN_LATE 2u      /* an injected fault says that the torques of the cycle before came too late */
#define PP_IN_HELD 4u      /* the gripper holds something */
#define PP_IN_SENSOR 256u  /* an item is at the sensor of belt 0; of belt k: this bit shifted by k */

/* From the master to one drive. */
typedef struct {
    uint16_t control_word;   /* 6040 */
    int8_t mode;             /* 6060: 8 or 10 */
    uint8_t spare;
    int16_t target_torque;   /* 6071, per mille of the rated torque 6076 */
    int16_t torque_offset;   /* 60B2, per mille of 6076; mode 8 */
    int32_t target_position; /* 607A, increments; mode 8 */
    int32_t spare2;
    double exact_torque;     /* N m (N) at the joint: 6071, or 60B2 in mode 8, without rounding */
    double exact_position;   /* rad (m) at the joint: 607A without rounding */
} pp_drive_out;

/* From one drive to the master. */
typedef struct {
    uint16_t status_word;    /* 6041 */
    uint16_t error_code;     /* 603F */
    int8_t mode;             /* 6061 */
    uint8_t brake;           /* 1: the brake holds */
    int16_t torque;          /* 6077, per mille of 6076 */
    int32_t position;        /* 6064, increments */
    int32_t speed;           /* 606C, increments/s */
    double exact_torque;     /* N m (N) at the joint that the motor gives now */
    double exact_position;   /* rad (m) at the joint, as the encoder says it: an encoder's steps and faults are in it */
    double exact_speed;      /* rad/s (m/s) at the joint */
} pp_drive_in;

/* What the master writes once a period. */
typedef struct {
    uint64_t cycle;     /* number of the master's period; it rises with every frame */
    int64_t time;       /* when it was written (ns of CLOCK_MONOTONIC); in lockstep the cycle's nominal time */
    uint64_t answers;   /* `pp_in.cycle` of the frame that it was computed from */
    uint32_t state;     /* the supervisor's state: times of injected faults count from a state's first cycle */
    uint32_t outputs;   /* PP_OUT_ bits */
    double load[PP_PAYLOAD]; /* what the tool holds beyond the gripper by the task, see PP_FLAG_STATED_LOAD */
    pp_drive_out drives[PP_MOTORS_MAX];
} pp_out;

/* What the drives write once a bus cycle. */
typedef struct {
    uint64_t cycle;     /* number of the bus cycle */
    int64_t time;       /* when the encoders were sampled (ns of CLOCK_MONOTONIC); in lockstep the nominal time */
    uint64_t answers;   /* `pp_out.cycle` of the frame that acts from this sample on, or 0 before the first */
    uint32_t missed;    /* bus cycles without a new frame of the master, in a row */
    uint32_t inputs;    /* PP_IN_ bits */
    int32_t belts[PP_BELTS_MAX]; /* encoders of the belts, counts */
    uint32_t items;     /* items that have passed a sensor so far */
    uint32_t spare;
    double x[PP_DOF_MAX];  /* where the plate of a virtual cell really is (m, rad): no bus has it, a record may */
    double xd[PP_DOF_MAX];
    pp_drive_in drives[PP_MOTORS_MAX];
} pp_in;

/* Units of a drive's numbers, at the joint, behind the gearbox. */
typedef struct {
    double angle;       /* rad (m) of an increment; an angle is the increments times this */
    double torque;      /* N m (N) of one per mille of 6076 */
    double torque_max;  /* 6072: N m (N) at the joint; infinite without a limit */
    double rated;       /* 6076: N m (N) at the motor */
} pp_units;

typedef struct {
    _Atomic uint64_t sequence; /* odd while it is written */
    uint64_t spare[7];
    _Atomic uint64_t words[(sizeof(pp_in) > sizeof(pp_out) ? sizeof(pp_in) : sizeof(pp_out)) / 8];
} pp_slot;

/* Frames one way. */
typedef struct {
    _Atomic uint64_t newest; /* how many frames were written; the newest stands in slot (newest - 1) % PP_SLOTS */
    uint64_t spare[7];
    pp_slot slots[PP_SLOTS];
} pp_frames;

/* Who sits where. */
typedef enum { PP_SEAT_MASTER, PP_SEAT_DRIVES, PP_SEATS } pp_seat;

/* The virtual drives' settings; see drive.h and cell.h for what each does. */
typedef struct {
    double position_gain;  /* 1/s: speed asked for per position error, mode 8 */
    double speed_gain;     /* N m s/rad at the joint: torque per speed error */
    double integral_gain;  /* 1/s: of the speed loop's integral */
    double position_min;   /* 607D, rad (m) at the joint */
    double position_max;
    double speed_max;      /* 6080, rad/s (m/s) at the joint; infinite without a limit */
    double following_max;  /* 6065, rad (m); infinite without a limit */
    double interpolation;  /* 60C2, as a number of bus cycles, at least 1 */
    double ramp;           /* 6085, rad/s2 (m/s2) at the joint */
    double brake;          /* torque of the brake at the joint, N m (N) */
    double opening;        /* s from the signal until the brake lets go */
    double closing;        /* s from the signal until it holds */
    double self_test;      /* s in Not ready to switch on */
    int16_t quick_stop;    /* 605A */
    int16_t disable;       /* 605C */
    int16_t reaction;      /* 605E */
    int16_t spare;
} pp_drive_settings;

/* An injected fault: what it does from a cycle on, as numbers made from the house's table of faults. */
typedef struct {
    uint32_t state;        /* of the supervisor, from whose first cycle `begin` and `end` count */
    uint32_t active;       /* 0: no fault here */
    uint64_t begin;        /* cycles */
    uint64_t end;
    double angle_share[PP_MOTORS_MAX];   /* encoder: share * angle + offset + repeat * the last angle before */
    double angle_offset[PP_MOTORS_MAX];
    double angle_repeat[PP_MOTORS_MAX];
    double torque_share[PP_MOTORS_MAX];  /* drive: likewise, torques at the joint */
    double torque_offset[PP_MOTORS_MAX];
    double torque_repeat[PP_MOTORS_MAX];
    double load_share[PP_PAYLOAD];       /* what the tool holds beyond the gripper */
    double load_offset[PP_PAYLOAD];
    double force[PP_DOF_MAX];            /* on the plate, N and N m */
    uint32_t dead[PP_MOTORS_MAX];        /* the drive switches itself off */
    uint32_t late;
    uint32_t emergency;
} pp_fault;

typedef struct {
    double point[3];      /* m; positions along the belt count from here */
    double along[3];      /* unit vector of its motion */
    double across[3];     /* unit vector to its left */
    double speed;         /* m/s */
    double resolution;    /* m of a count of its encoder */
    double sensor;        /* m: position of its light barrier; NaN without one */
} pp_belt;

typedef struct {
    double position;      /* m along its belt at time 0 */
    double across;        /* m */
    double load[PP_PAYLOAD];
    int32_t belt;
    int32_t there;        /* 0: no item */
} pp_item;

typedef struct {
    double jitter;        /* s: bus cycles begin up to this much late, uniformly */
    double dropped;       /* share of the master's frames that get lost */
    double reach;         /* m: how far the gripper takes an item */
    uint64_t seed;        /* of jitter and losses */
    uint32_t belts;
    uint32_t items;
    uint32_t faults;
    uint32_t belt_state;  /* belts run from a cycle of this state on, as faults act; PP_ALWAYS: from the beginning */
    uint64_t belt_begin;  /* cycles */
    double gripper[PP_PAYLOAD]; /* the gripper itself, where what it takes counts */
    double start[PP_DOF_MAX];   /* where the plate is at the beginning, m and rad */
    pp_drive_settings drives[PP_MOTORS_MAX];
    pp_belt belt[PP_BELTS_MAX];
    pp_fault fault[PP_FAULTS_MAX];
    pp_item item[PP_ITEMS_MAX];
} pp_cell_settings;

typedef struct {
    _Atomic uint64_t magic; /* written last by who makes the segment */
    uint32_t version;       /* PP_LAYOUT_VERSION */
    uint32_t flags;
    uint64_t bytes;         /* of the whole segment */
    uint8_t fingerprint[32]; /* of the robot and what its numbers are, see `parapick.runtime.fingerprint` */
    uint32_t motors;
    uint32_t dof;
    int64_t period;         /* ns: bus cycle */
    int64_t watchdog;       /* ns without a frame of the master after which drives with power react */
    uint64_t reference;     /* where the ring of references begins, bytes from the beginning; 0: none */
    uint64_t log;           /* where the ring of the log begins; 0: none */
    uint64_t loop_turns;    /* where the ring of the loop's turns begins, see turns.h; 0: none, they are not logged */
    uint64_t cell_turns;    /* the same of the drives */
    _Atomic int64_t epoch;  /* ns of CLOCK_MONOTONIC at which bus cycle 0 began; 0 until the drives run */
    _Atomic int64_t pids[PP_SEATS]; /* who took a seat last, for messages */
    _Atomic uint64_t ending; /* 1: everybody is to end in order */
    pp_units units[PP_MOTORS_MAX];
} pp_head;

typedef struct {
    pp_head head;
    pp_cell_settings cell;
    pp_frames out;
    pp_frames in;
} pp_segment;

/* Why a segment is refused. */
typedef enum {
    PP_OK,
    PP_MISSING,     /* there is none of this name */
    PP_FOREIGN,     /* not ours: owner, mode, size, magic or numbers that cannot be */
    PP_VERSION,     /* made by another version */
    PP_ROBOT,       /* made for another robot */
    PP_TAKEN,       /* somebody has the seat */
    PP_DEAD,        /* nobody drives there: its process has ended */
    PP_SYSTEM,      /* the system refused; errno says why */
    PP_REASONS
} pp_reason;

/* An attached segment. */
typedef struct {
    pp_segment *segment;
    size_t bytes;
    int file;
    pp_seat seat;
} pp_bus;

/* Take a seat at a segment, e.g. "/parapick-par4". A fingerprint is compared unless it is NULL. The master is refused
 * where no drives are. System calls: not for the loop. */
pp_reason pp_bus_attach(pp_bus *bus, const char *name, pp_seat seat, const uint8_t fingerprint[32]);

/* Leave the seat. */
void pp_bus_detach(pp_bus *bus);

/* Whether somebody has a seat, asked from the kernel. A system call: not for the loop. */
int pp_bus_seated(const pp_bus *bus, pp_seat seat);

/* The reason as a sentence without its end. */
const char *pp_bus_reason(pp_reason reason);

/* Whether so many bytes hold a sound segment for the robot; what `pp_bus_attach` asks before it takes a seat. */
pp_reason pp_bus_check(const pp_segment *segment, size_t bytes, const uint8_t fingerprint[32]);

/* Write a frame. One writer each; never waits. */
void pp_bus_write_out(pp_segment *segment, const pp_out *out);
void pp_bus_write_in(pp_segment *segment, const pp_in *in);

/* Read the newest whole frame. The number of frames written up to it, or 0 where there is none (or its writer overtook
 * the reader time and again): the frame is then left as it was. Never waits. */
uint64_t pp_bus_read_out(pp_segment *segment, pp_out *out);
uint64_t pp_bus_read_in(pp_segment *segment, pp_in *in);

#endif
