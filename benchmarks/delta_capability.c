/* Acceleration that a Delta's motors allow in any direction, written by hand: what the generated kernels are measured
 * against. Compile with -DLEGS=n for n motors.
 *
 * A pose gives the radius (m/s2) of the largest ball about zero acceleration in the zonotope of accelerations, at rest,
 * with gravity: reflected motor inertia, arms and their weight, slender rods, plate, load. Poses are structures of
 * arrays: x, y and z are runs of n doubles each. A pose that some leg cannot reach or that is not finite is NaN.
 *
 * One leg, with u its horizontal direction and e = plate - base radius, p the pose, angles from the horizontal upward:
 *
 *   F = p.u + e,  G = (d.d + l^2 - L^2) / 2,  r = F^2 + z^2,  lever = rod.w = -branch sqrt(l^2 r - G^2)
 *   a = l cos = (F G + z lever) / r,  b = l sin = (z G - F lever) / r,  rod = p + (e - a) u - b up,  w = -b u + a up
 *   J = rod / lever,  M = mass + sum (inertia + m11 l^2) J J' + m12 (J w' + w J'),  rest = weight up + sum J weights a
 *
 * Facets: with h = adj(M) J, o = adj(M) rest, c = h_i x h_j: (limit sum |c.h_k| - |c.o|) / (|c| det M), the smallest of
 * all. The quotients are compared as fractions, so that all facets take one division; determinants |h_i h_j h_k| are
 * formed once for the three pairs that need them.
 *
 * -ffast-math lets the compiler assume that NaN does not exist, so validity is read from sign bits as integers, and NaN
 * is made by setting all bits. Fused operations are written out, because the same flag reorders sums.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef LEGS
#define LEGS 4
#endif

/* Poses a block: intermediate arrays stay in the first-level cache. PITCH: not a power of two, lest arrays meet on the
 * same cache sets. */
#define BLOCK 16
#define PITCH (BLOCK + 8)

/* Generators that are parallel to this share span no facet. */
#define SLIVER 1e-8
#define STRETCHED 1e-15

#define EACH(i, n) _Pragma("GCC unroll 8") for (int i = 0; i < (n); i++)
#define ALIGNED __attribute__((aligned(64)))
#define INLINE static inline __attribute__((always_inline))

/* Numbers of the robot, SI. `inertia` is that of arm, rotor and gearbox at the joint, `arm_moment` the mass of an arm
 * times the distance of its centre, `rod_mass` that of all rods of a leg; `limit` the torque of a motor at its joint. */
typedef struct {
    double base, plate, arm, rod, gravity, limit;
    double cosine[LEGS], sine[LEGS], branch[LEGS];
    double inertia, arm_moment, rod_mass, plate_mass;
} Robot;

typedef struct {
    double x, y, z;
} Vector;

/* What is constant over the poses; `half` is half of a leg's inertia, `side` is -branch. */
typedef struct {
    double e, arm2, closing, half, m12, weights, mass, weight, limit;
    double u[LEGS], v[LEGS], side[LEGS];
} Constants;

/* Closed legs of a block. */
typedef struct {
    double jx[LEGS][PITCH], jy[LEGS][PITCH], jz[LEGS][PITCH], a[LEGS][PITCH], b[LEGS][PITCH];
    int64_t invalid[PITCH];
} Closed;

