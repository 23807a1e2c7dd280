"""righettini2024: five-bar linkage with a ball-screw-spline, task-space inverse dynamics control.

Letters of the document: `q_1, q_2` proximal links, `q_3, q_4` screw and spline nut, `l_p, l_d, l_f` proximal, distal
and frame length, `i_t, J_m, J_t` ratio, motor and gearbox inertia, `D` Jacobian `dp/dq`, `TSID, TSIID` task-space
inverse dynamics control without and with integral action.
"""

from __future__ import annotations

from typing import Final

from parapick.papers.document import Choice, Document, Erratum

_ERRATA = (
    Erratum(
        id="E1",
        place="(3)",
        printed="M_act = diag(i_t1^2 (J_m1 + J_t1), i_t2^2 (J_m2 + J_t2), i_t2^2 (J_m2 + J_t2), i_t4^2 (J_m4 + J_t4))",
        corrected="third entry i_t3^2 (J_m3 + J_t3)",
        evidence=(
            "The text defines one inertia an axis, j = 1..4. From Table 2, M_act = diag(0.17142, 0.17142, 0.03664, "
            "0.03664) kg m2; the print puts 0.17142 on axis 3, 4.7 times too much. Used so in the controller, the "
            "torque of axis 3 oscillates (73 extrema for 11 in TSID)."
        ),
    ),
    Erratum(
        id="E2",
        place="text before (22)",
        printed="the accumulator temporarily stops its summation whenever a bound has been reached",
        corrected="P_k+1 = clamp(P_k + T_s err_k, -bound, +bound)",
        evidence=(
            "Stopped literally at its bound, the accumulator would never leave it again, whatever the sign of the "
            "error: 'temporarily' then has no meaning. Figs. 3 and 5 draw the behaviour as a saturation."
        ),
    ),
    Erratum(
        id="E3",
        place="(30)",
        printed="tau = K_d q_err'' + K_p q_err' + K_i Q",
        corrected="tau = K_d q_err' + K_p q_err + K_i Q",
        evidence=(
            "Printed one derivative too high: the text calls it (29) plus an integral term, Q is the integral of "
            "q_err, and with the printed form no term acts on the position error itself."
        ),
    ),
    Erratum(
        id="E4",
        place="Table 1, J_p and J_d",
        printed="barycentric inertia of the links 5.22e-2 kg m2 (2.9 kg, 250 mm)",
        corrected="used as printed; probably the inertia about the joint, so that 6.9e-3 kg m2 would be barycentric",
        evidence=(
            "The radius of gyration would be 134 mm, more than half the length, 125 mm. A uniform rod has 0.0151 kg "
            "m2; all mass in the two pins, the most that mass between the pins can have, 0.0453; a rod about its end "
            "0.0604. If it is about the joint, (4) counts m r^2 twice: the torque for 11.3 m/s2 in the worst direction "
            "at (0, 0.33) m is 26.6 N m as printed and 22.1 N m so. It cannot be decided from the document."
        ),
    ),
    Erratum(
        id="E5",
        place="sections 2.3 and 3 with Table 2",
        printed="torques of axes 1 and 2 saturate at the maximal torque of the drives (1.4 N m x 64 = 89.6 N m)",
        corrected="limit read as the rated torque, 0.7 N m x 64 = 44.8 N m",
        evidence=(
            "11.3 m/s2 in the worst direction needs 26 to 50 N m in the usable front region and at most 69 N m over "
            "all working and assembly modes. 89.6 N m is reached only on a path within 1 to 2 mm of the type 1 "
            "boundary, and friction helps at the braking event. With 44.8 N m saturations appear at both instants for "
            "all four controllers. An inference, not a fact."
        ),
    ),
    Erratum(
        id="E6",
        place="Tables 1 and 2 with section 2.3",
        printed="pitch 20 mm, ratio 40, 500 rad/s, and four vertical strokes in a 2.46 s cycle",
        corrected="strokes of at most about 8 mm (7.4 mm used), or one of pitch and ratio is misprinted",
        evidence=(
            "500/40 rad/s x 20 mm / (2 pi) = 39.8 mm/s with the yaw at rest; about 0.24 s a stroke remain beside the "
            "two intercept motions. The rotation of 180 deg in 0.5 s (9.4 of 12.5 rad/s) fits the ratio of 40."
        ),
    ),
    Erratum(
        id="E7",
        place="section 3, on Figs. 18 and 19",
        printed="the components tau_Mp of TSID and TSIID are exactly the same",
        corrected="practically the same on axes 1 and 2, exactly on axes 3 and 4",
        evidence=(
            "By (19) and (26) tau_Mp = M_p(p) p_sp'' with the measured p, which differs between the controllers by "
            "their errors; only the block of the screw and spline (10) is constant."
        ),
    ),
)

