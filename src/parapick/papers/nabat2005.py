"""nabat2005: Par4, its singularities, its dynamics and 13G cycles.

Letters of the document: `P_i, A_i, B_i` joint centres of chain i, `v_i` motor axis, `D` controlled point on half plate
1, `D'` its image on half plate 2, `h` length of the parallelogram rods, `theta` plate yaw, `L` the ARM in its section
IV. The equations (8)-(11), (19), (24), (27), (30) and (32) are illegible in the text we have and were rebuilt.
"""

from __future__ import annotations

from typing import Final

from parapick.papers.document import Choice, Document, Erratum

_ILLEGIBLE = "illegible in the scanned text"

_ERRATA = (
    Erratum(
        id="E1",
        place="(8)-(11)",
        printed=_ILLEGIBLE,
        corrected=(
            "(8) rod row [s^T, (e x s)_x, (e x s)_y, (e x s)_z, (e' x s)_z] with e = DB_ij, e' = e for chains 3, 4 and "
            "e' = e - h n for chains 1, 2, n = (-sin theta, cos theta, 0); (9)/(10) half-sum and difference of the two "
            "rods of a chain; (11) J_int row i = (f_i x s_i)^T"
        ),
        evidence=(
            "Equals central differences of the eight rod lengths to 1e-10 at 200 random poses; (16) is confirmed as "
            "the 3 x 3 minors of J_int. At X = (0.1, -0.05, -0.7, 0.3) with the shipped geometry the minors of "
            "J_int / (f L) are D_123, D_124, D_134, D_234 = 0.6139, 0.7035, 0.7788, 0.6604."
        ),
    ),
    Erratum(
        id="E2",
        place="(17), (34), Fig. 6",
        printed="i_fa = m_5 L^2, and tau_4 contains g L M_5, beside l_i for the vector B_i A_i of the forearm",
        corrected="L is the arm P_i A_i here; in corbel2010 l is the arm and L the forearm",
        evidence=(
            "m_5 is the mass of one of two forearm rods, half of each sits at the elbow, so the elbow carries m_5 at "
            "the arm's length. With the shipped set the forearm's length instead changes the torques of the state of "
            "E7 by (2.3, -7.4, -0.8, 16.1) N m, and exchanging arm and forearm moves the joint angles by up to "
            "1.13 rad."
        ),
    ),
    Erratum(
        id="E3",
        place="(19), (27)",
        printed=_ILLEGIBLE,
        corrected=(
            "(19) J_x1 rows 1, 2 = [s^T, -h (s_x cos theta + s_y sin theta)], rows 3, 4 = [s^T, 0]; "
            "(27) J_x2 rows 1, 2 = [s^T, 0], rows 3, 4 = [s^T, +h (s_x cos theta + s_y sin theta)]"
        ),
        evidence=(
            "The residue of the scan has one h and one minus sign a row in two rows and a zero in the rows with index "
            "3 and in the last one. J_q^-1 J_x1 equals central differences of the inverse kinematics to 2e-10. The "
            "document's zero of theta does not survive; ours is the parallelogram rods along y."
        ),
    ),
    Erratum(
        id="E4",
        place="section IV.A with (20), (28)",
        printed="u_i is the unit vector collinear to the actuator axis; (20) projects on v_i, which is not defined",
        corrected="v_i is the actuator axis, u_i is radial, as in corbel2010 (4), (5)",
        evidence=(
            "With v_i = (-sin a, cos a, 0) along the axis, (A_i B_i x P_i A_i) . v_i = s_i . dA_i/dq_i to 1e-16, which "
            "is what closure differentiated gives."
        ),
    ),
    Erratum(
        id="E5",
        place="(23), (24), (30)",
        printed=f"(24) and (30): {_ILLEGIBLE}; T_1 of (23) drops the yaw acceleration",
        corrected=(
            "M_1 = (m_1 + m_3 + 2 m_5) diag(1, 1, 1, 0) with rho^2 I_tool added at (4, 4) where a tool inertia is "
            "given; M_2 = (m_2 + m_3 + 2 m_5) diag(1, 1, 1, 0)"
        ),
        evidence=(
            "Simplifications i) and iii) put m_5 of each of two chains and half of each of two parallelogram rods on a "
            "half plate. Neglecting only 5e-5 kg m2 of tool and pulley costs 1.9 N m in a 13G cycle that turns from "
            "-45 to 45 deg (2.6 N m with 13G for each stroke), because rho = 4 enters squared."
        ),
    ),
    Erratum(
        id="E6",
        place="(31), (32)",
        printed=f"X_2'' = T_2 X'' + T_2 X' with the dots lost; T_2 {_ILLEGIBLE}",
        corrected=(
            "X_2'' = T_2 X'' + T_2' X', T_2 = [1 0 0 -h cos theta; 0 1 0 -h sin theta; 0 0 1 0; 0 0 0 0], "
            "T_2' X' = h theta'^2 (sin theta, -cos theta, 0, 0)"
        ),
        evidence=(
            "D' = D + h (n(theta) - n(0)) differentiated twice. Without the velocity term the torques of 200 random "
            "states differ by up to 10.8 N m from a Lagrangian of the same masses; with it by 2e-11 N m."
        ),
    ),
    Erratum(
        id="E7",
        place="(33)",
        printed="tau_3 = J_2^T M_2 (X_1'' + g)",
        corrected="tau_3 = J_2^T M_2 (X_2'' + g)",
        evidence=(
            "(29) has X_2''. At X = (0.1, -0.05, -0.7, 0.3), X' = (1.5, -0.5, 0.3, 4), X'' = (60, -40, 30, 200) the "
            "corrected model gives (7.2295, -16.5202, -1.0913, 50.6700) N m; with X_1'' it is off by (4.26, -3.29, "
            "-0.35, -0.98) N m, and by up to 12.0 N m in a 13G cycle that turns from -45 to 45 deg (16.6 N m with 13G "
            "for each stroke)."
        ),
    ),
    Erratum(
        id="E8",
        place="(34)",
        printed="tau_4 = g L_G M_4 sin Q + g L M_5 sin Q",
        corrected="tau_4 = g (m_4 L_G + m_5 l) cos q, with q from the horizontal, up positive",
        evidence=(
            "sin Q belongs to angles counted from the vertical, which the rest of the project does not use: "
            "sin(q + pi/2) = cos q. Taken with q from the horizontal the print is wrong by 4.1 to 4.9 N m at the state "
            "of E7, where the static torques are (4.1789, 4.3675, 3.8160, 5.5530) N m."
        ),
    ),
    Erratum(
        id="E9",
        place="(35)",
        printed="sum with accelerations of subscript 'lin', which is not defined",
        corrected="tau = (i_m + i_a + m_5 l^2) q'' + tau_2 + tau_3 + tau_4 with X_1'' in tau_2 and X_2'' in tau_3",
        evidence=(
            "It is the sum of (17), (25), (33) and (34); so read it equals a Lagrangian of the same lumped masses to "
            "2e-11 N m at 200 random states."
        ),
    ),
    Erratum(
        id="E10",
        place="section III, after (16)",
        printed="with motors at 90 deg J_int has full rank, scanning the whole workspace",
        corrected="true in the useful cylinder, not in everything the robot can reach",
        evidence=(
            "Shipped geometry: smallest singular value of J_int / (f L) at least 0.80 in the cylinder R = 0.3 m, z in "
            "[-0.75, -0.65] m, |theta| <= 45 deg, but zero (8e-17) at X = (-0.5230, 0.51776, -0.34345, 0.602), where "
            "forearms 1 and 3 are horizontal while J_x is regular (0.19). The document does not state its workspace."
        ),
    ),
    Erratum(
        id="E11",
        place="section IV.A, lists of masses",
        printed="m_1: half plate on the B_2 B_3 side, m_2: on the B_0 B_1 side; M_1: B_0 B_1 side, M_2: B_2 B_3 side",
        corrected=(
            "half plate 1, with D, m_1 and M_1, carries chains 3 and 4 (B_2, B_3 counted from 0); half plate 2, with "
            "D', m_2 and M_2, carries chains 1 and 2"
        ),
        evidence=(
            "The lists contradict each other. (3)-(6) put the joints 13, 14 on half plate 1 and 21, 22 on half plate 2 "
            "and (19) has its zeros in rows 3 and 4, so the first list is right, counting from 0 where section III "
            "counts from 1. The other assignment gives q = (-0.355754, -0.654462, -0.450284, -0.224526) for "
            "(-0.400704, -0.610940, -0.510572, -0.191733) at X = (0.1, -0.05, -0.7, 0.3): the loops open by 10 to "
            "20 mm. Exchanging only m_1 and m_2 changes the torques of E7 by up to 1.3 N m."
        ),
    ),
    Erratum(
        id="E12",
        place="section IV.A, simplifications",
        printed="iii) and iv) are the same sentence about the parallelogram rods",
        corrected="three simplifications; iv) is a repetition",
        evidence="Every mass of the lists is covered by i) to iii) and E5; nothing is left for iv).",
    ),
    Erratum(
        id="E13",
        place="section IV.C",
        printed="the simplifications have very few consequences on the final results",
        corrected="5 to 9 % of peak torque, all of it from the half-half split of the forearm mass",
        evidence=(
            "Against a multibody model with real rods, 25 x 305 x 25 mm cycles: 3.4 to 4.7 N m of 46 to 61 N m at 10G, "
            "3.5 to 6.5 N m of 66 to 72 N m with 13G on the plate, 4.9 to 9.1 N m of 83 to 105 N m with 13G for each "
            "stroke. Two thirds at the elbow and one third at the plate give 2 to 4 %."
        ),
    ),
    Erratum(
        id="E14",
        place="section V",
        printed=(
            "the same 25 x 305 x 25 mm cycle takes 0.45 s at 2.5 m/s and 100 m/s2 and 0.28 s at 3.8 m/s and 130 m/s2"
        ),
        corrected="the two times belong to different laws or blendings: 0.45 s with stops, 0.28 s with blended corners",
        evidence=(
            "Slow the second motion by 3.8/2.5 = 1.52: it keeps 2.5 m/s and 56 m/s2, so one law with one blending "
            "would need at least 0.45/1.52 = 0.296 s. Trapezoids with stops take 0.420 s and 0.330 s. The second takes "
            "0.280 s with 72.1 % overlap at the corners where 130 m/s2 limit the plate, with 45.0 % where they limit "
            "each stroke."
        ),
    ),
)

