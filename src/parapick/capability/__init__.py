"""What the motors allow, everywhere: accelerations, forces, speeds and stiffness of the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.capability.acceleration import (
        Acceleration as Acceleration,
        YawAcceleration as YawAcceleration,
        acceleration as acceleration,
        acceleration_along as acceleration_along,
        acceleration_any as acceleration_any,
        ball_only as ball_only,
        yaw_acceleration as yaw_acceleration,
    )
    from parapick.capability.capability_answer import (
        capability_answer as capability_answer,
        capability_at as capability_at,
    )
    from parapick.capability.effort import (
        Effort as Effort,
        Settings as Settings,
        effort as effort,
    )
    from parapick.capability.ellipsoid import (
        Ellipsoid as Ellipsoid,
        ellipsoid as ellipsoid,
    )
    from parapick.capability.force import (
        Force as Force,
        force as force,
        force_along as force_along,
        payload as payload,
    )
    from parapick.capability.half_spaces import (
        HalfSpaces as HalfSpaces,
        half_spaces as half_spaces,
    )
    from parapick.capability.index import (
        INDICES as INDICES,
        UnknownIndexError as UnknownIndexError,
        index_of as index_of,
    )
    from parapick.capability.index_types import (
        Index as Index,
        IndexOptions as IndexOptions,
    )
    from parapick.capability.kernels import (
        constants as constants,
        kernel_for as kernel_for,
    )
    from parapick.capability.map import (
        MAP_REASONS as MAP_REASONS,
        Extreme as Extreme,
        Homogeneity as Homogeneity,
        IndexMap as IndexMap,
        index_map as index_map,
    )
    from parapick.capability.map_answer import (
        map_answer as map_answer,
    )
    from parapick.capability.map_region import (
        Axis as Axis,
        Lattice as Lattice,
        cut as cut,
        lattice as lattice,
        region_of as region_of,
        region_text as region_text,
    )
    from parapick.capability.polytope import (
        Polytope as Polytope,
        Zonotope as Zonotope,
        acceleration_set as acceleration_set,
        zonotope_indices as zonotope_indices,
        zonotope_polytope as zonotope_polytope,
    )
    from parapick.capability.pose_expressions import (
        PLAIN_SETTINGS as PLAIN_SETTINGS,
        POSE_EXPRESSIONS as POSE_EXPRESSIONS,
        Elasticity as Elasticity,
        PoseSettings as PoseSettings,
    )
    from parapick.capability.reachable import (
        WorkspaceMap as WorkspaceMap,
        workspace as workspace,
    )
    from parapick.capability.section import (
        Section as Section,
    )
    from parapick.capability.speed import (
        Speed as Speed,
        speed as speed,
        speed_along as speed_along,
    )
    from parapick.capability.stiffness import (
        Stiffness as Stiffness,
        stiffness as stiffness,
        stiffness_expression as stiffness_expression,
    )
    from parapick.capability.views import (
        ray_of as ray_of,
        section_of as section_of,
    )
    from parapick.capability.workspace_margins import (
        workspace_margins as workspace_margins,
    )
    from parapick.capability.yaw_stiffness import (
        YawStiffness as YawStiffness,
        yaw_stiffness as yaw_stiffness,
    )
    from parapick.capability.zonotope import (
        ball as ball,
        farthest as farthest,
        stretch as stretch,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "acceleration": (
            "Acceleration YawAcceleration acceleration acceleration_along acceleration_any ball_only yaw_acceleration"
        ),
        "capability_answer": "capability_answer capability_at",
        "effort": "Effort Settings effort",
        "ellipsoid": "Ellipsoid ellipsoid",
        "force": "Force force force_along payload",
        "half_spaces": "HalfSpaces half_spaces",
        "index": "INDICES UnknownIndexError index_of",
        "index_types": "Index IndexOptions",
        "kernels": "constants kernel_for",
        "map": "Extreme Homogeneity IndexMap MAP_REASONS index_map",
        "map_answer": "map_answer",
        "map_region": "Axis Lattice cut lattice region_of region_text",
        "polytope": "Polytope Zonotope acceleration_set zonotope_indices zonotope_polytope",
        "pose_expressions": "Elasticity PLAIN_SETTINGS POSE_EXPRESSIONS PoseSettings",
        "reachable": "WorkspaceMap workspace",
        "section": "Section",
        "speed": "Speed speed speed_along",
        "stiffness": "Stiffness stiffness stiffness_expression",
        "views": "ray_of section_of",
        "workspace_margins": "workspace_margins",
        "yaw_stiffness": "YawStiffness yaw_stiffness",
        "zonotope": "ball farthest stretch",
    },
)
