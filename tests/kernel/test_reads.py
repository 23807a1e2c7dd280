"""Code shared by descriptions that are the same wherever their makers look, and never by others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp
from parapick.formulas.kernels import expression_of, kernel_of
from parapick.kernel import Kernel, Reads, Recipe, build, compilations, known_by_reads
from parapick.kernel.call import kernel as kernels
from parapick.kernel.reads import number_paths, parts
from parapick.kernel.registry import Registry
from parapick.kernel.trace.expressions import trace_of
from parapick.mechanism import (
    Drive,
    Friction,
    Gripper,
)
from parapick.mechanism.robot import Robot
from parapick.parameters import Follow, leaves, structure, symbols_of


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A cache of the test's own; called, it makes this process one that has no kernels yet."""
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))

    def forget() -> None:
        monkeypatch.setattr(kernels, "_known", Registry())

    forget()
    return forget


@pytest.fixture(scope="module")
def par4() -> Robot:
    return pp.load("par4").robot


class Maker:
    """A maker of the sum of a drive's inertia and its losses, with the number of times that it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, drive: Drive) -> Kernel:
        key = structure(drive)
        return known_by_reads(
            Recipe(("parapick.mechanism", "parapick.parameters"), "sum", key), lambda reads: self._made(key, reads)
        )

    def _made(self, key: Drive, reads: Reads) -> Kernel:
        self.asked += 1
        numbers, drive = symbols_of(key, reads)
        losses: Any = drive.friction.viscous if drive.friction else 0.0
        return build("sum", {}, numbers, {"sum": drive.inertia + 2 * losses + 4 * drive.ratio})


def sum_of(make: Maker, drive: Drive) -> float:
    """What the kernel of a drive answers for its numbers."""
    return float(make(drive)([value for _, value in leaves(drive)])[0])


BASE = Drive(inertia=1.0, ratio=3.0, friction=Friction(viscous=0.5))


@pytest.mark.parametrize(
    ("drive", "expected", "shared"),
    [
        (replace(BASE, peak_torque=5.0), 14.0, True),
        (replace(BASE, peak_torque=5.0, peak_speed=7.0, inertia=2.0), 15.0, True),
        (replace(BASE, inertia=Follow("ratio", (1.0, 2.0))), 20.0, False),  # type: ignore[arg-type]
        (replace(BASE, peak_torque=Follow("ratio", (1.0, 2.0))), 14.0, True),  # type: ignore[arg-type]
    ],
    ids=["another number", "two and another value", "a read number that follows", "another that follows"],
)
def test_what_is_not_read_does_not_matter(
    drive: Drive, expected: float, shared: bool, fresh: Callable[[], None]
) -> None:
    make = Maker()
    assert sum_of(make, BASE) == 14.0
    for _ in range(2):  # found by its parts, then by the whole
        fresh()
        assert sum_of(make, drive) == expected
        assert make.asked == (1 if shared else 2)
    assert sum_of(make, BASE) == 14.0


@pytest.mark.parametrize(("other", "expected"), [("ratio", 18.5), ("gearbox_inertia", 20.0)])
def test_following_another_number_is_another_kernel(other: str, expected: float, fresh: Callable[[], None]) -> None:
    make = Maker()
    stated: Any = replace(BASE, gearbox_inertia=4.0, inertia=Follow("peak_torque", (1.0, 1.5)), peak_torque=2.0)
    assert sum_of(make, stated) == 17.0
    fresh()
    assert sum_of(make, replace(stated, inertia=Follow(other, (1.0, 1.5)))) == expected
    assert make.asked == 2


def test_a_robot_with_more_numbers_shares_its_kinematics(par4: Robot, fresh: Callable[[], None]) -> None:
    x = np.array([0.1, 0.05, -0.75, 0.2])
    expected = kernel_of(structure(par4), "inverse_kinematics")(x, [value for _, value in leaves(par4)])
    before = compilations().built
    other = replace(par4, name="other", gripper=Gripper(mass=0.3), limits=replace(par4.limits, joint_max=1.4))
    fresh()
    kernel = kernel_of(structure(other), "inverse_kinematics")
    assert compilations().built == before
    assert kernel.ports.parameters == len(list(leaves(other)))
    np.testing.assert_equal(kernel(x, [value for _, value in leaves(other)]), expected)
    assert kernel.trace.places == kernel.ports.places


@pytest.mark.parametrize("robot", ["par4", "delta-r6", "fivebar-spindle"])
@pytest.mark.parametrize("name", ["drive_torque", "reach"])
@pytest.mark.filterwarnings("ignore::parapick.errors.PlausibilityWarning")
def test_a_watched_description_gives_the_same_expressions(robot: str, name: str) -> None:
    shape = structure(pp.load(robot).robot)
    made = []
    for reads in (None, Reads()):
        numbers, watched = symbols_of(shape, reads)
        expression = expression_of(name, watched)
        trace = trace_of(name, expression.inputs, numbers, expression.outputs, expression.validity)
        made.append((trace.content(), trace.ports))
    assert made[0] == made[1]


@dataclass(frozen=True)
class Pair:
    first: tuple[Drive, ...]
    second: str
    third: float


def test_every_way_to_look_leaves_a_note() -> None:
    pair = Pair((BASE, Drive()), "text", 1.0)
    everything = {field.name for field in fields(Pair)}
    ways: dict[str, tuple[Callable[[Pair], object], set[str]]] = {
        "attribute": (lambda one: one.second, {"second"}),
        "inside": (lambda one: one.first[1].ratio, {"first", "first.2.ratio"}),
        "vars": (vars, everything),
        "replace": (lambda one: replace(one, second="other"), everything - {"second"}),
        "fields": (lambda one: [getattr(one, name.name) for name in fields(one)], everything),
    }
    for name, (look, noted) in ways.items():
        reads = Reads()
        watched = reads.watched(pair)
        assert isinstance(watched, Pair)
        assert watched.__class__ is Pair
        look(watched)
        assert set(reads.paths) == noted, name
    reads = Reads()
    assert reads.watched(pair) == pair
    assert {"first", "second", "third", "first.1.ratio"} <= set(reads.paths)


def test_parts_are_what_is_read() -> None:
    pair = Pair((BASE, Drive()), "text", 1.0)
    drive = "parapick.mechanism.drive.Drive"
    paths = ["first", "second", "third", "first.2.peak_torque", "first.3.ratio", "second.more"]
    texts = [f"({drive}, {drive})", "'text'", "float", "None", "absent", "absent"]
    assert parts(pair, paths) == list(zip(paths, texts, strict=True))
    assert list(number_paths(pair)) == [path for path, _ in leaves(pair)]
