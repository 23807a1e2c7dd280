"""What a scan refuses, and that it names what is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi
import numpy as np
import pytest
from casadi import SX

from parapick.errors import KernelError, ParameterError, ShapeError
from parapick.kernel import Scan, Substep
from scans import arrays, example, expressions


@pytest.fixture(scope="module")
def scan() -> Scan:
    """The example."""
    return example()


@pytest.mark.parametrize("method", ["__call__", "final"])
@pytest.mark.parametrize(
    ("array", "shape", "name", "expected"),
    [
        (0, (4,), "state", "(..., 3)"),
        (0, (), "state", "(..., 3)"),
        (1, (40, 3), "wish", "(..., 40, 2)"),
        (1, (2,), "wish", "(..., T, 2)"),
        (2, (39, 1), "push", "(..., 40, 1)"),
        (2, (40,), "push", "(..., 40, 1)"),
        (3, (7, 5), "parameters", "(..., 4)"),
        (3, (2, 4), "parameters", "such that it broadcasts with (3, 4)"),
    ],
)
def test_wrong_shapes(scan: Scan, method: str, array: int, shape: tuple[int, ...], name: str, expected: str) -> None:
    given: list[Any] = list(arrays())
    given[0] = np.zeros((3, 3))
    given[array] = np.zeros(shape)
    with pytest.raises(ShapeError) as caught:
        getattr(scan, method)(*given)
    assert (caught.value.name, caught.value.shape, caught.value.expected) == (name, shape, expected)


def test_wrong_number_of_arrays(scan: Scan) -> None:
    with pytest.raises(KernelError, match=r"takes 4 arrays \(state, wish, push, parameters\), not 3"):
        scan(*arrays()[:3])


@pytest.mark.parametrize("wrong", [[[1j, 0.0]] * 40, [["a", "b"]] * 40, [[1.0, 2.0], [1.0]]])
def test_no_real_numbers(scan: Scan, wrong: Any) -> None:
    state, _, push, p = arrays()
    with pytest.raises((ParameterError, ShapeError), match=r"^wish"):
        scan(state, wrong, push, p)


@pytest.mark.parametrize("substeps", [0, -3, 1.5, True, None, "2"])
def test_substeps_that_are_none(scan: Scan, substeps: Any) -> None:
    for call in (scan, scan.final):
        with pytest.raises(KernelError, match="whole number of at least 1"):
            call(*arrays(), substeps=substeps)


def test_substeps_without_a_substep() -> None:
    plain = example(substep=None)
    assert plain(*arrays(), substeps=1).state.shape == (3,)
    with pytest.raises(KernelError, match="built without a substep"):
        plain(*arrays(), substeps=2)


def test_threads(scan: Scan) -> None:
    with pytest.raises(KernelError, match="threads is 0"):
        scan.final(*arrays(), threads=0)


def _substep(**changes: SX) -> Substep:
    whole = expressions()["substep"]
    return Substep(**{"state": whole.state, "held": whole.held, "next": whole.next, "values": whole.values, **changes})


def test_a_substep_may_not_read_the_step() -> None:
    known = expressions()
    inner = known["substep"]
    wrong = replace(inner, next=inner.next + known["inputs"]["push"])
    with pytest.raises(KernelError, match=r"state, wish, push.*hand them over in `substep.values`"):
        example(**{**known, "substep": wrong})


def test_a_step_may_not_read_the_substep() -> None:
    known = expressions()
    outputs = {**known["outputs"], "odd": known["substep"].state}
    with pytest.raises(KernelError, match="no input"):
        example(**{**known, "outputs": outputs})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"next_state": SX.zeros(2)}, "next_state is 2 x 1; it should be a column of 3"),
        ({"inputs": {}}, "at least one input"),
        ({"substep": _substep(values=SX.zeros(3))}, "substep.held is 2 x 1; it should be a column of 3"),
        ({"substep": _substep(values=None)}, "substep.held is 2 x 1; it should be a column of 0"),
        ({"substep": _substep(next=SX.zeros(4))}, "substep.next is 4 x 1; it should be a column of 3"),
        ({"substep": _substep(state=SX.sym("s", 2))}, "substep.state is 2 x 1; it should be a column of 3"),
        ({"substep": _substep(state=SX.zeros(3))}, "columns of SX symbols"),
        ({"substep": _substep(next=casadi.vertcat(SX.sym("stray"), 0, 0))}, "stray"),
        ({"outputs": {"held": SX(1.0)}}, "names that a scan needs itself: held"),
        ({"outputs": {"y": SX.sym("free")}}, "free"),
        ({"state": SX.zeros(3)}, "state"),
    ],
)
def test_expressions_that_are_no_scan(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(KernelError) as caught:
        example(**changes)
    assert message in str(caught.value)


def test_an_unknown_operation_is_named_when_it_is_built() -> None:
    known = expressions()
    odd = casadi.erfinv(known["state"][0])
    with pytest.raises(KernelError, match="ERFINV"):
        example(**{**known, "outputs": {"odd": odd}})
