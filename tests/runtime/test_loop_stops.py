"""Stops of the loop's C: along the path between its rows, at rest, at its end, and where it does not come."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.runtime.loop_layout import LAST, LATE
from parapick.runtime.machine import EVENTS, STATES
from parapick.supervision import Event, State
from runtime.scripted import DOF, HOMING, RUNNING, STEP, Scene, path_rows, quintic

BITS = {name: bit for bit, name in LATE.items()}
STOP = EVENTS.index(Event.STOP)


def stopped(scene: Scene) -> int:
    """Ask for a stop; rows until then."""
    scene.settings["asked"] = STOP
    return len(scene.rows)


def to_rest(scene: Scene, most: int = 40) -> list[np.ndarray]:
    """The rows of a stop."""
    begin = stopped(scene)
    scene.until(State.STOPPING, 1)
    for _ in range(most):
        if scene.machine.state is not State.STOPPING:
            break
        scene.period()
    return [row for row in scene.rows[begin:] if STATES[int(row["state"])] is State.STOPPING]


@pytest.mark.parametrize("slowing", [0.25, 0.3, 1.0])
def test_a_stop_follows_the_path_between_its_rows(fed: Scene, slowing: float) -> None:
    fed.until(State.RUNNING)
    for _ in range(7):
        fed.period()
    fed.machine.slowing = slowing
    rows = to_rest(fed)
    assert rows
    for row, (x, x_s, x_ss) in zip(rows, fed.machine.stops, strict=False):
        wanted = quintic(np.array([row["s"]]))
        for got, one in zip((x, x_s, x_ss), wanted, strict=True):
            np.testing.assert_allclose(got, one[0], rtol=1e-7, atol=1e-9)
        np.testing.assert_array_equal(row["x_ref"][:DOF], x)
        np.testing.assert_allclose(row["xd_ref"][:DOF], row["pace"] * np.array(x_s))
        assert row["share"] == 0.5
    # It rests at the sample at which its pace is 0, and that pose is held.
    assert 0.0 < rows[-1]["pace"] <= slowing
    assert fed.machine.state is State.OFF
    np.testing.assert_allclose(fed.row["x_ref"][:DOF], fed.machine.stops[-1][0])


def test_a_stop_in_a_hurried_reference_undoes_its_pace_and_its_shift(scene: Scene) -> None:
    rows = path_rows(State.RUNNING, 25, quintic, pace=1.5)
    rows["shift"][:, 0], rows["shift_rate"][:, 0] = 0.2 + 3.0 * STEP * np.arange(25), 3.0
    rows["x"] += rows["shift"]
    rows["xd"] += rows["shift_rate"]
    scene.feed(HOMING, rows)
    assert scene.start()
    scene.until(State.RUNNING)
    for _ in range(5):
        scene.period()
    before = float(scene.row["s"])
    shift = rows["shift"][rows["s"] == before][0, 0]
    done = to_rest(scene)
    for row in done:
        x = quintic(np.array([row["s"]]))[0][0]
        # The shift goes on by its rate per time of the path.
        x[0] += shift + 3.0 / 1.5 * (row["s"] - before)
        np.testing.assert_allclose(row["x_ref"][:DOF], x, rtol=1e-9)
    assert done[1]["s"] - done[0]["s"] == pytest.approx(1.5 * STEP)


def test_a_stop_in_homing_goes_along_it(scene: Scene) -> None:
    scene.feed(path_rows(State.HOMING, 41, quintic), RUNNING[:3])
    scene.settings["start"]["x"][:DOF] = quintic(np.zeros(1))[0]
    assert scene.start()
    scene.until(State.HOMING)
    for _ in range(4):
        scene.period()
    rows = to_rest(scene)
    np.testing.assert_allclose(rows[-1]["x_ref"][:DOF], quintic(np.array([rows[-1]["s"]]))[0][0])
    assert rows[-1]["s"] > 4 * STEP


def test_a_stop_at_rest_holds_the_pose(fed: Scene) -> None:
    """People who ask for one there get the end of the run; a stop it is where a guard, here a command, says so."""
    fed.settings["commands"], fed.settings["command"][0] = 1, (STATES.index(State.READY), STOP, 1)
    fed.until(State.READY)
    pose, waiting = fed.row["x_ref"].copy(), fed.reference.waiting
    rows = to_rest(fed)
    for row in rows:
        np.testing.assert_array_equal(row["x_ref"], pose)
        np.testing.assert_array_equal(row["xd_ref"], 0.0)
    # No row of the task is taken for it.
    assert fed.reference.waiting == waiting


def test_a_stop_at_the_last_row_stays_there(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING)
    assert scene.start()
    scene.until(State.RUNNING)
    while scene.rows[-1]["x_ref"][0] != RUNNING["x"][-1, 0]:
        scene.period()
    if scene.machine.state is State.RUNNING:
        rows = to_rest(scene)
        for row in rows:
            np.testing.assert_array_equal(row["x_ref"], RUNNING["x"][-1])


def test_the_last_row_is_held_while_the_supervisor_has_not_decided(scene: Scene) -> None:
    rows = RUNNING.copy()
    rows["flags"][-1] = LAST
    scene.feed(HOMING, rows)
    assert scene.start()
    scene.until(State.RUNNING)
    for _ in range(50):
        scene.period()
    assert scene.machine.state is State.RUNNING
    np.testing.assert_array_equal(scene.row["x_ref"], rows["x"][-1])
    # Time goes on though the pose does not.
    assert scene.row["s"] == pytest.approx(50 * STEP)
    stop = to_rest(scene)
    np.testing.assert_array_equal(stop[-1]["x_ref"], rows["x"][-1])


def test_a_stop_longer_than_the_path_stays_at_its_end(fed: Scene) -> None:
    fed.until(State.RUNNING)
    for _ in range(36):
        fed.period()
    fed.machine.slowing = 0.05
    rows = to_rest(fed)
    np.testing.assert_array_equal(rows[-1]["x_ref"], RUNNING["x"][-1])
    assert rows[-1]["s"] > RUNNING["s"][-1]
    assert fed.machine.state is State.OFF


def test_a_stop_whose_path_does_not_come_is_a_dead_drive(scene: Scene) -> None:
    scene.feed(HOMING, RUNNING[:12], close=False)
    assert scene.start()
    scene.until(State.RUNNING)
    for _ in range(8):
        scene.period()
    scene.machine.slowing = 0.02
    rows = to_rest(scene)
    assert len(rows) >= 2
    assert scene.machine.state is State.FAULT
    assert scene.machine.sights[-1][2] == [1, 0]
    assert scene.row["late"] & BITS["planner"]


def test_a_stop_asked_where_the_path_has_no_pace(scene: Scene) -> None:
    """A row of pace 0 is the path at rest: nothing is divided by it."""
    rows = RUNNING.copy()
    rows["pace"][5:] = 0.0
    scene.feed(HOMING, rows)
    assert scene.start()
    scene.until(State.RUNNING)
    for _ in range(6):
        scene.period()
    done = to_rest(scene)
    assert len(done) == 1
    for row in (done[0], scene.row):
        np.testing.assert_array_equal(row["x_ref"], rows["x"][6])


def test_a_stop_asked_for_before_the_start_ends_the_run(fed: Scene) -> None:
    """Nothing moves that could be stopped, and nobody starts any more."""
    fed.until(State.READY)
    fed.settings["asked"] = STOP
    fed.until(State.OFF, 2)
    assert State.RUNNING not in fed.states
