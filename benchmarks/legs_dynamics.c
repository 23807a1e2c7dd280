/* Legs of a four-motor robot, written by hand; included by `delta_dynamics.c` and `par4_dynamics.c`.
 *
 * One leg, with u its horizontal direction, e = plate - base radius, p = the plate's point less the plate radius times
 * u, v and acc its motion, d = p + e u, and angles counted from the horizontal upward:
 *
 *   F = d.u,  G = (d.d + l^2 - L^2) / 2,  r = F^2 + z^2,  lever = rod.w = -branch sqrt(l^2 r - G^2)
 *   a = l cos = (F G + z lever) / r,  b = l sin = (z G - F lever) / r,  rod = p + (e - a) u - b up
 *   rate  = rod.v / lever
 *   accel = (rod.acc + v.v + G rate^2 - 2 rate w.v) / lever,  because rod.arm = G - l^2, w.arm = 0 and w.w = l^2
 *   own   = (inertia + m11 l^2) accel + m12 w.acc + weights a
 *
 * so that no leg needs trigonometry, and one division gives 1/r and 1/lever of two legs. Rods are slender: m11 and m12
 * are a third and a sixth of their mass.
 *
 * -ffast-math lets the compiler assume that NaN does not exist, so validity is never a floating-point comparison here:
 * it is read from sign bits as integers, and NaN is made by setting all bits. It also lets the compiler reorder sums,
 * which costs fused operations; those are therefore written out.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* States a block: its intermediate arrays stay in the first-level cache beside inputs and outputs. A block goes through
 * several short passes, so that states overlap in the pipeline where one long pass would wait for its square roots. */
#define BLOCK 16

/* Doubles between two local arrays: not a power of two, lest they meet on the same cache sets. */
#define PITCH (BLOCK + 8)

/* A pose is singular where a determinant is below this: that of J'J (Delta), or that of the closures with rods of
 * length one, squared (Par4). */
#define SINGULAR 1e-9

#define LEGS 4
#define EACH_LEG _Pragma("GCC unroll 4") for (int i = 0; i < LEGS; i++)
#define ALIGNED __attribute__((aligned(64)))
#define INLINE static inline __attribute__((always_inline))

/* Numbers of the robot, SI. `inertia` is that of arm, rotor and gearbox at the joint, `arm_moment` the mass of an arm
 * times the distance of its centre, `rod_mass` that of all rods of a leg, `bar_mass` that of both bars. Lever: the bars
 * at yaw 0. The load hangs on the tool, which turns `yaw_ratio` times as far as the bars. */
typedef struct {
    double base, plate, arm, rod, sign, gravity;
    double cosine[LEGS], sine[LEGS], branch[LEGS];
    double inertia, arm_moment, rod_mass, plate_mass;
    double carried_mass, bar_mass, lever_x, lever_y, yaw_ratio, tool_inertia;
    double load_mass, load_x, load_y, load_inertia;
} Robot;

typedef struct {
    double x, y, z;
} Vector;

/* What the legs need of the robot, constant over the states; `side` is -branch. */
typedef struct {
    double e, arm2, closing, inertia, m12, weight;
    double u[LEGS], v[LEGS], side[LEGS];
} Limbs;

/* A leg on its plate point; `outward` = e - a. */
typedef struct {
    double F, G, r, squared, lever, a, b, outward, by_lever;
} Leg;

/* Closed legs of a block, and in the sign bit of `invalid` whether one of them does not close. */
typedef struct {
    double a[LEGS][PITCH], b[LEGS][PITCH], G[LEGS][PITCH], lever[LEGS][PITCH], by_lever[LEGS][PITCH];
    int64_t invalid[PITCH];
} Closed;

/* A plate point in motion: `pv` = p.v, `pa` = p.acc + v.v. */
typedef struct {
    Vector v, acc;
    double pv, pa;
} Motion;

/* What a leg takes: its own torque, and m12 times the elbow's acceleration, inward and up. */
typedef struct {
    double own, inward, up;
} Effort;

