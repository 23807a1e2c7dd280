"""The sampled loop made linear, exactly, from the stages that `simulate` runs: poles, margins, responses, limits.

`sampled_loop` gives it at a pose or at an instant of a motion; what has no slope is taken out: encoder steps, limits,
dry friction, losses of gearboxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.analysis.linear_loop import SampledLoop
    from parapick.analysis.operating import ideal, sampled_loop, sampled_loops
    from parapick.analysis.stability_margins import LoopMargin, StabilityMargins

__all__ = ["LoopMargin", "SampledLoop", "StabilityMargins", "ideal", "sampled_loop", "sampled_loops"]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "stability_margins": ("LoopMargin", "StabilityMargins"),
        "operating": ("ideal", "sampled_loop", "sampled_loops"),
        "linear_loop": ("SampledLoop",),
    },
)
