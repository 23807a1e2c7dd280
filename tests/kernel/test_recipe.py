"""Kernels and scans found by what they are made of: without a trace, and never for something else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from casadi import SX

from parapick.kernel import Kernel, Recipe, Scan, build, build_scan, cache as disk, known, known_scan, recipe
from parapick.kernel.call import kernel as kernels, scan as scans
from parapick.kernel.compiled import shared_functions
from parapick.kernel.llvm.target import host_target
from parapick.kernel.registry import Registry
from parapick.mechanism import Drive
from parapick.parameters import Follow

ROOMS = ("parapick.mechanism", "parapick.parameters")
BASE = Recipe(ROOMS, "sum", (Drive(), 3, "slender", None))


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A cache of the test's own; called, it makes this process one that has no kernels yet, but what they share."""
    shared_functions(host_target())
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))

    def forget() -> None:
        for module in (kernels, scans):
            monkeypatch.setattr(module, "_known", Registry())

    forget()
    return forget


class Makers:
    """Makers of a kernel and of a scan, with the number of times that they were asked."""

    def __init__(self) -> None:
        self.asked = 0

    def kernel(self) -> Kernel:
        self.asked += 1
        x, y, p = SX.sym("x", 2), SX.sym("y", 3), SX.sym("p", 2)
        outputs = {"total": x[0] + y[2] * p[1], "matrix": x @ y.T, "column": y + p[0]}
        return build("mixed", {"x": x, "y": y}, p, outputs, x[1])

    def scan(self) -> Scan:
        self.asked += 1
        state, u, p = SX.sym("state", 2), SX.sym("u", 1), SX.sym("p", 1)
        return build_scan("adds", state, {"u": u}, p, state + p * u, {"seen": state, "twice": 2 * u})


@pytest.fixture
def makers() -> Makers:
    return Makers()


def test_the_second_process_makes_no_expressions(makers: Makers, fresh: Callable[[], None]) -> None:
    first = known(BASE, makers.kernel)
    assert known(BASE, makers.kernel) is first
    fresh()
    second = known(BASE, makers.kernel)
    assert second is not first
    assert makers.asked == 1
    assert second.ports == first.ports
    arrays = np.random.default_rng(1).normal(size=(7, 2)), np.ones((7, 3)), np.array([0.5, 2.0])
    for one, other in zip(first(*arrays), second(*arrays), strict=True):
        np.testing.assert_array_equal(one, other)
    # The trace is there for whoever asks, and then the expressions are made.
    assert second.trace == first.trace
    assert makers.asked == 2


@pytest.mark.parametrize("forms", [("recording",), ("folding",), ("recording", "folding")])
def test_a_scan_is_found_whichever_of_its_codes_was_used(
    forms: tuple[str, ...], makers: Makers, fresh: Callable[[], None]
) -> None:
    def answers() -> list[np.ndarray]:
        scan = known_scan(BASE, makers.scan)
        arrays = np.zeros(2), np.arange(5.0)[:, None], [3.0]
        kinds = {"recording": lambda: scan(*arrays).outputs["seen"], "folding": lambda: scan.final(*arrays)}
        return [kinds[form]() for form in forms]

    first = answers()
    fresh()
    for one, other in zip(first, answers(), strict=True):
        np.testing.assert_array_equal(one, other)
    assert makers.asked == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(BASE, name="sums"),
        replace(BASE, rooms=(*ROOMS, "parapick.model")),
        replace(BASE, structure=(Drive(), 4, "slender", None)),
        replace(BASE, structure=(Drive(), True, "slender", None)),
        replace(BASE, structure=(Drive(), 3, "halves", None)),
        replace(BASE, structure=(Drive(), 3, "slender", 0.0)),
        replace(BASE, structure=(Drive(ratio=Follow("x", (1.0,))), 3, "slender", None)),  # type: ignore[arg-type]
        replace(BASE, structure=(Drive(), (3, "slender"), None)),
        replace(BASE, structure=((Drive(), 3), "slender", None)),
    ],
)
def test_another_structure_is_another_recipe(other: Recipe) -> None:
    assert other.content() not in (None, BASE.content())


