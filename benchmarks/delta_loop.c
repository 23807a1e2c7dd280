/* A closed loop of a four-motor Delta, written by hand: what the generated scans are measured against.
 *
 * Each step: computed torque with feedback in task space, torques of least norm, each cut off at a limit; then the plant
 * in RK4 substeps under that torque. State is (x, xd). Letters and formulas of a leg are those of `legs_dynamics.c`;
 * with J = rod / lever and w = (-b u, a up), forward dynamics are
 *
 *   M = m 1 + sum_i J_i g_i' + g_i J_i',            g = inertia / 2 J + m12 w
 *   c = (v.v + rate (G rate - 2 w.v)) / lever       acceleration of the joint without acceleration of the plate
 *   M acc = sum_i J_i (tau_i - inertia c_i - weight a_i) - m12 (w_i c_i - arm_i rate_i^2) - weight
 *
 * `delta_loop` computes leg after leg in scalars, `delta_loop_lanes` a leg a vector lane. Both have the same control law,
 * solution and integration.
 */

#include "legs_dynamics.c"

typedef double Lanes __attribute__((vector_size(32)));

/* Gains of the law, length of a substep (s), torque limit (N m). */
typedef struct {
    double stiffness, damping, substep, limit;
} Loop;

typedef struct {
    Vector x, v;
} Phase;

/* Symmetric 3 x 3 matrix. */
typedef struct {
    double xx, xy, xz, yy, yz, zz;
} Matrix;

/* What does not change in a run. */
typedef struct {
    Limbs limbs;
    double mass, weight, sign;
} Plant;

INLINE Vector plus(Vector p, double k, Vector q) {
    return (Vector){madd(k, q.x, p.x), madd(k, q.y, p.y), madd(k, q.z, p.z)};
}

INLINE Vector solved(Matrix m, Vector f, double minimum, int64_t *invalid) {
    const double a = msub(m.yy, m.zz, m.yz * m.yz), b = msub(m.xz, m.yz, m.xy * m.zz), c = msub(m.xy, m.yz, m.xz * m.yy);
    const double d = msub(m.xx, m.zz, m.xz * m.xz), e = msub(m.xy, m.xz, m.xx * m.yz), g = msub(m.xx, m.yy, m.xy * m.xy);
    const double determinant = madd(m.xx, a, madd(m.xy, b, m.xz * c)), by = 1.0 / determinant;
    *invalid |= bits(determinant - minimum);
    return (Vector){
        by * madd(a, f.x, madd(b, f.y, c * f.z)),
        by * madd(b, f.x, madd(d, f.y, e * f.z)),
        by * madd(c, f.x, madd(e, f.y, g * f.z)),
    };
}

static Plant plant_of(const Robot *p) {
    const double mass = p->plate_mass + p->load_mass;
    return (Plant){
        limbs_of(p), mass + LEGS * p->rod_mass / 3, p->gravity * (mass + LEGS * p->rod_mass / 2), p->sign};
}

INLINE void close_all(const Limbs *c, Vector p, Leg *leg) {
    const double zz = p.z * p.z, w = madd(0.5, madd(p.x, p.x, madd(p.y, p.y, zz)), c->closing);
    double t[LEGS];
    EACH_LEG {
        reach(c, i, p, zz, w, &leg[i]);
        t[i] = leg[i].r * leg[i].lever;
    }
    const double first = 1.0 / (t[0] * t[1]), second = 1.0 / (t[2] * t[3]);
    close_leg(p.z, first * t[1], &leg[0]), close_leg(p.z, first * t[0], &leg[1]);
    close_leg(p.z, second * t[3], &leg[2]), close_leg(p.z, second * t[2], &leg[3]);
    EACH_LEG leg[i].outward = c->e - leg[i].a;
}

