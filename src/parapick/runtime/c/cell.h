/* SPDX-License-Identifier: Apache-2.0
 * The virtual cell: drives, the plant behind them, gripper, sensors and belts.
 *
 * The plant is a robot's, printed as C (`parapick.export.c.plant`); it is given as functions, so that nothing here
 * knows a robot. In lockstep a period is
 *
 *     pp_cell_sense(cell, &in);      // what encoders say at the sample
 *     ... the master computes `out` from `in` ...
 *     pp_cell_move(cell, &out);      // acts until the next sample
 *
 * and with a delay of one sample the master's `out` of the sample before is given to pp_cell_move. The process
 * (`pp_cell_run`) does the same at the instants of the bus cycle: at each it takes the newest frame, samples, writes,
 * and moves on.
 */
#ifndef PP_CELL_H
#define PP_CELL_H

#include "bus.h"
#include "drive.h"
#include "turns.h"

#define PP_PLANT_STATES_MAX 160

/* A robot's plant: see the generated P_plant.c. Columns; n motors, d task
 * coordinates. Where an answer is not valid it is NaN, which a drive takes for a broken encoder. */
typedef struct {
    int states;      /* length of the state */
    int motors;
    int dof;
    int substeps;    /* integration steps of a period while brakes are released */
    int finer;       /* the same while one holds: a brake is stiff */
    int stages;      /* calls of `stage` in an integration step */
    int lag;         /* row of the state where the drives' torques begin; -1: the drives have no lag */
    const double *start;
    /* One stage of the integrator: torque asked of the drives (n), N m; what the tool holds (5); force on the plate
     * (d), N and N m; step (s). */
    int (*stage)(const double *state, const double *torque, const double *load, const double *force, double step,
                 double *next);
    /* The same with brakes, and the torque that each of them holds (n), N m. */
    int (*braked)(const double *state, const double *torque, const double *load, const double *force,
                  const double *brake, double step, double *next);
    /* What is seen: pose (d), its rate (d), what encoders say (n), and rates of the motors (n), at the joints. */
    int (*seen)(const double *state, double *x, double *xd, double *q, double *qd);
} pp_plant;

typedef struct {
    const pp_plant *plant;
    const pp_cell_settings *settings;
    const pp_units *units;
    uint32_t flags;
    double period;             /* s */
    uint32_t watchdog;         /* cycles without a frame after which drives with power react */
    double state[PP_PLANT_STATES_MAX];
    int moving;                /* 0 until a drive is enabled for the first time: the robot stands in its brakes */
    pp_drive drives[PP_MOTORS_MAX];
    pp_motor motors[PP_MOTORS_MAX]; /* as the drives know them at the sample */
    double x[PP_DOF_MAX];
    double xd[PP_DOF_MAX];
    uint64_t cycle;
    uint64_t answered;         /* pp_out.cycle of the frame that acts */
    uint32_t missed;
    pp_out out;                /* the frame that acts */
    double asked[PP_MOTORS_MAX]; /* torques asked of the motors last, faults in them, N m */
    uint64_t count[PP_FAULTS_MAX]; /* cycles since the state of a fault began; 0: it has not */
    double angle_held[PP_FAULTS_MAX][PP_MOTORS_MAX];  /* what a fault repeats */
    double torque_held[PP_FAULTS_MAX][PP_MOTORS_MAX];
    double place[PP_ITEMS_MAX];     /* position of items along their belts, m */
    double across[PP_ITEMS_MAX];
    int32_t belt[PP_ITEMS_MAX];     /* which belt an item lies on; -1: none */
    double travelled[PP_BELTS_MAX]; /* m */
    uint64_t belt_count;            /* cycles since the state began from which belts run; 0: it has not */
    int held;                  /* which item the gripper holds; -1: none */
    int gripping;
    uint32_t passed;           /* items that have passed a sensor */
} pp_cell;

/* A cell at its start; 0 where plant and segment do not fit each other. */
int pp_cell_start(pp_cell *cell, const pp_plant *plant, const pp_segment *segment);

/* What is reported at a sample. The robot stands where it starts, whatever its weight, up to the first frame by which a
 * drive is enabled; that frame's torque acts at once, and drives with a lag give it already, as in a simulation. */
void pp_cell_sense(pp_cell *cell, pp_in *in);

/* Move for a period under a frame; NULL where no new one came: the one before acts on, until the watchdog's time. */
void pp_cell_move(pp_cell *cell, const pp_out *out);

/* A turn of the process: the frame of a sample says what is so in its turn, and the turn what came of it; then a period
 * passes. `out` is the frame that was read, which acts where it is fresh. */
void pp_cell_answer(pp_cell_turn *turn, const pp_out *out, pp_in *in);
void pp_cell_pass(pp_cell *cell, const pp_cell_turn *turn, const pp_out *out);

/* The process: attach to a segment as its drives and run until `ending`, or, in lockstep, follow the master's frames.
 * The answer is an exit code: 0 in order, 2 refused (the reason on stderr). */
int pp_cell_run(const pp_plant *plant, const char *name, const uint8_t fingerprint[32]);

#endif
