/* SPDX-License-Identifier: Apache-2.0
 * One period of the runtime: from a frame of the drives to a frame for them and a row of the log.
 *
 * Pure of clocks, locks, allocation and system calls: lockstep and the paced process call the same function. It knows no
 * robot: law, guards, supervisor and stop are the generated functions of a `pp_machine`, numbers of states and events
 * those of the generated `pp_names.h`, which is printed from the supervisor's one table.
 */
#ifndef PP_LOOP_H
#define PP_LOOP_H

#include "bus.h"
#include "master.h"
#include "ring.h"
#include "turns.h"

#define PP_TERMS_MAX 96      /* numbers that a law's terms are */
#define PP_QUANTITIES_MAX 128 /* numbers that the guards look at */
#define PP_COMMANDS_MAX 8
#define PP_LOOP_MAGIC UINT64_C(0x316c727563707070)

/* Flags of a row of the reference. */
#define PP_ROW_ARRIVED 1u /* the reference has come to its end */
#define PP_ROW_LAST 2u    /* the last row of its segment, which is held */
#define PP_ROW_KNOT 4u    /* between two samples: only a stop reads it */
#define PP_ROW_GRIP 8u    /* the gripper is to take */

/* Why a torque counts as late; a deadline guard counts them all. */
#define PP_LATE_DRIVES 1u  /* the drives say so */
#define PP_LATE_RUNTIME 2u /* the period before took too long */
#define PP_LATE_BUS 4u     /* no new frame of the drives */
#define PP_LATE_PLANNER 8u /* the reference is shorter than a stop may be */

#define PP_GAP_MAX 20 /* bus cycles that are made up for */

/* What is wanted at a sample: one row of the ring per sample. Between rows a stop follows the quintic that has their
 * poses, rates and accelerations by the time s along the path. */
typedef struct {
    double s;                       /* time along the path (s) */
    double pace;                    /* its rate */
    double x[PP_DOF_MAX];           /* task vector (m, rad), rate and acceleration */
    double xd[PP_DOF_MAX];
    double xdd[PP_DOF_MAX];
    double ahead[PP_DOF_MAX];       /* where it leads while it could be stopped */
    double shift[PP_DOF_MAX];       /* what an injected fault adds to the path, in x; and its rate */
    double shift_rate[PP_DOF_MAX];
    double known[PP_PAYLOAD];       /* what the law takes the tool to hold, gripper included */
    double load[PP_PAYLOAD];        /* what it holds beyond the gripper */
    uint32_t state;                 /* operating state that it is for */
    uint32_t flags;
} pp_row;

/* What happened in a period. */
typedef struct {
    uint64_t sample;        /* number of the sample, from the one at which the drives are enabled */
    int64_t begin;          /* ns: when the period began, */
    int64_t sampled;        /* when the drives sampled the encoders, */
    int64_t computed;       /* when the torques were there, */
    int64_t written;        /* and when the frame was written */
    uint64_t seen;          /* bus cycle of the drives' frame */
    uint32_t before;        /* operating state before the supervisor's step */
    uint32_t state;         /* and after it */
    int32_t event;
    int32_t cause;          /* guard that caused it, -1 for none */
    int32_t fault;          /* guard that is latched, -1 for none */
    uint32_t late;          /* PP_LATE_ bits */
    uint32_t looked;        /* whether the guards were looked at */
    uint32_t inputs;        /* PP_IN_ bits */
    double s;
    double pace;
    double share;           /* of a stop: largest share of its torque limit that a motor needs */
    double x_ref[PP_DOF_MAX];
    double xd_ref[PP_DOF_MAX];
    double xdd_ref[PP_DOF_MAX];
    double x[PP_DOF_MAX];   /* where a virtual plate is */
    double xd[PP_DOF_MAX];
    double known[PP_PAYLOAD];
    double load[PP_PAYLOAD];
    double q_meas[PP_MOTORS_MAX];
    double command[PP_MOTORS_MAX];  /* what the law asks for, before limit and delay */
    double torque[PP_MOTORS_MAX];   /* what the drives are asked for, as they understand it */
    double reported[PP_MOTORS_MAX]; /* what they say that they give */
    uint16_t status[PP_MOTORS_MAX];
    int32_t belts[PP_BELTS_MAX];
    double terms[PP_TERMS_MAX];
    double quantities[PP_QUANTITIES_MAX];
} pp_log_row;

/* A command of the operator that comes by itself: so many samples after a state was entered first. */
typedef struct {
    uint32_t state;
    int32_t event;
    uint64_t begin;
} pp_command;

#define PP_BINS 512 /* of histograms: microseconds, the last for all that is longer */

/* What the paced process says of itself while it runs, for whoever looks. Counts of periods by how late they began, and
 * by how long they took to compute. */
typedef struct {
    _Atomic int64_t pid;
    _Atomic int64_t scheduler;  /* 0: SCHED_FIFO with the priority asked for; otherwise errno; -1: not asked for */
    _Atomic int64_t memory;     /* 0: locked; otherwise errno */
    _Atomic int64_t pinned;     /* 0: kept to its processor; otherwise errno; -1: not asked for */
    _Atomic int64_t rehearsed;  /* ns that a period took before the start, at its 999th of a thousand */
    _Atomic uint64_t periods;
    _Atomic uint64_t overruns;  /* periods that took longer than their budget, or that were missed */
    _Atomic uint64_t missed;    /* periods that did not begin within their own */
    _Atomic uint64_t lost;      /* rows of the log for which there was no room */
    _Atomic int64_t worst_late;   /* ns */
    _Atomic int64_t worst_length; /* ns */
    _Atomic uint64_t late[PP_BINS];
    _Atomic uint64_t length[PP_BINS];
} pp_report;

