"""Gufuncs made from an address: NumPy's own, the fallback in Python, and how long the code lives."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX
from numpy.typing import NDArray

from parapick.errors import ShapeError
from parapick.kernel import Kernel, Trace, build
from parapick.kernel.call import gufunc
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import host_target

Array = NDArray[np.float64]
Rows = Callable[..., tuple[Array, Array, Array]]


@pytest.fixture
def plain_kernel(example: Trace, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """The example as it is where NumPy's gufuncs cannot be made."""
    monkeypatch.setattr(gufunc, "NATIVE", False)
    kernel = kernel_of(example, host_target())
    assert isinstance(kernel.ufunc, gufunc.PlainGufunc)
    return kernel


def test_gufuncs_are_numpys_own_here(example_kernel: Kernel) -> None:
    assert gufunc.NATIVE
    assert isinstance(example_kernel.ufunc, np.ufunc)
    assert example_kernel.ufunc.__name__ == "example"


@pytest.mark.parametrize(
    "shapes", [((), (), ()), ((7,), (), ()), ((7,), (7,), (7,)), ((2, 1), (3,), (2, 3)), ((0,), (), ())]
)
def test_fallback_equals_numpys_own(
    shapes: tuple[tuple[int, ...], ...], plain_kernel: Kernel, example_kernel: Kernel, make_rows: Rows
) -> None:
    arrays = [
        array[: int(np.prod(shape))].reshape(*shape, -1) if 0 not in shape else np.zeros((*shape, array.shape[1]))
        for array, shape in zip(make_rows(7), shapes, strict=True)
    ]
    assert plain_kernel.ufunc.signature == example_kernel.ufunc.signature
    for threads in (1, 2):
        for one, other in zip(plain_kernel(*arrays, threads=threads), example_kernel(*arrays), strict=True):
            np.testing.assert_array_equal(one, other, strict=True)
            assert type(one) is type(other)


def test_fallback_writes_to_out(plain_kernel: Kernel, example_kernel: Kernel, make_rows: Rows) -> None:
    arrays = make_rows(6)
    expected = example_kernel(*arrays)
    out = tuple(np.zeros((6, *core[::-1])).swapaxes(1, -1) for core in [(3,), (3, 2), (1,), (3,)])
    out = (*out[:2], out[2][:, 0], out[3])
    results = plain_kernel.ufunc(*(np.asfortranarray(array) for array in arrays), out=out)
    for result, given, other in zip(results, out, expected, strict=True):
        assert result is given
        np.testing.assert_array_equal(result, other)


def test_fallback_over_its_own_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gufunc, "NATIVE", False)
    x = SX.sym("x", 4)
    data = np.arange(40.0).reshape(10, 4)
    expected = data[:, ::-1].copy()
    build("reverse", {"x": x}, None, {"y": x[::-1]}).ufunc(data, out=(data,))
    np.testing.assert_array_equal(data, expected)


def test_fallback_is_as_strict(plain_kernel: Kernel) -> None:
    with pytest.raises(ShapeError, match=r"y has shape \(4,\)"):
        plain_kernel(np.ones(3), np.ones(4), np.ones(4))
    with pytest.raises(ValueError, match="takes 3 arrays"):
        plain_kernel(np.ones(3))
    with pytest.raises(ValueError, match="complex128"):
        plain_kernel(np.ones(3), np.ones(5), np.ones(4, complex))
    results = plain_kernel([1, 0, 1], np.ones(5, np.float32), np.ones(4))
    assert results[0].dtype == np.float64


def test_fallback_is_taken_when_numpy_lacks_the_interface() -> None:
    program = """
import numpy._core._multiarray_umath as umath
del umath._UFUNC_API
import numpy as np
from casadi import SX
from parapick.kernel import build
from parapick.kernel.call import gufunc
assert not gufunc.NATIVE
x = SX.sym("x", 2)
print(build("without", {"x": x}, None, {"y": x[0] * x[1]})(np.array([[2.0, 3.0]]))[0].tolist())
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment()
    )
    assert result.stdout.strip() == "[6.0]"


def environment() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def made(factor: float) -> Kernel:
    x = SX.sym("x", 2)
    return build("lived", {"x": x}, None, {"y": casadi.sin(factor * x[0]) + x[1]})


@pytest.mark.parametrize("native", [True, False])
def test_the_gufunc_outlives_its_kernel(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gufunc, "NATIVE", native)
    ufunc: Any = made(2.0).ufunc
    gc.collect()
    others = [made(float(factor)) for factor in range(3, 13)]  # would take the place of freed code
    np.testing.assert_allclose(ufunc(np.array([[0.5, 1.0]] * 9)), np.sin(1.0) + 1.0, rtol=1e-15)
    del others


def test_code_is_freed_with_the_last_user(monkeypatch: pytest.MonkeyPatch) -> None:
    owners: list[weakref.ref[object]] = []
    original = gufunc._native_gufunc

    def watched(name: str, address: int, inputs: Any, outputs: Any, owner: object, data: Any) -> Any:
        owners.append(weakref.ref(owner))
        return original(name, address, inputs, outputs, owner, data)

    monkeypatch.setattr(gufunc, "_native_gufunc", watched)
    kernel = made(2.0)
    ufunc = kernel.ufunc
    del kernel
    gc.collect()
    assert owners[0]() is not None
    del ufunc
    gc.collect()
    assert owners[0]() is None
