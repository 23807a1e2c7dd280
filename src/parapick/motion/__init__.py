"""Motions: where the plate goes, and when.

A time law (`LAWS`) says how a stroke is covered, a path where it leads. A `Route` is stretches of path, rests and what
is carried; `by_law` makes it a `Motion`, which knows pose, velocity and acceleration at any time, can be chained,
reversed, repeated and sampled. `adept_cycle`, `gate`, `straight` and `follow_path` do both at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.motion.adept import (
        ADEPT_HEIGHT as ADEPT_HEIGHT,
        ADEPT_WIDTH as ADEPT_WIDTH,
        adept_cycle as adept_cycle,
        check_corners as check_corners,
        cycle_ends as cycle_ends,
        move_time as move_time,
        there_and_back as there_and_back,
    )
    from parapick.motion.corners import (
        fastest_rounded as fastest_rounded,
    )
    from parapick.motion.errors import (
        STROKE_MIN as STROKE_MIN,
        LimitError as LimitError,
        StrokeError as StrokeError,
        UnknownLawError as UnknownLawError,
    )
    from parapick.motion.fitting import (
        Move as Move,
        PlateLimits as PlateLimits,
        fit as fit,
        plate_limits as plate_limits,
    )
    from parapick.motion.gate import (
        Gate as Gate,
        gate as gate,
        straight as straight,
        straight_route as straight_route,
    )
    from parapick.motion.law import (
        LAWS as LAWS,
        Law as Law,
        bang_bang as bang_bang,
        cubic as cubic,
        cycloid as cycloid,
        half_sine as half_sine,
        harmonic as harmonic,
        law_of as law_of,
        modified_sine as modified_sine,
        modified_trapezoid as modified_trapezoid,
        polynomial_345 as polynomial_345,
        polynomial_4567 as polynomial_4567,
        pulse as pulse,
        s_curve as s_curve,
        trapezoidal as trapezoidal,
    )
    from parapick.motion.law_form import (
        LawForm as LawForm,
    )
    from parapick.motion.motion import (
        Motion as Motion,
        hold as hold,
    )
    from parapick.motion.motion_pieces import (
        Along as Along,
        MotionPiece as MotionPiece,
        MotionState as MotionState,
        OnPath as OnPath,
        Timing as Timing,
        path_of as path_of,
        retimed as retimed,
    )
    from parapick.motion.path import (
        Path as Path,
        PathRates as PathRates,
    )
    from parapick.motion.peaks import (
        Peak as Peak,
        Peaks as Peaks,
    )
    from parapick.motion.profile import (
        Profile as Profile,
        Rates as Rates,
        Side as Side,
    )
    from parapick.motion.route import (
        Mark as Mark,
        Route as Route,
        RoutePosition as RoutePosition,
        Stretch as Stretch,
        by_law as by_law,
    )
    from parapick.motion.run import (
        along as along,
        follow_path as follow_path,
        path_route as path_route,
        pieces_entered as pieces_entered,
    )
    from parapick.motion.series import (
        PayloadStep as PayloadStep,
        Phase as Phase,
    )
    from parapick.motion.shapes import (
        gate_path as gate_path,
        line_path as line_path,
        rounded_path as rounded_path,
        with_yaw as with_yaw,
    )
    from parapick.motion.splines import (
        via_path as via_path,
    )
    from parapick.motion.strokes import (
        Stroke as Stroke,
        Strokes as Strokes,
    )
    from parapick.motion.together import (
        Entered as Entered,
    )
    from parapick.motion.tracking import (
        change_speed as change_speed,
        intercept as intercept,
        track as track,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "adept": "ADEPT_HEIGHT ADEPT_WIDTH adept_cycle check_corners cycle_ends move_time there_and_back",
        "corners": "fastest_rounded",
        "errors": "LimitError STROKE_MIN StrokeError UnknownLawError",
        "fitting": "Move PlateLimits fit plate_limits",
        "gate": "Gate gate straight straight_route",
        "law": (
            "LAWS Law bang_bang cubic cycloid half_sine harmonic law_of modified_sine modified_trapezoid "
            "polynomial_345 polynomial_4567 pulse s_curve trapezoidal"
        ),
        "law_form": "LawForm",
        "motion": "Motion hold",
        "motion_pieces": "Along MotionPiece MotionState OnPath Timing path_of retimed",
        "path": "Path PathRates",
        "peaks": "Peak Peaks",
        "profile": "Profile Rates Side",
        "route": "Mark Route RoutePosition Stretch by_law",
        "run": "along follow_path path_route pieces_entered",
        "series": "PayloadStep Phase",
        "shapes": "gate_path line_path rounded_path with_yaw",
        "splines": "via_path",
        "strokes": "Stroke Strokes",
        "together": "Entered",
        "tracking": "change_speed intercept track",
    },
)
