/* Inverse dynamics of Par4, written by hand: what the generated kernels are measured against.
 *
 * A state (task vector, rate, acceleration) gives the four torques at the arm axes: reflected motor inertia,
 * arms and their weight, slender rods and bars, both half plates, and a payload with offset and inertia on the tool,
 * which turns faster than the bars. Arrays are structures of arrays: each of the 12 inputs and of the 4 outputs is one
 * contiguous run of n doubles. A state that some leg cannot reach, that is singular or that is not finite is NaN in all
 * its torques.
 */

#include "legs_dynamics.c"

/* Sine and cosine to about one unit in the last place, for angles below 1e5 rad: quarter turns are taken off in two
 * pieces, the rest goes into two polynomials fitted on an eighth of a turn to either side. */
INLINE void sine_cosine(double angle, double *sine, double *cosine) {
    const double quarters = rint(angle * 0x1.45f306dc9c883p-1);
    const double x = nmadd(quarters, 0x1.1a62633145c07p-54, nmadd(quarters, 0x1.921fb54442d18p+0, angle)), t = x * x;
    double s = madd(t, 1.5918129294866608e-10, -2.5051131845003624e-08);
    double c = madd(t, -1.1382632425521717e-11, 2.08761462684032e-09);
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

/* Masses that go with the half plate of the tool (`half`), with the carried one, and that couple both, rods and bars
 * included; all of them (`mass`) and their weight; what turns with yaw; the moment of the load, which turns. A pose
 * is singular where the squared determinant is below `least`. */
typedef struct {
    double lever_x, lever_y, half, carried, coupling, mass, weight, inertia, ratio, load_x, load_y, sign, least;
} Par4Plate;

static Par4Plate par4_plate(const Robot *p) {
    const double bars = p->bar_mass / 3, rods = 2 * p->rod_mass / 3, ratio = p->yaw_ratio;
    const double mass = p->plate_mass + p->carried_mass + p->bar_mass + p->load_mass;
    const double lever2 = p->lever_x * p->lever_x + p->lever_y * p->lever_y, rod2 = p->rod * p->rod;
    const double offset2 = p->load_x * p->load_x + p->load_y * p->load_y;
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
        .least = SINGULAR * lever2 * (rod2 * rod2) * (rod2 * rod2),
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

/* At most BLOCK states; `n` is the distance between two input arrays, `to` that between two output arrays; `centred`:
 * the load has no offset. Legs 0 and 1 hold the carried half plate, at q = p + bars - lever. With the yaw column
 * y = d(bars)/d(yaw).rod the plate asks for
 *
 *   sum mu_i rod_i = f,  mu_0 y_0 + mu_1 y_1 = turn,  tau_i = own_i + lever_i mu_i
 *
 * which crosses of rods 0, 1 (`first`) and 2, 3 (`second`) solve: y_1 rod_0 - y_0 rod_1 = d(bars)/d(yaw) x first. */
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
            const double out = leg[i].outward;
            rod[i] = (Vector){madd(out, c->u[i], point.x), madd(out, c->v[i], point.y), p.z - leg[i].b};
        }
        double fx = madd(plate->carried, aq.x, plate->coupling * ap.x);
        double fy = madd(plate->carried, aq.y, plate->coupling * ap.y);
        fx = nmadd(e[0].inward, c->u[0], nmadd(e[1].inward, c->u[1], fx));
        fy = nmadd(e[0].inward, c->v[0], nmadd(e[1].inward, c->v[1], fy));
        double turn = madd(fy, bx, nmadd(fx, by, plate->inertia * accel));
        fx = madd(plate->half, ap.x, madd(plate->coupling, aq.x, fx));
        fy = madd(plate->half, ap.y, madd(plate->coupling, aq.y, fy));
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
        const double one = poison(1.0, closed.invalid[k] | bits(msub(determinant, determinant, plate->least)));
        const double inverse = one / determinant, mu0 = msub(turn, s1, y1 * sf), mu1 = msub(y0, sf, turn * s0);
        const double mu[LEGS] = {mu0, mu1, dot(rod[3], rest), -dot(rod[2], rest)};
        EACH_LEG tau[i * to + k] = plate->sign * madd(leg[i].lever * inverse, mu[i], e[i].own);
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