INLINE double madd(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE double msub(double a, double b, double c) { return __builtin_fma(a, b, -c); }
INLINE double nmadd(double a, double b, double c) { return __builtin_fma(-a, b, c); }

INLINE double dot(Vector p, Vector q) { return madd(p.x, q.x, madd(p.y, q.y, p.z * q.z)); }

INLINE Vector cross(Vector p, Vector q) {
    return (Vector){msub(p.y, q.z, p.z * q.y), msub(p.z, q.x, p.x * q.z), msub(p.x, q.y, p.y * q.x)};
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

static Constants constants_of(const Robot *p) {
    const double e = p->plate - p->base, arm2 = p->arm * p->arm;
    Constants c = {
        .e = e,
        .arm2 = arm2,
        .closing = 0.5 * (arm2 - e * e - p->rod * p->rod),
        .half = 0.5 * (p->inertia + p->rod_mass / 3 * arm2),
        .m12 = p->rod_mass / 6,
        .weights = p->gravity * (p->rod_mass / 2 + p->arm_moment / p->arm),
        .mass = p->plate_mass + LEGS * p->rod_mass / 3,
        .weight = p->gravity * (p->plate_mass + LEGS * p->rod_mass / 2),
        .limit = p->limit,
    };
    EACH(i, LEGS) c.u[i] = p->cosine[i], c.v[i] = p->sine[i], c.side[i] = -p->branch[i];
    return c;
}

/* Close all legs of a block; two share a division. */
INLINE void close_legs(const Constants *c, long m, const double *restrict x, const double *restrict y,
                       const double *restrict z, Closed *closed) {
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        const double px = x[k], py = y[k], pz = z[k], zz = pz * pz;
        const double w = madd(0.5, madd(px, px, madd(py, py, zz)), c->closing);
        double F[LEGS], G[LEGS], r[LEGS], lever[LEGS], t[LEGS];
        int64_t invalid = 0;
        EACH(i, LEGS) {
            F[i] = madd(px, c->u[i], madd(py, c->v[i], c->e));
            G[i] = madd(c->e, F[i], w);
            r[i] = madd(F[i], F[i], zz);
            const double squared = msub(c->arm2, r[i], G[i] * G[i]);
            invalid |= bits(squared - STRETCHED);
            lever[i] = c->side[i] * sqrt(squared);
            t[i] = r[i] * lever[i];
        }
        EACH(i, LEGS / 2) {
            const double both = 1.0 / (t[2 * i] * t[2 * i + 1]), first = t[2 * i];
            t[2 * i] = both * t[2 * i + 1], t[2 * i + 1] = both * first;
        }
        if (LEGS % 2) t[LEGS - 1] = 1.0 / t[LEGS - 1];
        EACH(i, LEGS) {
            const double by_r = lever[i] * t[i], by_lever = r[i] * t[i];
            const double a = madd(pz, lever[i], F[i] * G[i]) * by_r, b = msub(pz, G[i], F[i] * lever[i]) * by_r;
            closed->a[i][k] = a, closed->b[i][k] = b;
            closed->jx[i][k] = madd(c->e - a, c->u[i], px) * by_lever;
            closed->jy[i][k] = madd(c->e - a, c->v[i], py) * by_lever;
            closed->jz[i][k] = (pz - b) * by_lever;
        }
        closed->invalid[k] = invalid;
    }
}

/* Generators h and offset of the block's poses, all times the determinant of M. */
typedef struct {
    double hx[LEGS][PITCH], hy[LEGS][PITCH], hz[LEGS][PITCH], ox[PITCH], oy[PITCH], oz[PITCH], scale[PITCH];
} Images;

INLINE void image(const Constants *c, long m, const Closed *closed, Images *images) {
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        double xx = c->mass, yy = c->mass, zz = c->mass, xy = 0, xz = 0, yz = 0, fx = 0, fy = 0, fz = c->weight;
        EACH(i, LEGS) {
            const double jx = closed->jx[i][k], jy = closed->jy[i][k], jz = closed->jz[i][k];
            const double inward = c->m12 * closed->b[i][k], own = c->weights * closed->a[i][k];
            const double hx = nmadd(inward, c->u[i], c->half * jx), hy = nmadd(inward, c->v[i], c->half * jy);
            const double hz = madd(c->m12, closed->a[i][k], c->half * jz);
            xx = madd(jx + jx, hx, xx), yy = madd(jy + jy, hy, yy), zz = madd(jz + jz, hz, zz);
            xy = madd(jx, hy, madd(jy, hx, xy)), xz = madd(jx, hz, madd(jz, hx, xz));
            yz = madd(jy, hz, madd(jz, hy, yz));
            fx = madd(jx, own, fx), fy = madd(jy, own, fy), fz = madd(jz, own, fz);
        }
        const Vector first = {msub(yy, zz, yz * yz), msub(xz, yz, xy * zz), msub(xy, yz, xz * yy)};
        const Vector second = {first.y, msub(xx, zz, xz * xz), msub(xy, xz, xx * yz)};
        const Vector third = {first.z, second.z, msub(xx, yy, xy * xy)};
        images->scale[k] = madd(xx, first.x, madd(xy, first.y, xz * first.z));
        const Vector f = {fx, fy, fz};
        images->ox[k] = dot(first, f), images->oy[k] = dot(second, f), images->oz[k] = dot(third, f);
        EACH(i, LEGS) {
            const Vector j = {closed->jx[i][k], closed->jy[i][k], closed->jz[i][k]};
            images->hx[i][k] = dot(first, j), images->hy[i][k] = dot(second, j), images->hz[i][k] = dot(third, j);
        }
    }
}

