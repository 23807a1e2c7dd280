"""What passes through the joints of the multibody model, by the engine's own recursion over its bodies.

The engine is given the accelerations and the forces of its loops; it adds up, from the leaves of its tree of bodies to
the root, what every body and all that hangs on it needs (`mj_rnePostConstraint`). That is the whole wrench between a
body and its parent, with what passes along the joint's own freedom.
"""

from __future__ import annotations

import numpy as np

from parapick.multibody.engine import Engine, mujoco
from parapick.multibody.loads import Solved


def joint_wrench(engine: Engine, moving: Solved, body: str, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Force (3,), N, and moment (3,), N m, about a point that the parent of a body puts on it.

    Args:
        engine: the working state, moving as it was solved.
        moving: inverse dynamics there; its `pull` may hold other forces that do the same.
        body: name of the body.
        point: where moments are counted (3,), m.
    """
    model, data = engine.model, engine.data
    data.qacc[:] = moving.acceleration
    data.efc_force[:] = 0.0
    data.efc_force[: data.ne] = moving.pull
    mujoco().mj_rnePostConstraint(model, data)
    number = model.body(body).id
    wrench, origin = np.array(data.cfrc_int[number]), np.array(data.subtree_com[model.body_rootid[number]])
    force = wrench[3:]
    return force, wrench[:3] + np.cross(origin - point, force)


def pin_force(engine: Engine, moving: Solved, name: str) -> np.ndarray:
    """Force (3,), N, of a pin's second point on its first.

    Args:
        engine: the working state.
        moving: inverse dynamics there.
        name: name of the pin among the equalities.
    """
    row = dict(engine.connects())[engine.model.equality(name).id]
    return moving.pull[row : row + 3]
