"""Values at dotted paths, set in documents and in descriptions: only what is named changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from parapick.errors import ParameterError
from parapick.paths import set_at


@dataclass(frozen=True)
class Finger:
    length: float
    points: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class Hand:
    finger: Finger
    name: str = "hand"


DOCUMENT: dict[str, Any] = {"name": "x", "pick": {"time": 1}, "places": [{"x": 1}, {"x": 2}], "pose": [1, 2, 3]}
HAND = Hand(Finger(0.1, ((1.0, 2.0), (3.0, 4.0))))


@pytest.mark.parametrize(
    ("path", "value", "changed"),
    [
        ("name", "y", {"name": "y"}),
        ("pick.time", "60 ms", {"pick": {"time": "60 ms"}}),
        ("pick.force", 3, {"pick": {"time": 1, "force": 3}}),
        ("new.table.x", 3, {"new": {"table": {"x": 3}}}),
        ("places.2.x", 7, {"places": [{"x": 1}, {"x": 7}]}),
        ("places.*.x", 7, {"places": [{"x": 7}, {"x": 7}]}),
        ("places.1", 7, {"places": [7, {"x": 2}]}),
        ("pose.*", 0, {"pose": [0, 0, 0]}),
        ("pose", [], {"pose": []}),
    ],
)
def test_a_document_has_the_value_and_the_rest_as_it_was(path: str, value: Any, changed: dict[str, Any]) -> None:
    before = repr(DOCUMENT)
    assert set_at(DOCUMENT, path, value) == {**DOCUMENT, **changed}
    assert repr(DOCUMENT) == before


def test_a_description_is_a_new_one() -> None:
    assert set_at(HAND, "finger.length", 0.2) == Hand(Finger(0.2, HAND.finger.points))
    assert set_at(HAND, "finger.points.2.1", 9.0).finger.points == ((1.0, 2.0), (9.0, 4.0))
    assert set_at(HAND, "finger.points.*.2", 9.0).finger.points == ((1.0, 9.0), (3.0, 9.0))
    assert HAND.finger.length == 0.1


@pytest.mark.parametrize(
    ("node", "path", "message"),
    [
        (DOCUMENT, "places.3.x", "is not there: the list has entries 1 to 2"),
        (DOCUMENT, "places.0", "is not there: the list has entries 1 to 2"),
        (DOCUMENT, "places.x", "is not there: the list has entries 1 to 2"),
        (DOCUMENT, "places.01", "is not there: the list has entries 1 to 2"),
        ({"places": []}, "places.*.x", "is not there: the list is empty"),
        (DOCUMENT, "name.first", "is not there: above it the file has 'x'"),
        (DOCUMENT, "pick.time.unit", "is not there: above it the file has 1"),
        (HAND, "finger.width", "is not there: Finger has length, points"),
    ],
)
def test_what_has_no_place_is_refused_by_its_path(node: Any, path: str, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        set_at(node, path, 1)
    assert (caught.value.path, caught.value.message) == (path, message)