INLINE double madd(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE double msub(double a, double b, double c) { return __builtin_fma(a, b, -c); }
INLINE double nmadd(double a, double b, double c) { return __builtin_fma(-a, b, c); }

INLINE double dot(Vector p, Vector q) { return madd(p.x, q.x, madd(p.y, q.y, p.z * q.z)); }

INLINE Vector cross(Vector p, Vector q) {
    return (Vector){msub(p.y, q.z, p.z * q.y), msub(p.z, q.x, p.x * q.z), msub(p.x, q.y, p.y * q.x)};
}

INLINE Vector at(const double *restrict array, long stride, long k) {
    return (Vector){array[k], array[stride + k], array[2 * stride + k]};
}

INLINE int64_t bits(double value) {
    int64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

INLINE double number(int64_t value) {
    double result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* `value`, or NaN where the sign bit of `invalid` is set. */
INLINE double poison(double value, int64_t invalid) { return number(bits(value) | invalid >> 63); }

static Limbs limbs_of(const Robot *p) {
    const double e = p->plate - p->base, arm2 = p->arm * p->arm;
    Limbs limbs = {
        .e = e,
        .arm2 = arm2,
        .closing = 0.5 * (arm2 - e * e - p->rod * p->rod),
        .inertia = p->inertia + p->rod_mass / 3 * arm2,
        .m12 = p->rod_mass / 6,
        .weight = p->gravity * (p->rod_mass / 2 + p->arm_moment / p->arm),
    };
    for (int i = 0; i < LEGS; i++) limbs.u[i] = p->cosine[i], limbs.v[i] = p->sine[i], limbs.side[i] = -p->branch[i];
    return limbs;
}

/* First half of a leg, up to the square root; `w` = (p.p + l^2 - L^2 - e^2) / 2. */
INLINE void reach(const Limbs *c, int i, Vector p, double zz, double w, Leg *leg) {
    leg->F = madd(p.x, c->u[i], madd(p.y, c->v[i], c->e));
    leg->G = madd(c->e, leg->F, w);
    leg->r = madd(leg->F, leg->F, zz);
    leg->squared = msub(c->arm2, leg->r, leg->G * leg->G);
    leg->lever = c->side[i] * sqrt(leg->squared);
}

/* Second half; `t` = 1 / (r lever). */
INLINE void close_leg(double z, double t, Leg *leg) {
    const double by_r = leg->lever * t;
    leg->by_lever = leg->r * t;
    leg->a = madd(z, leg->lever, leg->F * leg->G) * by_r;
    leg->b = msub(z, leg->G, leg->F * leg->lever) * by_r;
}

/* Close all legs and keep them; two share a division. */
INLINE void close_legs(double z, Leg *leg, Closed *closed, long k) {
    double t[LEGS];
    EACH_LEG t[i] = leg[i].r * leg[i].lever;
    const double first = 1.0 / (t[0] * t[1]), second = 1.0 / (t[2] * t[3]);
    close_leg(z, first * t[1], &leg[0]), close_leg(z, first * t[0], &leg[1]);
    close_leg(z, second * t[3], &leg[2]), close_leg(z, second * t[2], &leg[3]);
    EACH_LEG {
        closed->a[i][k] = leg[i].a, closed->b[i][k] = leg[i].b, closed->G[i][k] = leg[i].G;
        closed->lever[i][k] = leg[i].lever, closed->by_lever[i][k] = leg[i].by_lever;
    }
    closed->invalid[k] = 0;
    EACH_LEG closed->invalid[k] |= bits(leg[i].squared);
}

INLINE Leg kept(const Limbs *c, const Closed *closed, int i, long k) {
    return (Leg){
        .a = closed->a[i][k],
        .b = closed->b[i][k],
        .G = closed->G[i][k],
        .lever = closed->lever[i][k],
        .by_lever = closed->by_lever[i][k],
        .outward = c->e - closed->a[i][k],
    };
}

/* `weight` = m12 acc.z + weights. */
INLINE Effort effort(const Limbs *c, int i, const Leg *leg, const Motion *m, double weight) {
    const double v = madd(m->v.x, c->u[i], m->v.y * c->v[i]), acc = madd(m->acc.x, c->u[i], m->acc.y * c->v[i]);
    const double rate = nmadd(leg->b, m->v.z, madd(leg->outward, v, m->pv)) * leg->by_lever;
    const double turn = madd(-2.0, msub(leg->a, m->v.z, leg->b * v), leg->G * rate);
    const double push = nmadd(leg->b, m->acc.z, madd(leg->outward, acc, m->pa));
    const double accel = madd(rate, turn, push) * leg->by_lever;
    const double tangential = c->m12 * accel, radial = c->m12 * rate * rate;
    return (Effort){
        .own = nmadd(c->m12 * acc, leg->b, madd(c->inertia, accel, leg->a * weight)),
        .inward = madd(leg->b, tangential, leg->a * radial),
        .up = msub(leg->a, tangential, leg->b * radial),
    };
}

/* m rows of `width` doubles to as many arrays. */
INLINE void gather(long m, int width, const double *restrict rows, double *restrict arrays) {
    for (long k = 0; k < m; k++)
        for (int j = 0; j < width; j++) arrays[j * PITCH + k] = rows[width * k + j];
}

/* Four arrays to m rows. */
INLINE void scatter(long m, const double *restrict arrays, double *restrict rows) {
    for (long k = 0; k < m; k++)
        for (int i = 0; i < LEGS; i++) rows[LEGS * k + i] = arrays[i * PITCH + k];
}
