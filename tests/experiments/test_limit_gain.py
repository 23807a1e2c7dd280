"""The gain at which a sampled loop with an elastic drive train goes unstable: its poles against running it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import parapick as pp
from limit_gain import PLACE, _limit as limit, at_frequency, elastic_loop, limit_by_poles, limit_by_running
from parapick.control import LAWS, PD, Controller, Poles
from parapick.errors import ParameterError

PAGE = (Path(__file__).parents[2] / "docs" / "robust.md").read_text(encoding="utf-8")
AGREE = 0.002
"""What the page says of the two ways, as a share of the frequency."""


def row_of(law: str) -> tuple[float, float]:
    """The two limits (Hz) that the page states for a law."""
    table = PAGE.partition("| law | by its poles (Hz) |")[2].partition("\n\n")[0]
    (line,) = [line for line in table.splitlines() if f"`{law}`" in line]
    by_poles, by_running = re.findall(r"\| ([\d.]+) (?=\|)", line)
    return float(by_poles), float(by_running)


@pytest.mark.parametrize(
    "name",
    [name if name == "pd" else pytest.param(name, marks=pytest.mark.soak) for name in LAWS if name != "super-twisting"],
)
def test_a_loop_goes_unstable_where_its_poles_and_the_page_say(name: str) -> None:
    model = pp.load("par4")
    poles = limit_by_poles(model, PLACE, elastic_loop(name))
    ran = limit_by_running(model, PLACE, elastic_loop(name))
    assert ran == pytest.approx(poles, rel=AGREE)
    assert row_of(name) == pytest.approx((poles, ran), abs=0.05)


def test_a_rigid_drive_train_bears_more_gain() -> None:
    model = pp.load("par4")
    rigid = Controller(PD(poles=Poles()), delay=1)
    assert limit_by_poles(model, PLACE, rigid) > 2.0 * limit_by_poles(model, PLACE, elastic_loop("pd"))


def test_refusals() -> None:
    model = pp.load("par4")
    with pytest.raises(ParameterError, match="super-twisting has no slope on its reference"):
        limit_by_poles(model, PLACE, elastic_loop("super-twisting"))
    law: Any = at_frequency(elastic_loop("pd"), 12.0).law
    assert law.poles.frequency == 12.0


def test_a_limit_is_found_within_its_band() -> None:
    assert limit(lambda tried: tried >= 37.0) == pytest.approx(37.0, rel=1e-3)
    # Loops that are stable again above are unstable where it begins.
    assert limit(lambda tried: (tried >= 20.0) & (tried < 300.0)) == pytest.approx(20.0, rel=1e-3)
    with pytest.raises(ParameterError, match="the loop is stable at every frequency of 2 to 400 Hz"):
        limit(lambda tried: tried > 500.0)
    with pytest.raises(ParameterError, match="the loop is unstable at every frequency of 2 to 400 Hz"):
        limit(lambda tried: tried > 1.0)


def test_more_damping_is_taken_from_the_call_or_from_the_law() -> None:
    law: Any = at_frequency(Controller(PD(poles=Poles(9.0, 0.4))), 12.0).law
    assert (law.poles.frequency, law.poles.damping) == (12.0, 0.4)
    law = at_frequency(Controller(PD(poles=Poles(9.0, 0.4))), 12.0, damping=0.9).law
    assert law.poles.damping == 0.9
    # A law that states gains is given the usual poles in their place.
    law = at_frequency(Controller(PD(4000.0, 50.0)), 12.0).law
    assert (law.kp, law.poles.damping) == (None, Poles().damping)