INLINE Vector acceleration(const Plant *plant, Phase s, const double *tau) {
    const Limbs *c = &plant->limbs;
    const Vector p = s.x, v = s.v;
    const double vv = dot(v, v);
    Leg legs[LEGS];
    close_all(c, p, legs);
    Matrix m = {plant->mass, 0.0, 0.0, plant->mass, 0.0, plant->mass};
    Vector f = {0.0, 0.0, -plant->weight};
    EACH_LEG {
        const Leg *leg = &legs[i];
        const double jx = madd(leg->outward, c->u[i], p.x) * leg->by_lever;
        const double jy = madd(leg->outward, c->v[i], p.y) * leg->by_lever;
        const double jz = (p.z - leg->b) * leg->by_lever;
        const double wv = msub(leg->a, v.z, leg->b * madd(v.x, c->u[i], v.y * c->v[i]));
        const double rate = madd(jx, v.x, madd(jy, v.y, jz * v.z));
        const double turn = madd(rate, madd(leg->G, rate, -2.0 * wv), vv) * leg->by_lever;
        const double own = nmadd(c->inertia, turn, nmadd(c->weight, leg->a, plant->sign * tau[i]));
        const double tangential = c->m12 * turn, radial = c->m12 * rate * rate;
        const double inward = madd(leg->b, tangential, leg->a * radial), up = msub(leg->a, tangential, leg->b * radial);
        const double out = c->m12 * leg->b, half = 0.5 * c->inertia;
        const double gx = msub(half, jx, out * c->u[i]), gy = msub(half, jy, out * c->v[i]);
        const double gz = madd(half, jz, c->m12 * leg->a);
        f.x = madd(jx, own, madd(inward, c->u[i], f.x));
        f.y = madd(jy, own, madd(inward, c->v[i], f.y));
        f.z = madd(jz, own, f.z - up);
        m.xx = madd(2.0 * jx, gx, m.xx), m.yy = madd(2.0 * jy, gy, m.yy), m.zz = madd(2.0 * jz, gz, m.zz);
        m.xy = madd(jx, gy, madd(jy, gx, m.xy));
        m.xz = madd(jx, gz, madd(jz, gx, m.xz));
        m.yz = madd(jy, gz, madd(jz, gy, m.yz));
    }
    int64_t regular = 0;
    return solved(m, f, 0.0, &regular);
}

/* Torques of least norm for an acceleration: J (J'J)^-1 (force + J' own). */
INLINE int64_t torques(const Plant *plant, Phase s, Vector acc, double *tau) {
    const Limbs *c = &plant->limbs;
    const Vector p = s.x, v = s.v;
    const Motion motion = {v, acc, dot(p, v), dot(p, acc) + dot(v, v)};
    const double weight = madd(c->m12, acc.z, c->weight);
    Leg legs[LEGS];
    close_all(c, p, legs);
    Vector f = {plant->mass * acc.x, plant->mass * acc.y, madd(plant->mass, acc.z, plant->weight)};
    Matrix m = {0};
    double jx[LEGS], jy[LEGS], jz[LEGS];
    int64_t invalid = 0;
    EACH_LEG {
        const Effort e = effort(c, i, &legs[i], &motion, weight);
        jx[i] = madd(legs[i].outward, c->u[i], p.x) * legs[i].by_lever;
        jy[i] = madd(legs[i].outward, c->v[i], p.y) * legs[i].by_lever;
        jz[i] = (p.z - legs[i].b) * legs[i].by_lever;
        f.x = madd(jx[i], e.own, nmadd(e.inward, c->u[i], f.x));
        f.y = madd(jy[i], e.own, nmadd(e.inward, c->v[i], f.y));
        f.z = madd(jz[i], e.own, f.z + e.up);
        m.xx = madd(jx[i], jx[i], m.xx), m.yy = madd(jy[i], jy[i], m.yy), m.zz = madd(jz[i], jz[i], m.zz);
        m.xy = madd(jx[i], jy[i], m.xy), m.xz = madd(jx[i], jz[i], m.xz), m.yz = madd(jy[i], jz[i], m.yz);
        invalid |= bits(legs[i].squared);
    }
    const Vector y = solved(m, f, SINGULAR, &invalid);
    EACH_LEG tau[i] = plant->sign * madd(jx[i], y.x, madd(jy[i], y.y, jz[i] * y.z));
    return invalid;
}

/* The same two with a leg a lane. */

typedef struct {
    Lanes u, v, side;
} Sides;

typedef struct {
    Lanes G, a, b, by_lever, jx, jy, jz, squared;
} Side;

INLINE Sides sides_of(const Limbs *c) {
    return (Sides){
        {c->u[0], c->u[1], c->u[2], c->u[3]},
        {c->v[0], c->v[1], c->v[2], c->v[3]},
        {c->side[0], c->side[1], c->side[2], c->side[3]},
    };
}

INLINE Lanes root(Lanes x) {
    EACH_LEG x[i] = sqrt(x[i]);
    return x;
}

INLINE double sum(Lanes x) { return (x[0] + x[2]) + (x[1] + x[3]); }

