"""What a robot is: frozen dataclasses whose floats are the parameters of every kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.mechanism.base import (
        DIRECTIONS as DIRECTIONS,
        Base as Base,
        Placed as Placed,
        Radial as Radial,
        Rails as Rails,
    )
    from parapick.mechanism.box import (
        Box as Box,
    )
    from parapick.mechanism.brake import (
        Brake as Brake,
    )
    from parapick.mechanism.bus import (
        Bus as Bus,
    )
    from parapick.mechanism.changes import (
        names_something as names_something,
        replaced as replaced,
        stated as stated,
    )
    from parapick.mechanism.checks import (
        PRINTED as PRINTED,
        problems as problems,
    )
    from parapick.mechanism.curve import (
        Points as Points,
        TorqueCurve as TorqueCurve,
    )
    from parapick.mechanism.cylinder import (
        Cylinder as Cylinder,
    )
    from parapick.mechanism.doubts import (
        doubts as doubts,
    )
    from parapick.mechanism.drive import (
        SLIDING as SLIDING,
        TURNING as TURNING,
        AnyDrive as AnyDrive,
        Drive as Drive,
        Friction as Friction,
        LinearFriction as LinearFriction,
        LinearMotor as LinearMotor,
        MotorAxis as MotorAxis,
    )
    from parapick.mechanism.drive_checks import (
        drive_problems as drive_problems,
    )
    from parapick.mechanism.gearbox import (
        Gearbox as Gearbox,
    )
    from parapick.mechanism.gripper import (
        Gripper as Gripper,
    )
    from parapick.mechanism.length_masses import (
        changed_length_doubts as changed_length_doubts,
        changed_numbers as changed_numbers,
        length_doubts as length_doubts,
    )
    from parapick.mechanism.limb import (
        AnyLimb as AnyLimb,
        CarriageLimb as CarriageLimb,
        Limb as Limb,
        per_leg as per_leg,
    )
    from parapick.mechanism.modes import (
        in_mode as in_mode,
        mode_of as mode_of,
        modes_of as modes_of,
    )
    from parapick.mechanism.payload import (
        NOTHING as NOTHING,
        Load as Load,
        Payload as Payload,
        ToolLoads as ToolLoads,
        combined as combined,
    )
    from parapick.mechanism.ratings import (
        jerk_ratings as jerk_ratings,
        motor_ratings as motor_ratings,
        speed_bounds as speed_bounds,
    )
    from parapick.mechanism.region import (
        Limits as Limits,
        Region as Region,
        Workspace as Workspace,
    )
    from parapick.mechanism.region_ends import (
        ends_text as ends_text,
        snapped as snapped,
    )
    from parapick.mechanism.revolved import (
        Revolved as Revolved,
    )
    from parapick.mechanism.robot import (
        TASK_NAMES as TASK_NAMES,
        Robot as Robot,
        WorkingMode as WorkingMode,
    )
    from parapick.mechanism.rod import (
        LUMPED as LUMPED,
        ROD_MODELS as ROD_MODELS,
        SPACING_SHARE as SPACING_SHARE,
        VARIABLE as VARIABLE,
        Ends as Ends,
        RodBody as RodBody,
        end_forces as end_forces,
        rod_inertia as rod_inertia,
    )
    from parapick.mechanism.stance import (
        stance as stance,
    )
    from parapick.mechanism.winding import (
        Winding as Winding,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "base": "Base DIRECTIONS Placed Radial Rails",
        "box": "Box",
        "brake": "Brake",
        "bus": "Bus",
        "changes": "names_something replaced stated",
        "checks": "PRINTED problems",
        "curve": "Points TorqueCurve",
        "cylinder": "Cylinder",
        "doubts": "doubts",
        "drive": "AnyDrive Drive Friction LinearFriction LinearMotor MotorAxis SLIDING TURNING",
        "drive_checks": "drive_problems",
        "gearbox": "Gearbox",
        "gripper": "Gripper",
        "length_masses": "changed_length_doubts changed_numbers length_doubts",
        "limb": "AnyLimb CarriageLimb Limb per_leg",
        "modes": "in_mode mode_of modes_of",
        "payload": "Load NOTHING Payload ToolLoads combined",
        "ratings": "jerk_ratings motor_ratings speed_bounds",
        "region": "Limits Region Workspace",
        "region_ends": "ends_text snapped",
        "revolved": "Revolved",
        "robot": "TASK_NAMES Robot WorkingMode",
        "rod": "Ends LUMPED ROD_MODELS RodBody SPACING_SHARE VARIABLE end_forces rod_inertia",
        "stance": "stance",
        "winding": "Winding",
    },
)
