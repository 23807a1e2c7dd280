"""What a robot says of itself at a pose or a state: reach, margins, modes, torques, with poses and loads in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.inspection.margins_answer import (
        margins_answer as margins_answer,
    )
    from parapick.inspection.mode_clearances import (
        ModeClearance as ModeClearance,
        collision_free_modes as collision_free_modes,
        mode_clearances as mode_clearances,
    )
    from parapick.inspection.modes_answer import (
        modes_answer as modes_answer,
    )
    from parapick.inspection.naming import (
        about as about,
        at_pose as at_pose,
        coordinates as coordinates,
        load_lines as load_lines,
        named as named,
        out_of_reach as out_of_reach,
        place_text as place_text,
        rod_names as rod_names,
        sharing_words as sharing_words,
        subject as subject,
        unit_of as unit_of,
    )
    from parapick.inspection.plate_joint_tables import (
        joint_series as joint_series,
        largest_data as largest_data,
        largest_words as largest_words,
        left_out_note as left_out_note,
        peak_table as peak_table,
    )
    from parapick.inspection.pose_answer import (
        pose_answer as pose_answer,
    )
    from parapick.inspection.rod_loads import (
        RodLoads as RodLoads,
        rod_loads as rod_loads,
    )
    from parapick.inspection.rod_pairs import (
        pair_determinants as pair_determinants,
        rod_pair_matrix as rod_pair_matrix,
    )
    from parapick.inspection.samples_file import (
        SAMPLES_MAX as SAMPLES_MAX,
        read_samples as read_samples,
        samples_csv as samples_csv,
    )
    from parapick.inspection.torque_along import (
        motor_table as motor_table,
        torque_along as torque_along,
        torque_csv as torque_csv,
    )
    from parapick.inspection.torque_answer import (
        torque_answer as torque_answer,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "margins_answer": "margins_answer",
        "mode_clearances": "ModeClearance collision_free_modes mode_clearances",
        "modes_answer": "modes_answer",
        "naming": (
            "about at_pose coordinates subject load_lines named out_of_reach place_text rod_names sharing_words unit_of"
        ),
        "plate_joint_tables": "joint_series largest_data largest_words left_out_note peak_table",
        "pose_answer": "pose_answer",
        "rod_loads": "RodLoads rod_loads",
        "rod_pairs": "pair_determinants rod_pair_matrix",
        "samples_file": "SAMPLES_MAX read_samples samples_csv",
        "torque_along": "motor_table torque_along torque_csv",
        "torque_answer": "torque_answer",
    },
)
