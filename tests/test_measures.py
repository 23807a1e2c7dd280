"""The table of measures: every row is computed by somebody, and rooms say the same of the same row."""

from __future__ import annotations

import pytest

from parapick.capability import INDICES, POSE_EXPRESSIONS
from parapick.capability.capability_answer import _QUANTITIES as QUANTITIES
from parapick.evaluation.load_requirements import PEAK, PUSH, RMS, SPEED
from parapick.measures import MEASURES
from parapick.motors import SERVO
from parapick.study import STUDY_MEASURES
from parapick.tuning.goals import OBJECTIVES
from parapick.tuning.loop_folds import LoopFold


def test_every_row_is_computed_and_every_room_computes_rows_of_the_table() -> None:
    rooms = {
        "maps": set(INDICES),
        "capability": {index.name for index in QUANTITIES},
        "studies": set(STUDY_MEASURES),
        "tunings": set(OBJECTIVES),
        "verdicts": {name for name, measure in MEASURES.items() if measure.verdict in (PEAK, PUSH, RMS, SPEED)},
    }
    assert set().union(*rooms.values()) == set(MEASURES)
    for indices in (INDICES.values(), QUANTITIES):
        assert all(index.measure is MEASURES[index.name] for index in indices)
    assert all(study.measure is MEASURES[name] for name, study in STUDY_MEASURES.items())


def test_what_a_row_is_taken_over_is_where_it_is_computed() -> None:
    assert {MEASURES[name].over for name in INDICES} == {"pose"}
    assert set(OBJECTIVES) <= set(LoopFold._fields)
    sources = {"motion": "motion", "timing": "motion", "robot": "robot"}
    for name, study in STUDY_MEASURES.items():
        over = MEASURES[name].over
        assert over == sources[study.source] if study.source in sources else over in ("pose", "region")
        # Over a workspace a study folds the expression of the map of the same name.
        assert not study.quantity or study.quantity in POSE_EXPRESSIONS
        assert (over == "pose") == (study.quantity == name)


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_a_row_says_what_it_is(name: str) -> None:
    measure = MEASURES[name]
    assert measure.name == name
    assert measure.title
    assert measure.title[0].islower() or measure.title.startswith("{")
    assert "{" not in measure.doc or not measure.meaning
    assert measure.better in ("high", "low")


def test_the_stiffness_of_a_servo_is_stated_once() -> None:
    from parapick.capability import Elasticity, IndexOptions

    assert Elasticity().servo == IndexOptions().servo == SERVO
