/* Inverse kinematics with Jacobian of Par4, written by hand: what the generated kernels are measured against.
 *
 * A pose (x, y, z, yaw) gives the four motor angles q and J = dq/d(pose), 4 x 4. Arrays are structures of arrays: each
 * of the 4 inputs and of the 20 outputs is one contiguous run of n doubles. A pose that some leg cannot reach, or that
 * is not finite, is NaN in all its 20 outputs.
 *
 * One leg, with u its horizontal direction, e = plate - base radius, B' = the plate's point less e u:
 *
 *   F = B'.u + e,  G = l g = (d.d + l^2 - L^2) / 2,  r = F^2 + z^2,  H = l h = sqrt(l^2 r - G^2)
 *   l cos q = (F G - z H) / r,  l sin q = (z G + F H) / r,  rod.w = -H
 *
 * so that no trigonometry is needed for the Jacobian, and one division gives both 1/r and 1/H. Legs 0 and 1 hang on the
 * half plate that yaw displaces by lever (n(yaw) - n(0)); legs 2 and 3 on the other.
 *
 * -ffast-math lets the compiler assume that NaN does not exist, so validity is never a floating-point comparison here:
 * it is read from sign and exponent bits as integers, and NaN is made by setting all bits.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Poses a block: its intermediate arrays (11 doubles a pose) stay in the first-level cache beside inputs and outputs,
 * also where n is a power of two and the 24 streams meet on the same cache sets. Rows go in smaller blocks. */
#define BLOCK 32
#define ROW_BLOCK 16

/* Doubles between two local arrays: not a power of two, for the same reason. */
#define PITCH (BLOCK + 8)

#define ALIGNED __attribute__((aligned(64)))
#define INLINE static inline __attribute__((always_inline))

/* Numbers of the robot: m; unit directions of the motors; +1 (elbow out) or -1 a leg. */
typedef struct {
    double base, plate, arm, rod, lever;
    double cosine[4], sine[4], branch[4];
} Par4;

/* What a leg needs of the robot, constant over the poses. */
typedef struct {
    double e, arm2, u, v, branch;
} Leg;

/* Closure of a leg: (c, s) = r l (cos q, sin q). */
typedef struct {
    double r, squared, F, G, H, c, s;
} Closure;

