/* Inverse dynamics of a four-motor Delta, written by hand: what the generated kernels are measured against.
 *
 * A state (task vector, rate, acceleration) gives the four torques at the arm axes, of least norm: reflected motor
 * inertia, arms and their weight, slender rods, plate, payload. Arrays are structures of arrays: each of the 9 inputs
 * and of the 4 outputs is one contiguous run of n doubles. A state that some leg cannot reach, that is singular or that
 * is not finite is NaN in all its torques. Where a payload sits does not matter, for the plate does not turn.
 */

#include "legs_dynamics.c"

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
            jx[i] = madd(leg.outward, c->u[i], p.x) * leg.by_lever;
            jy[i] = madd(leg.outward, c->v[i], p.y) * leg.by_lever;
            jz[i] = (p.z - leg.b) * leg.by_lever;
            fx = madd(jx[i], e.own, nmadd(e.inward, c->u[i], fx));
            fy = madd(jy[i], e.own, nmadd(e.inward, c->v[i], fy));
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
