"""The sampled loop made linear, exactly, from the stages that `simulate` runs: poles, margins, responses, limits.

`sampled_loop` gives it at a pose or at an instant of a motion; what has no slope is taken out: encoder steps, limits,
dry friction, losses of gearboxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.analysis.analysing import LoopAnalysis, Response, analyse, with_fixed_gains
    from parapick.analysis.answering import analysis_answer
    from parapick.analysis.linear_loop import SampledLoop
    from parapick.analysis.operating import ideal, sampled_loop, sampled_loops
    from parapick.analysis.sampling import encoder_noise, sampling_limit
    from parapick.analysis.sine_tests import sine_test
    from parapick.analysis.stability_margins import LoopMargin, StabilityMargins

__all__ = [
    "LoopAnalysis",
    "LoopMargin",
    "Response",
    "SampledLoop",
    "StabilityMargins",
    "analyse",
    "analysis_answer",
    "encoder_noise",
    "ideal",
    "sampled_loop",
    "sampled_loops",
    "sampling_limit",
    "sine_test",
    "with_fixed_gains",
]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {
        "analysing": ("LoopAnalysis", "Response", "analyse", "with_fixed_gains"),
        "answering": ("analysis_answer",),
        "linear_loop": ("SampledLoop",),
        "operating": ("ideal", "sampled_loop", "sampled_loops"),
        "sampling": ("encoder_noise", "sampling_limit"),
        "sine_tests": ("sine_test",),
        "stability_margins": ("LoopMargin", "StabilityMargins"),
    },
)