def test_numbers_are_no_part_of_it() -> None:
    assert replace(BASE, structure=(Drive(ratio=7.0), 3, "slender", None)).content() == BASE.content()


def test_structure_that_numpy_computed_is_the_same() -> None:
    computed = (Drive(ratio=np.float64(7.0)), np.int64(3), np.str_("slender"), None)
    assert replace(BASE, structure=computed).content() == BASE.content()
    assert replace(BASE, structure=np.bool_(True)).content() == replace(BASE, structure=True).content()


@pytest.mark.parametrize("change", ["casadi_version", "source", "module"])
def test_another_version_or_source_is_made_again(
    change: str, makers: Makers, fresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copy = tmp_path / "parapick"
    shutil.copytree(recipe._FOLDER / "mechanism", copy / "mechanism", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(recipe._FOLDER / "parameters.py", copy)
    monkeypatch.setattr(recipe, "_FOLDER", copy)
    monkeypatch.setattr(recipe, "digest", recipe.digest.__wrapped__)
    known(BASE, makers.kernel)
    fresh()
    known(BASE, makers.kernel)
    assert makers.asked == 1
    fresh()
    if change == "source":
        with (copy / "mechanism" / "plates" / "plate.py").open("a") as file:
            file.write("# changed\n")
    elif change == "module":
        with (copy / "parameters.py").open("a") as file:
            file.write("# changed\n")
    else:
        monkeypatch.setattr(recipe, change, lambda: "0.0.0")
    known(BASE, makers.kernel)
    assert makers.asked == 2


def test_the_version_is_that_of_the_installed_library() -> None:
    import casadi

    assert casadi.__version__ in recipe.casadi_version()


@dataclass(frozen=True)
class Own:
    """A class of nobody's room."""

    gain: float = 1.0


@pytest.mark.parametrize("foreign", [Own(), (1, Own()), Follow("x", ()), np.zeros(2), len])
def test_what_is_not_ours_is_always_made(foreign: object, makers: Makers, fresh: Callable[[], None]) -> None:
    rooms = ("parapick.model",) if isinstance(foreign, Follow) else ROOMS
    asked = Recipe(rooms, "sum", foreign)
    assert asked.content() is None
    if isinstance(foreign, np.ndarray):  # cannot be a key at all
        return
    for count in (1, 2):
        fresh()
        known(asked, makers.kernel)
        assert makers.asked == count
        fresh()
        known_scan(asked, Makers().scan)(np.zeros(2), np.ones((3, 1)), [1.0])


@pytest.mark.parametrize("room", ["mechanism", "tests.mechanism", "parapick.nothing", "parapick."])
def test_a_room_that_is_not_ours_is_not_trusted(room: str) -> None:
    assert replace(BASE, rooms=(*ROOMS, room)).content() is None


@pytest.mark.parametrize("damage", [lambda entry: entry[:-9], lambda _: b"", lambda entry: entry[:60] + entry[70:]])
def test_a_damaged_entry_is_made_again(
    damage: Callable[[bytes], bytes], makers: Makers, fresh: Callable[[], None], tmp_path: Path
) -> None:
    arrays = np.ones(2), np.ones(3), np.ones(2)
    first = known(BASE, makers.kernel)
    (entry,) = (tmp_path / "kernels").iterdir()
    first(*arrays)
    (code,) = set((tmp_path / "kernels").iterdir()) - {entry}
    for count, damaged in enumerate((entry, code), start=2):
        damaged.write_bytes(damage(damaged.read_bytes()))
        fresh()
        again = known(BASE, makers.kernel)
        assert again.ports == first.ports
        assert again(*arrays)[0] == first(*arrays)[0]
        assert makers.asked == count
    fresh()
    known(BASE, makers.kernel)(*arrays)
    assert makers.asked == 3


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"[]", b"[1, 2]", b'["key", "[1, 2]"]', b'["key", {}]'])
def test_an_entry_of_another_form_is_made_again(
    text: bytes, makers: Makers, fresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole by its digest, and yet nothing we wrote."""
    store = disk.store
    monkeypatch.setattr(disk, "store", lambda key, entry: store(key, text if entry.startswith(b"[") else entry))
    known(BASE, makers.kernel)
    fresh()
    known(BASE, makers.kernel)
    assert makers.asked == 2
