"""Loads in the tool: how they are given, and how two of them add up."""

from __future__ import annotations

import math

import numpy as np
import pytest

import parapick as pp
from parapick.mechanism.payload import combined
from parapick.motion import hold, line_path
from parapick.motion.route import Route, by_law
from parapick.timing import fastest_along


def masses_of(load: pp.Payload) -> tuple[np.ndarray, np.ndarray]:
    """The same load as two point masses: positions (2, 3) and masses (2,)."""
    arm = math.sqrt(load.inertia / load.mass)
    at = np.array(load.offset)
    aside = np.array([arm, 0.0, 0.0])
    return np.array([at + aside, at - aside]), np.full(2, load.mass / 2)


def test_two_loads_are_the_sum_of_their_points() -> None:
    gripper, part = pp.Payload(0.4, (0.0, 0.01, -0.05), 3e-4), pp.Payload(1.0, (0.03, -0.02, -0.1), 2e-3)
    both = gripper + part
    points, masses = (np.concatenate(pair) for pair in zip(masses_of(gripper), masses_of(part), strict=True))
    center = masses @ points / masses.sum()
    assert both.mass == pytest.approx(1.4)
    assert both.offset == pytest.approx(center)
    assert both.inertia == pytest.approx(float(masses @ np.sum((points - center)[:, :2] ** 2, axis=1)))


def test_nothing_changes_nothing() -> None:
    part = pp.Payload(1.0, (0.03, -0.02, -0.1), 2e-3)
    assert part + pp.Payload() == pp.Payload() + part == part
    series = np.array([[0.0, 0, 0, 0, 0], [0.5, 0.1, 0, 0, 0]])
    assert combined(np.zeros(5), series).tolist() == series.tolist()


def test_a_load_is_a_mass_a_text_or_a_payload() -> None:
    assert pp.Payload.of(1) == pp.Payload.of("1kg") == pp.Payload.of("1000 g") == pp.Payload(1.0)
    for wrong, message in (
        ("1 m", "payload"),
        (-1.0, "payload: is -1 kg"),
        (math.nan, "payload: is nan kg"),
        (True, "payload: is True; give a mass"),
        ([1.0], "give a mass"),
    ):
        with pytest.raises(pp.errors.ParameterError, match=message):
            pp.Payload.of(wrong)


def test_a_payload_comes_on_top_of_the_gripper_and_replaces_what_the_task_carries() -> None:
    par4 = pp.load("par4")
    held = par4.with_parameters({"gripper.mass": 1.0})

    def peak(model: pp.Model, **options: object) -> float:
        made = pp.evaluate(model, cycles_per_minute=120, sections=["torque"], **options)
        return next(abs(f.value) for f in made.findings if f.name == "motor torque, peak")

    both = pp.Payload(1.0) + pp.Payload(0.1)
    assert peak(held, payload=0.1) > peak(held)
    assert peak(held, payload="100 g") == pytest.approx(peak(held, payload=0.1), rel=1e-12)
    # The Adept cycle carries its load on the way there only, so the loads are compared where both are carried.
    there = pp.adept_cycle(par4, cycles_per_minute=120)
    whole = there.carrying(0.1, 0.0, there.duration)
    both_along = there.carrying(both, 0.0, there.duration)
    assert peak(held, task=whole) == pytest.approx(peak(par4, task=both_along), rel=1e-12)
    # A payload of the model is the same question as one that is asked for, and neither adds to the motion's own.
    assert peak(held.with_payload(0.1)) == peak(held, payload=0.1)
    assert peak(held.with_payload(5.0), task=whole, payload=0.1) == peak(held, task=whole)
    assert peak(held, task=whole, payload=0.0) == peak(held, task=there)


def gripping(model: pp.Model, load: pp.Payload) -> pp.Model:
    """The robot with another gripper."""
    offset = {f"gripper.offset.{i}": value for i, value in enumerate(load.offset, start=1)}
    return model.with_parameters({"gripper.mass": load.mass, "gripper.inertia": load.inertia, **offset})


