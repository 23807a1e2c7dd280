"""The main job: can this robot do this task, what limits it, how fast could it be, and what would improve it?

`evaluate(robot, task)` answers an `Evaluation`: a verdict that rests on requirements, and sections of tables and
series. A section is one file in `parapick.evaluation.sections` and one line in its list. `compare` puts robots side by
side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.evaluation.comparing import (
        LARGEST as LARGEST,
        Comparison as Comparison,
        compare as compare,
    )
    from parapick.evaluation.context import (
        Context as Context,
    )
    from parapick.evaluation.default_task import (
        default_task as default_task,
    )
    from parapick.evaluation.evaluating import (
        evaluate as evaluate,
    )
    from parapick.evaluation.evaluation import (
        Evaluation as Evaluation,
        Verdict as Verdict,
    )
    from parapick.evaluation.impossible import (
        asked_of as asked_of,
    )
    from parapick.evaluation.limiting import (
        limiting_of as limiting_of,
    )
    from parapick.evaluation.load_requirements import (
        PEAK as PEAK,
        PUSH as PUSH,
        RMS as RMS,
        SPEED as SPEED,
        no_torque as no_torque,
    )
    from parapick.evaluation.motion_answer import (
        motion_answer as motion_answer,
    )
    from parapick.evaluation.pace import (
        Pace as Pace,
    )
    from parapick.evaluation.paces import (
        Paces as Paces,
    )
    from parapick.evaluation.run import (
        Run as Run,
        sampling_rate as sampling_rate,
    )
    from parapick.evaluation.sections.torque import (
        inertia_ratios as inertia_ratios,
    )
    from parapick.evaluation.tasks import (
        at_pace as at_pace,
        chosen_task as chosen_task,
        load_words as load_words,
        planned_of as planned_of,
        title_of as title_of,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "comparing": "Comparison LARGEST compare",
        "context": "Context",
        "default_task": "default_task",
        "evaluating": "evaluate",
        "evaluation": "Evaluation Verdict",
        "impossible": "asked_of",
        "limiting": "limiting_of",
        "load_requirements": "PEAK PUSH RMS SPEED no_torque",
        "motion_answer": "motion_answer",
        "pace": "Pace",
        "paces": "Paces",
        "run": "Run sampling_rate",
        "sections.torque": "inertia_ratios",
        "tasks": "at_pace chosen_task load_words planned_of title_of",
    },
)
