"""The same robot in an independent engine, MuJoCo, made from bodies, joints and attachment points alone.

It shares no formula of motion with `model/`: the engine closes the loops and does the dynamics, so what both say alike
is right for two different reasons.
"""

from __future__ import annotations

from parapick.multibody.assembly import Assembly, assemble, set_pose
from parapick.multibody.document import Options, mjcf
from parapick.multibody.loads import Loads, inverse_dynamics
from parapick.multibody.stepping import Rollout, rollout

__all__ = ["Assembly", "Loads", "Options", "Rollout", "assemble", "inverse_dynamics", "mjcf", "rollout", "set_pose"]
