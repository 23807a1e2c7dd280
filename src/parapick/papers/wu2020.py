"""wu2020: asymmetric four-limb generator with a screw-pair platform, computed torque control.

Letters of the document: `a_i, b_i, c_i` base joint, elbow and platform joint of limb i, `u_i` motor axis, `theta_i`
joint angle, `chi = (x, y, z, phi)` with `p` on the lower sub-platform, `h` screw lead (`h' = h / 2 pi` here).
"""

from __future__ import annotations

from typing import Final

from parapick.papers.document import Choice, Document, Erratum

_ERRATA = (
    Erratum(
        id="E1",
        place="(1a)",
        printed="a_1 = -a_3 = [sgn(cos beta_i) a_x, sgn(sin beta_i) a_y, 0]",
        corrected="a_i = [sgn(cos beta_i) a_x, sgn(sin beta_i) a_y, 0] for i = 1..4",
        evidence="The right side depends on i; as printed limbs 2 and 4 have no base joint.",
    ),
    Erratum(
        id="E2",
        place="(1b)",
        printed="b_i = b [cos alpha_i cos theta_i, sin theta_i, -sin alpha_i cos theta_i]",
        corrected="b_i = a_i + b [cos alpha_i cos theta_i, sin theta_i, -sin alpha_i cos theta_i]",
        evidence=(
            "(2) and (7b) use b_i as a point and b_i - a_i as the arm. At chi = (0, 0, -0.5, 0) the loop closes to "
            "1e-16 m with the offset and is open by 91 mm in every limb without it. The public ROS package of the "
            "Ragnar robot uses the offset too."
        ),
    ),
    Erratum(
        id="E3",
        place="(2), (5), (10), (11), (16b), (17), (22b), (25)",
        printed="dots over theta, chi and the Jacobians are missing in the text; (2) has b for the second b_i",
        corrected=(
            "J_chi chi' = J_theta theta'; chi_u'' = J_up theta'' + J_up' theta'; C = sum of J^T M J'; |c_i - b_i| = l"
        ),
        evidence="Lost in the scan; so read, (22) equals a Lagrangian of the same lumped masses to 2e-9 N m.",
    ),
    Erratum(
        id="E4",
        place="(4)",
        printed="J_i = 2 b (c_i - a_i)^T u_i",
        corrected="J_i = 2 b (c_i - a_i)^T (u_i x j) = -2 b (c_i - a_i)^T R_y(alpha_i) i",
        evidence=(
            "(3) solves I sin theta + J cos theta + K = 0, and expanding |c - a - arm|^2 = l^2 with (1b) gives the "
            "corrected J; u_i is the motor axis, on which the arm has no component. At chi = (0, 0, -0.5, 0) the print "
            "opens the loops by 12 to 198 mm; corrected they close to 1e-16 m. The print is exact for another arm law, "
            "j sin theta - u cos theta, whose robot cannot reach the document's cycle."
        ),
    ),
    Erratum(
        id="E5",
        place="(6a), (8)",
        printed="J = J_div^-1 J_theta; the text calls the forward Jacobian J_x",
        corrected="J = J_chi^-1 J_theta",
        evidence="(5) and (6a) define J_chi; equals central differences of the inverse kinematics to 2e-10.",
    ),
    Erratum(
        id="E6",
        place="(9a), (9b)",
        printed="H_u has 0 at (4, 4); H_l = diag(1, 1, 1, 0)",
        corrected="H_u has 1 at (4, 4) and h' at (3, 4); H_l is the identity",
        evidence=(
            "(10)-(13) need chi_u and chi_l to keep phi'. With chi' = (1, 1, 1, 10) at chi = (0.05, -0.03, -0.55, 0.4) "
            "J_u chi_u' misses J_theta theta' by 0.015 m2/s as printed and by nothing as corrected; J_up = H_u J to "
            "1e-16. Harmless in the dynamics, whose mass matrices have 0 there."
        ),
    ),
    Erratum(
        id="E7",
        place="(15a), (16a)",
        printed="G_b = (m_b / 2 + m_l) g b z_b with z_bi = -sin alpha_i cos theta_i",
        corrected="G_b,i = -(m_b / 2 + m_l) g b sin alpha_i sin theta_i",
        evidence=(
            "z_b is the height of the elbow over b, that is the potential; the torque is minus its derivative. At "
            "chi = (0, 0, -0.5, 0): printed -0.447 N m on all four joints, corrected (1.573, -1.573, 1.573, -1.573), "
            "equal to the finite difference of the potential. G = (-4.671, 5.058, -4.671, 5.058) N m there."
        ),
    ),
    Erratum(
        id="E8",
        place="(23), f",
        printed="f(theta, t) = lambda sin theta - sin theta, dots and brackets lost",
        corrected="f = lambda (sin theta' - sin theta)",
        evidence=(
            "Stray large brackets stand in the text around the difference. Of the torque-matched cycles only this "
            "reading at 1.0 s a cycle gives both -0.491 mm and 0.8 deg without tuning (5 of 19 cycles); lambda sin "
            "theta' - sin theta at 0.5 s does in 0 of 29. Plausible, not proven."
        ),
    ),
    Erratum(
        id="E9",
        place="(23) with (24)",
        printed="f stands in the plant (23) and in the controller (24)",
        corrected="f in the controller only",
        evidence=(
            "In both it cancels: the error is zero for ever, while Fig. 9 shows -0.491 mm. In the controller only the "
            "errors come out with the printed sign; in the plant only with the opposite one."
        ),
    ),
    Erratum(
        id="E10",
        place="(26), (27)",
        printed="optimal k_P = 955, k_D = 1000, lambda = 0.5 under 0 < k <= 1000",
        corrected="both gains on their bound, 1000; lambda depends on the plant",
        evidence=(
            "In every scenario with a non-zero error both gains end on the bound; 955 is 0.6 to 1.2 % worse, so the "
            "cost is flat. The closed-loop poles are -0.956 and -999 1/s: the slow one, 1.05 s, outlasts the cycle, "
            "hence the text's errors that grow without convergence."
        ),
    ),
    Erratum(
        id="E11",
        place="text after (4)",
        printed="working mode '- - + +' avoids collisions",
        corrected="'- + - +' in the signs of (3)",
        evidence=(
            "At chi = (0, 0, -0.5, 0) the printed signs cross arms 2 and 3 (distance below 1 mm), '- + - +' keeps all "
            "arms at least 300 mm apart, there and along the cycle. The label fits joint angles mirrored on limbs 1 "
            "and 4, theta -> pi - theta."
        ),
    ),
    Erratum(
        id="E12",
        place="Table 1",
        printed="[a_x, b_y] = [300, 150] mm",
        corrected="[a_x, a_y]",
        evidence="(1a) has a_x and a_y; there is no b_y in the document.",
    ),
    Erratum(
        id="E13",
        place="section on tests, footnote d",
        printed="120 cycles per minute; a cycle is the movement along a trajectory with a 1 kg payload per minute",
        corrected="120 one-way moves a minute, so 1.0 s there and back; no payload",
        evidence=(
            "A movement 'per minute' is no definition. 0.5 s there and back and 1.0 s there and back can both give the "
            "printed 48 N m. The ratio of the errors decides against payload: 1.6 deg/mm without, about 9 deg/mm with "
            "1 kg on the lower platform, printed 0.8 deg / 0.491 mm = 1.63."
        ),
    ),
    Erratum(
        id="E14",
        place="Fig. 9 with (27)",
        printed="lambda = 0.5 minimises the joint errors, and the largest position error is -0.491 mm",
        corrected="one or the other",
        evidence=(
            "lambda = 0.5 comes out as the optimum only if the plant contains f with 0.5; then the error of the "
            "lumped-mass plant vanishes and -0.491 mm cannot arise."
        ),
    ),
)

