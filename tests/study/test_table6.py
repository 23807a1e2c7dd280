"""corbel2010, Table VI, by the shipped study; and what the document's motors give with its own masses."""

from __future__ import annotations

import numpy as np
import pytest

from parapick.papers.corbel2010.design import TABLE6, acceleration_of, variant
from parapick.study import Store, load_study, run_study
from parapick.study.result import study_answer


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return run_study(load_study("corbel2010-table6"), tmp_path_factory.mktemp("table6") / "out", workers=1).store


def test_table_vi(store: Store) -> None:
    torques = study_answer(load_study("corbel2010-table6"), store).table("designs").column("peak_torque")
    assert [torque is None for torque in torques] == [printed is None for printed in TABLE6]
    pairs = [(float(torque), printed) for torque, printed in zip(torques, TABLE6, strict=True) if printed is not None]
    assert sum(round(torque) == printed for torque, printed in pairs) == 18
    assert max(abs(torque / printed - 1) for torque, printed in pairs) < 0.005


def test_the_altitude_of_section_v_c_is_the_deepest_and_not_the_best(store: Store) -> None:
    first = study_answer(load_study("corbel2010-table6"), store).table("designs").records[0]
    assert first["workspace.z_min"] == pytest.approx(-0.53)
    rows = store.rows(["base.radius", "limb.arm", "limb.rod_length", "peak_torque"])
    own = (rows["base.radius"] == 0.12) & (rows["limb.arm"] == 0.2) & (rows["limb.rod_length"] == 0.5)
    assert np.nanmin(rows["peak_torque"][own]) < float(first["peak_torque"])


@pytest.mark.parametrize("gravity", [0, 9.81])
@pytest.mark.parametrize(
    ("rods", "sharing", "g"),
    [
        ("halves", "least-norm", 76),
        ("slender", "least-norm", 82),
        ("halves", "least-peak", 81),
        ("slender", "least-peak", 88),
    ],
)
def test_g_of_127_newton_metres_with_the_load(rods: str, sharing: str, g: int, gravity: float) -> None:
    study = variant("as (26)", sharing=sharing, set={"gravity": gravity, "limb": {"rod_model": rods}})
    assert acceleration_of(study, 127.0) / 9.81 == pytest.approx(g, abs=1.0)
