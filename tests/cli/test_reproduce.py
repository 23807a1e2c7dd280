"""`parapick reproduce`."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parapick.papers import document


def test_one_document_is_listed_in_every_reading(run: Any) -> None:
    result = run("reproduce", "spara")
    assert result.code == 0
    assert "m/3 at the elbow, frozen" in result.out
    assert "= reproduced, ~ agrees, x deviates, ? not determined" in result.out


def test_json_has_every_number_with_its_verdict_and_command(run: Any) -> None:
    result = run("reproduce", "spara", "--json")
    found = json.loads(result.out)
    assert found["ok"]
    rows = found["tables"]["numbers"]["rows"]
    ratio = next(row for row in rows if (row["name"], row["reading"]) == ("variable / fixed", "halves, frozen"))
    assert ratio["verdict"] == "reproduced"
    assert (ratio["fitted"], ratio["rests on"], ratio["recorded"]) == (True, "spara3", "reproduced, fitted")
    assert 0.33 < ratio["computed"] < 0.60
    assert ratio["command"].startswith("parapick ")
    assert all(row["ok"] for row in found["tables"]["evidence"]["rows"])
    assert found["tables"]["spara models"]["rows"]


def test_a_page_has_numbers_figures_errata_and_what_it_rests_on(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Panels are drawn by parapick itself: pages need no matplotlib.
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # pyright: ignore[reportArgumentType]
    short = replace(document("spara"), varied=("limb.arm", "plate.mass"))
    monkeypatch.setattr("parapick.papers.documents.DOCUMENTS", {"spara": short})
    result = run("reproduce", "spara", "--out", str(tmp_path / "pages"))
    assert result.code == 0
    page = (tmp_path / "pages" / "spara.html").read_text(encoding="utf-8")
    assert str(tmp_path / "pages" / "spara.html") in result.out
    assert page.count("<figure") == 3
    for text in ("halves, frozen", "<h2>Errata</h2>", "<h2>Free choices</h2>"):
        assert text in page
    # An option is in an element of its own, so that no line ends within it.
    assert "parapick reproduce spara --json" in re.sub(r"</?span[^>]*>", "", page)
    assert "these change no verdict: plate.mass" in page


@pytest.mark.parametrize(
    ("key", "hint"), [("corbel2009", "did you mean corbel2010?"), ("nothing", "documents: nabat2005, corbel2010")]
)
def test_an_unknown_document_names_the_close_ones(run: Any, key: str, hint: str) -> None:
    result = run("reproduce", key)
    assert result.code == 2
    assert hint in result.err


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_computed(run: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("reproduce", "--out", str(tmp_path / "file"))
    assert result.code == 2
    assert "cannot be a folder" in result.err


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes anywhere")
def test_a_folder_without_rights_is_refused(run: Any, tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o500)
    result = run("reproduce", "--out", str(tmp_path / "closed"))
    assert result.code == 2
    assert "nothing can be written" in result.err
