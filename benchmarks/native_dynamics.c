/* Inverse dynamics of a four-motor Delta and of Par4, written by hand: what the generated kernels are measured against.
 *
 * A state (task vector, rate, acceleration) gives the four torques at the arm axes: reflected motor inertia, arms and
 * their weight, slender rods, plate, payload. Arrays are structures of arrays: each of the 9 or 12 inputs and of the 4
 * outputs is one contiguous run of n doubles. A state that some leg cannot reach, that is singular or that is not finite is
 * NaN in all its torques.
 *
 * One leg, with u its horizontal direction, e = plate - base radius, p = the plate's point less the plate radius times u, v and
 * acc its motion, d = p + e u, and angles counted from the horizontal upward:
 *
 *   F = d.u,  G = (d.d + l^2 - L^2) / 2,  r = F^2 + z^2,  lever = rod.w = -branch sqrt(l^2 r - G^2)
 *   a = l cos = (F G + z lever) / r,  b = l sin = (z G - F lever) / r,  rod = p + (e - a) u - b up
 *   rate  = rod.v / lever
 *   accel = (rod.acc + v.v + G rate^2 - 2 rate w.v) / lever,  because rod.arm = G - l^2, w.arm = 0 and w.w = l^2
 *   own   = (inertia + m11 l^2) accel + m12 w.acc + weights a
 *
 * so that the yaw alone needs trigonometry, and one division gives 1/r and 1/lever of two legs.
 *
 * -ffast-math lets the compiler assume that NaN does not exist, so validity is never a floating-point comparison here:
 * it is read from sign bits as integers, and NaN is made by setting all bits. It also lets the compiler reorder sums, which
 * costs fused operations; those are therefore written out.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* States a block: its intermediate arrays stay in the first-level cache beside inputs and outputs. A block goes through
 * several short passes, so that states overlap in the pipeline where one long pass would wait for its square roots. */
#define BLOCK 16

/* Doubles between two local arrays: not a power of two, lest they meet on the same cache sets. */
#define PITCH (BLOCK + 8)

/* A pose is singular where the determinant of the closures is below this: squared, with rows of length one (Par4), or that of
 * J'J (Delta). */
#define SINGULAR 1e-9

#define LEGS 4
#define EACH_LEG _Pragma("GCC unroll 4") for (int i = 0; i < LEGS; i++)
#define ALIGNED __attribute__((aligned(64)))
#define INLINE static inline __attribute__((always_inline))

/* Numbers of the robot, SI. `inertia` is that of arm, rotor and gearbox at the joint, `arm_moment` the mass of an arm times the
 * distance of its centre, `rod_mass` that of all rods of a leg, `bar_mass` that of both bars. Lever: the bars at yaw 0. The
 * load hangs on the tool, which turns `yaw_ratio` times as far as the bars. */
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
    const int64_t one = bits(leg[0].squared) | bits(leg[1].squared), other = bits(leg[2].squared) | bits(leg[3].squared);
    closed->invalid[k] = one | other;
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

/* Delta: mass and weight of plate, load and the rods' shares. */
typedef struct {
    double mass, weight, sign;
} DeltaPlate;

static DeltaPlate delta_plate(const Robot *p) {
    const double mass = p->plate_mass + p->load_mass;
    return (DeltaPlate){mass + LEGS * p->rod_mass / 3, p->gravity * (mass + LEGS * p->rod_mass / 2), p->sign};
}

#define ROWS(p, q) madd(p[0], q[0], madd(p[1], q[1], madd(p[2], q[2], p[3] * q[3])))

/* At most BLOCK states of a Delta; `n` is the distance between two input arrays, `to` that between two output arrays.
 * Torques of least norm: J (J'J)^-1 (force + J' own), row i of J = rod_i / lever_i. */
