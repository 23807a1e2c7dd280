"""spara: a web note on a three-freedom simplification of the SPARA robot and equivalent point masses.

Letters of the note: `c` platform point, `a_i` base joint, `b_i` platform joint, `l_i1, l_i2` proximal and distal
length, `theta_i` joint angle, `J c' = K theta'`, `v_1, v_2` velocities of elbow and platform end of a distal link. The
note has no equation numbers and no numbers for geometry or masses; errata follow its order.
"""

from __future__ import annotations

from typing import Final

from parapick.papers.document import Choice, Document, Erratum

_ERRATA = (
    Erratum(
        id="E1",
        place="1. Kinematics, structure",
        printed="three legs remain and the double parallelograms are removed; the platform only translates",
        corrected="the platform is a point, b_i = c, or parallelogram distal links keep its orientation",
        evidence=(
            "Three legs with one distal rod each are three constraints for the six freedoms of a rigid platform; its "
            "orientation would be free. b_i = c + constant holds only in the two cases given."
        ),
    ),
    Erratum(
        id="E2",
        place="1. Kinematics, singularities, type I",
        printed="occurs when legs are fully extended or folded",
        corrected="occurs when the distal link, projected on the plane in which the arm turns, is parallel to the arm",
        evidence=(
            "K_ii = l_1 d . e' vanishes with the in-plane component of d across the arm, whatever d has along the "
            "motor axis. With l_1 = 0.65, l_2 = 0.80 m and the platform 0.3 m off the arm's plane, K = 0 at a distance "
            "of 1.424 m from the base joint, not at l_1 + l_2 = 1.45 m, with 22 deg between arm and link."
        ),
    ),
    Erratum(
        id="E3",
        place="1. Kinematics, singularities, type II",
        printed="eliminated due to removed rotational constraints",
        corrected="present where the three distal links are coplanar; avoided in the working box by its placement",
        evidence=(
            "det J = d_1 . (d_2 x d_3), and the two solutions of the forward kinematics merge there. With the shipped "
            "geometry the smallest singular value of J / l_2 is zero at c = (0.218855, 0, 0.3725) m, where the type I "
            "margin is 0.30 and the free direction is x; in the box it is at least 0.51."
        ),
    ),
    Erratum(
        id="E4",
        place="1. Kinematics, joint angle",
        printed="theta = 2 arctan((B +- sqrt(B^2 - (A + C)(C - A))) / (A + C))",
        corrected="theta = atan2(B, A) +- atan2(sqrt(A^2 + B^2 - C^2), C), the sign chosen leg by leg",
        evidence=(
            "Same roots, no typographical error: closes to 3e-14 m. But at A + C = 0 (one root at pi) the other root "
            "is 0/0, and 1e-9 rad beside it it is wrong by 1e-9 rad, 1e-13 rad beside it by 8e-5 rad."
        ),
    ),
    Erratum(
        id="E5",
        place="1. Kinematics, variables",
        printed="b_i is the distal joint position of leg i",
        corrected="b_i is the joint on the platform, b_i = c + o_i",
        evidence=(
            "C = (l_2^2 - l_1^2 - |a - b|^2) / l_1 = 2 e . (a - b) is the closure |b - a - l_1 e| = l_2, in which b is "
            "the far end of the distal link; at the elbow |a - b| would be the constant l_1."
        ),
    ),
    Erratum(
        id="E6",
        place="2. Dynamics, fixed mass method",
        printed="m_k1 = m/3 at the elbow and m_k2 = 2m/3 at the platform is better than m/2 and m/2",
        corrected="2m/3 at the elbow and m/3 at the platform is better; the printed order is worse",
        evidence=(
            "A link that turns about its elbow has exactly m/3 at the platform; the print doubles it. The error in "
            "kinetic energy is m/12 |v_1 - v_2|^2 for halves, m/6 v_2 . (v_2 - v_1) for the printed order and m/6 v_1 "
            ". (v_1 - v_2) swapped: over random motions in the box 1 : 1.76 : 0.51. Torque RMSE on one path at 3.5 "
            "m/s: 678, 1141 and 398 N mm; over 12 random paths 1.67 to 1.71 and 0.38 to 0.58 of halves."
        ),
    ),
    Erratum(
        id="E7",
        place="2. Dynamics, variable mass method",
        printed="variable masses raise the accuracy but do not make it exact (2 to 3 N mm)",
        corrected="exact if differentiated; an approximation only with m_k(t) taken from a known trajectory",
        evidence=(
            "k_1 |v_1|^2 + k_2 |v_2|^2 = v_1 . v_2 for all v, so the kinetic energy equals the slender link's (2e-16) "
            "and Lagrange's equations give its torques (1e-14 N m). The note's row needs F = m_k a or F = m_k a + "
            "m_k' v. k is undefined for v_1 = v_2 = 0."
        ),
    ),
    Erratum(
        id="E8",
        place="2. Dynamics, advantages and comparison: cost",
        printed="point masses save 30 to 60 %; fixed lowest, variable medium, slender link high",
        corrected="in end-point form the exact slender link costs 21 % more than fixed masses, less than variable ones",
        evidence=(
            "Instructions after common subexpressions, whole robot: fixed 279 to 284, slender by end points 338, "
            "variable 371 to 510, slender by angular velocities 789. The note's order holds against the last only."
        ),
    ),
    Erratum(
        id="E9",
        place="2. Dynamics, advantages: accuracy",
        printed="more than 95 % accuracy for slender links",
        corrected="92.7 % with halves, 95.7 % with 2m/3 at the elbow, 97 % with variable masses",
        evidence="RMSE over rms torque at 3.5 m/s with our masses; it depends on the ratio of link to platform mass.",
    ),
    Erratum(
        id="E10",
        place="2. Dynamics, performance comparison",
        printed="torque RMSE 5-6, 2-3 and 0.4 N mm for fixed, variable and slender",
        corrected="no robot or path is given; the ratios are kept, the levels are not",
        evidence=(
            "The errors scale with link mass and acceleration: 5.5 N mm means 0.315 m/s here, while the note's own "
            "3.5 m/s gives 0.3 to 1.1 N m. 0.4 of 5.5 cannot be link thickness (10 mm radius gives 2e-4, 181 mm would "
            "be needed); 7 % of the link mass in its end joints gives 5.1, 2.4 and 0.40 N mm."
        ),
    ),
)

