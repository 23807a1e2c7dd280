"""Kernels: expressions compiled to native code and called like NumPy functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parapick.arrays import reals
from parapick.errors import KernelError, ParapickError
from parapick.kernel.call.broadcast import leading_shape
from parapick.kernel.call.gufunc import Gufunc, make_gufunc
from parapick.kernel.call.threads import PIECE, available, in_pieces
from parapick.kernel.compiled import code_of, loaded, shared_functions
from parapick.kernel.llvm.compiler import Code, compile_text
from parapick.kernel.llvm.target import Target, host_target
from parapick.kernel.lookup import Lookup
from parapick.kernel.ports import Ports
from parapick.kernel.reads import Reads
from parapick.kernel.recipe import Recipe
from parapick.kernel.registry import Registry

if TYPE_CHECKING:
    from casadi import SX

    from parapick.kernel.trace.instructions import Trace

_ARRAY, _NUMBER = np.ndarray, np.float64
"""What NumPy answers to plain arrays; to a masked array or a matrix it answers in their kind."""

_PLAIN = 2
"""Dimensions up to which arrays cannot broadcast to more rows than the largest of them has."""


_SMALL: Final = b"small batches"
_LARGE: Final = b"large batches"
"""The two kinds of code of a kernel, before the content of its recipe."""


@final
@dataclass(frozen=True, eq=False)
class Kernel:
    """A compiled computation. Code is compiled, or loaded from the cache, at the first call that needs it.

    Attributes:
        ports: what goes in and comes out.
        traced: makes its trace.
        target: what code is made for.
        lookup: by which its code is found; None: by its trace only.
    """

    ports: Ports
    traced: Callable[[], Trace]
    target: Target
    lookup: Lookup | None = None
    _names: tuple[str, ...] = field(init=False)
    _call: tuple[Callable[..., Any], int, int, int] = field(init=False)
    _rows_last: int = field(init=False)
    _ufuncs: Registry[bytes, Gufunc] = field(default_factory=Registry, init=False, repr=False)

    def __post_init__(self) -> None:
        rows, shapes = 2 * PIECE // max(1, self.ports.work), self.ports.shapes
        first, last = (max(1, prod(shapes[place])) for place in (0, -1))
        # All that every call needs, in one place; then rows that are worth several threads, in entries of the array.
        known = {"_names": self.ports.names, "_call": (self._first_call, len(shapes), rows * first, last)}
        known |= {"_rows_last": rows * last}
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @cached_property
    def trace(self) -> Trace:
        """The computation, for other printers; made when asked for."""
        return self.traced()

    @property
    def ufunc(self) -> Gufunc:
        """The NumPy gufunc, for `out=` and everything else gufuncs can do; it may outlive the kernel."""
        large = self._ufuncs.get(_LARGE, lambda: self._made(_LARGE))
        # Small batches need no code of their own any more.
        object.__setattr__(self, "_call", (large, *self._call[1:]))
        return large

    @property
    def small_ufunc(self) -> Gufunc:
        """The gufunc for small batches: it takes longer over a row, and half as long to compile."""
        return self._ufuncs.get(_SMALL, lambda: self._made(_SMALL))

    def _first_call(self, *arrays: ArrayLike) -> Any:
        """Call the gufunc for small batches, which is called at once from now on."""
        return self._ready()(*arrays)

    def _ready(self) -> Callable[..., Any]:
        """The gufunc for small batches, or that for large ones where it is there."""
        if self._call[0] == self._first_call:
            object.__setattr__(self, "_call", (self.small_ufunc, *self._call[1:]))
        return self._call[0]

    def _made(self, form: bytes) -> Gufunc:
        """The gufunc of a form: of code that is found, or compiled."""
        earlier = None if self.lookup is None else self.lookup.found(self.target, form)
        calls = shared_functions(self.target) if form == _SMALL else {}
        code = loaded(earlier, self.target, calls)
        if earlier is not None and code is not None:
            return _ufunc(earlier.ports, code)
        trace = self.trace
        content, ports = form + trace.content(), self.ports._replace(places=trace.places)
        code = code_of(ports, self.target, content, lambda: _compiled(trace, self.target, form), calls)
        if self.lookup is not None:
            self.lookup.keep(self.target, form, ports, content)
        return _ufunc(ports, code)

    def __call__(self, *arrays: ArrayLike, threads: int | None = None) -> tuple[NDArray[np.float64], ...]:
        """Compute the outputs.

        Args:
            arrays: the inputs in order, then the parameters if the kernel has any; each of shape `(..., n)` with its
                own n, any strides. Leading dimensions broadcast.
            threads: number of threads; None: as many as a large batch is worth, where the first array or the last is
                large; one where only others are.

        Returns:
            One float64 array for each output, of shape `(..., *core)`; NaN in rows that are not valid. Without leading
            dimensions a scalar output is a NumPy scalar.

        Raises:
            ShapeError: an array does not end in its core dimension, or leading dimensions do not broadcast.
            ParameterError: an array does not hold real numbers, or is masked.
            KernelError: the number of arrays is wrong.
        """
        ufunc, count, small, one = self._call
        if len(arrays) != count:  # a gufunc would take more of them as outputs
            expected = ", ".join(self._names)
            raise KernelError(self.ports.name, f"takes {count} arrays ({expected}), not {len(arrays)}")
        try:
            if threads is None or threads == 1:
                # A quick look that errs on the large side, because most calls are small; at the first input and the
                # parameters only, and not in a function of its own, because looking takes longer than a row.
                first: Any = arrays[0]
                last: Any = arrays[-1]
                try:
                    # One row of parameters is what nearly all calls have.
                    large = (first.size > small or first.ndim > _PLAIN or last.size > one) and self._is_large(
                        first, last
                    )
                except AttributeError:  # a list or a number among them
                    large = np.ndim(last) > 1
                if large:
                    return self._in_threads(arrays, threads)
            else:
                return self._in_threads(arrays, threads)
            result: Any = ufunc(*arrays)
        except ParapickError:
            raise
        except (TypeError, ValueError):
            result = None
        # NumPy answers in the kind of what it was given; looking at the answer costs less than at every argument.
        kind = type(result)
        if kind is _ARRAY or kind is _NUMBER:
            return (result,)
        if kind is tuple:
            kind = type(result[0])
            if kind is _ARRAY or kind is _NUMBER:
                return result
        return self._in_threads(arrays, 1)

    def _is_large(self, first: NDArray[Any], last: NDArray[Any]) -> bool:
        """Whether the first array or the last has rows that may be worth several threads."""
        if first.size > self._call[2] or first.ndim > _PLAIN:
            return True
        return last.ndim > 1 and (last.size > self._rows_last or last.ndim > _PLAIN)

    def _read(self, arrays: tuple[ArrayLike, ...]) -> list[NDArray[np.float64]]:
        return [reals(name, array) for name, array in zip(self._names, arrays, strict=True)]

    def _in_threads(self, arrays: tuple[ArrayLike, ...], threads: int | None) -> tuple[NDArray[np.float64], ...]:
        """Compute with arrays read as float64 or refused in our words, with several threads where that is worth it."""
        given = self._read(arrays)
        rows = leading_shape(self._names, self.ports.shapes, given)
        work = prod(rows) * self.ports.work
        if threads is None:
            threads = min(available(), work // PIECE)
        elif threads < 1:
            raise KernelError(self.ports.name, f"threads is {threads}; it should be at least 1")
        # What is worth several threads is worth code of its own, were there only one.
        ufunc: Any = self.ufunc if work >= 2 * PIECE else self._ready()
        if threads < 2 or not rows or 0 in rows:
            result = ufunc(*given)
            return result if type(result) is tuple else (result,)
        outputs = [port.shape for port in self.ports.outputs]
        return in_pieces(ufunc, given, self.ports.shapes, outputs, rows, threads)


def build(
    name: str,
    inputs: Mapping[str, SX],
    parameters: SX | None,
    outputs: Mapping[str, SX],
    validity: SX | None = None,
) -> Kernel:
    """Make a kernel of expressions.

    Args:
        name: name of the kernel, an identifier.
        inputs: columns of SX symbols in the order of the call; a column's length is the core dimension.
        parameters: column of SX symbols, the last argument of the call; None: no such argument.
        outputs: expressions in the order of the result; a column gives core shape `(n,)`, a matrix `(n, d)`, a 1 x 1
            expression a scalar.
        validity: column; a row is valid if every entry is >= 0 (NaN is not). None: every row whose inputs and
            parameters are free of NaN.

    Raises:
        KernelError: an operation is unknown, a symbol is in no input, or a shape does not fit.
    """
    from parapick.kernel.trace.expressions import trace_of

    return kernel_of(trace_of(name, inputs, parameters, outputs, validity), host_target())


_known: Registry[Recipe, Kernel] = Registry()


def known(recipe: Recipe, make: Callable[[], Kernel]) -> Kernel:
    """The kernel of a recipe: the one of this process, or loaded from the cache on disk, or made.

    Args:
        recipe: what it is made of.
        make: makes it with `build`; called only where nothing was made of this recipe before.
    """
    return _known.get(recipe, lambda: _found(Lookup(recipe), make, host_target()))


def known_by_reads(recipe: Recipe, make: Callable[[Reads], Kernel]) -> Kernel:
    """The kernel of a recipe, which all structures share that are the same wherever `make` looks.

    Args:
        recipe: what it is made of. Its structure has everything that makes the expressions differ beside the name.
        make: makes it with `build` from the structure, watched by what it is given; as parameters it takes all numbers
            of the structure, in the order of its fields, and behind them any others.
    """

    def found() -> Kernel:
        reads = Reads()
        return _found(Lookup(recipe, reads), lambda: make(reads), host_target())

    return _known.get(recipe, found)


def _found(lookup: Lookup, make: Callable[[], Kernel], target: Target) -> Kernel:
    earlier = lookup.found(target, _SMALL) or lookup.found(target, _LARGE)
    if earlier is not None:
        return Kernel(earlier.ports, lambda: make().trace, target, lookup)
    # Inside: what is found needs no CasADi.
    from parapick.kernel.trace.arithmetic import direct_arithmetic

    with direct_arithmetic():
        kernel = make()
    # Its ports are known the next time, even if it is not called.
    lookup.keep(target, _SMALL, kernel.ports, _SMALL + kernel.trace.content())
    return replace(kernel, lookup=lookup)


def kernel_of(trace: Trace, target: Target) -> Kernel:
    """The kernel of a trace for a target."""
    return Kernel(trace.ports, lambda: trace, target)


def _compiled(trace: Trace, target: Target, form: bytes) -> bytes:
    # Inside: what is found needs no compiler.
    from parapick.kernel.llvm.batch_loop import batch_module
    from parapick.kernel.llvm.small_batch import small_batch_module

    return compile_text((small_batch_module if form == _SMALL else batch_module)(trace, target), target)


def _ufunc(ports: Ports, code: Code) -> Gufunc:
    try:
        outputs = [port.shape for port in ports.outputs]
        return make_gufunc(ports.name, code.address, ports.shapes, outputs, code, ports.table)
    except ValueError as error:
        raise KernelError(ports.name, f"NumPy refuses it: {error}") from error