INLINE void delta_block(const Limbs *c, DeltaPlate plate, long m, const double *restrict x, const double *restrict xd,
                        const double *restrict xdd, long n, double *restrict tau, long to) {
    ALIGNED Closed closed;
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        const Vector p = at(x, n, k);
        const double zz = p.z * p.z, w = madd(0.5, madd(p.x, p.x, madd(p.y, p.y, zz)), c->closing);
        Leg leg[LEGS];
        EACH_LEG reach(c, i, p, zz, w, &leg[i]);
        close_legs(p.z, leg, &closed, k);
    }
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        const Vector p = at(x, n, k), v = at(xd, n, k), acc = at(xdd, n, k);
        const double pa = madd(p.x, acc.x, madd(p.y, acc.y, madd(p.z, acc.z, dot(v, v))));
        const Motion motion = {v, acc, dot(p, v), pa};
        const double weight = madd(c->m12, acc.z, c->weight);
        double fx = plate.mass * acc.x, fy = plate.mass * acc.y, fz = madd(plate.mass, acc.z, plate.weight);
        double jx[LEGS], jy[LEGS], jz[LEGS];
        EACH_LEG {
            const Leg leg = kept(c, &closed, i, k);
            const Effort e = effort(c, i, &leg, &motion, weight);
            jx[i] = madd(leg.outward, c->u[i], p.x) * leg.by_lever, jy[i] = madd(leg.outward, c->v[i], p.y) * leg.by_lever;
            jz[i] = (p.z - leg.b) * leg.by_lever;
            fx = madd(jx[i], e.own, nmadd(e.inward, c->u[i], fx)), fy = madd(jy[i], e.own, nmadd(e.inward, c->v[i], fy));
            fz = madd(jz[i], e.own, fz + e.up);
        }
        const double xx = ROWS(jx, jx), xy = ROWS(jx, jy), xz = ROWS(jx, jz);
        const double yy = ROWS(jy, jy), yz = ROWS(jy, jz), zz = ROWS(jz, jz);
        const Vector first = {msub(yy, zz, yz * yz), msub(xz, yz, xy * zz), msub(xy, yz, xz * yy)};
        const Vector second = {first.y, msub(xx, zz, xz * xz), msub(xy, xz, xx * yz)};
        const Vector third = {first.z, second.z, msub(xx, yy, xy * xy)};
        const double determinant = madd(xx, first.x, madd(xy, first.y, xz * first.z));
        const double by = poison(plate.sign, closed.invalid[k] | bits(determinant - SINGULAR)) / determinant;
        const Vector f = {fx, fy, fz}, s = {dot(first, f) * by, dot(second, f) * by, dot(third, f) * by};
        EACH_LEG tau[i * to + k] = madd(jx[i], s.x, madd(jy[i], s.y, jz[i] * s.z));
    }
}

/* n states of a Delta, structure of arrays: `state` is (9, n): x, xd, xdd; `tau` is (4, n). */
void delta_dynamics(const Robot *p, long n, const double *restrict state, double *restrict tau) {
    const Limbs c = limbs_of(p);
    const DeltaPlate plate = delta_plate(p);
    const double *x = state, *xd = x + 3 * n, *xdd = xd + 3 * n;
    long i = 0;
    for (; i + BLOCK <= n; i += BLOCK) delta_block(&c, plate, BLOCK, x + i, xd + i, xdd + i, n, tau + i, n);
    if (i < n) delta_block(&c, plate, n - i, x + i, xd + i, xdd + i, n, tau + i, n);
}

/* Sine and cosine to about one unit in the last place, for angles below 1e5 rad: a quarter turn is taken off in two pieces,
 * the rest goes into two polynomials fitted on an eighth of a turn to either side. */
