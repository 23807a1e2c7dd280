"""Calling a kernel: shapes, layouts, number types, `out=`, and what is said about arrays that do not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.errors import KernelError, ParameterError, ShapeError
from parapick.kernel import Kernel, Trace, build
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import Target
from parapick.kernel.trace.expressions import trace_of

Array = NDArray[np.float64]
Rows = Callable[..., tuple[Array, Array, Array]]
Formula = Callable[[Array, Array, Array], tuple[Array, ...]]

ROUNDING = 1e-13
"""Relative: a few roundings of numbers near 1; a wrong entry differs by far more."""


def assert_same(actual: tuple[Any, ...], expected: tuple[Any, ...]) -> None:
    """Equal to the last bit, NaN in the same places."""
    assert len(actual) == len(expected)
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


def test_example_against_numpy(example: Trace, formula: Formula, make_rows: Rows, target: Target) -> None:
    x, y, p = make_rows(11)
    results = kernel_of(example, target)(x, y, p)
    for index in range(11):
        for result, expected in zip(results, formula(x[index], y[index], p[index]), strict=True):
            np.testing.assert_allclose(result[index], expected, rtol=ROUNDING, atol=ROUNDING)


def test_signature_and_shapes(example_kernel: Kernel, make_rows: Rows) -> None:
    x, y, p = make_rows(1)
    assert example_kernel.ufunc.signature == "(3),(5),(4)->(3),(3,2),(),(3)"
    assert [np.shape(result) for result in example_kernel(x[0], y[0], p[0])] == [(3,), (3, 2), (), (3,)]
    assert [np.shape(result) for result in example_kernel(x, y, p[0])] == [(1, 3), (1, 3, 2), (1,), (1, 3)]
    assert {np.asarray(result).dtype for result in example_kernel(x, y, p)} == {np.dtype(np.float64)}


def test_one_output_is_a_tuple_too() -> None:
    x = SX.sym("x", 2)
    result = build("single", {"x": x}, None, {"sum": x[0] + x[1]})(np.array([[1.0, 2.0], [3.0, 5.0]]))
    assert isinstance(result, tuple)
    assert_same(result, (np.array([3.0, 8.0]),))


def test_matrix_entries_are_in_their_place(target: Target) -> None:
    x = SX.sym("x", 6)
    matrix = casadi.vertcat(x[:3].T, x[3:].T)
    assert matrix.shape == (2, 3)
    outputs = {"matrix": matrix, "row": x.T, "sparse": casadi.diag(x[:2])}
    kernel = kernel_of(trace_of("place", {"x": x}, None, outputs, None), target)
    given = np.arange(30.0).reshape(5, 6)
    matrices, row, sparse = kernel(given)
    assert_same((matrices, row), (given.reshape(5, 2, 3), given.reshape(5, 1, 6)))
    np.testing.assert_array_equal(sparse[2], [[12.0, 0.0], [0.0, 13.0]])


def layouts(array: Array) -> dict[str, Array]:
    """The same numbers in other layouts: rows of a core dimension last."""
    wide = np.zeros((2 * array.shape[0], 3 * array.shape[1]))
    wide[::2, ::3] = array
    backwards = np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    padded = np.zeros(array.size * 8 + 1, np.uint8)[1:].view(np.float64).reshape(array.shape)
    padded[...] = array
    return {
        "plain rows": array.copy(),
        "structure of arrays": np.ascontiguousarray(array.T).T,
        "strided": wide[::2, ::3],
        "negative strides": backwards,
        "unaligned": padded,
        "other byte order": array.astype(array.dtype.newbyteorder()),
        "part of wider rows": np.pad(array, ((0, 0), (0, 2)))[:, :-2],
    }


@pytest.mark.parametrize("count", [1, 3, 4, 7, 16])
@pytest.mark.parametrize("layout", layouts(np.zeros((1, 1))))
def test_layouts_of_inputs(layout: str, count: int, example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    arrays = make_rows(count)
    expected = kernel(*arrays)
    for place in range(3):
        given = [layouts(array)[layout] if place == k else array for k, array in enumerate(arrays)]
        assert_same(kernel(*given), expected)
    assert_same(kernel(*(layouts(array)[layout] for array in arrays)), expected)


@pytest.mark.parametrize("count", [1, 4, 7, 16])
@pytest.mark.parametrize("matrix_layout", ["side by side", "padded rows", "transposed"])
def test_layouts_of_outputs(count: int, matrix_layout: str, example: Trace, make_rows: Rows, target: Target) -> None:
    kernel = kernel_of(example, target)
    arrays = make_rows(count)
    expected = kernel(*arrays)
    around = np.full((4, count + 2), -1.0)
    column = around[:3, 1:-1].T
    matrix = {
        "side by side": np.full((2, 3, count), -1.0).transpose(2, 1, 0),
        "padded rows": np.full((count, 3, 5), -1.0)[:, :, :2],
        "transposed": np.full((count, 2, 3), -1.0).transpose(0, 2, 1),
    }[matrix_layout]
    scalar = np.full(2 * count, -1.0)[::2]
    fixed = np.full((3, count, 2), -1.0)[::-1, :, 0].T
    results = kernel.ufunc(*arrays, out=(column, matrix, scalar, fixed))
    assert all(result is given for result, given in zip(results, (column, matrix, scalar, fixed), strict=True))
    assert_same(results, expected)
    assert (around[3] == -1.0).all()
    assert (around[:, [0, -1]] == -1.0).all()
    assert scalar.base is not None
    assert (scalar.base[1::2] == -1.0).all()


@pytest.mark.parametrize("y_layout", layouts(np.zeros((1, 1))))
@pytest.mark.parametrize("x_layout", layouts(np.zeros((1, 1))))
def test_mixed_layouts(x_layout: str, y_layout: str, example: Trace, make_rows: Rows, target: Target) -> None:
    """Each operand takes its own way through the loop; results go to rows, and side by side."""
    kernel, count = kernel_of(example, target), 9
    x, y, p = make_rows(count, seed=count)
    expected = tuple(np.stack(one) for one in zip(*(kernel(x[k], y[k], p[0]) for k in range(count)), strict=True))
    given = layouts(x)[x_layout], layouts(y)[y_layout], p[0]
    assert_same(kernel(*given), expected)
    out = tuple(np.moveaxis(np.empty((*one.shape[1:], count)), -1, 0) for one in expected)
    mixed = (np.empty_like(expected[0]), *out[1:])
    assert_same(kernel.ufunc(*given, out=mixed), expected)


def test_output_over_its_own_input(target: Target) -> None:
    x = SX.sym("x", 4)
    kernel = kernel_of(trace_of("reverse", {"x": x}, None, {"y": x[::-1]}, None), target)
    data = np.arange(40.0).reshape(10, 4)
    expected = data[:, ::-1].copy()
    kernel.ufunc(data, out=(data,))
    np.testing.assert_array_equal(data, expected)


def test_leading_dimensions_broadcast(example_kernel: Kernel, make_rows: Rows) -> None:
    x, y, p = make_rows(6)
    results = example_kernel(x.reshape(2, 3, 3), y[:3], p[0])
    for i in range(2):
        for j in range(3):
            single = example_kernel(x[3 * i + j], y[j], p[0])
            assert_same(tuple(np.asarray(result[i, j]) for result in results), tuple(map(np.asarray, single)))
    grid = example_kernel(x[:, None], y[None, :4], p[1])
    assert [result.shape[:2] for result in grid] == [(6, 4)] * 4
    assert_same(tuple(result[5, 2] for result in grid[:2]), example_kernel(x[5], y[2], p[1])[:2])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0), (3, 0, 2)])
def test_empty_batches(shape: tuple[int, ...], example_kernel: Kernel) -> None:
    results = example_kernel(np.zeros((*shape, 3)), np.zeros(5), np.ones(4))
    assert [result.shape for result in results] == [(*shape, 3), (*shape, 3, 2), shape, (*shape, 3)]
    assert example_kernel(np.zeros((*shape, 3)), np.zeros(5), np.ones(4), threads=4)[0].shape == (*shape, 3)


def test_lists_integers_and_single_precision(example_kernel: Kernel) -> None:
    x, y, p = [[1, 0, -1]] * 5, np.arange(5, dtype=np.int32), np.array([1, 2, 3, 4], np.float32)
    expected = example_kernel(np.array(x, float), y.astype(float), p.astype(float))
    assert_same(example_kernel(x, y, p), expected)


@pytest.mark.parametrize(
    ("name", "x", "y", "p", "message"),
    [
        ("x", (4,), (5,), (4,), "x has shape (4,); it should be (..., 3)"),
        ("x", (), (5,), (4,), "x has shape (); it should be (..., 3)"),
        ("y", (7, 3), (7, 1), (4,), "y has shape (7, 1); it should be (..., 5)"),
        ("parameters", (7, 3), (5,), (7, 5), "parameters has shape (7, 5); it should be (..., 4)"),
        ("parameters", (7, 3), (5,), (6, 4), "parameters has shape (6, 4); it should be such that it broadcasts"),
    ],
)
@pytest.mark.parametrize("threads", [None, 1, 2])
def test_wrong_shapes_are_named(
    name: str,
    x: tuple[int, ...],
    y: tuple[int, ...],
    p: tuple[int, ...],
    message: str,
    threads: int | None,
    example_kernel: Kernel,
) -> None:
    with pytest.raises(ShapeError) as caught:
        example_kernel(np.ones(x), np.ones(y), np.ones(p), threads=threads)
    assert caught.value.name == name
    assert message in str(caught.value)


def test_wrong_number_of_arrays(example_kernel: Kernel) -> None:
    arrays = [np.ones(3), np.ones(5), np.ones(4), np.ones(3)]
    for count in (0, 2, 4):  # NumPy would write the first output to a fourth
        with pytest.raises(KernelError, match=rf"example.*takes 3 arrays \(x, y, parameters\), not {count}"):
            example_kernel(*arrays[:count])


@pytest.mark.parametrize("wrong", [np.ones(3, complex), np.array(["a", "b", "c"]), np.array([None] * 3)])
def test_arrays_of_something_else(wrong: Any, example_kernel: Kernel) -> None:
    with pytest.raises(ParameterError, match=rf"^x: holds .* \({wrong.dtype}\); it must hold real numbers"):
        example_kernel(wrong, np.ones(5), np.ones(4))


def test_ragged_list(example_kernel: Kernel) -> None:
    with pytest.raises(ShapeError, match=r"^x .*rows are equally long"):
        example_kernel([[1.0, 2.0, 3.0], [1.0]], np.ones(5), np.ones(4))
