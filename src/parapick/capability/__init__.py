"""What the motors allow, everywhere: accelerations, forces, speeds and stiffness of the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.capability.acceleration import (
    Acceleration,
    YawAcceleration,
    acceleration,
    acceleration_along,
    acceleration_any,
    yaw_acceleration,
)
from parapick.capability.ellipsoid import Ellipsoid, ellipsoid
from parapick.capability.force import Force, force, force_along, payload
from parapick.capability.half_spaces import HalfSpaces, half_spaces
from parapick.capability.speed import Speed, speed, speed_along
from parapick.capability.stiffness import Stiffness, stiffness
from parapick.capability.yaw_stiffness import YawStiffness, yaw_stiffness
from parapick.deferred import fetching
from parapick.model.motors import SpeedLimit, TorqueLimit

if TYPE_CHECKING:
    from parapick.capability.index import INDICES, UnknownIndexError, index_of
    from parapick.capability.index_types import Index, IndexOptions
    from parapick.capability.map import MAP_REASONS, Extreme, Homogeneity, IndexMap, index_map
    from parapick.capability.map_region import Axis, Lattice, cut, lattice, region_of
    from parapick.capability.polytope import (
        Polytope,
        Zonotope,
        acceleration_set,
        zonotope_indices,
        zonotope_polytope,
    )
    from parapick.capability.reachable import WorkspaceMap, workspace

__all__ = [
    "INDICES",
    "MAP_REASONS",
    "Acceleration",
    "Axis",
    "Ellipsoid",
    "Extreme",
    "Force",
    "HalfSpaces",
    "Homogeneity",
    "Index",
    "IndexMap",
    "IndexOptions",
    "Lattice",
    "Polytope",
    "Speed",
    "SpeedLimit",
    "Stiffness",
    "TorqueLimit",
    "UnknownIndexError",
    "WorkspaceMap",
    "YawAcceleration",
    "YawStiffness",
    "Zonotope",
    "acceleration",
    "acceleration_along",
    "acceleration_any",
    "acceleration_set",
    "cut",
    "ellipsoid",
    "force",
    "force_along",
    "half_spaces",
    "index_map",
    "index_of",
    "lattice",
    "payload",
    "region_of",
    "speed",
    "speed_along",
    "stiffness",
    "workspace",
    "yaw_acceleration",
    "yaw_stiffness",
    "zonotope_indices",
    "zonotope_polytope",
]

# Each is imported at its first use. Those whose name is that of their module cannot be.
__getattr__ = fetching(
    __name__,
    {
        "index": ("INDICES", "UnknownIndexError", "index_of"),
        "index_types": ("Index", "IndexOptions"),
        "map": ("MAP_REASONS", "Extreme", "Homogeneity", "IndexMap", "index_map"),
        "map_region": ("Axis", "Lattice", "cut", "lattice", "region_of"),
        "polytope": ("Polytope", "Zonotope", "acceleration_set", "zonotope_indices", "zonotope_polytope"),
        "reachable": ("WorkspaceMap", "workspace"),
    },
)