_CHOICES = (
    Choice(
        subject="sense of alpha",
        value="alpha_1 = alpha_4 = -pi/4, alpha_2 = alpha_3 = +pi/4, as printed",
        reason="with the opposite signs the cycle's ends are reachable only for z in [-0.405, -0.36] m.",
    ),
    Choice(
        subject="which limbs carry which sub-platform",
        value="limbs 1 and 3 the upper, 2 and 4 the lower; p on the lower",
        reason="(1c) adds the lift to odd limbs.",
    ),
    Choice(
        subject="meaning of m_l",
        value="one rod of the parallelogram, lumped half and half, so that a limb carries 2 m_l",
        reason="(15) has 2 m_l a sub-platform; as the whole distal link the peak falls from 48.5 to about 37 N m.",
    ),
    Choice(
        subject="reference cycle",
        value="25 x 305 x 25 mm, 0.5 s one way, modified sine, stops at the corners, 0.05 s strokes, z_0 = -0.552 m",
        reason="tuned to 48 N m, -0.491 mm and 0.8 deg; many other profiles give 48 N m as well.",
    ),
    Choice(
        subject="inertia about the screw",
        value="none",
        reason="not given; it acts as I / h'^2, 99 kg for 1e-3 kg m2, so a real robot needs it as soon as phi moves.",
    ),
)

DOCUMENT: Final = Document(
    key="wu2020",
    title=(
        "On the Dynamics and Computed Torque Control of an Asymmetric Four-Limb Parallel Schoenflies Motion Generator"
    ),
    authors=("Guanglei Wu", "Zirong Lin"),
    year=2020,
    venue="Journal of Robotics and Automation 4 (1), 168-178, https://doi.org/10.36959/673/368",
    errata=_ERRATA,
    choices=_CHOICES,
    not_reproducible=(
        "the motion profile of Fig. 5, its altitude, the definition of a cycle and the use of a payload",
        "the peak torque of 48 N m as a check: many profiles and heights reach it",
        "the exact form, sign and place of f",
        "the multibody model behind the simulation (real rods, friction)",
        "the curves of Figs. 7-10, the optimality of the gains, the experiment",
    ),
)
