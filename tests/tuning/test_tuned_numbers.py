"""What a tuning says of its numbers: each is found again by simulating, and by linear loops, at these numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.analysis import StabilityMargins, sampled_loops
from parapick.control import (
    PD,
    PID,
    Controller,
    FrictionFeedforward,
    JointFriction,
    PlantChanges,
    Poles,
    TaskSpaceID,
    with_gains,
)
from parapick.motion import straight
from parapick.simulation import simulate, summary
from parapick.tuning import Conditions, Goal, SearchEffort, Tuning, Tunings, tune_gains, tuning_answer
from simulation.cases import delta

FEW = SearchEffort(candidates=8, steps=4, polls=2, poses=1)
HOME = np.array(delta().robot.home)
ENDS = np.array([[-0.15, 0.0, 0.0], [0.15, 0.02, 0.03]])
MOVE = straight(*map(tuple, HOME + ENDS), duration=0.2)
SERVO = Controller(PD(4000.0, 50.0), rate=2000.0, delay=1)
RUBBING = replace(SERVO, plant=PlantChanges(friction=JointFriction(coulomb=1.0, viscous=0.2)))


def rms(controller: Controller) -> float:
    """RMS error (m) of a run."""
    return summary(simulate(delta(), MOVE, controller)).distance.rms


def margins(controller: Controller, poses: int = 5) -> list[StabilityMargins]:
    times = np.linspace(0.0, MOVE.duration, poses)
    return [loop.margins() for loop in sampled_loops(delta(), MOVE, controller, times, resting=True)]


def with_numbers(controller: Controller, **numbers: Any) -> Controller:
    return replace(controller, law=replace(controller.law, **numbers))  # pyright: ignore[reportArgumentType]


@cache
def servo() -> Tuning:
    """Both gains of a servo under a delay margin, all joints alike."""
    bounds = {"law.kp": (500.0, 20_000.0), "law.kd": (5.0, 200.0)}
    return tune_gains(
        delta(), MOVE, SERVO, bounds, goal=Goal("rms", delay=2e-3, singular=0.3), effort=replace(FEW, steps=6, polls=3)
    )


def test_the_margins_that_were_asked_for_are_kept_and_used() -> None:
    kept = margins(servo().controller, 9)
    assert servo().keeps
    assert min(one.worst.delay for one in kept) >= 2e-3
    assert min(one.singular for one in kept) >= 0.3
    # A loop that follows best under a margin has nothing left of one of them.
    left = (min(one.worst.delay for one in kept) / 2e-3, min(one.singular for one in kept) / 0.3)
    assert min(left) < 1.05


def test_nothing_near_it_keeps_the_margins_and_follows_better() -> None:
    best = servo()
    better = 0
    for kp in (0.97, 1.0, 1.03):
        for kd in (0.97, 1.0, 1.03):
            tried = with_numbers(SERVO, kp=kp * best.values["law.kp"], kd=kd * best.values["law.kd"])
            if rms(tried) < 0.995 * best.objective:
                better += 1
                kept = margins(tried)
                assert min(one.worst.delay for one in kept) < 2e-3 or min(one.singular for one in kept) < 0.3
    # Otherwise nothing was looked at.
    assert better > 0


def test_the_controller_has_the_numbers_and_says_where_they_are_from() -> None:
    best = servo()
    law: Any = best.controller.law
    assert np.broadcast_to(law.kp, 3) == pytest.approx([best.values["law.kp"]] * 3)
    assert np.broadcast_to(law.kd, 3) == pytest.approx([best.values["law.kd"]] * 3)
    assert best.controller.name == "pd-tuned"
    assert set(best.controller.sources) == {"law.kp", "law.kd"}
    assert all("tuned by parapick for the least rms error" in text for text in best.controller.sources.values())
    assert (best.controller.rate, best.controller.delay) == (SERVO.rate, SERVO.delay)


def test_sensitivities_are_those_of_runs() -> None:
    best = servo()
    rows = {(one.path, one.factor): one for one in best.sensitivities}
    assert {path for path, _ in rows} == {"law.kp", "law.kd"}
    for path, name in (("law.kp", "kp"), ("law.kd", "kd")):
        for factor in (0.9, 1.1):
            changed = with_numbers(best.controller, **{name: factor * best.values[path]})
            assert rows[path, factor].ratio == pytest.approx(rms(changed) / best.objective, rel=1e-6)
    low, high = 500.0, 20_000.0
    for factor in (0.5, 2.0):
        assert rows["law.kp", factor].beyond is not (low <= factor * best.values["law.kp"] <= high)


def test_simpler_choices_are_those_of_runs() -> None:
    best = servo()
    rows = {one.name: one for one in best.simpler}
    assert set(rows) == {"as given", "middle of the bounds"}
    assert rows["as given"].objective == pytest.approx(rms(SERVO), rel=1e-6)
    # The bounds are decades apart, so that their middle is that of logarithms.
    middle = with_numbers(SERVO, kp=np.sqrt(500.0 * 20_000.0), kd=np.sqrt(5.0 * 200.0))
    assert rows["middle of the bounds"].objective == pytest.approx(rms(middle), rel=1e-6)
    for name, controller in (("as given", SERVO), ("middle of the bounds", middle)):
        kept = margins(controller, 1)
        expected = min(one.worst.delay for one in kept) >= 2e-3 and min(one.singular for one in kept) >= 0.3
        assert rows[name].keeps is expected
        assert rows[name].cost == pytest.approx(rows[name].objective / best.objective)


def test_one_seed_gives_one_result() -> None:
    def found(seed: int) -> Tuning:
        effort = SearchEffort(candidates=6, steps=1, polls=2, poses=1, seed=seed)
        return tune_gains(delta(), MOVE, SERVO, bounds, goal=Goal(singular=0.0), effort=effort)

    bounds = {"law.kp": (500.0, 9000.0), "law.kd": (5.0, 900.0)}
    first, again, other = found(0), found(0), found(5)
    assert (again.values, again.objective, again.runs) == (first.values, first.objective, first.runs)
    # Another spread leads elsewhere when so little is tried.
    assert other.values != first.values


@pytest.mark.parametrize("objective", ["integral", "peak"])
def test_objectives_are_those_of_a_record(objective: Any) -> None:
    tuning = tune_gains(delta(), MOVE, SERVO, {"law.kp": (1000.0, 8000.0)}, goal=Goal(objective), effort=FEW)
    record = simulate(delta(), MOVE, tuning.controller)
    if objective == "peak":
        expected = record.distance.max()
    else:
        expected = np.linalg.norm(record.q - record.q_ref, axis=1).sum() / record.rate
    assert tuning.objective == pytest.approx(expected, rel=1e-6)


def test_joints_that_are_free_apart() -> None:
    """Numbers per joint follow at least as well as one for all, which is among the simpler choices."""
    each = {f"law.kp.{joint}": (1000.0, 8000.0) for joint in (1, 2, 3)}
    lists = with_numbers(SERVO, kp=(4000.0, 4000.0, 4000.0))
    tuning = tune_gains(delta(), MOVE, lists, each, goal=Goal(singular=0.3), effort=replace(FEW, polls=1))
    law: Any = tuning.controller.law
    assert law.kp == pytest.approx([tuning.values[path] for path in each])
    alike = next(one for one in tuning.simpler if one.name == "alike for all axes")
    mean = float(np.mean(law.kp))
    assert alike.objective == pytest.approx(rms(with_numbers(SERVO, kp=mean)), rel=1e-6)
    assert tuning.objective <= alike.objective * (1.0 + 1e-9) or not alike.keeps


def test_a_star_frees_all_joints_at_once() -> None:
    plain, starred = (
        tune_gains(delta(), MOVE, SERVO, {path: (1000.0, 2000.0)}, effort=replace(FEW, steps=1, polls=1))
        for path in ("law.kp", "law.kp.*")
    )
    assert [*plain.values] == [*starred.values] == ["law.kp"]
    assert plain.objective == starred.objective


def test_poles_and_the_gains_they_give_are_one_loop() -> None:
    placed = replace(SERVO, law=PD(poles=Poles(20.0, 0.7)))
    tuning = tune_gains(delta(), MOVE, placed, {"law.poles.frequency": (10.0, 25.0)}, effort=FEW)
    law: Any = tuning.controller.law
    assert law.poles.frequency == tuning.values["law.poles.frequency"]
    assert law.poles.damping == 0.7
    gains: Any = with_gains(law, delta(), MOVE)
    assert rms(with_numbers(SERVO, kp=gains.kp, kd=gains.kd)) == pytest.approx(tuning.objective, rel=1e-6)


def test_a_gain_may_be_free_where_poles_are_stated() -> None:
    """Its other gains are then those that the poles give along the motion, and the answer says so."""
    placed = replace(SERVO, law=PD(poles=Poles(20.0, 0.7)))
    gains: Any = with_gains(placed.law, delta(), MOVE)  # pyright: ignore[reportArgumentType]
    tuning = tune_gains(delta(), MOVE, placed, {"law.kp": (1000.0, 3000.0)}, effort=FEW)
    law: Any = tuning.controller.law
    assert law.poles is None
    assert law.kd == pytest.approx(gains.kd)
    assert any("its gains are free, in the place of the poles that it states" in note for note in notes(tuning))


def answer(tunings: Mapping[str, Tuning], goal: Goal) -> Any:
    return tuning_answer(Tunings(delta(), "a move", MOVE, goal, tunings, {}))


def notes(tuning: Tuning) -> tuple[str, ...]:
    return answer({"it": tuning}, tuning.goal).notes


def test_a_number_on_its_bound_is_said_to_be_there() -> None:
    low, high = 1000.0, 2000.0
    tuning = tune_gains(delta(), MOVE, SERVO, {"law.kp": (low, high)}, goal=Goal(singular=0.1), effort=FEW)
    assert tuning.bounds == {"law.kp": "upper"}
    assert tuning.values == {"law.kp": high}
    assert any("law.kp sits on its upper bound, 2000" in note for note in notes(tuning))
    table = answer({"it": tuning}, tuning.goal).table("numbers")
    assert table.column("bound") == ("upper",)
    # What is worse the larger it is sits on the other one.
    slow = replace(SERVO, law=PID(4000.0, 50.0, 10.0))
    other = tune_gains(delta(), MOVE, slow, {"law.velocity.cutoff": (20.0, 400.0)}, goal=Goal(singular=0.0), effort=FEW)
    assert set(other.bounds.values()) <= {"upper", "lower"}
    assert servo().bounds == {}


def test_scenarios_are_plants_of_their_own() -> None:
    conditions = Conditions(payload=(0.0, 1.5), friction=(3.0,))
    bounds, effort = {"law.kp": (1000.0, 9000.0)}, replace(FEW, steps=1, polls=1)
    worst = tune_gains(delta(), MOVE, RUBBING, bounds, goal=Goal(singular=0.1), conditions=conditions, effort=effort)
    assert [*worst.by_scenario] == ["0 kg, friction x3", "1.5 kg, friction x3"]
    assert worst.objective == max(worst.by_scenario.values())
    plant = PlantChanges(friction=JointFriction(coulomb=3.0, viscous=0.6))
    run = simulate(delta(), MOVE.with_payload(1.5), replace(worst.controller, plant=plant))
    assert worst.by_scenario["1.5 kg, friction x3"] == pytest.approx(summary(run).distance.rms, rel=1e-6)
    goal, loads = Goal(over="mean", singular=0.1), Conditions(payload=(0.0, 1.5))
    mean = tune_gains(delta(), MOVE, RUBBING, bounds, goal=goal, conditions=loads, effort=effort)
    assert mean.objective == pytest.approx(np.mean([*mean.by_scenario.values()]))
    assert mean.objective < max(mean.by_scenario.values())
    names = {one.name for one in worst.simpler}
    assert "tuned for the first scenario alone" in names
    text = answer({"it": worst}, worst.goal)
    assert "worst of 2" in text.title
    assert len(text.table("scenarios").rows) == 2


def test_margins_hold_in_every_scenario() -> None:
    """A heavier plate is slower: the margin of the nominal plant alone would not do."""
    goal = Goal(delay=3e-3, singular=0.0)
    conditions = Conditions(factors={"plate.mass": (1.0, 0.4)})
    bounds = {"law.kd": (5.0, 200.0)}
    both = tune_gains(
        delta(), MOVE, SERVO, bounds, goal=goal, conditions=conditions, effort=replace(FEW, steps=3, polls=1)
    )
    assert both.keeps
    for factor in (1.0, 0.4):
        plant = PlantChanges(factors={"plate.mass": factor})
        kept = margins(replace(both.controller, plant=plant), 5)
        assert min(one.worst.delay for one in kept) >= 3e-3 * 0.999


def test_terms_that_a_law_adds_are_left_out_as_a_simpler_choice() -> None:
    expected = FrictionFeedforward(1.0, 0.2)
    helped = with_numbers(RUBBING, friction=expected)
    tuning = tune_gains(
        delta(), MOVE, helped, {"law.friction.coulomb": (0.2, 2.0)}, goal=Goal(singular=0.1), effort=FEW
    )
    rows = {one.name: one for one in tuning.simpler}
    without = rows["without friction feedforward"]
    assert without.objective == pytest.approx(rms(RUBBING), rel=1e-6)
    assert without.cost > 1.0
    # Friction ahead of time moves no pole.
    assert without.keeps is tuning.keeps is True


def test_critical_damping_is_a_simpler_choice_of_laws_on_accelerations() -> None:
    law = replace(SERVO, law=TaskSpaceID(4000.0, 80.0))
    bounds = {"law.kp": (1000.0, 9000.0), "law.kd": (40.0, 200.0)}
    tuning = tune_gains(delta(), MOVE, law, bounds, goal=Goal(singular=0.3), effort=replace(FEW, steps=2, polls=1))
    critical = next(one for one in tuning.simpler if one.name.startswith("critical damping"))
    kp = tuning.values["law.kp"]
    assert critical.objective == pytest.approx(rms(with_numbers(law, kp=kp, kd=2.0 * np.sqrt(kp))), rel=1e-6)
    poles = answer({"it": tuning}, tuning.goal).table("poles")
    # Of the linear loops at rest, those that the controller has.
    loop = max(tuning.loops, key=lambda one: one.radius)
    assert max(poles.column("time constant")) == pytest.approx(np.max(-1.0 / loop.s_poles.real))


def test_answers_compare_laws() -> None:
    soft = tune_gains(delta(), MOVE, SERVO, {"law.kp": (1000.0, 2000.0)}, goal=Goal(singular=0.1), effort=FEW)
    text = answer({"soft": soft, "servo": servo()}, servo().goal)
    assert text.ok
    ranked = dict(zip(text.table("tunings").column("controller"), text.table("tunings").column("to best"), strict=True))
    assert ranked["servo"] == 1.0
    assert ranked["soft"] == pytest.approx(soft.objective / servo().objective)
    assert any(note.startswith("servo follows best; soft comes next") for note in text.notes)


def test_a_redundant_robot_is_tuned_too() -> None:
    model = pp.load("delta-r4")
    home = np.array(model.robot.home)
    move = straight(*map(tuple, home + ENDS), duration=0.2)
    tuning = tune_gains(model, move, SERVO, {"law.kp": (1000.0, 4000.0)}, goal=Goal(singular=0.1), effort=FEW)
    assert tuning.keeps
    assert tuning.objective == pytest.approx(summary(simulate(model, move, tuning.controller)).distance.rms, rel=1e-6)
