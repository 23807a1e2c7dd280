"""Scans compute what a loop in Python computes, for any number of steps, substeps and rows."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.kernel import Scan, Substep, build_scan
from parapick.kernel.llvm.target import Target
from scans import arrays, example, in_python, on_target

# Some hundred operations on numbers of order 1; the systems are damped, so that rounding does not grow.
CLOSE = {"rtol": 1e-11, "atol": 1e-12}


@pytest.fixture(scope="module")
def scan() -> Scan:
    """The example."""
    return example()


def assert_as_in_python(scan: Scan, *given: np.ndarray, substeps: int) -> None:
    run, wanted = scan(*given, substeps=substeps), in_python(*given, substeps)
    assert list(run.outputs) == ["error", "square", "effort"]
    for name, value in (*run.outputs.items(), ("state", run.state)):
        np.testing.assert_allclose(value, getattr(wanted, name), **CLOSE, err_msg=name)
    np.testing.assert_allclose(scan.final(*given, substeps=substeps), wanted.state, **CLOSE)


@pytest.mark.parametrize("substeps", [1, 2, 3, 10])
@pytest.mark.parametrize("steps", [1, 2, 41])
def test_a_run_is_the_loop_in_python(scan: Scan, steps: int, substeps: int) -> None:
    assert_as_in_python(scan, *arrays(steps=steps), substeps=substeps)


def test_on_every_target(scan: Scan, target: Target) -> None:
    assert_as_in_python(on_target(scan, target), *arrays(seed=1), substeps=3)


def test_no_steps_leave_the_state(scan: Scan) -> None:
    state, wish, push, p = arrays((3,), steps=0)
    run = scan(state, wish, push, p, substeps=2)
    np.testing.assert_array_equal(run.state, state)
    np.testing.assert_array_equal(scan.final(state, wish, push, p), state)
    shapes = {name: value.shape for name, value in run.outputs.items()}
    assert shapes == {"error": (3, 0, 2), "square": (3, 0, 2, 2), "effort": (3, 0)}


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 9])
def test_a_batch_is_a_loop_bit_for_bit(scan: Scan, count: int) -> None:
    given = arrays((count,))
    run, last = scan(*given, substeps=2), scan.final(*given, substeps=2)
    assert run.outputs["square"].shape == (count, 40, 2, 2)
    assert last.shape == (count, 3)
    for row in range(count):
        own = [array[row] for array in given]
        alone = scan(*own, substeps=2)
        for name, value in alone.outputs.items():
            np.testing.assert_array_equal(run.outputs[name][row], value)
        np.testing.assert_array_equal(run.state[row], alone.state)
        np.testing.assert_array_equal(last[row], scan.final(*own, substeps=2))
    np.testing.assert_allclose(last, run.state, **CLOSE)


def test_leading_dimensions_broadcast(scan: Scan) -> None:
    state, wish, push, _ = arrays()
    states, forces, designs = arrays((2, 1))[0], arrays((3,))[2], arrays((4, 1, 1))[3]
    run = scan(states, wish, forces, designs, substeps=2)
    last = scan.final(states, wish, forces, designs, substeps=2)
    assert run.outputs["error"].shape == (4, 2, 3, 40, 2)
    assert run.state.shape == last.shape == (4, 2, 3, 3)
    for i, j, k in np.ndindex(4, 2, 3):
        own = scan(states[j, 0], wish, forces[k], designs[i, 0, 0], substeps=2)
        np.testing.assert_array_equal(run.outputs["error"][i, j, k], own.outputs["error"])
        np.testing.assert_allclose(last[i, j, k], own.state, **CLOSE)
    assert scan.final(state, wish, push, designs).shape == (4, 1, 1, 3)


def test_any_strides(scan: Scan) -> None:
    given = arrays((5,))
    wanted = scan(*given).outputs["effort"]
    whole = np.concatenate([given[1], given[2]], axis=-1)
    cut = (np.asfortranarray(given[0]), whole[..., :2], np.asfortranarray(whole)[..., 2:], given[3][::-1][::-1])
    np.testing.assert_array_equal(scan(*cut).outputs["effort"], wanted)
    backwards = scan(given[0], given[1][:, ::-1][:, ::-1], given[2], given[3])
    np.testing.assert_array_equal(backwards.outputs["effort"], wanted)
    still = np.broadcast_to(given[1][0, 0], (40, 2))
    copied = scan(given[0], still.copy(), given[2], given[3])
    np.testing.assert_array_equal(scan(given[0], still, given[2], given[3]).outputs["error"], copied.outputs["error"])


def test_integers_and_lists_are_numbers(scan: Scan) -> None:
    run = scan([0, 0, 0], [[1, 0]], [[0]], [1, 1, 1, 1])
    np.testing.assert_array_equal(run.outputs["error"], [[1.0, 0.0]])


def test_without_parameters_held_or_substep() -> None:
    state, u = SX.sym("state", 1), SX.sym("u", 1)
    fold = build_scan("fold", state, {"u": u}, None, casadi.fmax(state, casadi.fabs(u)), {})
    series = np.random.default_rng(0).normal(size=(7, 30, 1))
    run = fold([0.0], series)
    assert run.outputs == {}
    np.testing.assert_array_equal(run.state, np.abs(series).max(axis=1))
    np.testing.assert_array_equal(fold.final([0.0], series), run.state)


def test_a_substep_in_the_symbols_of_its_step() -> None:
    """The substep may be written in the state's own symbols, and hold nothing."""
    state, u, p = SX.sym("state", 1), SX.sym("u", 1), SX.sym("p", 1)
    halve = Substep(state, SX(0, 1), p * state)
    scan = build_scan("halve", state, {"u": u}, p, state + u, {"before": state[0]}, substep=halve)
    run = scan([8.0], [[0.0], [16.0]], [0.5], substeps=3)
    np.testing.assert_array_equal(run.outputs["before"], [8.0, 1.0])
    np.testing.assert_array_equal(run.state, [17.0 / 8.0])


