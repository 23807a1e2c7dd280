"""What the test program is given: poses, samples of the law, and a walk of the supervisor through all of its states."""

from __future__ import annotations

import re

import numpy as np
import pytest

import parapick as pp
from parapick.export import ExportedC
from parapick.export.c.supervisor_step import EVENTS, STATES
from parapick.export.c.supervisor_vectors import walk
from parapick.export.c.vectors import MARGIN, model_vectors, regular_poses
from parapick.kernel import CStyle
from parapick.supervision import COMMANDS, GUARDS, NAMES, TRANSITIONS, Event, State, after

NUMBERS = r"-?(?:[\d.]+(?:e[-+]?\d+)?|INFINITY|NAN)"


def table(text: str, name: str) -> np.ndarray:
    """A table of the vectors, with the size that its head states."""
    head, body = re.findall(rf"static const \w+ {name}(\[\d+\]\[\d+\]) = {{\n(.*?)\n}};", text, re.DOTALL)[0]
    rows = [re.findall(NUMBERS, line) for line in body.splitlines()]
    values = np.array([[float(each.replace("INFINITY", "inf").replace("NAN", "nan")) for each in row] for row in rows])
    assert head == f"[{values.shape[0]}][{values.shape[1]}]"
    return values


def test_the_walk_meets_every_state_guard_and_command() -> None:
    rows = walk()
    guards, _, _, commands, states, faults, events, causes = rows.T
    assert set(states) == set(range(len(STATES)))
    assert set(guards) == {-1, *range(len(GUARDS))}
    asked = {EVENTS[command] for command in commands.tolist()} - {None}
    assert asked == {Event.ENABLE, Event.START, Event.STOP, Event.RESET, Event.DISABLE} == set(COMMANDS)
    # Every guard trips, is the cause of an event, and is latched.
    assert set(range(len(GUARDS))) <= set(causes)
    assert set(range(len(GUARDS))) <= set(faults)
    assert {EVENTS[event] for event in events.tolist()} == {None, *Event}


def test_the_walk_changes_states_as_the_table_says() -> None:
    rows = walk()
    before = STATES.index(State.OFF)
    changes = set[tuple[State, Event]]()
    for *_, state, _, event, _ in rows.tolist():
        happened = EVENTS[event]
        if state != before:
            assert happened is not None
            assert after(STATES[before], happened) is STATES[state]
            changes.add((STATES[before], happened))
        before = state
    assert changes <= {(each.state, each.event) for each in TRANSITIONS}
    assert len(changes) >= 13


def test_vectors_of_the_program_are_the_walk(supervised: ExportedC) -> None:
    found = table(supervised.texts["par4_vectors.h"], "par4_supervisor_steps")
    assert (found == walk()).all()


def test_guards_are_looked_at_on_both_sides_of_their_limits(supervised: ExportedC) -> None:
    text = supervised.texts["par4_vectors.h"]
    seen = table(text, "par4_guards_seen")
    assert seen.shape[1] == len(GUARDS) + 1
    both = {name for name, column in zip(NAMES, seen.T, strict=False) if set(column) == {0.0, 1.0}}
    assert both >= {"emergency", "deadline", "drive"}
    for guard in GUARDS:
        values = table(text, f"par4_guards_{guard.name}")
        assert np.isfinite(values).any() or not guard.quantity, guard.name


def test_poses_of_the_vectors_are_regular_and_one_is_out_of_reach() -> None:
    model = pp.load("par4")
    poses = regular_poses(model, 25)
    margins = model.margins(poses)
    assert poses.shape == (25, 4)
    assert min(margins.under.min(), margins.over.min(), margins.internal.min()) > MARGIN
    assert model.reach(poses).ok.all()
    vectors = model_vectors(model, ("inverse_kinematics", "reach"), CStyle("p"), 25)
    q = vectors["inverse_kinematics"]["q"]
    assert np.isfinite(q[:-1]).all()
    assert np.isnan(q[-1]).all()
    assert q[:-1] == pytest.approx(model.inverse_kinematics(poses), abs=1e-14)
    assert np.isfinite(vectors["reach"]["short"][:-1]).all()


def test_inputs_of_type_float_are_rounded_before_the_library_answers() -> None:
    model = pp.load("par4")
    single = model_vectors(model, ("inverse_kinematics",), CStyle("p", "float"), 5)["inverse_kinematics"]
    assert (single["x"] == single["x"].astype(np.float32)).all()
    assert single["q"][:-1] == pytest.approx(model.inverse_kinematics(single["x"][:-1]), abs=1e-14)
    double = model_vectors(model, ("inverse_kinematics",), CStyle("p"), 5)["inverse_kinematics"]
    assert not (double["x"] == single["x"]).all()


def test_samples_of_the_law_never_have_an_error_of_zero(supervised: ExportedC) -> None:
    text, model = supervised.texts["par4_vectors.h"], pp.load("par4")
    q, x, tau = (table(text, f"par4_law_{name}") for name in ("q_meas", "x", "tau"))
    error = np.abs(q - model.inverse_kinematics(x))
    assert error.min() > 1e-4
    assert error.max() < 1e-2
    assert np.abs(tau).max() > 1.0
    assert np.ptp(tau, axis=0).min() > 0.0


def test_a_stop_of_the_vectors_ends_at_rest(supervised: ExportedC) -> None:
    plan, course = (table(supervised.texts["par4_vectors.h"], f"par4_stop_{name}") for name in ("plan", "course"))
    s, pace, load = plan.T[:3]
    assert len(course) == len(plan)
    assert (np.diff(s) >= 0.0).all()
    assert (np.diff(pace) <= 0.0).all()
    assert 0.9 < pace[0] <= 1.0
    assert pace[-1] == 0.0
    assert (load > 0.0).all()
    # At rest the reference does not move; on the way it moves along the path.
    assert not plan[-1, 3:7].any()
    assert plan[:, 3:7] == pytest.approx(course[:, 4:8] * pace[:, None], abs=1e-12)
