"""The two codes of a kernel: that for small batches moves rows by functions that all kernels share, and the same bits
come out as of that for large ones, whatever the layout."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.kernel import Kernel, Recipe, Trace, build, cache as disk, compilations, compiled, known
from parapick.kernel.call import kernel as kernels
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.call.threads import PIECE
from parapick.kernel.llvm.compiler import SHARED
from parapick.kernel.llvm.target import Target, host_target
from parapick.kernel.registry import Registry
from parapick.kernel.trace.expressions import trace_of

Array = NDArray[np.float64]
Rows = Callable[[int], tuple[Array, Array, Array]]

GUARD = -1.0
COUNTS = (1, 2, 7, 8, 9, 63, 64, 65, 200)


def moved(columns: int) -> Trace:
    """A computation that only changes places, with rows, a matrix and a scalar."""
    x, y = SX.sym("x", columns), SX.sym("y", 1)
    outputs = {"backwards": x[::-1], "table": x @ SX([[1.0, 2.0]]), "first": x[0] + y}
    return trace_of(f"moved{columns}", {"x": x, "y": y}, None, outputs, None)


def expected(x: Array, y: Array) -> tuple[Array, Array, Array]:
    return x[..., ::-1], x[..., None] * [1.0, 2.0], x[..., 0] + y[..., 0]


def layouts(x: Array) -> list[Array]:
    """The same rows in memory of other layouts."""
    count, columns = x.shape
    wide, sparse = np.zeros((count, columns + 3)), np.zeros((count, 2 * columns))
    wide[:, :columns], sparse[:, ::2] = x, x
    return [
        x,
        np.asfortranarray(x),
        wide[:, :columns],
        sparse[:, ::2],
        x[::-1].copy()[::-1],
        x[:, ::-1].copy()[:, ::-1],
    ]


@pytest.mark.parametrize("width", [1, 4, 8])
@pytest.mark.parametrize("columns", [2, 3, 4, 5, 7, 8, 13])
def test_every_number_arrives_in_its_place(columns: int, width: int) -> None:
    """And nothing beside the rows is touched."""
    kernel = kernel_of(moved(columns), host_target(width=width))
    for count in COUNTS:
        x = np.arange(1.0, count * columns + 1).reshape(count, columns)
        y = np.arange(count)[:, None] * 1e6
        around = np.full((count + 2, columns), GUARD)
        for given in layouts(x):
            around[...] = GUARD
            results = kernel.small_ufunc(given, y, out=(around[1:-1], np.empty((count, columns, 2)), np.empty(count)))
            for one, other in zip(results, expected(x, y), strict=True):
                np.testing.assert_array_equal(one, other)
            assert np.all(around[[0, -1]] == GUARD)
        for one, other in zip(kernel.small_ufunc(x[-1], y), expected(x[[-1] * count], y), strict=True):
            np.testing.assert_array_equal(one, other)


def test_outputs_of_any_layout() -> None:
    kernel = kernel_of(moved(5), host_target())
    for count in COUNTS:
        x, y = np.arange(5.0 * count).reshape(count, 5), np.ones((count, 1))
        for place in layouts(np.zeros((count, 5))):
            table = np.zeros((count, 2, 5)).transpose(0, 2, 1)
            results = kernel.small_ufunc(x, y, out=(place, table, np.zeros((count, 2))[:, 1]))
            for one, other in zip(results, expected(x, y), strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("count", COUNTS)
def test_both_codes_give_the_same_bits(count: int, example: Trace, target: Target, make_rows: Rows) -> None:
    """With parameters of the call and of each row, NaN and rows that are not valid among them."""
    kernel = kernel_of(example, target)
    x, y, p = make_rows(count)
    x[count // 2, 0], x[0, 0] = np.nan, -5.0
    for parameters in (p[0], p):
        for one, other in zip(kernel.small_ufunc(x, y, parameters), kernel.ufunc(x, y, parameters), strict=True):
            np.testing.assert_array_equal(one, other)


def test_no_rows(example_kernel: Kernel) -> None:
    results = example_kernel.small_ufunc(np.empty((0, 3)), np.empty((0, 5)), np.ones(4))
    assert [result.shape for result in results] == [(0, 3), (0, 3, 2), (0,), (0, 3)]


def test_many_rows_and_a_grid() -> None:
    """Several outer dimensions, of which NumPy gives the loop one after the other."""
    kernel = kernel_of(moved(3), host_target())
    x, y = np.arange(90.0).reshape(6, 1, 5, 3), np.arange(20.0).reshape(4, 5, 1)
    wide = np.broadcast_to(x, (6, 4, 5, 3)), np.broadcast_to(y, (6, 4, 5, 1))
    for one, other in zip(kernel(x, y), expected(*wide), strict=True):
        np.testing.assert_array_equal(one, other)


def doubling(name: str) -> Kernel:
    x = SX.sym("x", 2)
    return build(name, {"x": x}, None, {"y": 2 * x})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Which codes were compiled."""
    forms: list[bytes] = []
    compile_form = kernels._compiled

    def compiled_form(trace: Trace, target: Target, form: bytes) -> bytes:
        forms.append(form)
        return compile_form(trace, target, form)

    monkeypatch.setattr(kernels, "_compiled", compiled_form)
    return forms


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_code_is_made_when_a_call_needs_it(
    threads: int | None, made: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path))
    kernel = doubling("needed")
    assert made == []
    small, large = np.ones((3, 2)), np.ones((2 * PIECE // kernel.ports.work + 1, 2))
    kernel(small, threads=threads)
    kernel(small, threads=threads)
    assert made == [kernels._SMALL]
    (result,) = kernel(large, threads=threads)
    kernel(large, threads=threads)
    assert made == [kernels._SMALL, kernels._LARGE]
    assert np.all(result == 2.0)


def test_code_for_large_batches_takes_small_ones_too(
    made: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path))
    kernel = doubling("larger")
    large = np.ones((2 * PIECE // kernel.ports.work + 1, 2))
    kernel(large)
    assert kernel([1.0, 2.0])[0].tolist() == [2.0, 4.0]
    assert made == [kernels._LARGE]


def test_both_codes_are_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path))
    asked = 0

    def make() -> Kernel:
        nonlocal asked
        asked += 1
        return doubling("again")

    def answers() -> tuple[Any, Any]:
        monkeypatch.setattr(kernels, "_known", Registry())
        kernel = known(Recipe(("parapick.parameters",), "again", (1.0,)), make)
        return kernel.small_ufunc([1.0, 2.0]), kernel.ufunc([3.0, 4.0])

    answers()
    before = compilations()
    small, large = answers()
    assert (small.tolist(), large.tolist()) == ([2.0, 4.0], [6.0, 8.0])
    assert asked == 1
    assert compilations().built == before.built
    assert compilations().loaded == before.loaded + 2


def test_a_kernel_that_is_not_called_needs_no_expressions_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path))
    asked = 0

    def make() -> Kernel:
        nonlocal asked
        asked += 1
        return doubling("uncalled")

    for _ in range(2):
        monkeypatch.setattr(kernels, "_known", Registry())
        assert known(Recipe(("parapick.parameters",), "uncalled", (1.0,)), make).ports.name == "uncalled"
    assert asked == 1


@pytest.mark.parametrize("damage", [None, b"no object"])
def test_what_kernels_share_is_kept_and_made_again(
    damage: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path))
    compiling: list[str] = []
    compile_text = compiled.compile_text
    monkeypatch.setattr(
        compiled, "compile_text", lambda text, target: compiling.append(text) or compile_text(text, target)
    )

    def addresses() -> dict[str, int]:
        monkeypatch.setattr(compiled, "_shared", Registry())
        return dict(compiled.shared_functions(host_target()))

    assert set(addresses()) == set(SHARED)
    (entry,) = tmp_path.iterdir()
    if damage:
        disk.store(entry.name, damage)
    assert set(addresses()) == set(SHARED)
    assert len(compiling) == (2 if damage else 1)
    assert compiled.shared_functions(host_target()) == compiled.shared_functions(host_target())
