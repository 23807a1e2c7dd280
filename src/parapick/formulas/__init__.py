"""The formulas of a robot as expressions, for those who make kernels of them: kinematics, dynamics, slacks, margins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.formulas.buckling import (
        buckling_load as buckling_load,
    )
    from parapick.formulas.constraints import (
        constraints as constraints,
        pair_rows as pair_rows,
    )
    from parapick.formulas.dynamics import (
        PARTS as PARTS,
        Balance as Balance,
        PlateState as PlateState,
        balance as balance,
        missing_masses as missing_masses,
        reflected as reflected,
    )
    from parapick.formulas.expression import (
        Expression as Expression,
    )
    from parapick.formulas.friction import (
        friction_torque as friction_torque,
    )
    from parapick.formulas.inline import (
        inlined as inlined,
    )
    from parapick.formulas.instant_kinds import (
        INSTANT as INSTANT,
        InstantLimit as InstantLimit,
        instant_kinds as instant_kinds,
        states as states,
    )
    from parapick.formulas.instant_limits import (
        LIMIT as LIMIT,
        curve_limits as curve_limits,
        gearbox_outputs as gearbox_outputs,
        rod_limits as rod_limits,
    )
    from parapick.formulas.joint_rates import (
        JointRates as JointRates,
    )
    from parapick.formulas.kernels import (
        ROOMS as ROOMS,
        expression_of as expression_of,
        kernel_of as kernel_of,
        sharing_kernel as sharing_kernel,
    )
    from parapick.formulas.kinematics import (
        CLOSURE_TOLERANCE as CLOSURE_TOLERANCE,
        NEWTON_STEPS as NEWTON_STEPS,
        STEP_TOLERANCE as STEP_TOLERANCE,
        closed_loops as closed_loops,
        closure as closure,
        forward_kinematics as forward_kinematics,
        inverse_jacobian as inverse_jacobian,
        inverse_kinematics as inverse_kinematics,
        joint_accelerations as joint_accelerations,
        kinematics as kinematics,
        newton_step as newton_step,
        task_scale as task_scale,
        task_vector as task_vector,
    )
    from parapick.formulas.link_distances import (
        link_pairs as link_pairs,
    )
    from parapick.formulas.motor_heat import (
        motor_heat as motor_heat,
    )
    from parapick.formulas.redundancy import (
        facets as facets,
        least_norm as least_norm,
        least_peak as least_peak,
    )
    from parapick.formulas.rod_forces import (
        axial_forces as axial_forces,
    )
    from parapick.formulas.slack_kinds import (
        FAULTS as FAULTS,
        SLACKS as SLACKS,
        Slack as Slack,
    )
    from parapick.formulas.terms import (
        Motions as Motions,
    )
    from parapick.formulas.tool_load import (
        gripper_column as gripper_column,
        held_together as held_together,
    )
    from parapick.formulas.torque_curve import (
        curve_lines as curve_lines,
        curve_torque as curve_torque,
    )
    from parapick.formulas.torques import (
        SINGULAR as SINGULAR,
        driven as driven,
        inverse_dynamics as inverse_dynamics,
        shared_torque as shared_torque,
        state_of as state_of,
        validity_of as validity_of,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "buckling": "buckling_load",
        "constraints": "constraints pair_rows",
        "dynamics": "Balance PARTS PlateState balance missing_masses reflected",
        "expression": "Expression",
        "friction": "friction_torque",
        "inline": "inlined",
        "instant_kinds": "INSTANT InstantLimit instant_kinds states",
        "instant_limits": "LIMIT curve_limits gearbox_outputs rod_limits",
        "joint_rates": "JointRates",
        "kernels": "ROOMS expression_of kernel_of sharing_kernel",
        "kinematics": (
            "CLOSURE_TOLERANCE NEWTON_STEPS STEP_TOLERANCE closed_loops closure forward_kinematics inverse_jacobian "
            "inverse_kinematics joint_accelerations kinematics newton_step task_scale task_vector"
        ),
        "link_distances": "link_pairs",
        "motor_heat": "motor_heat",
        "redundancy": "facets least_norm least_peak",
        "rod_forces": "axial_forces",
        "slack_kinds": "FAULTS SLACKS Slack",
        "terms": "Motions",
        "tool_load": "gripper_column held_together",
        "torque_curve": "curve_lines curve_torque",
        "torques": "SINGULAR driven inverse_dynamics shared_torque state_of validity_of",
    },
)
