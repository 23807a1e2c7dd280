"""Designs drawn by Optuna's tree-structured Parzen estimator: for discrete choices, and where designs are dear.

The chunk files are the truth, as for every method. A batch is drawn by a sampler that is made anew from all rows of the
batches before it and a seed of its own, so a run that was stopped draws the same designs when it goes on. Requirements
are constraints of the trials, so that designs that miss them by little are told from those that miss them by much.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from parapick.errors import ParameterError
from parapick.study.description import Tpe
from parapick.study.designs import FEASIBLE, USE, Rows
from parapick.study.rounds import RoundSize
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.work import Work, slack_column

SHARES: Final = 4
"""Chunks of a batch: as many workers can share it."""

MISSING_MAX: Final = 1e3
"""What is missing of a requirement at most, as a constraint; where it is not known, such as of no robot at all, it is
as much."""


def batches(method: Tpe) -> tuple[RoundSize, ...]:
    """How large the rounds are: first the designs that are spread evenly, then the batches that are drawn."""
    spread = min(method.spread, method.points)
    rest = method.points - spread
    drawn = [min(method.batch, rest - first) for first in range(0, rest, method.batch)]
    return RoundSize(spread, spread), *(RoundSize(size, math.ceil(size / SHARES)) for size in drawn)


def asked(method: Tpe, work: Work, number: int, earlier: Rows) -> np.ndarray:
    """The designs of a round (m, free), SI.

    Args:
        work: what designs are evaluated with.
        number: which round, from 0.
        earlier: the rows of the rounds before it.

    Raises:
        ParameterError: Optuna is not installed.
    """
    if number == 0:
        return work.space.ranges.spread(min(method.spread, method.points), method.seed)
    optuna = _optuna()
    sampler = optuna.samplers.TPESampler(seed=method.seed + number, n_startup_trials=0, constant_liar=True)
    study = optuna.create_study(sampler=sampler, directions=["minimize"] * len(work.objectives))
    stated = _distributions(work, optuna)
    study.add_trials(list(_trials(work, earlier, stated, optuna)))
    drawn = [study.ask(fixed_distributions=stated).params for _ in range(batches(method)[number].designs)]
    return np.array([[params[free.path] for free in work.space.free] for params in drawn])


def _optuna() -> Any:
    try:
        import optuna  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise ParameterError("method", "tpe needs Optuna: pip install 'parapick[optuna]'") from error
    # What it has to say is in the table.
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def _distributions(work: Work, optuna: Any) -> dict[str, Any]:
    kinds = optuna.distributions
    return {
        free.path: kinds.CategoricalDistribution(free.values)
        if free.listed
        else kinds.FloatDistribution(free.low, free.high)
        for free in work.space.free
    }


def _trials(work: Work, rows: Rows, stated: Mapping[str, Any], optuna: Any) -> Iterator[Any]:
    """Every row as a finished trial; one that is not feasible costs as much as the worst that is."""
    goals = [STUDY_MEASURES[name] for name in work.objectives]
    costs = np.stack([-rows[goal.name] if goal.most else rows[goal.name] for goal in goals], axis=1)
    feasible = rows[FEASIBLE].astype(bool)
    worst = costs[feasible].max(axis=0) if feasible.any() else np.zeros(len(goals))
    costs = np.where(feasible[:, None], costs, worst)
    for row, missing in enumerate(_missing(work, rows)):
        yield optuna.trial.create_trial(
            params={free.path: float(rows[free.path][row]) for free in work.space.free},
            distributions=dict(stated),
            values=costs[row].tolist(),
            constraints=missing,
        )


def _missing(work: Work, rows: Rows) -> Iterator[dict[str, float]]:
    """What is missing of every requirement of every row; not above 0 where it is kept."""
    slacks = {kind: rows[slack_column(kind)] for kind in work.kinds}
    if work.rated:
        slacks[USE] = 1.0 - rows[USE]
    slacks |= {bound.name: bound.slack(rows[bound.name]) for bound in work.requirements}
    # What comes after a requirement that is not kept has not been computed.
    missing = {name: np.nan_to_num(-slack, nan=MISSING_MAX, neginf=0.0) for name, slack in slacks.items()}
    for row in range(len(rows[FEASIBLE])):
        kept = bool(rows[FEASIBLE][row])
        yield {name: 0.0 if kept else min(float(values[row]), MISSING_MAX) for name, values in missing.items()}
