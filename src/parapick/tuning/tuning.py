"""`tune_gains`: gains that keep what they must and follow best, from a controller, bounds and scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

import numpy as np

from parapick.analysis import POINTS, SampledLoop
from parapick.control import Controller, with_true_sources
from parapick.model import Model
from parapick.motion import Motion
from parapick.progress import Listener, tell
from parapick.search import End, Free, missing
from parapick.tuning.errors import NoGainsError
from parapick.tuning.free_gains import ON_BOUND, GainSpace, gain_space
from parapick.tuning.gain_search import BestCandidate, GainProblem, SearchEffort, best_gains, check_effort, continued
from parapick.tuning.goals import MARGINS, Goal, LoopMargins, check_goal
from parapick.tuning.scenarios import Conditions, Scenario, scenarios_of
from parapick.tuning.simpler_choices import SimplerChoice, simpler_choices
from parapick.tuning.trial import UNSTABLE, Trial, trial_of

Bounds = Mapping[str, tuple[float, float] | Free]
"""Lower and upper bound of each free number, by its path."""

VERIFIED: Final = 9
"""Poses along the motion at which the margins of the result are looked at; the search looks at fewer."""

ROUNDS: Final = 3
"""How often a result whose margins do not hold at all poses is moved on."""

SPARE: Final = 1e-3
"""Share by which more than the missing margin is asked for then."""

STEPS: Final = (0.5, 0.9, 0.95, 1.05, 1.1, 2.0)
"""Factors on each number of the result at which the objective is looked at again."""

_NOMINAL: Final = Conditions()
_GOAL: Final = Goal()
_EFFORT: Final = SearchEffort()


class Sensitivity(NamedTuple):
    """What another number does to the objective.

    Attributes:
        path: the number.
        factor: what it is multiplied by.
        ratio: objective over that of the result; infinite where the loop does not do its work.
        beyond: whether the number is then beyond its bounds.
    """

    path: str
    factor: float
    ratio: float
    beyond: bool


@final
@dataclass(frozen=True, eq=False, repr=False)
class Tuning:
    """A tuned controller.

    Attributes:
        controller: the controller, ready to run.
        given: the controller before anything of it was freed.
        values: the free numbers by path (SI; factors where the bounds are).
        bounds: which of them sit on a bound: "lower" or "upper", by path.
        goal: what was minimised and kept.
        objective: objective over all scenarios.
        by_scenario: objective of each, by name.
        margins: margins over all scenarios, at more poses than those of the search.
        sensitivities: what other numbers do to the objective.
        simpler: what simpler choices cost.
        loops: the nominal loop made linear at rest, at poses along the motion.
        runs: how many simulations were run.
        end: how the search ended; None where no step was taken.
    """

    controller: Controller
    given: Controller
    values: dict[str, float]
    bounds: dict[str, str]
    goal: Goal
    objective: float
    by_scenario: dict[str, float]
    margins: LoopMargins
    sensitivities: tuple[Sensitivity, ...]
    simpler: tuple[SimplerChoice, ...]
    loops: tuple[SampledLoop, ...]
    runs: int
    end: End | None = None

    def __repr__(self) -> str:
        return f"<Tuning of {self.controller.run_name}: {self.goal.objective} {self.objective:.4g}, {self.runs} runs>"

    @property
    def keeps(self) -> bool:
        """Whether the margins hold at all the poses that were looked at in the end."""
        return self.goal.kept(self.margins)


def tune_gains(
    model: Model,
    motion: Motion,
    controller: Controller,
    bounds: Bounds,
    *,
    goal: Goal = _GOAL,
    conditions: Conditions = _NOMINAL,
    effort: SearchEffort = _EFFORT,
    given: Controller | None = None,
    progress: Listener | None = None,
) -> Tuning:
    """Gains and feedforward numbers that follow a motion best, within bounds, in all scenarios at once.

    Candidates are run through the native loop, one per vector lane; a candidate counts only if its sampled loop is
    stable at rest at poses along the motion and keeps the margins that are asked for, in every scenario.

    Args:
        controller: the controller whose numbers are free; it stays what it is otherwise.
        bounds: lower and upper bound of each free number, by its path (`law.kp`, `law.poles.frequency`, ...).
        goal: what is minimised, and the margins.
        conditions: payloads, frictions and mass errors.
        effort: how much is tried.
        given: the controller that the result is compared with, where `controller` states its gains by poles and it
            does not; `controller` itself if not given.
        progress: called with the simulations that were run, now and then; what it raises ends the work.

    Raises:
        ParameterError: a path that the law does not have, bounds that cross, a scenario that cannot be.
        NoGainsError: nothing within the bounds is stable, keeps its margins or follows the path.
    """
    check_goal(goal)
    check_effort(effort)
    space = gain_space(model, motion, controller, bounds)
    scenarios = scenarios_of(model, motion, space.controller, conditions)
    trial = trial_of(model, space, goal, scenarios, effort.poses)
    final = trial_of(model, space, goal, scenarios, VERIFIED)
    best, margins = _verified(trial, final, best_of(trial, effort, progress), effort)
    values, law = space.values(best.row), space.numbers(best.row[None])[0]
    by_scenario = trial.by_scenario(law[None])[0]
    return Tuning(
        controller=_named(space, best.row, goal, scenarios),
        given=given or controller,
        values=values,
        bounds=_bounds(space, best.row),
        goal=goal,
        objective=best.objective,
        by_scenario={scenario.name: float(value) for scenario, value in zip(scenarios, by_scenario, strict=True)},
        margins=margins,
        sensitivities=_sensitivities(trial, values, best.objective),
        simpler=simpler_choices(model, given or controller, trial, best, _nominal_best(trial, effort)),
        loops=tuple(final.scenarios[0].loops(law)),
        runs=sum(trial.runs),
        end=best.end,
    )


def best_of(trial: Trial, effort: SearchEffort, progress: Listener | None = None) -> BestCandidate:
    """The best candidate of a trial.

    Args:
        trial: what candidates are tried on.
        effort: how much is tried.
        progress: called with the simulations that were run.

    Raises:
        NoGainsError: nothing within the bounds does what is asked for.
    """

    def objective(rows: np.ndarray) -> np.ndarray:
        tell(progress, "simulations", sum(trial.runs))
        return trial.objective(rows)

    best = best_gains(GainProblem(objective, trial.slacks, trial.keeps), trial.space.given, effort)
    nearest = trial.space.values(best.row)
    if best.violation >= UNSTABLE:
        radius = 1.0 + best.violation - UNSTABLE
        raise NoGainsError(
            f"no loop within the bounds is stable: the largest pole has a magnitude of at least {radius:.6g}", nearest
        )
    if best.violation > 0.0:
        margins = trial.margins(trial.space.numbers(best.row[None])[0])
        asked = f"a delay margin of {1e3 * trial.goal.delay:.3g} ms and a singular value of {trial.goal.singular:.3g}"
        kept = f"{1e3 * margins.delay:.3g} ms and {margins.singular:.3g}"
        raise NoGainsError(f"no loop within the bounds keeps {asked}: the best keeps {kept}", nearest)
    if not np.isfinite(best.objective):
        raise NoGainsError("every stable loop within the bounds diverges, loses the path or chatters", nearest)
    return best


def _verified(
    trial: Trial, final: Trial, best: BestCandidate, effort: SearchEffort
) -> tuple[BestCandidate, LoopMargins]:
    """The candidate, or one nearby that keeps its margins at more poses than those of the search too, and these."""
    goal = trial.goal
    margins = final.margins(trial.space.numbers(best.row[None])[0], POINTS, always=True)
    for _ in range(ROUNDS):
        if goal.kept(margins):
            break
        # More is asked for at the poses of the search, by what was missing at the others.
        more = {name: getattr(trial.goal, name) * (1.0 + SPARE) * _lack(goal, margins, name) for name in MARGINS}
        trial = replace(trial, goal=replace(trial.goal, **more))
        start = BestCandidate(best.row, best.objective, missing(trial.slacks(best.row)))
        best = continued(GainProblem(trial.objective, trial.slacks, trial.keeps), start, effort)
        margins = final.margins(trial.space.numbers(best.row[None])[0], POINTS, always=True)
    return best, margins


def _lack(goal: Goal, margins: LoopMargins, name: str) -> float:
    """By what factor a margin is too small; 1 where it is not."""
    kept = getattr(margins, name)
    return max(1.0, getattr(goal, name) / kept) if kept > 0.0 else 1.0


def _nominal_best(trial: Trial, effort: SearchEffort) -> BestCandidate | None:
    """The best candidate for the first scenario alone; None where there is no other."""
    if len(trial.scenarios) < 2:
        return None
    alone = replace(trial, scenarios=trial.scenarios[:1])
    try:
        return best_of(alone, effort)
    except NoGainsError:
        return None


def _named(space: GainSpace, row: np.ndarray, goal: Goal, scenarios: tuple[Scenario, ...]) -> Controller:
    tuned = space.controller_at(row)
    over = "" if len(scenarios) == 1 else f", {goal.over} of {len(scenarios)} scenarios"
    source = f"tuned by parapick for the least {goal.objective} error{over}"
    kept = with_true_sources(space.controller, tuned).sources
    title = f"{tuned.title}, tuned" if tuned.title else ""
    sources = {**kept, **{gain.path: source for gain in space.free}}
    return replace(tuned, name=f"{tuned.run_name}-tuned", title=title, sources=sources)


def _bounds(space: GainSpace, row: np.ndarray) -> dict[str, str]:
    shares = {free.path: share for free, share in zip(space.free, row.tolist(), strict=True)}
    lower = {path: "lower" for path, share in shares.items() if share <= ON_BOUND}
    return lower | {path: "upper" for path, share in shares.items() if share >= 1.0 - ON_BOUND}


def _sensitivities(trial: Trial, values: dict[str, float], objective: float) -> tuple[Sensitivity, ...]:
    rows = [(free, factor) for free in trial.space.free for factor in STEPS]
    objectives = trial.objective_of([{**values, free.path: factor * values[free.path]} for free, factor in rows])
    return tuple(
        Sensitivity(
            free.path,
            factor,
            float(changed) / objective if objective > 0.0 else np.nan,
            not free.low <= factor * values[free.path] <= free.high,
        )
        for (free, factor), changed in zip(rows, objectives, strict=True)
    )
