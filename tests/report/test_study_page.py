"""The page of a study: everything that the study found, in one file that asks nothing of a network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parapick.report.document import ZOOM
from parapick.report.study_page import write_study_page
from parapick.study import run_study, study_answer, write_best_robots
from studies import changed, study_of

FRONT = changed(
    ('["peak_torque"]', '["peak_torque", "footprint"]\ntitle = "Torque & <size>"'),
    ("best = 1", "best = 2"),
    ("reach = {", 'peak_torque = { at_most = "300 N m" }\nreach = {'),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    study, folder = study_of(FRONT), tmp_path_factory.mktemp("page") / "out"
    store = run_study(study, folder, workers=1).store
    answer = study_answer(study, store, write_best_robots(study, store))
    path = write_study_page(study, store, answer)
    assert path == folder / "small.html"
    # The page lies in the folder; it is no part of the study, which goes on and is finished.
    assert run_study(study, folder, workers=1).store.table == store.table
    return path.read_text(encoding="utf-8")


def test_the_page_shows_what_was_found(page: str) -> None:
    assert "<h1>Torque &amp; &lt;size&gt;</h1>" in page
    for title in ("Front", "What holds the best design", "Sensitivities", "Best robots", "The study"):
        assert f"<h2>{title}</h2>" in page
    for text in ("small-1.toml", "small-2.toml", "footprint (mm)", "peak_torque: at most 300 N m", "180 mm to 270 mm"):
        assert text in page
    assert len(re.findall(r"<figure", page)) >= 4


def test_the_page_asks_nothing_of_a_network(page: str) -> None:
    assert "default-src 'none'" in page
    assert page.count("<script") == page.count(f"<script>{ZOOM}</script>") == 1
    assert not re.findall(r'(?:src|href)="(?!#|data:)', page)
    assert "http:" not in page
    assert "https:" not in page


def test_a_study_without_a_feasible_design_has_a_page_too(tmp_path: Path) -> None:
    study = study_of(changed(("reach = {", 'peak_torque = { at_most = "1 N m" }\nreach = {')))
    store = run_study(study, tmp_path / "out", workers=1).store
    answer = study_answer(study, store)
    assert not answer.ok
    text = write_study_page(study, store, answer).read_text(encoding="utf-8")
    assert "no design keeps every requirement" in text
    assert "Best robots" not in text
