"""The sampled loop made linear, exactly, from the stages that `simulate` runs: poles, margins, responses, limits.

`sampled_loop` gives it at a pose or at an instant of a motion; what has no slope is taken out: encoder steps, limits,
dry friction, losses of gearboxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.analysis.analysing import (
        Analysis as Analysis,
        LoopAnalysis as LoopAnalysis,
        Response as Response,
        analyse as analyse,
        with_fixed_gains as with_fixed_gains,
    )
    from parapick.analysis.analysis_answer import (
        analysis_answer as analysis_answer,
    )
    from parapick.analysis.linear_loop import (
        SampledLoop as SampledLoop,
    )
    from parapick.analysis.operating_point import (
        OperatingPoint as OperatingPoint,
        ideal as ideal,
        operating_point as operating_point,
        sampled_loop as sampled_loop,
        sampled_loops as sampled_loops,
        smooth_numbers as smooth_numbers,
        undisturbed as undisturbed,
    )
    from parapick.analysis.period_map import (
        smooth as smooth,
    )
    from parapick.analysis.s_plane import (
        FAST as FAST,
    )
    from parapick.analysis.sampling import (
        encoder_noise as encoder_noise,
        sampling_limit as sampling_limit,
    )
    from parapick.analysis.sine_tests import (
        sine_test as sine_test,
    )
    from parapick.analysis.stability_margins import (
        POINTS as POINTS,
        LoopMargin as LoopMargin,
        StabilityMargins as StabilityMargins,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "analysing": "Analysis LoopAnalysis Response analyse with_fixed_gains",
        "analysis_answer": "analysis_answer",
        "linear_loop": "SampledLoop",
        "operating_point": (
            "OperatingPoint ideal operating_point sampled_loop sampled_loops smooth_numbers undisturbed"
        ),
        "period_map": "smooth",
        "s_plane": "FAST",
        "sampling": "encoder_noise sampling_limit",
        "sine_tests": "sine_test",
        "stability_margins": "LoopMargin POINTS StabilityMargins",
    },
)