/* Settings of the loop; they are the last bytes of the segment that fit on a multiple of 64. */
typedef struct {
    uint64_t magic;
    uint64_t dwell;    /* samples: how long the drives hold before homing, and the operator waits before the start */
    uint64_t shown;    /* how long the end is held */
    uint64_t resting;  /* how long brakes have held when the run ends */
    uint64_t braking;  /* the longest that they are given */
    uint64_t horizon;  /* rows that must be ahead: more than the longest stop takes */
    uint64_t commands;
    pp_command command[PP_COMMANDS_MAX];
    pp_row start;      /* where the plate is at the beginning, at rest */
    int64_t phase;     /* ns after a bus cycle at which a period begins */
    int64_t budget;    /* ns that a period may take */
    int32_t mode;      /* PP_MODE_ */
    int32_t priority;  /* of SCHED_FIFO, 0 for none */
    int32_t processor; /* that the process keeps to, -1 for none */
    int32_t reset;     /* 1: faults of drives are reset before the first sample; later ones stay */
    _Atomic int64_t asked; /* what people ask for now: an event, 0 for nothing */
    pp_report report;
} pp_loop_settings;

/* What the supervisor reads at a sample. */
typedef struct {
    const double *q_meas;
    const double *x_ref;
    const double *x_ahead;
    const double *command;
    int late;
    int emergency;
    int dead[PP_MOTORS_MAX];
} pp_sight;

/* The supervisor's decision. */
typedef struct {
    int state;
    int event;
    int cause;
    int fault;
    int still;
} pp_decision;

/* A robot's generated functions; each program has one robot, whose memory is theirs. */
typedef struct {
    int motors;
    int dof;
    int terms;
    int quantities;
    double period;
    void (*reset)(void);
    /* A robot that rests at encoder angles where x is wanted. */
    void (*rest)(const double *q_meas, const double *x_ref);
    void (*look)(const pp_sight *sight, double *quantities);
    void (*decide)(int arrived, int command, pp_decision *decision);
    void (*remember)(const double *q_meas, const double *x_ref);
    int (*energised)(void);
    int (*law)(const double *q_meas, const double *qd, const pp_row *row, double *terms, double *command, double *torque);
    void (*joints)(const double *x, double *q);
    void (*stop_begin)(double s, double pace);
    /* Path time and pace of the stop. */
    void (*stop_now)(double *s, double *pace);
    double (*stop_step)(const double *x, const double *x_s, const double *x_ss, const double *payload, double *xd,
                        double *xdd);
} pp_machine;

typedef struct {
    const pp_machine *machine;
    const pp_loop_settings *settings;
    pp_ring *ring;
    pp_ring_view rows;  /* the ring as it was when the period began */
    int asked;          /* what people asked for then */
    pp_master master;
    uint32_t flags;
    int begun;          /* the drives are enabled, samples are counted */
    int started;        /* the task has begun */
    int ended;
    uint64_t sample;
    uint64_t entered;   /* sample at which the state was entered */
    uint64_t first[16]; /* sample at which each state was entered first, plus 1; 0: never */
    int state;
    int fault;
    pp_row last;        /* what was followed at the sample before */
    pp_row from;        /* the same, where a stop began */
    pp_row low;         /* rows between which a stop is */
    pp_row high;
    int whole;          /* there is no row behind `high` */
    int ring_fed;       /* the state follows the ring */
    uint64_t rest;      /* samples for which brakes have held a robot that rests */
    double command[PP_MOTORS_MAX];
    int was_enabled;
    pp_ring *log;       /* takes the rows of cycles that are made up for; NULL: nobody does */
    uint64_t lost;      /* of them those that found no room */
    uint64_t cycle;     /* bus cycle of the sample before, */
    double q[PP_MOTORS_MAX]; /* and its angles, */
    double x[PP_DOF_MAX];    /* and where a virtual plate was */
} pp_loop;

/* The settings of a segment; NULL where there are none that are sound. */
pp_loop_settings *pp_loop_settings_of(pp_segment *segment, size_t bytes);

/* A loop at its beginning; 0 where segment, rings and machine do not fit each other. */
int pp_loop_start(pp_loop *loop, const pp_machine *machine, pp_segment *segment, size_t bytes);

/* One period: `count` is what pp_bus_read_in gave, `late` PP_LATE_ bits that are known. Fills the frame, numbered and
 * stamped with `time`, and the row but for its times. Returns 1 where the row belongs to the run: a sample.
 *
 * Samples are counted by the bus. Without a new frame there is no sample, and what was written last is written again.
 * Cycles that were missed are made up for, up to PP_GAP_MAX, at angles between those before and after them: what guards
 * and law remember, and the time along the path, then are those of the clock. Their rows go to the log by themselves;
 * each counts as late. */
int pp_loop_period(pp_loop *loop, const pp_in *in, uint64_t count, uint32_t late, int64_t time, pp_out *out,
                   pp_log_row *row);

/* The turn of a period that begins now: the rows of the reference that are there, and what people ask for. */
pp_loop_turn pp_loop_now(const pp_loop *loop, uint64_t count, uint32_t late, int64_t time);

/* A period as its turn has it, whatever is so now; completes the turn by what came of it. */
int pp_loop_turned(pp_loop *loop, const pp_in *in, pp_loop_turn *turn, pp_out *out, pp_log_row *row);

#endif
