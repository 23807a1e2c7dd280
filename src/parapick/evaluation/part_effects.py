"""What better parts do to what limits a task, and to its fastest cycle: the changed robots, evaluated and timed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

from parapick.answer import Column, Table
from parapick.errors import ParapickError
from parapick.evaluation.context import Context
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.pace import Pace
from parapick.evaluation.remedies import Remedy, remedies, states_parts
from parapick.evaluation.run import Run
from parapick.model import Model
from parapick.ride import limits_jerk

STRETCHES: Final = 12
"""Stretches of a cycle up to which changed robots are timed under heat: about a tenth of a second each."""


@final
@dataclass(frozen=True)
class PartEffect:
    """What a better part does.

    Attributes:
        remedy: the part.
        use: share of its limit that what limits the task uses with it; None where no robot can have it.
        cycle: relative change of the fastest cycle's duration; None where there is none.
    """

    remedy: Remedy
    use: float | None
    cycle: float | None

    @property
    def data(self) -> dict[str, object]:
        """The same for programs."""
        remedy = self.remedy
        numbers = {"changes": dict(remedy.changes), "use": self.use, "cycle_time": self.cycle}
        return {"part": remedy.key, "words": remedy.words, **numbers}


def part_effects(context: Context) -> list[PartEffect]:
    """Better parts of a robot and what they do; none where its file states no parts, or nothing limits the task.

    Args:
        context: the robot along the motion of its task, with torques.
    """
    here = limiting_of(context.run.load_requirements)
    if not states_parts(context.model.numbers) or here is None:
        return []
    now, timed = fastest_or_none(context), _fastest(context)
    limits = (here,) if timed is None or timed.decides is None else (here, timed.decides)
    models = [(remedy, changed_model(context, remedy.changes)) for remedy in remedies(context.model.numbers, limits)]
    possible = [(remedy, model) for remedy, model in models if model is not None]
    paces = [None] * len(possible) if now is None else context.fastest_paces([model for _, model in possible])
    effects = []
    for (remedy, model), pace in zip(possible, paces, strict=True):
        again = Run.of(model, context.motion).load_requirements
        use = next((requirement.use for requirement in again if requirement.name == here.name), None)
        change = None if now is None or not isinstance(pace, Pace) else pace.motion.duration / now.motion.duration - 1.0
        effects.append(PartEffect(remedy, use, change))
    return effects


def fastest_or_none(context: Context) -> Pace | None:
    """The fastest cycle of the robot as it is, for comparison with changed ones; None where there is none to compare.

    Args:
        context: the robot along the motion of its task.
    """
    return None if not_retimed(context) else _fastest(context)


def not_retimed(context: Context) -> str:
    """Why changed robots are not timed, where each would take a second or so; empty where they are.

    A bound on jerk makes each cycle a row of linear programmes. Under heat all stretches are one programme, which is
    soon solved for a few of them and not for a tray.

    Args:
        context: the robot along the motion of its task.
    """
    if limits_jerk(context.model):
        return "the file limits joint jerk"
    if context.no_pace or context.motion.is_synchronized:
        return ""
    stretches = sum(not part.resting for part in context.route.parts)
    pace = _fastest(context) if stretches > STRETCHES else None
    return f"the cycle has {stretches} stretches under heat" if pace is not None and pace.hot else ""


def _fastest(context: Context) -> Pace | None:
    if context.no_pace:
        return None
    try:
        return context.fastest_pace
    except ParapickError:
        return None


def changed_model(context: Context, changes: Mapping[str, float]) -> Model | None:
    """The robot with other numbers; None where no robot can have them.

    Args:
        context: the robot along the motion of its task.
        changes: numbers by path (SI).
    """
    try:
        return context.model.with_parameters(changes)
    except ParapickError:
        return None


def parts_table(context: Context, effects: list[PartEffect]) -> Iterator[Table]:
    """What better parts do, a row each; no table without any.

    Args:
        context: the robot along the motion of its task.
        effects: what they do.
    """
    here = limiting_of(context.run.load_requirements)
    if not effects or here is None:
        return
    rows = tuple((effect.remedy.words, _percent(effect.use), _percent(effect.cycle)) for effect in effects)
    heads = (Column("part"), Column("used", "%", decimals=1), Column("cycle time", "%", decimals=1, signed=True))
    use = "" if here.use is None else f", at {100.0 * here.use:.1f} % as it is"
    note = (
        f"Used is the share of its limit of what limits the task ({here.name}{use}), with the motion as it is; cycle "
        "time is the change of the fastest cycle, by timing the changed robot. A motor has more torque at every speed, "
        "peak and continuous; with the voltage the speeds of peak curves grow. All numbers are in the JSON."
    )
    yield Table("parts", "what better parts would bring", heads, rows, note)


def _percent(share: float | None) -> float | None:
    return None if share is None else 100.0 * share
