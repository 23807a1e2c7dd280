"""The drawings of the documentation: every kind has one, every dimension its letter, and every line is true."""

from __future__ import annotations

import dataclasses
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import parapick as pp
from parapick.fields import quantity_of
from parapick.mechanism import Base
from parapick.mechanism.limb import AnyLimb
from parapick.mechanism.plates import AnyPlate
from parapick.report.skeleton import skeleton

DOCS = Path(__file__).parents[2] / "docs"

sys.path.insert(0, str(DOCS / "_ext"))
drawings: Any = import_module("parapick_drawings")

KINDS = (*get_args(Base), *get_args(AnyLimb), *get_args(AnyPlate))


def dimension_fields(kind: type[Any]) -> set[str]:
    """Lengths and angles of a kind."""
    stated = {field.name: quantity_of(field) for field in dataclasses.fields(kind)}
    return {name for name, quantity in stated.items() if quantity is not None and quantity.unit in ("m", "rad")}


def test_every_kind_has_a_drawing() -> None:
    assert set(drawings.SKETCHES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_dimension_has_a_letter_of_its_own_in_the_drawing(kind: type[Any]) -> None:
    letters = drawings.letters(kind)
    assert dimension_fields(kind) <= set(letters) <= {field.name for field in dataclasses.fields(kind)}
    assert len(set(letters.values())) == len(letters)
    texts = [
        text
        for panel in drawings.kind_drawing(kind).panels
        for item in panel.items
        if isinstance(item, drawings.Marks)
        for text in item.texts
    ]
    assert set(letters.values()) <= set(texts)


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_is_as_long_as_its_field_says(kind: type[Any]) -> None:
    robot = drawings.posed(kind).robot
    part = next(part for part in (robot.base, robot.limb, robot.plate) if type(part) is kind)
    for one in drawings.dimensions(kind):
        if one.value is not None:
            assert one.measure == pytest.approx(one.value, abs=1e-9), one.field
        if one.field:
            stated = getattr(part, one.field)
            numbers = np.abs(np.atleast_1d(np.asarray(stated, dtype=float)))
            sizes = np.linalg.norm(numbers, axis=-1) if numbers.ndim > 1 else numbers
            assert one.value is None or np.min(np.abs(sizes - one.value)) < 1e-12, one.field


@pytest.mark.parametrize("kind", get_args(Base))
def test_an_azimuth_ends_at_a_motor(kind: type[Any]) -> None:
    for one in (one for one in drawings.dimensions(kind) if one.field == "angles"):
        motors = drawings.posed(kind).joints.motors
        spoke = one.line[-1] - one.centre
        along = motors @ spoke / np.linalg.norm(motors, axis=1) / np.linalg.norm(spoke)
        assert along.max() == pytest.approx(1.0)
        np.testing.assert_allclose(one.line[0] - one.centre, [np.linalg.norm(spoke), 0.0, 0.0], atol=1e-12)


def test_every_shipped_robot_stands_on_its_page() -> None:
    page = (DOCS / "robots.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^```{robot} (\S+)$", page, flags=re.MULTILINE)) == {one.name for one in pp.list_robots()}


def test_every_picture_is_on_a_page() -> None:
    source = (DOCS / "_ext" / "parapick_pictures.py").read_text(encoding="utf-8")
    made = set(re.findall(r'^    "([\w-]+)": \(', source, flags=re.MULTILINE))
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    assert set(re.findall(r"^```{picture} (\S+)$", pages, flags=re.MULTILINE)) == made


joints: Any = import_module("parapick_joints")


@pytest.mark.parametrize(("name", "grows"), [("par4", 1.0), ("delta-nr", 1.0), ("delta-linear", -1.0)])
def test_the_picture_of_joints_shows_zero_home_and_sense_of_the_file(name: str, grows: float) -> None:
    """Arms rise and carriages fall as q grows; at home the elbow is a rod's length from the plate point."""
    model = pp.load(name)
    elbows = skeleton(model, np.array(model.robot.home)[None]).elbows[0]
    q = model.inverse_kinematics(np.array(model.robot.home))
    for one, elbow, angle in zip(joints.courses(model), elbows, q, strict=True):
        assert one.home == pytest.approx(elbow, abs=1e-9)
        assert one.q == angle
        assert (one.growing[0] == one.zero).all()
        assert np.sign(one.growing[-1, 2] - one.zero[2]) == grows
        # Level at q = 0 is an arm; a carriage begins at its motor.
        assert one.zero[2] == pytest.approx(one.motor[2], abs=1e-12)
    texts = [
        text
        for panel in joints.joints_drawing(name).panels
        for item in panel.items
        if isinstance(item, joints.Marks)
        for text in item.texts
    ]
    assert {"1", "2", "3", "q = 0", "q > 0"} <= set(texts)