INLINE int64_t bits(double value) {
    int64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* `value` where mask is 0, NaN where all its bits are set. */
INLINE double poison(double value, int64_t mask) {
    const int64_t result = bits(value) | mask;
    memcpy(&value, &result, sizeof value);
    return value;
}

/* All bits set where a squared height is negative or the first one, which all four inputs enter, is not finite. */
INLINE int64_t unreachable(double s0, double s1, double s2, double s3) {
    const int64_t exponent = INT64_C(0x7ff0000000000000);
    const int64_t negative = (bits(s0) | bits(s1) | bits(s2) | bits(s3)) >> 63;
    return negative | -(int64_t)((bits(s0) & exponent) == exponent);
}

/* First half of a leg, up to the squared height; `w` = (B'.B' + l^2 - L^2 - e^2) / 2. */
INLINE Closure reach(Leg leg, double bx, double by, double zz, double w) {
    Closure k;
    k.F = bx * leg.u + (by * leg.v + leg.e);
    k.G = w + leg.e * k.F;
    k.r = k.F * k.F + zz;
    k.squared = leg.arm2 * k.r - k.G * k.G;
    return k;
}

/* Second half: the angle's sine and cosine. An unreachable leg is computed with H = 0 and overwritten with NaN at the
 * end: a NaN here would send libmvec's atan2 to its slow path. */
INLINE void close_leg(Leg leg, double z, Closure *k) {
    k->H = leg.branch * sqrt(k->squared > 0 ? k->squared : 0.0);
    k->c = k->F * k->G - z * k->H;
    k->s = z * k->G + k->F * k->H;
}

/* A leg's row of the Jacobian without its yaw column: rod / (rod.w). `t` = -1 / (r H). */
INLINE void row(Leg leg, const Closure *k, double bx, double by, double z, double t, double *jx, double *jy,
                double *jz) {
    const double by_r = k->H * t, by_H = k->r * t, outward = leg.e + by_r * k->c;
    *jx = (bx + outward * leg.u) * by_H;
    *jy = (by + outward * leg.v) * by_H;
    *jz = (z + by_r * k->s) * by_H;
}

/* Displacement of the yawed half plate and its derivative, from one tangent of the half angle. */
INLINE void displace(long m, double lever, const double *restrict yaw, double *restrict dx, double *restrict dy) {
    for (long i = 0; i < m; i++) {
        const double t = tan(0.5 * yaw[i]), k = -2.0 * lever / (1.0 + t * t);
        dx[i] = t * k;     /* -lever sin(yaw) */
        dy[i] = t * t * k; /* lever (cos(yaw) - 1) */
    }
}

/* At most BLOCK poses; `n` is the distance between two output arrays. */
INLINE void block(const Par4 *p, long m, const double *restrict x, const double *restrict y, const double *restrict z,
                  const double *restrict yaw, double *restrict q, double *restrict J, long n) {
    const double e = p->plate - p->base, arm2 = p->arm * p->arm, lever = p->lever;
    const double w0 = 0.5 * (arm2 - e * e - p->rod * p->rod);
    const Leg l0 = {e, arm2, p->cosine[0], p->sine[0], p->branch[0]};
    const Leg l1 = {e, arm2, p->cosine[1], p->sine[1], p->branch[1]};
    const Leg l2 = {e, arm2, p->cosine[2], p->sine[2], p->branch[2]};
    const Leg l3 = {e, arm2, p->cosine[3], p->sine[3], p->branch[3]};
    ALIGNED double dx[PITCH], dy[PITCH], s[4][PITCH], c[4][PITCH];
    ALIGNED int64_t masks[PITCH];

    displace(m, lever, yaw, dx, dy);
#pragma GCC ivdep
    for (long i = 0; i < m; i++) {
        const double cx = x[i], cy = y[i], cz = z[i], yx = dx[i], yy = dy[i], ax = cx + yx, ay = cy + yy;
        const double zz = cz * cz, w = 0.5 * zz + w0;
        const double wa = 0.5 * (ax * ax + ay * ay) + w, wc = 0.5 * (cx * cx + cy * cy) + w;
        Closure k0 = reach(l0, ax, ay, zz, wa), k1 = reach(l1, ax, ay, zz, wa);
        Closure k2 = reach(l2, cx, cy, zz, wc), k3 = reach(l3, cx, cy, zz, wc);
        const int64_t mask = unreachable(k0.squared, k1.squared, k2.squared, k3.squared);
        close_leg(l0, cz, &k0), close_leg(l1, cz, &k1), close_leg(l2, cz, &k2), close_leg(l3, cz, &k3);
        masks[i] = mask;
        s[0][i] = k0.s, s[1][i] = k1.s, s[2][i] = k2.s, s[3][i] = k3.s;
        c[0][i] = k0.c, c[1][i] = k1.c, c[2][i] = k2.c, c[3][i] = k3.c;

        /* Two legs share one division; its poisoned numerator makes their rows NaN. */
        const double minus = poison(-1.0, mask), zero = poison(0.0, mask);
        const double a0 = k0.r * k0.H, a1 = k1.r * k1.H, a2 = k2.r * k2.H, a3 = k3.r * k3.H;
        const double t01 = minus / (a0 * a1), t23 = minus / (a2 * a3);
        double x0, y0, z0, x1, y1, z1, x2, y2, z2, x3, y3, z3;
        row(l0, &k0, ax, ay, cz, t01 * a1, &x0, &y0, &z0);
        row(l1, &k1, ax, ay, cz, t01 * a0, &x1, &y1, &z1);
        row(l2, &k2, cx, cy, cz, t23 * a3, &x2, &y2, &z2);
        row(l3, &k3, cx, cy, cz, t23 * a2, &x3, &y3, &z3);
        const double ly = yy + lever; /* lever cos(yaw) */
        J[i] = x0, J[n + i] = y0, J[2 * n + i] = z0, J[3 * n + i] = y0 * yx - x0 * ly;
        J[4 * n + i] = x1, J[5 * n + i] = y1, J[6 * n + i] = z1, J[7 * n + i] = y1 * yx - x1 * ly;
        J[8 * n + i] = x2, J[9 * n + i] = y2, J[10 * n + i] = z2, J[11 * n + i] = zero;
        J[12 * n + i] = x3, J[13 * n + i] = y3, J[14 * n + i] = z3, J[15 * n + i] = zero;
    }
    for (int leg = 0; leg < 4; leg++)
        for (long i = 0; i < m; i++) q[leg * n + i] = poison(atan2(s[leg][i], c[leg][i]), masks[i]);
}

/* n poses, structure of arrays: `pose` is (4, n), `q` is (4, n), `J` is (16, n), row-major in its first index. */
void par4_kinematics(const Par4 *p, long n, const double *restrict pose, double *restrict q, double *restrict J) {
    const double *x = pose, *y = x + n, *z = y + n, *yaw = z + n;
    long i = 0;
    for (; i + BLOCK <= n; i += BLOCK) block(p, BLOCK, x + i, y + i, z + i, yaw + i, q + i, J + i, n);
    if (i < n) block(p, n - i, x + i, y + i, z + i, yaw + i, q + i, J + i, n);
}

typedef double Four __attribute__((vector_size(32), aligned(8)));
typedef int64_t Index __attribute__((vector_size(32)));

/* Transpose 4 x 4 doubles; `from` and `to` are the distances between the four runs. */
INLINE void transpose4(const double *restrict a, long from, double *restrict b, long to) {
    const Index even = {0, 4, 2, 6}, odd = {1, 5, 3, 7}, low = {0, 1, 4, 5}, high = {2, 3, 6, 7};
    const Four a0 = *(const Four *)a, a1 = *(const Four *)(a + from);
    const Four a2 = *(const Four *)(a + 2 * from), a3 = *(const Four *)(a + 3 * from);
    const Four c0 = __builtin_shuffle(a0, a1, even), c1 = __builtin_shuffle(a0, a1, odd);
    const Four c2 = __builtin_shuffle(a2, a3, even), c3 = __builtin_shuffle(a2, a3, odd);
    *(Four *)b = __builtin_shuffle(c0, c2, low), *(Four *)(b + to) = __builtin_shuffle(c1, c3, low);
    *(Four *)(b + 2 * to) = __builtin_shuffle(c0, c2, high), *(Four *)(b + 3 * to) = __builtin_shuffle(c1, c3, high);
}

/* m rows of four doubles to four arrays. */
INLINE void gather(long m, const double *restrict rows, double *restrict arrays) {
    long k = 0;
    for (; k + 4 <= m; k += 4) transpose4(rows + 4 * k, 4, arrays + k, PITCH);
    for (; k < m; k++)
        for (int j = 0; j < 4; j++) arrays[j * PITCH + k] = rows[4 * k + j];
}

/* Four arrays to four columns of m rows of `width` doubles. */
INLINE void scatter(long m, const double *restrict arrays, double *restrict rows, long width) {
    long k = 0;
    for (; k + 4 <= m; k += 4) transpose4(arrays + k, PITCH, rows + width * k, width);
    for (; k < m; k++)
        for (int j = 0; j < 4; j++) rows[width * k + j] = arrays[j * PITCH + k];
}

/* The same on plain rows, `pose` (n, 4), `q` (n, 4), `J` (n, 4, 4). The outputs' cache lines are asked for before the
 * arithmetic, which hides their way from memory. */
void par4_kinematics_rows(const Par4 *p, long n, const double *restrict pose, double *restrict q, double *restrict J) {
    ALIGNED double in[4][PITCH], angles[4][PITCH], rows[16][PITCH];
    for (long i = 0; i < n; i += ROW_BLOCK) {
        const long m = n - i < ROW_BLOCK ? n - i : ROW_BLOCK;
        gather(m, pose + 4 * i, in[0]);
        for (long k = 0; k < m; k++) {
            __builtin_prefetch(J + 16 * (i + k), 1), __builtin_prefetch(J + 16 * (i + k) + 8, 1);
            if (k % 2 == 0) __builtin_prefetch(q + 4 * (i + k), 1);
        }
        block(p, m, in[0], in[1], in[2], in[3], angles[0], rows[0], PITCH);
        scatter(m, angles[0], q + 4 * i, 4);
        for (int leg = 0; leg < 4; leg++) scatter(m, rows[4 * leg], J + 16 * i + 4 * leg, 16);
    }
}
