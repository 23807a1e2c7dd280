"""Scans: a step repeated natively along time series, with an inner loop for its substeps.

`state, outputs = step(state, inputs of this step, parameters)`, once for each step; after each step a substep may
follow, repeated as often as the call says: `state = substep(state, held, parameters)`, where `held` was computed by the
step. A closed loop is a scan (control once per step, the plant in substeps), and so is the fold of a motion into peaks
and sums (its state), which needs no memory for the samples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parapick.errors import KernelError
from parapick.kernel.call.scan_program import Program, given_arrays
from parapick.kernel.compiled import code_of, loaded
from parapick.kernel.llvm.compiler import Code, compile_text
from parapick.kernel.llvm.target import Target, host_target
from parapick.kernel.lookup import Lookup
from parapick.kernel.ports import Ports
from parapick.kernel.reads import Reads
from parapick.kernel.recipe import Recipe
from parapick.kernel.registry import Registry

if TYPE_CHECKING:
    from casadi import SX

    from parapick.kernel.trace.scan_trace import ScanTrace, Substep

_RECORDING: Final = b"recording"
_FOLDING: Final = b"folding"
"""The two kinds of code of a scan, before the content of its recipe."""


@final
@dataclass(frozen=True, eq=False)
class ScanRun:
    """What a scan recorded.

    Attributes:
        outputs: by name, one value per step: `(..., T, *core)`.
        state: the state after the last step, `(..., n)`.
    """

    outputs: dict[str, NDArray[np.float64]]
    state: NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False)
class Scan:
    """A compiled scan. Code is compiled, or loaded from the cache, at the first call.

    Attributes:
        ports: what goes in and comes out.
        traced: makes its trace.
        single: what code for one row at a time is made for.
        lanes: what code for a row in each vector lane is made for.
        lookup: by which its code is found; None: by its trace only.
    """

    ports: Ports
    traced: Callable[[], ScanTrace]
    single: Target
    lanes: Target
    lookup: Lookup | None = None

    @cached_property
    def trace(self) -> ScanTrace:
        """The computation, for other printers; made when asked for."""
        return self.traced()

    @property
    def states(self) -> int:
        """Number of state entries."""
        return self.ports.inputs[0].size

    @cached_property
    def recording(self) -> Program:
        """Code for one row at a time that records the outputs."""
        return Program(self.ports, self.single, lambda: self._code(_RECORDING, self.single))

    @cached_property
    def folding(self) -> Program:
        """Code for a row in each vector lane that records nothing."""
        ports = self.ports._replace(outputs=())
        return Program(ports, self.lanes, lambda: self._code(_FOLDING, self.lanes))

    def _code(self, form: bytes, target: Target) -> tuple[Code, Ports]:
        earlier = None if self.lookup is None else self.lookup.found(target, form)
        code = loaded(earlier, target)
        if earlier is not None and code is not None:
            return code, earlier.ports
        trace = self.trace.without_outputs() if form == _FOLDING else self.trace
        content = b"scan" + trace.content()
        ports = self.ports._replace(places=trace.trace.places)
        code = code_of(ports, target, content, lambda: _compiled(trace, target))
        if self.lookup is not None:
            self.lookup.keep(target, form, ports, content)
        return code, ports

    def __call__(self, state: ArrayLike, *arrays: ArrayLike, substeps: int = 1, threads: int | None = None) -> ScanRun:
        """Run the scan and record its outputs.

        A batch equals a loop of single runs, bit for bit.

        Args:
            state: first state, `(..., n)`.
            arrays: the inputs in order, `(..., T, k)` each with its own k, then the parameters `(..., p)` if the scan
                has any. Leading dimensions broadcast; any strides. T may be 0.
            substeps: repetitions of the substep in each step, at least 1.
            threads: number of threads; None: as many as a large batch is worth.

        Returns:
            Outputs and last state. From the first step on whose state, inputs or parameters hold NaN, or whose
            validity is not >= 0, all of it is NaN.

        Raises:
            ShapeError: an array does not end in its core dimensions, or leading dimensions do not broadcast.
            ParameterError: an array does not hold real numbers, or is masked.
            KernelError: the number of arrays is wrong, or `substeps` is not possible.
        """
        given = given_arrays(self.ports, [state, *arrays])
        outputs, last = self.recording(given, self._checked(substeps), threads)
        names = [port.name for port in self.ports.outputs]
        return ScanRun(dict(zip(names, outputs, strict=True)), last)

    def final(
        self, state: ArrayLike, *arrays: ArrayLike, substeps: int = 1, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Run the scan for its last state only, one row of the batch per vector lane.

        A batch equals a loop of single calls of `final`, bit for bit; it agrees with the last state of a recorded run
        up to rounding, because vectors round in another order.

        Args:
            state: first state, `(..., n)`.
            arrays: the inputs in order, `(..., T, k)`, then the parameters `(..., p)` if the scan has any; a series
                that all rows share is read from one place.
            substeps: repetitions of the substep in each step, at least 1.
            threads: number of threads; None: as many as a large batch is worth.

        Returns:
            The state after the last step, `(..., n)`; wrong arrays raise as in a call.
        """
        given = given_arrays(self.ports, [state, *arrays])
        return self.folding(given, self._checked(substeps), threads)[1]

    def _checked(self, substeps: int) -> int:
        """The number of substeps, if it is possible."""
        name = self.ports.name
        if not isinstance(substeps, int | np.integer) or isinstance(substeps, bool) or substeps < 1:
            raise KernelError(name, f"substeps is {substeps!r}; it should be a whole number of at least 1")
        if substeps > 1 and not self.ports.substeps:
            raise KernelError(name, f"substeps is {substeps}, but the scan was built without a substep")
        return int(substeps)


