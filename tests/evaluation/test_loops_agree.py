"""Loops and evaluations give one verdict on a motion, and a loop says where its torque is cut."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Answer, Requirement
from parapick.control import Controller, controllers_of
from parapick.errors import UnreachableError
from parapick.evaluation import asked_of, evaluate
from parapick.evaluation.context import Context
from parapick.evaluation.sections import SECTIONS
from parapick.model import Model
from parapick.motion import Motion
from parapick.operation import supervised_answer
from parapick.ride import Ride
from parapick.simulation import loop_answer, simulate
from parapick.simulation.loop_answer import limit_words
from parapick.supervision import HomingError, Supervisor
from parapick.tasks import planned_task, task_of


def _simulated(model: Model, task: str, controller: Controller) -> Answer:
    return asked_of(
        "simulate",
        model,
        task,
        lambda: planned_task(task_of(task), model),
        lambda motion, requirements: loop_answer(
            model, task, motion.duration, {"law": simulate(model, motion, controller)}, requirements
        ),
        (controller,),
    )


@pytest.fixture(scope="module")
def controller() -> Controller:
    return controllers_of(["tsid"])["tsid"]


@pytest.mark.parametrize("payload", [0.0, 1.0])
def test_a_loop_accepts_what_evaluate_accepts(controller: Controller, payload: float) -> None:
    model = pp.load("par4").with_payload(payload)
    evaluation = evaluate(model, "adept-13g", sections=("reach", "torque"))
    answer = _simulated(model, "adept-13g", controller)
    assert evaluation.verdict.ok is answer.ok is (payload == 0.0)
    if not answer.ok:
        broken = next(need for section in evaluation.sections for need in section.findings if not need.ok)
        assert broken.text in answer.refusal
        # The loop follows all the same, and says what was cut.
        assert "is cut for" in answer.refusal


def test_a_load_that_cannot_be_held_at_home_is_a_no_under_supervision_too(controller: Controller) -> None:
    """Homing refuses it, and what the task asks for says why."""
    model = pp.load("par4").with_payload(500.0)

    def supervised(motion: Motion, requirements: tuple[Requirement, ...]) -> Answer:
        return supervised_answer(
            model, "adept-120", motion.duration, {"law": pp.supervise(model, motion, controller)}, requirements
        )

    plan = partial(planned_task, task_of("adept-120"), model)
    answer = asked_of("simulate", model, "adept-120", plan, supervised, (controller,))
    broken = [need.name for need in answer.findings if not need.ok]
    assert not answer.ok
    assert broken == [need.name for need in _simulated(model, "adept-120", controller).findings if not need.ok]
    assert "cannot be held at (0, 0, -700) mm" in answer.refusal


def test_a_start_that_cannot_be_left_is_a_mistake_where_the_task_itself_can_be_done(controller: Controller) -> None:
    model = pp.load("par4")
    supervisor = Supervisor(start=(0.0, 0.0, -1.4, 0.0))

    def supervised(motion: Motion, requirements: tuple[Requirement, ...]) -> Answer:
        run = pp.supervise(model, motion, controller, supervisor=supervisor)
        return supervised_answer(model, "adept-120", motion.duration, {"law": run}, requirements)

    with pytest.raises((HomingError, UnreachableError)):
        asked_of("simulate", model, "adept-120", partial(planned_task, task_of("adept-120"), model), supervised)


def test_a_law_that_is_cut_says_for_how_long_and_where(controller: Controller) -> None:
    """The motion keeps the ratings of the file; the controller allows less."""
    model = pp.load("par4")
    motion = planned_task(task_of("adept-13g"), model).motion
    needed = np.abs(Ride.along(model, motion).loads.joint_torque).max(axis=0)
    most = int(np.argmax(needed))
    limits = tuple(2.0 * needed.max() if i != most else 0.9 * needed[most] for i in range(4))
    answer = _simulated(model, "adept-13g", dataclasses.replace(controller, torque_max=limits))
    assert answer.ok
    assert f"torque of motor {most + 1} is cut for" in answer.headline
    share = 100.0 * answer.data["laws"]["law"]["saturated_any"]
    assert 0.0 < share < 50.0
    assert f"{share:.2g} %" in answer.headline or f"{share:.0f} %" in answer.headline


@pytest.mark.parametrize(("limit", "ok"), [("none", True), (200.0, True), (90.0, False), ("peak", False)])
def test_who_allows_more_than_the_drives_have_asks_about_others(
    controller: Controller, limit: float | str, ok: bool
) -> None:
    model = pp.load("par4").with_payload(1.0)
    stated = dataclasses.replace(controller, torque_max=None if limit == "none" else limit)
    answer = _simulated(model, "adept-13g", stated)
    assert answer.ok is ok
    assert ("motor torque, peak" in {need.name for need in answer.findings}) is not ok


def test_without_a_cut_the_use_is_stated(controller: Controller) -> None:
    model = pp.load("par4")
    motion = planned_task(task_of("adept-120"), model).motion
    record = simulate(model, motion, controller)
    assert not record.saturated.any()
    assert "% of the torque limit is used" in limit_words(record)
    free = simulate(model, motion, dataclasses.replace(controller, torque_max=None))
    assert limit_words(free) == "no limit is stated"


def test_the_largest_belt_rate_is_a_section_on_request() -> None:
    """What is searched is tested with belts; here the section, with a row whose largest rate is known."""

    class Row:
        def largest_rate(self, plan: object) -> float:
            assert plan == "plan"
            return 90.53

    model = pp.load("par4")
    motion = pp.adept_cycle(model, cycles_per_minute=80)
    from parapick.belts import Picks
    from parapick.tasks import PlannedTask

    planned = PlannedTask(motion, Picks(1, 0.75, brought=80.0), row=(Row(), "plan"))  # pyright: ignore[reportArgumentType]
    context = Context.of(model, motion, None, planned)
    answer = SECTIONS["belt-rate"](context)
    assert answer is not None
    assert answer.data["largest_belt_rate"] == 90.53
    assert "90.5 items per minute" in answer.summary["belt rate"]
    pattern = SECTIONS["pattern"](context)
    assert pattern is not None
    assert "--sections belt-rate" in pattern.summary["items"]
    assert SECTIONS["belt-rate"](Context.of(model, motion)).left_out  # pyright: ignore[reportOptionalMemberAccess]
