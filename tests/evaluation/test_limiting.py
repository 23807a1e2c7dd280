"""Which requirement decides, and what a verdict says of the paces that it is given."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

import pytest

import parapick as pp
from parapick.answer import Answer, Place, Requirement, against
from parapick.evaluation.limiting import excess_of, limiting_of
from parapick.evaluation.load_requirements import PEAK, RMS
from parapick.evaluation.pace import LIMITS, Pace
from parapick.evaluation.paces import Paces, pace_or_reason
from parapick.evaluation.run import Run
from parapick.evaluation.verdict import verdict_of
from parapick.motion import Motion, hold, straight
from parapick.timing import FAR

PAR4 = pp.load("par4")
PLACE = Place(0.1, (0.0, 0.0, -0.7, 0.0), 1, "leg")
THERE = straight((0.0, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.0), duration=0.5)
CYCLE = THERE.then(THERE.reversed())


def load(value: float, limit: float = 10.0, name: str = PEAK) -> Requirement:
    return against(name, name, value, unit="N m", at_most=limit, place=PLACE)


def slack(value: float, place: Place | None = PLACE) -> Requirement:
    return against("leg slack", "leg slack", value, unit="m", at_least=0.0, place=place)


def laws(count: int) -> Requirement:
    return against("control that does it", "", count, unit="laws", at_least=1.0, words=f"{count} laws")


# What limits


def test_reach_breaks_first_then_the_largest_excess_then_what_has_no_place() -> None:
    assert limiting_of([load(99.0), slack(-1e-3), laws(0)]) == slack(-1e-3)
    assert limiting_of([load(11.0), load(99.0), laws(0)]) == load(99.0)
    assert limiting_of([load(9.0), laws(0)]) == laws(0)


def test_where_all_are_kept_the_tightest_limits() -> None:
    assert limiting_of([load(1.0), load(9.0), slack(1e-9), laws(1)]) == load(9.0)
    assert limiting_of([slack(0.0), laws(2)]) is None
    assert limiting_of([]) is None
    assert limiting_of([load(1e9, math.inf)]) is None


def test_the_excess_has_the_sign_of_the_verdict() -> None:
    assert excess_of(None) == excess_of(slack(0.1)) == excess_of(load(0.0)) == -FAR
    assert excess_of(slack(-0.1)) == excess_of(laws(0)) == FAR
    assert excess_of(load(5.0)) == pytest.approx(math.log(0.5))
    assert excess_of(load(20.0)) == pytest.approx(math.log(2.0))
    # Above its limit by less than the tolerance it is kept, and broken by rounding alone it is not.
    assert excess_of(load(10.0 * (1.0 + 1e-10))) == 0.0
    assert excess_of(replace(load(10.0), ok=False)) > 0.0


# Paces


def pace(motion: Motion, decides: Requirement | None = None) -> Pace:
    return Pace(Run(cast("Any", None), motion), decides, motion.duration)


def text(paces: Paces | None) -> str:
    return verdict_of(PAR4, (Answer("torque", "Torque", (load(9.0),)),), (), paces).text


def test_the_own_law_is_the_fastest_where_the_timing_is_slower() -> None:
    slow = CYCLE.slowed(2.0)
    paces = Paces(CYCLE, pace(CYCLE), pace(slow))
    assert paces.fastest is paces.own_law
    assert paces.slowed is paces.timed
    assert Paces(CYCLE, pace(slow), pace(CYCLE)).slowed is None
    # Equal but for rounding, it is not slower.
    assert Paces(CYCLE, pace(CYCLE), pace(CYCLE.slowed(1.0 + 1e-12))).slowed is None
    assert Paces(CYCLE, None, pace(slow)).fastest is not None


def test_only_a_motion_that_returns_is_counted_per_minute() -> None:
    assert Paces(CYCLE).cycle
    assert pace(CYCLE).per_minute == pytest.approx(60.0)
    assert not Paces(THERE).cycle
    assert pace(THERE).per_minute is None
    belts = Paces(CYCLE.synchronized())
    assert belts.of_belts
    assert not belts.cycle


def test_a_verdict_says_the_paces_that_it_is_given() -> None:
    both = Paces(CYCLE, pace(CYCLE, load(11.0, name=RMS)), pace(CYCLE.slowed(0.5), load(11.0)))
    assert text(both).endswith("; up to 60.0 per minute by its own law (heat decides), 120 by the fastest timing")
    limits = against(LIMITS, "", math.nan, unit="", at_least=-math.inf, words="no faster")
    assert text(Paces(CYCLE, pace(CYCLE, limits))).endswith("60.0 per minute by its own law (its own limits decide)")
    one_way = Paces(THERE, pace(THERE), pace(THERE.slowed(0.5)))
    assert text(one_way).endswith("; one way in 0.500 s by its own law, 0.250 s by the fastest timing")
    slowed = Paces(CYCLE, pace(CYCLE), pace(CYCLE.slowed(2.0)))
    assert text(slowed).endswith("; up to 60.0 per minute by its own law")
    assert text(Paces(CYCLE.synchronized())).endswith("; its pace is that of the belts")
    assert text(Paces(CYCLE)) == text(None)


def test_why_there_is_no_pace() -> None:
    def fails() -> Pace:
        raise pp.errors.ParameterError("cycles_per_minute", "no pace is slow enough")

    assert pace_or_reason(fails) == (None, "cycles_per_minute: no pace is slow enough")
    assert pace_or_reason(lambda: None) == (None, "")


def test_a_rest_is_told_by_its_path() -> None:
    """`evaluate` slows moves and keeps rests; which is which is stated by the pieces."""
    from parapick.evaluation.tasks import _with_rests

    rest = hold((0.1, 0.0, -0.7, 0.0), 0.2)
    motion = THERE.then(rest).then(THERE.reversed())
    slower = _with_rests(motion, 2.0)
    assert [piece.duration for piece in slower.pieces] == pytest.approx([1.0, 0.2, 1.0])
    assert slower.at(1.1).x == pytest.approx(rest.start)


def test_an_evaluation_passes_its_paces_on() -> None:
    made = pp.evaluate("par4", "adept-120", sections=("torque", "fastest"))
    assert made.paces is not None
    assert made.paces.own_law is not None
    assert made["fastest"].data["own_law_duration"] == made.paces.own_law.motion.duration
    assert made["fastest"].data["own_law_cycles_per_minute"] == made.paces.own_law.per_minute
    decides = made.paces.own_law.decides
    assert made["fastest"].data["own_law_limited_by"] == (None if decides is None else decides.name)
    assert pp.evaluate("par4", "adept-120", sections=("torque",)).paces is None