INLINE Side closed_side(const Limbs *c, const Sides *d, Vector p) {
    Side s;
    const double zz = p.z * p.z, w = madd(0.5, madd(p.x, p.x, madd(p.y, p.y, zz)), c->closing);
    const Lanes F = p.x * d->u + p.y * d->v + c->e;
    s.G = c->e * F + w;
    const Lanes r = F * F + zz;
    s.squared = c->arm2 * r - s.G * s.G;
    const Lanes lever = d->side * root(s.squared), t = 1.0 / (r * lever), by_r = lever * t;
    s.by_lever = r * t;
    s.a = (p.z * lever + F * s.G) * by_r;
    s.b = (p.z * s.G - F * lever) * by_r;
    const Lanes outward = c->e - s.a;
    s.jx = (outward * d->u + p.x) * s.by_lever;
    s.jy = (outward * d->v + p.y) * s.by_lever;
    s.jz = (p.z - s.b) * s.by_lever;
    return s;
}

INLINE Vector acceleration_lanes(const Plant *plant, const Sides *d, Phase s, const Lanes tau) {
    const Limbs *c = &plant->limbs;
    const Vector p = s.x, v = s.v;
    const Side l = closed_side(c, d, p);
    const Lanes wv = l.a * v.z - l.b * (v.x * d->u + v.y * d->v);
    const Lanes rate = l.jx * v.x + l.jy * v.y + l.jz * v.z;
    const Lanes turn = (rate * (l.G * rate - 2.0 * wv) + dot(v, v)) * l.by_lever;
    const Lanes own = plant->sign * tau - c->inertia * turn - c->weight * l.a;
    const Lanes tangential = c->m12 * turn, radial = c->m12 * rate * rate;
    const Lanes inward = l.b * tangential + l.a * radial, up = l.a * tangential - l.b * radial;
    const Lanes out = c->m12 * l.b;
    const double half = 0.5 * c->inertia;
    const Lanes gx = half * l.jx - out * d->u, gy = half * l.jy - out * d->v, gz = half * l.jz + c->m12 * l.a;
    const Vector f = {
        sum(l.jx * own + inward * d->u),
        sum(l.jy * own + inward * d->v),
        sum(l.jz * own - up) - plant->weight,
    };
    const Matrix m = {
        madd(2.0, sum(l.jx * gx), plant->mass), sum(l.jx * gy + l.jy * gx), sum(l.jx * gz + l.jz * gx),
        madd(2.0, sum(l.jy * gy), plant->mass), sum(l.jy * gz + l.jz * gy), madd(2.0, sum(l.jz * gz), plant->mass),
    };
    int64_t regular = 0;
    return solved(m, f, 0.0, &regular);
}

INLINE int64_t torques_lanes(const Plant *plant, const Sides *d, Phase s, Vector acc, Lanes *tau) {
    const Limbs *c = &plant->limbs;
    const Vector p = s.x, v = s.v;
    const Side l = closed_side(c, d, p);
    const double weight = madd(c->m12, acc.z, c->weight), vv = dot(v, v);
    const Lanes vu = v.x * d->u + v.y * d->v, au = acc.x * d->u + acc.y * d->v;
    const Lanes rate = l.jx * v.x + l.jy * v.y + l.jz * v.z, turn = l.G * rate - 2.0 * (l.a * v.z - l.b * vu);
    const Lanes accel = l.jx * acc.x + l.jy * acc.y + l.jz * acc.z + (rate * turn + vv) * l.by_lever;
    const Lanes tangential = c->m12 * accel, radial = c->m12 * rate * rate;
    const Lanes own = c->inertia * accel + l.a * weight - c->m12 * au * l.b;
    const Lanes inward = l.b * tangential + l.a * radial, up = l.a * tangential - l.b * radial;
    const Vector f = {
        madd(plant->mass, acc.x, sum(l.jx * own - inward * d->u)),
        madd(plant->mass, acc.y, sum(l.jy * own - inward * d->v)),
        madd(plant->mass, acc.z, plant->weight) + sum(l.jz * own + up),
    };
    const Matrix m = {
        sum(l.jx * l.jx), sum(l.jx * l.jy), sum(l.jx * l.jz), sum(l.jy * l.jy), sum(l.jy * l.jz), sum(l.jz * l.jz),
    };
    int64_t invalid = 0;
    EACH_LEG invalid |= bits(l.squared[i]);
    const Vector y = solved(m, f, SINGULAR, &invalid);
    *tau = plant->sign * (l.jx * y.x + l.jy * y.y + l.jz * y.z);
    return invalid;
}

