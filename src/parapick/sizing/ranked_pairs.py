"""Pairs of a catalogue on a task, judged and ranked: what a sizing rests on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

from parapick.sizing.pair_designs import PairRows, SizedTask
from parapick.sizing.parts import PartsCatalogue
from parapick.sizing.ranking import Judged, nearest
from parapick.sizing.sized_pair import SizedPair


@final
@dataclass(frozen=True, eq=False)
class RankedPairs:
    """Which drives of a catalogue do a task.

    Attributes:
        task: the robot and the motion.
        title: of the task.
        catalogue: the parts that were chosen from.
        by: what pairs are ranked by.
        judged: every pair, with what is held against it.
        best: the best pairs, in their order.
    """

    task: SizedTask
    title: str
    catalogue: PartsCatalogue
    by: str
    judged: Judged
    best: tuple[SizedPair, ...]

    @property
    def rows(self) -> PairRows:
        """Every pair with its measures."""
        return self.judged.rows

    @cached_property
    def nearest(self) -> int | None:
        """Place of the pair that lacks least where none does the task; None where no pair reaches it."""
        return None if self.best else nearest(self.judged)
