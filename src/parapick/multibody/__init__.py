"""The same robot in an independent engine, MuJoCo, made from bodies, joints and attachment points alone.

It shares no formula of motion with `model/`: the engine closes the loops and does the dynamics, so what both say alike
is right for two different reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.multibody.assembly import (
        Assembly as Assembly,
        assemble as assemble,
        set_pose as set_pose,
    )
    from parapick.multibody.document import (
        LOOP_TIME as LOOP_TIME,
        Options as Options,
        mjcf as mjcf,
    )
    from parapick.multibody.engine import (
        Engine as Engine,
        mujoco as mujoco,
    )
    from parapick.multibody.loads import (
        Loads as Loads,
        inverse_dynamics as inverse_dynamics,
    )
    from parapick.multibody.series import (
        EngineSeries as EngineSeries,
        engine_series as engine_series,
    )
    from parapick.multibody.stepping import (
        LOOP_STEPS as LOOP_STEPS,
        Rollout as Rollout,
        rollout as rollout,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "assembly": "Assembly assemble set_pose",
        "document": "LOOP_TIME Options mjcf",
        "engine": "Engine mujoco",
        "loads": "Loads inverse_dynamics",
        "series": "EngineSeries engine_series",
        "stepping": "LOOP_STEPS Rollout rollout",
    },
)