INLINE void smallest(const Constants *c, long m, const Images *images, const int64_t *invalid, double *restrict out) {
#pragma GCC ivdep
    for (long k = 0; k < m; k++) {
        Vector h[LEGS];
        double square[LEGS], volume[LEGS][LEGS][LEGS];
        EACH(i, LEGS) {
            h[i] = (Vector){images->hx[i][k], images->hy[i][k], images->hz[i][k]};
            square[i] = dot(h[i], h[i]);
        }
        const Vector o = {images->ox[k], images->oy[k], images->oz[k]};
        Vector normal[LEGS][LEGS];
        EACH(i, LEGS) EACH(j, LEGS) if (i < j) {
            normal[i][j] = cross(h[i], h[j]);
            EACH(l, LEGS) if (j < l) volume[i][j][l] = fabs(dot(normal[i][j], h[l]));
        }
        double top = 1.0, bottom = 0.0;
        EACH(i, LEGS) EACH(j, LEGS) if (i < j) {
            double support = 0.0;
            EACH(l, LEGS) if (l != i && l != j)
                support += l < i ? volume[l][i][j] : l < j ? volume[i][l][j] : volume[i][j][l];
            const double left = msub(c->limit, support, fabs(dot(normal[i][j], o))), signed_square = left * fabs(left);
            const double length = dot(normal[i][j], normal[i][j]);
            const int nearer = (length > SLIVER * SLIVER * square[i] * square[j]) & (signed_square * bottom < top * length);
            top = nearer ? signed_square : top, bottom = nearer ? length : bottom;
        }
        const double scale = images->scale[k], value = copysign(sqrt(fabs(top) / (bottom * scale * scale)), top);
        out[k] = number(bits(value) | invalid[k] >> 63);
    }
}

INLINE void block(const Constants *c, long m, const double *restrict x, const double *restrict y,
                  const double *restrict z, double *restrict out) {
    ALIGNED Closed closed;
    ALIGNED Images images;
    close_legs(c, m, x, y, z, &closed);
    image(c, m, &closed, &images);
    smallest(c, m, &images, closed.invalid, out);
}

/* n poses, structure of arrays: `pose` is (3, n), `out` (n). */
void delta_capability(const Robot *p, long n, const double *restrict pose, double *restrict out) {
    const Constants c = constants_of(p);
    const double *x = pose, *y = x + n, *z = y + n;
    long i = 0;
    for (; i + BLOCK <= n; i += BLOCK) block(&c, BLOCK, x + i, y + i, z + i, out + i);
    if (i < n) block(&c, n - i, x + i, y + i, z + i, out + i);
}

/* The same on plain rows, `pose` (n, 3). */
void delta_capability_rows(const Robot *p, long n, const double *restrict pose, double *restrict out) {
    const Constants c = constants_of(p);
    ALIGNED double in[3][PITCH];
    for (long i = 0; i < n; i += BLOCK) {
        const long m = n - i < BLOCK ? n - i : BLOCK;
        for (long k = 0; k < m; k++)
            for (int j = 0; j < 3; j++) in[j][k] = pose[3 * (i + k) + j];
        block(&c, m, in[0], in[1], in[2], out + i);
    }
}