def _compiled(trace: ScanTrace, target: Target) -> bytes:
    # Inside: what is found needs no compiler.
    from parapick.kernel.llvm.scan_loop import scan_module

    return compile_text(scan_module(trace, target), target, whole=True)


def build_scan(
    name: str,
    state: SX,
    inputs: Mapping[str, SX],
    parameters: SX | None,
    next_state: SX,
    outputs: Mapping[str, SX],
    substep: Substep | None = None,
    validity: SX | None = None,
) -> Scan:
    """Make a scan of expressions.

    Args:
        name: name of the scan, an identifier.
        state: column of symbols.
        inputs: columns of symbols by name, in the order of the call: time series with one value per step.
        parameters: column of symbols, constant over the run; None: no such argument.
        next_state: column, the state after the step and before its substeps, of state, inputs and parameters.
        outputs: what is recorded once per step, of the state before the step, inputs and parameters: columns, matrices,
            scalars.
        substep: what is repeated inside a step; None: nothing.
        validity: column; where an entry is not >= 0 the outputs and the next state of that step are NaN, and so is
            everything after it. None: only NaN in state, inputs or parameters makes a step invalid.

    Raises:
        KernelError: an operation is unknown, a symbol is in no input, or a shape does not fit.
    """
    from parapick.kernel.trace.scan_trace import scan_trace

    trace = scan_trace(name, state, inputs, parameters, next_state, outputs, substep, validity)
    return Scan(trace.ports, lambda: trace, host_target(width=1), host_target())


_known: Registry[Recipe, Scan] = Registry()


def known_scan(recipe: Recipe, make: Callable[[], Scan]) -> Scan:
    """The scan of a recipe: the one of this process, or one whose code is in the cache on disk, or made.

    Args:
        recipe: what it is made of.
        make: makes it with `build_scan`; called only where nothing was made of this recipe before.
    """
    return _known.get(recipe, lambda: _found(Lookup(recipe), make))


def known_scan_by_reads(recipe: Recipe, make: Callable[[Reads], Scan]) -> Scan:
    """The scan of a recipe, which all structures share that are the same wherever `make` looks.

    Args:
        recipe: what it is made of, as of `known_by_reads`.
        make: makes it with `build_scan`, as of `known_by_reads`.
    """

    def found() -> Scan:
        reads = Reads()
        return _found(Lookup(recipe, reads), lambda: make(reads))

    return _known.get(recipe, found)


def _found(lookup: Lookup, make: Callable[[], Scan]) -> Scan:
    single, lanes = host_target(width=1), host_target()
    earlier = lookup.found(single, _RECORDING) or lookup.found(lanes, _FOLDING)
    if earlier is not None:
        return Scan(earlier.ports, lambda: make().trace, single, lanes, lookup)
    # Inside: what is found needs no CasADi.
    from parapick.kernel.trace.arithmetic import direct_arithmetic

    with direct_arithmetic():
        return replace(make(), lookup=lookup)
