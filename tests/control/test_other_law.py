"""Controllers with another law: what the file states stays wherever the law has it, and every difference is said."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace

import pytest

import parapick as pp
from parapick.cli.loop_options import LoopOptions
from parapick.control import (
    LAWS,
    PD,
    Controller,
    Differenced,
    FrictionFeedforward,
    Poles,
    SlidingMode,
    TaskSpaceID,
    TaskSpaceIID,
    departures,
    list_controllers,
    load_controller,
    with_law,
    with_true_sources,
)
from parapick.control.laws import GAINS
from parapick.control.saving import controller_text

SHIPPED = list_controllers()
LINE = Controller(
    TaskSpaceIID(
        integral_max=4.0,
        velocity=Differenced(400.0),
        friction=FrictionFeedforward(1.2, 0.15),
        poles=Poles(18.0, 0.8),
    ),
    rate=2000.0,
    delay=1,
    name="line",
    sources={"rate": "the drives' manual", "law.integral_max": "chosen", "law.friction.coulomb": "measured"},
)


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_the_own_law_leaves_a_shipped_controller_whole(entry: pp.control.ControllerEntry) -> None:
    controller = load_controller(entry.name)
    assert with_law(controller, entry.law) is controller
    model = pp.load("par4")
    asked = LoopOptions(law=entry.law).controllers(entry.name, model)
    assert asked.by_name == {controller.name: controller}
    assert asked.notes == ()


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_whatever_another_law_cannot_keep_is_said(entry: pp.control.ControllerEntry) -> None:
    """Field by field of the file's own text, for every law."""
    stated = tomllib.loads(entry.path.read_text())["law"]
    controller = load_controller(entry.name)
    for name in LAWS.keys() - {entry.law}:
        changed = with_law(controller, name)
        said = ", ".join(departures(controller, changed))
        assert f"law {name} instead of {entry.law}" in said
        for field in stated.keys() - {"kind"}:
            kept = getattr(changed.law, field, None) == getattr(controller.law, field)
            word = "gains from" if field == "poles" else f"law.{field}"
            assert kept != (word in said), (name, field, said)
        # Whatever is not of the law stays.
        assert replace(changed, law=controller.law, name="", sources={}) == replace(controller, name="", sources={})


def test_sensing_feedforward_and_poles_go_with_every_law() -> None:
    for name in LAWS:
        law = with_law(LINE, name).law
        for field in ("velocity", "friction", "poles"):
            assert getattr(law, field) == getattr(LINE.law, field), (name, field)


def test_a_bound_of_another_unit_does_not_go_with_the_law() -> None:
    changed = with_law(LINE, "pid")
    assert getattr(changed.law, "integral_max", 0.0) is None
    assert "without law.integral_max 4" in departures(LINE, changed)
    # The observer's low pass is not that of what is learned, though both are called cutoff.
    learning = replace(LINE, law=with_law(LINE, "learning").law)
    learning = replace(learning, law=replace(learning.law, cutoff=77.0))  # pyright: ignore[reportArgumentType, reportCallIssue]
    observer = with_law(learning, "disturbance-observer")
    assert getattr(observer.law, "cutoff", None) == 20.0
    assert "law.cutoff 20 instead of 77" in departures(learning, observer)


def test_gains_stay_where_the_law_has_all_of_its_own() -> None:
    iid = Controller(TaskSpaceIID(400.0, 40.0, 100.0), name="mine")
    changed = with_law(iid, "tsid")
    assert changed.law == TaskSpaceID(400.0, 40.0)
    assert departures(iid, changed) == (
        "law tsid instead of tsiid",
        "law.kp 400 and law.kd 40 instead of law.kp 400 and law.kd 40 and law.ki 100",
    )
    # The gains of joints are no gains of coordinates, and no integral gain follows from two others.
    for name in ("computed-torque", "pid"):
        law = with_law(Controller(TaskSpaceID(400.0, 40.0)), name).law
        assert getattr(law, "poles", None) == Poles()
        assert all(getattr(law, gain, None) is None for gain in GAINS)


def test_poles_per_axis_stay_with_their_axes() -> None:
    own = Controller(TaskSpaceID(poles=Poles((10.0, 11.0, 12.0, 13.0), 0.9)), name="mine")
    assert getattr(with_law(own, "sliding-mode").law, "poles", None) == Poles((10.0, 11.0, 12.0, 13.0), 0.9)
    joints = with_law(own, "pd")
    assert getattr(joints.law, "poles", None) == Poles(damping=0.9)
    assert "gains from 20 Hz, a damping of 0.9 instead of gains from 10/11/12/13 Hz, a damping of 0.9" in departures(
        own, joints
    )


def test_only_sources_of_what_stayed_are_kept() -> None:
    changed = with_law(LINE, "pd")
    assert set(changed.sources) == {"rate", "law.friction.coulomb"}
    controller_text(changed)
    assert set(with_true_sources(LINE, replace(LINE, rate=4000.0)).sources) == set(LINE.sources) - {"rate"}


def test_defaults_of_another_law_are_not_said() -> None:
    plain = Controller(PD(poles=Poles()), name="plain")
    assert departures(plain, with_law(plain, "sliding-mode")) == ("law sliding-mode instead of pd",)
    assert departures(plain, plain) == ()
    back = Controller(SlidingMode(reach=30.0, poles=Poles()), name="sliding")
    assert departures(back, with_law(back, "pd")) == ("law pd instead of sliding-mode", "without law.reach 30")


def test_every_field_of_a_controller_is_compared() -> None:
    other = {
        "rate": 123.0,
        "delay": 3,
        "exchange": 1,
        "computation": 1e-4,
        "encoder": 4096.0,
        "torque_max": "rated",
        "lag": 1e-3,
        "command_filter": 0.02,
        "payload_known": False,
        "model": replace(LINE.model, rods="halves"),
        "plant": replace(LINE.plant, parameters={"plate.mass": 1.0}),
    }
    assert {field.name for field in fields(Controller)} == {*other, "law", "name", "title", "sources"}
    for name, value in other.items():
        (said,) = departures(LINE, replace(LINE, **{name: value}))
        assert name in said