def test_a_motion_keeps_the_place_of_a_payload_that_is_nothing_yet() -> None:
    """Whatever is done with a cycle: the payload that comes later is borne from pick to place, and nowhere else."""
    empty = pp.adept_cycle(cycles_per_minute=90, dwell=(0.05, 0.02), yaw=(0.0, 1.0))
    loaded = pp.adept_cycle(cycles_per_minute=90, dwell=(0.05, 0.02), yaw=(0.0, 1.0), payload=0.4)
    assert not empty.payload
    for change in (
        lambda motion: motion,
        lambda motion: motion.reversed(),
        lambda motion: motion.slowed(1.5).placed(0.1),
        lambda motion: motion.held(0.1).repeated(1),
        lambda motion: motion.repeated(3),
        lambda motion: motion.then(hold(motion.end, 0.2)),
        lambda motion: by_law(Route.of(motion)),
    ):
        assert change(empty).with_payload(0.4).payload == change(loaded).payload
        assert change(loaded).with_payload(0.0).payload == ()
        assert change(loaded).with_payload(0.0).with_payload(0.4).payload == change(loaded).payload


def test_a_motion_without_such_a_place_bears_it_all_along() -> None:
    rest = hold((0.0, 0.0, -0.7, 0.0), 0.3)
    assert rest.with_payload("200 g").held(0.1).sample(100.0).payload.tolist() == [0.2] * 41
    samples = rest.sample(100.0)
    assert samples.with_payload(pp.Payload(0.2)).payload.tolist() == [0.2] * 31
    assert samples.with_payload(None) is samples
    half = rest.carrying(0.5, 0.0, 0.1).sample(100.0).with_payload(pp.Payload(0.2, (0.0, 0.0, 0.1)))
    assert half.load[5].tolist() == [0.2, 0.0, 0.0, 0.1, 0.0]
    assert half.load[15].tolist() == [0.0] * 5


def test_gripper_and_payload_are_stated_each_by_itself() -> None:
    par4 = pp.load("par4")
    gripper = par4.with_parameters({"gripper.mass": 0.4})
    assert par4.loads.words == ""
    assert par4.with_payload(0.5).loads.words == "payload 0.5 kg"
    assert gripper.loads.words == "gripper 0.4 kg, no payload"
    assert gripper.with_payload(0.5).loads.words == "gripper 0.4 kg, payload 0.5 kg"
    assert gripper.with_payload(0.5).with_payload(None).held == gripper.gripper == pp.Payload(0.4)
    assert "gripper 0.4 kg, payload 0.5 kg" in repr(gripper.with_payload(0.5))


def test_every_room_adds_the_same_load() -> None:
    gripper, part = pp.Payload(0.5, (0.0, 0.02, -0.03), 1e-3), pp.Payload(0.4, (0.01, 0.0, -0.05), 5e-4)
    par4 = pp.load("par4")
    held, together = gripping(par4, gripper), gripping(par4, gripper + part)
    cycle = pp.adept_cycle(par4, cycles_per_minute=120)
    carried = cycle.carrying(part, 0.0, cycle.duration)
    # follow
    assert carried.follow(held)["motor torque"].value == pytest.approx(cycle.follow(together)["motor torque"].value)
    # fastest
    path = line_path((-0.1, 0.0, -0.7, 0.0), (0.1, 0.0, -0.7, 0.2))
    quick = [fastest_along(held, path, payload=part).duration, fastest_along(together, path).duration]
    assert quick[0] == pytest.approx(quick[1], rel=1e-12)
    # simulate: plant and controller each with its own
    law = pp.control.TaskSpaceID.from_poles(20.0, 0.7)
    record = [pp.simulate(held, carried, law), pp.simulate(together, cycle, law)]
    # The motion lets go of its load at its end, which is the last sample.
    assert record[0].torque[:-1] == pytest.approx(record[1].torque[:-1], rel=1e-9, abs=1e-9)