_CHOICES = (
    Choice(
        subject="arm directions",
        value="legs 1, 2: e = (-sin theta, cos theta, 0), axis +z; leg 3: e = (-sin theta, 0, cos theta), axis -y",
        reason="the only ones for which the note's A, B, C are the closure.",
    ),
    Choice(
        subject="geometry",
        value="a_1,2 = (0, +-0.10, 0), a_3 = (0, 0, 0.75) m; l_1 = 0.65; l_2 = 0.80, 0.80, 1.00 m; o_i = 0",
        reason="search and rounding; over the note's 0.5 x 1.0 x 0.3 m box the margins are 0.67 (I) and 0.51 (II).",
    ),
    Choice(
        subject="working mode and box",
        value="root signs (-, +, -): elbows out, elbow up; box centred at (0.80, 0, 0.15) m",
        reason="largest margins of the modes; the note gives the size of the box only.",
    ),
    Choice(
        subject="masses",
        value="proximal links 0.5 kg, distal 0.20, 0.20, 0.25 kg, platform 0.5 kg",
        reason="not given; light links of this length.",
    ),
)

DOCUMENT: Final = Document(
    key="spara",
    title="Kinematic and Dynamic Model of a Simplified 3-DOF SPARA Robot",
    authors=("PrimCFD",),
    # The page is undated; this is the year of the newest paper it cites.
    year=2024,
    venue="https://primcfd.github.io/RobotSCARA/kindyn, after Schreiber & Gosselin 2019 and Zhou & Gosselin 2024",
    errata=_ERRATA,
    choices=_CHOICES,
    not_reproducible=(
        "the RMSE table in absolute terms: robot, masses and trajectory are unknown",
        "the workspace from joint ranges, and the measured 3.5 m/s",
        "the cost percentages of the original implementations",
        "the full SPARA robot with its redundant link: legs, platform map, lengths and coupling are not given",
    ),
)