_CHOICES = (
    Choice(
        subject="frame length l_f",
        value="180 mm from motor axis to motor axis",
        reason="read as a length; as half of it the conclusions on saturation stay the same.",
    ),
    Choice(
        subject="working and assembly mode",
        value="elbows out; the tip in front of the line of elbows",
        reason="the only pair with a usable region in front; the figure is missing.",
    ),
    Choice(
        subject="centres of mass of the links",
        value="at half length",
        reason="Table 1 gives none.",
    ),
    Choice(
        subject="inertia of the links",
        value="5.22e-2 kg m2 about the centre of mass, as printed",
        reason="see E4; a plant with the other reading is a variation.",
    ),
    Choice(
        subject="torque limit",
        value="rated torque, the peak beside it",
        reason="see E5.",
    ),
    Choice(
        subject="friction at the gearbox output",
        value="Coulomb 2, 2, 1.5, 0.25 N m; viscous 3, 3, 0.15, 0.30 N m s/rad",
        reason=(
            "not given; chosen so that the document's statements come out: 47 of 53 hold, 28 of them without any "
            "friction. An in-sample fit, not a test."
        ),
    ),
    Choice(
        subject="gains",
        value=(
            "TSID as printed (30 Hz, 0.7; 28 Hz, 0.6); PD and PID the same poles on the mean inertia; Ki = Kp r w with "
            "r = 0.10, 0.10, 0.25, 0.25 (PID) and 0.30, 0.30, 0.10, 0.10 (TSIID)"
        ),
        reason="only the poles of TSID are given; a PD of 1.05 times the bandwidth equals TSID in in-plane RMS.",
    ),
    Choice(
        subject="conveyors, path and phase times",
        value="U-shaped cycle between antiparallel belts at x = -0.200 and 0.203 m, 0.20 m/s, strokes 7.4 mm",
        reason="meets 2.46 s, 1.16 m/s and 11.3 m/s2; it loads the far arm at both ends. No geometry is given.",
    ),
    Choice(
        subject="axes",
        value="x across the belts, y along them",
        reason="the labels are unknown; the statements on RMS suggest that the document's x is along the belt.",
    ),
    Choice(
        subject="sensors and delays",
        value="16-bit motor encoders, one sample of delay, 0.2 ms torque lag, differenced velocity, 500 Hz filter",
        reason="only the 4 kHz sampling is given.",
    ),
)

DOCUMENT: Final = Document(
    key="righettini2024",
    title=(
        "An Experimental Investigation of the Dynamic Performances of a High Speed 4-DOF 5R Parallel Robot Using "
        "Inverse Dynamics Control"
    ),
    authors=(
        "Paolo Righettini",
        "Roberto Strada",
        "Filippo Cortinovis",
        "Federico Tabaldi",
        "Jasmine Santinelli",
        "Andrea Ginammi",
    ),
    year=2024,
    venue="Robotics 13 (3), 54, https://doi.org/10.3390/robotics13030054",
    errata=_ERRATA,
    choices=_CHOICES,
    not_reproducible=(
        "any value read from Figs. 10-20: gains, friction, geometry and pose are missing",
        "saturation at the printed peak torque, see E5",
        "vertical strokes above about 8 mm, see E6",
        "TSID best of the four in z; equal integral shares of PID and TSIID at the friction that fits the rest",
        "statements on oscillations: counts of small extrema that depend on encoder and delay assumptions",
        "belt elasticity, details of the torque loops, payload",
    ),
)
