"""A batch equals a loop, shared parameters equal repeated ones, threads equal one thread: to the last bit."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.errors import KernelError
from parapick.kernel import Kernel, Trace, build
from parapick.kernel.call import kernel as kernels
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.call.threads import PIECE, available
from parapick.kernel.llvm.target import Target, host_target
from parapick.kernel.ports import Port
from parapick.kernel.trace.expressions import trace_of
from parapick.kernel.trace.instructions import INPUT, PARAMETER, Instruction

Array = NDArray[np.float64]
Rows = Callable[..., tuple[Array, Array, Array]]

ROUNDING = 1e-14
"""Relative: the compiler may order sums differently when parameters are inputs."""


def stacked(results: list[tuple[Any, ...]]) -> tuple[Array, ...]:
    """Results of single calls as results of a batch."""
    return tuple(np.stack(output) for output in zip(*results, strict=True))


def assert_same(actual: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


@pytest.mark.parametrize("count", [*range(1, 10), 257, 1000])
def test_a_batch_equals_a_loop(count: int, example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    x, y, p = make_rows(count, seed=count)
    x[::5, 0] = -3.0  # not valid
    shared = stacked([kernel(x[row], y[row], p[0]) for row in range(count)])
    own = stacked([kernel(x[row], y[row], p[row]) for row in range(count)])
    side_by_side = [np.ascontiguousarray(array.T).T for array in (x, y, p)]
    assert np.isnan(shared[0][0]).all()
    assert_same(kernel(x, y, p[0]), shared)
    assert_same(kernel(*side_by_side[:2], p[0]), shared)
    assert_same(kernel(x, y, p), own)
    assert_same(kernel(*side_by_side), own)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("shared", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize("side_by_side", [True, False])
def test_shared_inputs_equal_a_loop(
    count: int, shared: tuple[int, ...], side_by_side: bool, example: Trace, make_rows: Rows, target: Target
) -> None:
    """Also into structures of arrays, where whole turns move nothing; the memory around the results is left alone."""
    kernel = kernel_of(example, target)
    *arrays, p = make_rows(count, seed=count)
    arrays[0][-1, 0] = -3.0  # not valid
    given = [np.repeat(one[-1:], count, axis=0) if place in shared else one for place, one in enumerate(arrays)]
    expected = stacked([kernel(given[0][row], given[1][row], p[0]) for row in range(count)])
    assert np.isnan(expected[0][-1]).all()
    if side_by_side:
        given = [np.ascontiguousarray(array.T).T for array in given]
    given = [one[-1] if place in shared else one for place, one in enumerate(given)]
    around = [np.full((*one.shape[1:], count + 2), -1.0) for one in expected]
    out = tuple(np.moveaxis(one[..., 1:-1], -1, 0) for one in around)
    # Where all inputs are shared the gufunc still runs over the rows of `out`.
    assert_same(kernel.ufunc(*given, p[0], out=out), expected)
    assert all((one[..., [0, -1]] == -1.0).all() for one in around)


def test_shared_parameters_equal_repeated_ones(example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    x, y, p = make_rows(13)
    assert_same(kernel(x, y, p[0]), kernel(x, y, np.repeat(p[:1], 13, axis=0)))


def unhoisted(trace: Trace) -> Trace:
    """The same computation with the parameters as one more input."""
    last = len(trace.inputs)
    return replace(
        trace,
        inputs=(*trace.inputs, Port("p", (trace.parameters or 0,))),
        parameters=None,
        instructions=tuple(
            Instruction(INPUT, port=last, element=one.element) if one.operation == PARAMETER else one
            for one in trace.instructions
        ),
        fixed=(False,) * len(trace.instructions),
    )


def test_hoisting_changes_rounding_at_most(example: Trace, make_rows: Rows, target: Target) -> None:
    x, y, p = make_rows(9)
    assert sum(example.fixed) > len(example.hoisted) > 4
    for one, other in zip(
        kernel_of(example, target)(x, y, p), kernel_of(unhoisted(example), target)(x, y, p), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=ROUNDING, atol=ROUNDING)


def test_a_kernel_of_parameters_alone(target: Target) -> None:
    p = SX.sym("p", 2)
    outputs = {"length": casadi.norm_2(p), "both": casadi.vertcat(p[1], -p[0])}
    kernel = kernel_of(trace_of("lengths", {}, p, outputs, p[0]), target)
    length, both = kernel(np.array([[3.0, 4.0], [-3.0, 4.0], [5.0, 12.0]]))
    np.testing.assert_array_equal(length, [5.0, np.nan, 13.0])
    np.testing.assert_array_equal(both, [[4.0, -3.0], [np.nan, np.nan], [12.0, -5.0]])
    assert kernel([3.0, 4.0])[0] == 5.0


def test_parameters_that_nothing_uses(target: Target) -> None:
    x, p = SX.sym("x", 1), SX.sym("p", 3)
    kernel = kernel_of(trace_of("unused", {"x": x}, p, {"y": 2 * x}, None), target)
    (twice,) = kernel([[1.0], [2.0]], [[0.0] * 3, [0.0, np.nan, 0.0]])
    np.testing.assert_array_equal(twice, [2.0, np.nan])


@pytest.mark.parametrize("threads", [2, 3, 8])
@pytest.mark.parametrize("shape", [(1000,), (7,), (3, 200), (200, 3), (1, 1), (2,)])
def test_threads_equal_one_thread(
    threads: int, shape: tuple[int, ...], example_kernel: Kernel, make_rows: Rows
) -> None:
    x, y, p = make_rows(int(np.prod(shape)))
    x, y, p = x.reshape(*shape, 3), y.reshape(*shape, 5)[-1:], p.reshape(*shape, 4)
    expected = example_kernel(x, y, p, threads=1)
    assert_same(example_kernel(x, y, p, threads=threads), expected)
    assert_same(example_kernel(x, y, p[0], threads=threads), example_kernel(x, y, p[0], threads=1))


def test_large_batches_use_threads_by_themselves(
    example_kernel: Kernel, make_rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[str] = set()

    class Watched:
        signature = None

        def __call__(self, *arrays: Any, **options: Any) -> Any:
            seen.add(threading.current_thread().name)
            return example_kernel.ufunc(*arrays, **options)

    kernel = replace(example_kernel)
    for form in (kernels._SMALL, kernels._LARGE):
        kernel._ufuncs.get(form, Watched)
    count = 3 * PIECE // example_kernel.ports.work + 1
    x, y, p = make_rows(8)
    large = np.resize(x, (count, 3))
    monkeypatch.setenv("PARAPICK_THREADS", "3")
    results = kernel(large, y[0], p[0])
    assert len(seen) > 1
    assert_same(results, example_kernel(large, y[0], p[0], threads=1))
    seen.clear()
    kernel(large[: count // 10], y[0], p[0])
    kernel(large, y[0], p[0], threads=1)
    assert seen == {threading.main_thread().name}
    # Many robots at one pose are a batch too.
    repeated = np.resize(p, (count, 4))
    assert_same(kernel(x[0], y[0], repeated), example_kernel(x[0], y[0], repeated, threads=1))
    assert len(seen) > 1
    seen.clear()
    # Two small arrays may broadcast to a large batch.
    side = int(count**0.5) + 1
    grid = kernel(large[:side, None], large[None, :side, [0, 1, 2, 0, 1]], p[0])
    assert len(seen) > 1
    assert_same(grid, example_kernel(large[:side, None], large[None, :side, [0, 1, 2, 0, 1]], p[0], threads=1))


def test_a_running_kernel_does_not_hold_pythons_lock() -> None:
    x = SX.sym("x", 1)
    value = x[0]
    for _ in range(40):
        value = casadi.sin(value) + casadi.exp(-value)
    kernel = build("long", {"x": x}, None, {"y": value})
    worker = threading.Thread(target=kernel, args=(np.ones((200_000, 1)),), kwargs={"threads": 1})
    worker.start()
    turns = 0
    while worker.is_alive():
        turns += 1
    # Were the lock held, this thread would get a turn or two before and after the call.
    assert turns > 1000


@pytest.mark.parametrize("value", ["0", "-1", "many", "1.5"])
def test_a_wrong_number_of_threads(value: str, example_kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_THREADS", value)
    with pytest.raises(KernelError, match=f"PARAPICK_THREADS is '{value}'; it should be a number of at least 1"):
        available()
    with pytest.raises(KernelError, match="threads is 0; it should be at least 1"):
        example_kernel(np.ones(3), np.ones(5), np.ones(4), threads=0)


def test_threads_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert available() >= 1
    monkeypatch.setenv("PARAPICK_THREADS", "5")
    assert available() == 5


def test_threads_after_a_fork(example: Trace, make_rows: Rows, tmp_path: Any) -> None:
    """A forked child has none of its parent's threads and must not wait for them."""
    import multiprocessing

    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("no fork on this system")
    kernel = kernel_of(example, host_target())
    x, y, p = make_rows(100)
    expected = kernel(x, y, p[0], threads=2)[0]
    context = multiprocessing.get_context("fork")

    def child() -> None:
        np.save(tmp_path / "result.npy", kernel(x, y, p[0], threads=2)[0])

    process = context.Process(target=child)
    process.start()
    process.join(30)
    finished = process.exitcode == 0
    process.kill()
    assert finished
    np.testing.assert_array_equal(np.load(tmp_path / "result.npy"), expected)