_CHOICES = (
    Choice(
        subject="which document this is",
        value="title and authors as given here; no venue and no year",
        reason=(
            "The text we have carries no title, author, venue or date. Title and authors are attributed to it by its "
            "abstract and index terms and could not be checked against a print, so venue and year are not claimed; "
            "2005 in the key is a name."
        ),
    ),
    Choice(
        subject="geometry",
        value="r_b 0.35, r_tp 0.10, arm 0.35, forearm 0.80 m",
        reason="corbel2010 Table I, chosen there as similar to the Par4 prototype; this document gives no dimension.",
    ),
    Choice(
        subject="motor azimuths",
        value="45, 135, 225, 315 deg",
        reason="the document says 90 deg relative to each other; the phase is ours, one pair on either side of y = 0.",
    ),
    Choice(
        subject="traveling plate",
        value="h 0.10 m, spacing of the joints C 0.10 m, spacing of the two rods of a forearm 0.10 m",
        reason="not given; the size of the plate radius.",
    ),
    Choice(
        subject="zero of theta, controlled point",
        value="parallelogram rods along y at theta = 0; D at the plate's centre there, fixed on half plate 1",
        reason="the figure is missing; follows (3)-(6) and the zeros of (19).",
    ),
    Choice(
        subject="joint angle",
        value="q from the horizontal, up positive",
        reason="as in corbel2010, so that one leg serves both; the document counts from the vertical, see E8.",
    ),
    Choice(
        subject="masses, motor inertia and torque",
        value=(
            "motor 0.003, arm 0.071 kg m2, forearm pair 0.3 kg, plate 0.6 kg, 90 N m; m_1, m_2, m_3 = 0.26, 0.18, "
            "0.08 kg; m_4 = 3 I_arm / l^2 = 1.739 kg, L_G = l/2"
        ),
        reason="corbel2010 Table II, column R4; the split of the plate and the uniform arm are ours.",
    ),
    Choice(
        subject="workspace",
        value="cylinder R 0.3 m, z in [-0.75, -0.65] m, |theta| <= 45 deg",
        reason="radius and height of corbel2010, yaw of the document, altitude from a scan of the singularity margins.",
    ),
    Choice(
        subject="what a = 130 m/s2 limits",
        value=(
            "the plate, so that 13G is what it sees: 72.1 % overlap, 65.9 N m (task adept-13g). Beside it each stroke "
            "alone, as an interpolator that knows only axes keeps it: 45.0 % overlap, 83.1 N m, and 184 m/s2 = 18.7G "
            "on the plate while two strokes overlap (task adept-13g-per-stroke)"
        ),
        reason="the document gives one number and no law, path or blending; its abstract and conclusion say 13G.",
    ),
    Choice(
        subject="gains of the P/PI control",
        value="Kp 120 1/s, Kv 60 N m s/rad, Ki 3000 N m/rad, 2 kHz",
        reason="not given; the stiffest of three sets tried by hand.",
    ),
)

DOCUMENT: Final = Document(
    key="nabat2005",
    title="Very Fast Schoenflies Motion Generator",
    authors=("Vincent Nabat", "María de la O Rodriguez", "Olivier Company", "François Pierrot", "Pierre Dauchez"),
    year=None,
    venue=None,
    errata=_ERRATA,
    choices=_CHOICES,
    not_reproducible=(
        "dimensions, masses, motors and gains of the Par4 prototype: none is given",
        "the torque curves of Fig. 7 and the displacement behind them",
        "the traces of Figs. 8 and 9 and the size of the overshoot",
        "the extent of the workspace that was scanned for singularities",
        "the motion law of the two cycle times, see E14",
    ),
)
