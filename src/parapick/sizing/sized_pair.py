"""A pair that does its task, in detail: what `evaluate` computes of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from parapick.evaluation import Context, Pace, Run, inertia_ratios
from parapick.model import Model
from parapick.sizing.pair_designs import SizedTask
from parapick.sizing.parts import Pair


@final
@dataclass(frozen=True, eq=False)
class SizedPair:
    """A robot with a pair, on its task.

    Attributes:
        task: what the pair is for.
        pair: the pair.
        context: the robot with it along the motion of the task.
    """

    task: SizedTask
    pair: Pair
    context: Context

    @classmethod
    def of(cls, task: SizedTask, pair: Pair) -> SizedPair:
        """A pair on its task.

        Args:
            pair: the pair.
        """
        return cls(task, pair, Context.of(task.with_pair(pair), task.motion, task.task, task.planned))

    @property
    def model(self) -> Model:
        """The robot with it."""
        return self.context.model

    @property
    def run(self) -> Run:
        """The robot along the motion of the task, with every requirement."""
        return self.context.run

    @property
    def ratio(self) -> float:
        """Motor turns per joint turn."""
        return self.pair.gearbox.numbers["ratio"]

    @cached_property
    def inertia_ratio(self) -> float:
        """Load inertia over rotor inertia, at the largest of all arms along the motion; NaN without a rotor."""
        return float(np.max(inertia_ratios(self.run.ride)[: self.model.robot.arms]))

    @cached_property
    def winding(self) -> float | None:
        """Largest temperature of a winding over the repeated cycle (degC); None where it is not known."""
        temperature = self.run.ride.cycle.temperature[:, : self.model.robot.arms]
        return None if np.isnan(temperature).all() else float(np.nanmax(temperature))

    @cached_property
    def bus_power(self) -> float:
        """Largest power that all motors together take (W): at their shafts, and in their copper where it is known."""
        return float(np.max(self.run.ride.cycle.power))

    @cached_property
    def pace(self) -> Pace | None:
        """The fastest that it does the task: by its own law, or by the fastest timing; None without a limit."""
        paces = self.context.paces
        known = [pace for pace in (paces.timed, paces.own_law) if pace is not None]
        return min(known, key=lambda pace: pace.motion.duration, default=None)
