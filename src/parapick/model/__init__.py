"""What follows from a robot's description, as expressions; `Model` is its public face."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.model.answers import DriveLoad, Energy, JointSpace, Kinematics, MixedSpace
    from parapick.model.between import holds_between
    from parapick.model.cam import cam_table
    from parapick.model.clearance import Clearance, ModeClearance, collision_free_modes, mode_clearances
    from parapick.model.forces import InnerForces, RodLoads, buckling_load, rod_loads
    from parapick.model.kernels import EXPRESSIONS
    from parapick.model.margins import Indices, Margins
    from parapick.model.model import Model
    from parapick.model.motors import Motors, SpeedLimit, TorqueLimit
    from parapick.model.parts import part_jacobians, part_names, part_velocities
    from parapick.model.payload import Load, Payload
    from parapick.model.plate_joints import PlateJointLoads
    from parapick.model.plausibility import all_doubts
    from parapick.model.power import Power, power_of
    from parapick.model.reach import FAULTS, SLACKS, Reach, Slack
    from parapick.model.ride import MotorLoads, Ride
    from parapick.model.rod_pairs import pair_determinants, rod_pair_matrix
    from parapick.model.room import Room, Surroundings
    from parapick.model.samples import Samples
    from parapick.model.sharing import least_peak_along, null_space, preloaded
    from parapick.model.singularity import Singularity
    from parapick.model.worst import MotorWorst, UnfollowableError, Worst
    from parapick.model.yaw import YawInterval, yaw_range_against_pitch

__all__ = [
    "EXPRESSIONS",
    "FAULTS",
    "SLACKS",
    "Clearance",
    "DriveLoad",
    "Energy",
    "Indices",
    "InnerForces",
    "JointSpace",
    "Kinematics",
    "Load",
    "Margins",
    "MixedSpace",
    "ModeClearance",
    "Model",
    "MotorLoads",
    "MotorWorst",
    "Motors",
    "Payload",
    "PlateJointLoads",
    "Power",
    "Reach",
    "Ride",
    "RodLoads",
    "Room",
    "Samples",
    "Singularity",
    "Slack",
    "SpeedLimit",
    "Surroundings",
    "TorqueLimit",
    "UnfollowableError",
    "Worst",
    "YawInterval",
    "all_doubts",
    "buckling_load",
    "cam_table",
    "collision_free_modes",
    "holds_between",
    "least_peak_along",
    "mode_clearances",
    "null_space",
    "pair_determinants",
    "part_jacobians",
    "part_names",
    "part_velocities",
    "power_of",
    "preloaded",
    "rod_loads",
    "rod_pair_matrix",
    "yaw_range_against_pitch",
]

# Each is imported at its first use: a command needs few of them.
__getattr__ = fetching(
    __name__,
    {
        "answers": ("DriveLoad", "Energy", "JointSpace", "Kinematics", "MixedSpace"),
        "between": ("holds_between",),
        "cam": ("cam_table",),
        "clearance": ("Clearance", "ModeClearance", "collision_free_modes", "mode_clearances"),
        "forces": ("InnerForces", "RodLoads", "buckling_load", "rod_loads"),
        "kernels": ("EXPRESSIONS",),
        "margins": ("Indices", "Margins"),
        "model": ("Model",),
        "motors": ("Motors", "SpeedLimit", "TorqueLimit"),
        "parts": ("part_jacobians", "part_names", "part_velocities"),
        "payload": ("Load", "Payload"),
        "plate_joints": ("PlateJointLoads",),
        "plausibility": ("all_doubts",),
        "power": ("Power", "power_of"),
        "reach": ("FAULTS", "SLACKS", "Reach", "Slack"),
        "ride": ("MotorLoads", "Ride"),
        "rod_pairs": ("pair_determinants", "rod_pair_matrix"),
        "room": ("Room", "Surroundings"),
        "samples": ("Samples",),
        "sharing": ("least_peak_along", "null_space", "preloaded"),
        "singularity": ("Singularity",),
        "worst": ("MotorWorst", "UnfollowableError", "Worst"),
        "yaw": ("YawInterval", "yaw_range_against_pitch"),
    },
)