INLINE void sine_cosine(double angle, double *sine, double *cosine) {
    const double quarters = rint(angle * 0x1.45f306dc9c883p-1);
    const double x = nmadd(quarters, 0x1.1a62633145c07p-54, nmadd(quarters, 0x1.921fb54442d18p+0, angle)), t = x * x;
    double s = madd(t, 1.5918129294866608e-10, -2.5051131845003624e-08), c = madd(t, -1.1382632425521717e-11, 2.08761462684032e-09);
    s = madd(t, s, 2.755731610255244e-06), c = madd(t, c, -2.7557317271729793e-07);
    s = madd(t, s, -0.00019841269836758574), c = madd(t, c, 2.480158729876569e-05);
    s = madd(t, s, 0.008333333333330948), c = madd(t, c, -0.0013888888888887398);
    s = madd(t, s, -0.16666666666666666), c = madd(t, c, 0.041666666666666664);
    s = madd(x * t, s, x), c = madd(t, madd(t, c, -0.5), 1.0);
    /* Adding 1.5 2^52 leaves the count of quarters in the lowest bits. */
    const int64_t count = bits(quarters + 0x1.8p52), odd = -(count & 1);
    *sine = number(((bits(s) & ~odd) | (bits(c) & odd)) ^ (count & 2) << 62);
    *cosine = number(((bits(c) & ~odd) | (bits(s) & odd)) ^ ((count + 1) & 2) << 62);
}

/* Par4: masses that go with the half plate of the tool (`half`), with the carried one, and that couple both, rods and bars
 * included; all of them (`mass`) and their weight; what turns with yaw; the load's moment, turning with the tool. A pose is
 * singular where det^2 < (size + scale y0^2) (size + scale y1^2), y the rods' yaw column. */
typedef struct {
    double lever_x, lever_y, half, carried, coupling, mass, weight, inertia, ratio, load_x, load_y, sign, size, scale;
} Par4Plate;

static Par4Plate par4_plate(const Robot *p) {
    const double bars = p->bar_mass / 3, rods = 2 * p->rod_mass / 3, ratio = p->yaw_ratio;
    const double mass = p->plate_mass + p->carried_mass + p->bar_mass + p->load_mass;
    const double lever2 = p->lever_x * p->lever_x + p->lever_y * p->lever_y, rod2 = p->rod * p->rod;
    const double offset2 = p->load_x * p->load_x + p->load_y * p->load_y, size = sqrt(SINGULAR * lever2) * rod2;
    return (Par4Plate){
        .lever_x = p->lever_x,
        .lever_y = p->lever_y,
        .half = p->plate_mass + bars + rods + p->load_mass,
        .carried = p->carried_mass + bars + rods,
        .coupling = bars / 2,
        .mass = mass + 2 * rods,
        .weight = p->gravity * (mass + 2 * p->rod_mass),
        .inertia = ratio * ratio * (p->tool_inertia + p->load_inertia + p->load_mass * offset2),
        .ratio = ratio,
        .load_x = ratio * p->load_mass * p->load_x,
        .load_y = ratio * p->load_mass * p->load_y,
        .sign = p->sign,
        .size = size * rod2,
        .scale = size / lever2,
    };
}

/* A horizontal vector turned by m angles. */
INLINE void turned(long m, double ratio, const double *restrict yaw, double x, double y, double *restrict tx,
                   double *restrict ty) {
    for (long k = 0; k < m; k++) {
        double sine, cosine;
        sine_cosine(ratio * yaw[k], &sine, &cosine);
        tx[k] = msub(x, cosine, y * sine), ty[k] = madd(y, cosine, x * sine);
    }
}

/* At most BLOCK states of Par4, as in `delta_block`; `centred`: the load has no offset. Legs 0 and 1 hold the carried half plate,
 * at q = p + bars - lever. Rods and yaw column y = d(bars)/d(yaw).rod give
 *
 *   sum mu_i rod_i = f,  mu_0 y_0 + mu_1 y_1 = turn,  tau_i = own_i + lever_i mu_i
 *
 * solved through m = rod_0 x rod_1, n = rod_2 x rod_3 and y_1 rod_0 - y_0 rod_1 = d(bars)/d(yaw) x m. */
