"""A study as a problem of searches by slopes: the pieces of its first objective, and its requirements as slacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.search import Pieces, SearchPlace, Space, magnitudes
from parapick.study.slopes import (
    along,
    limit_pieces,
    measure_pieces,
    reach_pieces,
    requirement_pieces,
)
from parapick.study.study_measures import STUDY_MEASURES
from parapick.study.work import Work

INSIDE: Final = 1e-9
"""How far inside every requirement the search stays (rad, m, or a share), so that rounding does not end outside."""

FURTHER_INSIDE: Final = 1e-6
"""The same where places between the points of the study were added: these move with the design, by ever less."""

LEVEL: Final = 1e-12
"""A slack that changes by less over all ranges (rad, m, or a share) does not depend on the design; rounding is less."""


@final
@dataclass(frozen=True, eq=False)
class DesignProblem:
    """What a search makes as good as can be.

    Attributes:
        work: what designs are evaluated with.
        ranges: the free numbers within their bounds; one whose bounds are equal is kept.
    """

    work: Work
    ranges: Space

    def place(self, shares: np.ndarray) -> SearchPlace:
        """A design with the pieces of its objective and its slacks, and slopes by shares of the ranges.

        Args:
            shares: where its numbers lie in their ranges (free,).
        """
        design = self.ranges.values(shares)
        work = self.work
        goal = STUDY_MEASURES[work.objectives[0]]
        names = dict.fromkeys((goal.name, *(bound.name for bound in work.requirements)))
        driven = work.rated or any(STUDY_MEASURES[name].source == "motion" for name in names)
        motions = [along(work, series, design) for series in work.series] if driven and work.weighed else []
        pieces = {name: measure_pieces(work, STUDY_MEASURES[name], design, motions) for name in names}
        slacks = [reach_pieces(work, design), limit_pieces(work, design, motions) if motions else _NOTHING]
        slacks += [
            requirement_pieces(bound, STUDY_MEASURES[bound.name], pieces[bound.name]) for bound in work.requirements
        ]
        return SearchPlace(shares, self._goal(pieces[goal.name], most=goal.most), lambda: self._kept(slacks))

    def sloped(self, place: SearchPlace) -> SearchPlace:
        """The design itself, whose slopes are exact and known.

        Args:
            place: the design.
        """
        return place

    def _goal(self, pieces: Pieces, *, most: bool) -> Pieces:
        sign = -1.0 if most else 1.0
        return Pieces(sign * pieces.values, sign * pieces.slopes * self.ranges.extent)

    def _kept(self, slacks: list[Pieces]) -> Pieces:
        inside = FURTHER_INSIDE if self.work.further else INSIDE
        values = np.concatenate([slack.values for slack in slacks]) - inside
        extent = self.ranges.extent
        slopes = np.concatenate([slack.slopes.reshape(-1, len(extent)) for slack in slacks]) * extent
        # What no free number changes decides no step: the slack of a task that touches the workspace it moves with.
        moving = ~(magnitudes(slopes) <= LEVEL)
        return Pieces(values[moving], slopes[moving])


_NOTHING: Final = Pieces(np.empty(0), np.empty(0))
"""No pieces at all."""
