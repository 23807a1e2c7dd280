"""A robot that computes: `Model` is its public face; its answers, and what is asked of it, are beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.model.answers import (
        DriveLoad as DriveLoad,
        Energy as Energy,
        JointSpace as JointSpace,
        Kinematics as Kinematics,
        MixedSpace as MixedSpace,
    )
    from parapick.model.assembly import (
        SAME as SAME,
    )
    from parapick.model.clearance import (
        Clearance as Clearance,
    )
    from parapick.model.forces import (
        InnerForces as InnerForces,
    )
    from parapick.model.inertia import (
        felt_inertia as felt_inertia,
    )
    from parapick.model.margins import (
        LEAST_MARGIN as LEAST_MARGIN,
        MARGIN_KINDS as MARGIN_KINDS,
        Indices as Indices,
        Margins as Margins,
        too_near as too_near,
    )
    from parapick.model.model import (
        Model as Model,
    )
    from parapick.model.plate_joints import (
        COMPONENTS as COMPONENTS,
        PlateJointLoads as PlateJointLoads,
        plate_joint_loads_at as plate_joint_loads_at,
        unknown_joints as unknown_joints,
        why_unknown as why_unknown,
    )
    from parapick.model.plausibility import (
        HOME_MARGIN as HOME_MARGIN,
        all_doubts as all_doubts,
        number_doubts as number_doubts,
    )
    from parapick.model.reach import (
        Reach as Reach,
    )
    from parapick.model.regular import (
        SingularPoseError as SingularPoseError,
        check_regular as check_regular,
    )
    from parapick.model.robot_kernels import (
        RobotKernels as RobotKernels,
    )
    from parapick.model.room import (
        Room as Room,
        Surroundings as Surroundings,
    )
    from parapick.model.screw_pitch import (
        yaw_range_against_pitch as yaw_range_against_pitch,
    )
    from parapick.model.singularity import (
        NEAR as NEAR,
        Singularity as Singularity,
    )
    from parapick.model.yaw_interval import (
        YawInterval as YawInterval,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "answers": "DriveLoad Energy JointSpace Kinematics MixedSpace",
        "assembly": "SAME",
        "clearance": "Clearance",
        "forces": "InnerForces",
        "inertia": "felt_inertia",
        "margins": "Indices LEAST_MARGIN MARGIN_KINDS Margins too_near",
        "model": "Model",
        "plate_joints": "COMPONENTS PlateJointLoads plate_joint_loads_at unknown_joints why_unknown",
        "plausibility": "HOME_MARGIN all_doubts number_doubts",
        "reach": "Reach",
        "regular": "SingularPoseError check_regular",
        "robot_kernels": "RobotKernels",
        "room": "Room Surroundings",
        "screw_pitch": "yaw_range_against_pitch",
        "singularity": "NEAR Singularity",
        "yaw_interval": "YawInterval",
    },
)