INLINE void par4_block(const Limbs *c, const Par4Plate *plate, int centred, long m, const double *restrict x,
                       const double *restrict xd, const double *restrict xdd, long n, double *restrict tau, long to) {
    ALIGNED Closed closed;
    ALIGNED double bar_x[PITCH], bar_y[PITCH], load_x[PITCH], load_y[PITCH];
    turned(m, 1.0, x + 3 * n, plate->lever_x, plate->lever_y, bar_x, bar_y);
    if (!centred) turned(m, plate->ratio, x + 3 * n, plate->load_x, plate->load_y, load_x, load_y);
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        const Vector p = at(x, n, k), q = {p.x + (bar_x[k] - plate->lever_x), p.y + (bar_y[k] - plate->lever_y), p.z};
        const double zz = p.z * p.z, w = madd(0.5, zz, c->closing);
        const double wp = madd(0.5, madd(p.x, p.x, p.y * p.y), w), wq = madd(0.5, madd(q.x, q.x, q.y * q.y), w);
        Leg leg[LEGS];
        EACH_LEG reach(c, i, i < 2 ? q : p, zz, i < 2 ? wq : wp, &leg[i]);
        close_legs(p.z, leg, &closed, k);
    }
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        const double bx = bar_x[k], by = bar_y[k], rate = xd[3 * n + k], accel = xdd[3 * n + k], square = rate * rate;
        const Vector p = at(x, n, k), q = {p.x + (bx - plate->lever_x), p.y + (by - plate->lever_y), p.z};
        const Vector vp = at(xd, n, k), vq = {nmadd(rate, by, vp.x), madd(rate, bx, vp.y), vp.z};
        const Vector ap = at(xdd, n, k);
        const Vector aq = {nmadd(square, bx, nmadd(accel, by, ap.x)), nmadd(square, by, madd(accel, bx, ap.y)), ap.z};
        const double vz = p.z * vp.z, az = madd(p.z, ap.z, vp.z * vp.z), weight = madd(c->m12, ap.z, c->weight);
        const double pa = madd(p.x, ap.x, madd(p.y, ap.y, madd(vp.x, vp.x, madd(vp.y, vp.y, az))));
        const double qa = madd(q.x, aq.x, madd(q.y, aq.y, madd(vq.x, vq.x, madd(vq.y, vq.y, az))));
        const Motion of_p = {vp, ap, madd(p.x, vp.x, madd(p.y, vp.y, vz)), pa};
        const Motion of_q = {vq, aq, madd(q.x, vq.x, madd(q.y, vq.y, vz)), qa};
        Leg leg[LEGS];
        Effort e[LEGS];
        Vector rod[LEGS];
        EACH_LEG {
            leg[i] = kept(c, &closed, i, k);
            e[i] = effort(c, i, &leg[i], i < 2 ? &of_q : &of_p, weight);
            const Vector point = i < 2 ? q : p;
            rod[i] = (Vector){madd(leg[i].outward, c->u[i], point.x), madd(leg[i].outward, c->v[i], point.y), p.z - leg[i].b};
        }
        double fx = madd(plate->carried, aq.x, plate->coupling * ap.x), fy = madd(plate->carried, aq.y, plate->coupling * ap.y);
        fx = nmadd(e[0].inward, c->u[0], nmadd(e[1].inward, c->u[1], fx));
        fy = nmadd(e[0].inward, c->v[0], nmadd(e[1].inward, c->v[1], fy));
        double turn = madd(fy, bx, nmadd(fx, by, plate->inertia * accel));
        fx = madd(plate->half, ap.x, madd(plate->coupling, aq.x, fx)), fy = madd(plate->half, ap.y, madd(plate->coupling, aq.y, fy));
        fx = nmadd(e[2].inward, c->u[2], nmadd(e[3].inward, c->u[3], fx));
        fy = nmadd(e[2].inward, c->v[2], nmadd(e[3].inward, c->v[3], fy));
        if (!centred) {
            const double hx = load_x[k], hy = load_y[k], spin = plate->ratio * square;
            fx = nmadd(spin, hx, nmadd(accel, hy, fx)), fy = nmadd(spin, hy, madd(accel, hx, fy));
            turn = madd(hx, ap.y, nmadd(hy, ap.x, turn));
        }
        const Vector f = {fx, fy, madd(plate->mass, ap.z, plate->weight) + ((e[0].up + e[1].up) + (e[2].up + e[3].up))};
        const Vector first = cross(rod[0], rod[1]), second = cross(rod[2], rod[3]);
        const Vector both = cross(f, (Vector){bx * first.z, by * first.z, -madd(by, first.y, bx * first.x)});
        const Vector rest = {madd(turn, first.x, both.x), madd(turn, first.y, both.y), madd(turn, first.z, both.z)};
        const double y0 = msub(bx, rod[0].y, by * rod[0].x), y1 = msub(bx, rod[1].y, by * rod[1].x);
        const double s0 = dot(rod[0], second), s1 = dot(rod[1], second), sf = dot(f, second);
        const double determinant = msub(y0, s1, y1 * s0);
        const double least = madd(plate->scale * y0, y0, plate->size) * madd(plate->scale * y1, y1, plate->size);
        const double by_determinant = poison(1.0, closed.invalid[k] | bits(msub(determinant, determinant, least))) / determinant;
        const double mu[LEGS] = {msub(turn, s1, y1 * sf), msub(y0, sf, turn * s0), dot(rod[3], rest), -dot(rod[2], rest)};
        EACH_LEG tau[i * to + k] = plate->sign * madd(leg[i].lever * by_determinant, mu[i], e[i].own);
    }
}