/* One substep of RK4, where ACCELERATION(phase) is the acceleration under the torque held. */
#define RK4(s, h, ACCELERATION)                                                              \
    do {                                                                                     \
        const Vector a1 = ACCELERATION(s);                                                   \
        const Phase s2 = {plus(s.x, 0.5 * h, s.v), plus(s.v, 0.5 * h, a1)};                  \
        const Vector a2 = ACCELERATION(s2);                                                  \
        const Phase s3 = {plus(s.x, 0.5 * h, s2.v), plus(s.v, 0.5 * h, a2)};                 \
        const Vector a3 = ACCELERATION(s3);                                                  \
        const Phase s4 = {plus(s.x, h, s3.v), plus(s.v, h, a3)};                             \
        const Vector a4 = ACCELERATION(s4);                                                  \
        s.x = plus(s.x, h / 6, plus(plus(s.v, 2.0, plus(s2.v, 1.0, s3.v)), 1.0, s4.v));      \
        s.v = plus(s.v, h / 6, plus(plus(a1, 2.0, plus(a2, 1.0, a3)), 1.0, a4));             \
    } while (0)

/* What the law asks for: the reference's acceleration, and feedback. */
INLINE Vector wanted(const Loop *loop, Phase s, const double *x, const double *xd, const double *xdd) {
    return (Vector){
        madd(loop->stiffness, x[0] - s.x.x, madd(loop->damping, xd[0] - s.v.x, xdd[0])),
        madd(loop->stiffness, x[1] - s.x.y, madd(loop->damping, xd[1] - s.v.y, xdd[1])),
        madd(loop->stiffness, x[2] - s.x.z, madd(loop->damping, xd[2] - s.v.z, xdd[2])),
    };
}

INLINE double cut(double value, double limit) { return value < -limit ? -limit : value > limit ? limit : value; }

INLINE void put(double *to, Vector p) { to[0] = p.x, to[1] = p.y, to[2] = p.z; }

/* `steps` steps; references and `out_x` are (steps, 3), `out_tau` (steps, 4), `state` (6) is replaced by the last. */
void delta_loop(const Robot *robot, const Loop *loop, long steps, long substeps, const double *x, const double *xd,
                const double *xdd, double *state, double *restrict out_x, double *restrict out_tau) {
    const Plant plant = plant_of(robot);
    const double h = loop->substep;
    Phase s = {at(state, 1, 0), at(state, 1, 3)};
    for (long k = 0; k < steps; k++) {
        double tau[LEGS];
        put(out_x + 3 * k, s.x);
        const int64_t invalid = torques(&plant, s, wanted(loop, s, x + 3 * k, xd + 3 * k, xdd + 3 * k), tau);
        EACH_LEG out_tau[4 * k + i] = tau[i] = poison(cut(tau[i], loop->limit), invalid);
#define UNDER_TORQUE(phase) acceleration(&plant, phase, tau)
        for (long n = 0; n < substeps; n++) RK4(s, h, UNDER_TORQUE);
    }
    put(state, s.x), put(state + 3, s.v);
}

/* The same with a leg a lane. */
void delta_loop_lanes(const Robot *robot, const Loop *loop, long steps, long substeps, const double *x, const double *xd,
                      const double *xdd, double *state, double *restrict out_x, double *restrict out_tau) {
    const Plant plant = plant_of(robot);
    const Sides sides = sides_of(&plant.limbs);
    const double h = loop->substep;
    Phase s = {at(state, 1, 0), at(state, 1, 3)};
    for (long k = 0; k < steps; k++) {
        Lanes tau;
        put(out_x + 3 * k, s.x);
        const Vector acc = wanted(loop, s, x + 3 * k, xd + 3 * k, xdd + 3 * k);
        const int64_t invalid = torques_lanes(&plant, &sides, s, acc, &tau);
        EACH_LEG out_tau[4 * k + i] = tau[i] = poison(cut(tau[i], loop->limit), invalid);
#define LANES_UNDER_TORQUE(phase) acceleration_lanes(&plant, &sides, phase, tau)
        for (long n = 0; n < substeps; n++) RK4(s, h, LANES_UNDER_TORQUE);
    }
    put(state, s.x), put(state + 3, s.v);
}