def test_everything_of_held_values_leaves_the_inner_loop() -> None:
    """A substep that depends on parameters and held values only: all of it is prepared outside."""
    state, u, p = SX.sym("state", 2), SX.sym("u", 1), SX.sym("p", 1)
    inner, held = SX.sym("inner", 2), SX.sym("held", 1)
    after = casadi.vertcat(casadi.sin(held * p) + casadi.cos(p), inner[1] + casadi.sin(held * p))
    scan = build_scan("held", state, {"u": u}, p, state, {}, substep=Substep(inner, held, after, values=2.0 * u))
    run = scan([0.0, 0.0], [[0.1], [0.2]], [0.7], substeps=3)
    first, second = np.sin(0.2 * 0.7), np.sin(0.4 * 0.7)
    np.testing.assert_allclose(run.state, [second + np.cos(0.7), 3 * first + 3 * second], rtol=1e-14)


def test_rk4_keeps_its_order() -> None:
    """An oscillator in RK4 substeps: sixteen times closer with half the step, and the substeps are really taken."""
    state, clock, p = SX.sym("state", 2), SX.sym("clock", 1), SX.sym("p", 1)

    def slope(x: SX) -> SX:
        return casadi.vertcat(x[1], -x[0])

    k1 = slope(state)
    k2 = slope(state + 0.5 * p * k1)
    k3 = slope(state + 0.5 * p * k2)
    k4 = slope(state + p * k3)
    after = state + p * (k1 + 2 * k2 + 2 * k3 + k4) / 6
    scan = build_scan("rk4", state, {"clock": clock}, p, state, {}, substep=Substep(state, SX(0, 1), after))
    errors = []
    for substeps in (4, 8):
        last = scan([1.0, 0.0], np.zeros((5, 1)), [0.2 / substeps], substeps=substeps).state
        errors.append(np.abs(last - [np.cos(1.0), -np.sin(1.0)]).max())
    assert 15.0 < errors[0] / errors[1] < 17.0
    assert errors[1] < 1e-8