INLINE void par4_blocks(const Robot *p, int centred, long n, const double *restrict state, double *restrict tau) {
    const Limbs c = limbs_of(p);
    const Par4Plate plate = par4_plate(p);
    const double *x = state, *xd = x + 4 * n, *xdd = xd + 4 * n;
    long i = 0;
    for (; i + BLOCK <= n; i += BLOCK) par4_block(&c, &plate, centred, BLOCK, x + i, xd + i, xdd + i, n, tau + i, n);
    if (i < n) par4_block(&c, &plate, centred, n - i, x + i, xd + i, xdd + i, n, tau + i, n);
}

/* n states of Par4, structure of arrays: `state` is (12, n): x, xd, xdd; `tau` is (4, n). */
void par4_dynamics(const Robot *p, long n, const double *restrict state, double *restrict tau) {
    par4_blocks(p, 0, n, state, tau);
}

/* The same for a load without offset from the tool, which needs no sine and cosine of the tool's yaw. */
void par4_dynamics_centred(const Robot *p, long n, const double *restrict state, double *restrict tau) {
    par4_blocks(p, 1, n, state, tau);
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

/* The same on plain rows, `x`, `xd` and `xdd` (n, 3), `tau` (n, 4). */
void delta_dynamics_rows(const Robot *p, long n, const double *restrict x, const double *restrict xd,
                         const double *restrict xdd, double *restrict tau) {
    const Limbs c = limbs_of(p);
    const DeltaPlate plate = delta_plate(p);
    ALIGNED double in[9][PITCH], out[LEGS][PITCH];
    for (long i = 0; i < n; i += BLOCK) {
        const long m = n - i < BLOCK ? n - i : BLOCK;
        gather(m, 3, x + 3 * i, in[0]), gather(m, 3, xd + 3 * i, in[3]), gather(m, 3, xdd + 3 * i, in[6]);
        delta_block(&c, plate, m, in[0], in[3], in[6], PITCH, out[0], PITCH);
        scatter(m, out[0], tau + LEGS * i);
    }
}

/* The same on plain rows, `x`, `xd` and `xdd` (n, 4), `tau` (n, 4). */
void par4_dynamics_rows(const Robot *p, long n, const double *restrict x, const double *restrict xd,
                        const double *restrict xdd, double *restrict tau) {
    const Limbs c = limbs_of(p);
    const Par4Plate plate = par4_plate(p);
    ALIGNED double in[12][PITCH], out[LEGS][PITCH];
    for (long i = 0; i < n; i += BLOCK) {
        const long m = n - i < BLOCK ? n - i : BLOCK;
        gather(m, 4, x + 4 * i, in[0]), gather(m, 4, xd + 4 * i, in[4]), gather(m, 4, xdd + 4 * i, in[8]);
        par4_block(&c, &plate, 0, m, in[0], in[4], in[8], PITCH, out[0], PITCH);
        scatter(m, out[0], tau + LEGS * i);
    }
}
