"""`parapick size`: the answer, its files, its exit codes, and wrong input in one message."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from parts_catalogues import GEARBOXES, MOTORS, write_catalogue


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "catalogue"
    place.mkdir()
    return write_catalogue(place)


def test_the_best_pair_as_robot_page_and_figure(run: Any, folder: Path, tmp_path: Path) -> None:
    outs = [tmp_path / name for name in ("winner.toml", "page.html", "plane.png")]
    words = [word for out in outs for word in ("--out", str(out))]
    result = run("size", "par4", "adept-120", "--catalogue", str(folder), "--by", "cost", "--json", *words)
    assert result.code == 0
    assert result.data["motor"] == result.column("best", "motor")[0]
    assert result.data["kept"] + sum(result.data["rejected"].values()) == result.data["pairs"] == 4
    assert all(out.stat().st_size > 0 for out in outs)
    page = outs[1].read_text(encoding="utf-8")
    assert "Torque over speed" in page
    assert "Rejected pairs" in page
    again = run("evaluate", str(outs[0]), "adept-120", "--json", "--no-report")
    assert again.code == 0


def test_no_pair_does_it(run: Any, folder: Path, tmp_path: Path) -> None:
    out, page = tmp_path / "winner.toml", tmp_path / "page.html"
    words = ("--payload", "8kg", "--out", str(out), "--out", str(page))
    result = run("size", "par4", "adept-120", "--catalogue", str(folder), *words)
    assert result.code == 1
    assert result.out.startswith("NO: none of 4 pairs does adept-120; the nearest is ")
    assert not out.exists()
    assert page.exists()


def test_the_shipped_catalogue_is_asked_if_none_is_named(run: Any) -> None:
    result = run("size", "par4", "--json", "--ratio", "8..40")
    assert result.code == 0
    assert any(name.startswith("free") for name in result.column("best", "gearbox"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--catalogue", "nowhere"), "nowhere"),
        (("--ratio", "5"), "--ratio"),
        (("--ratio", "50..5"), "--ratio"),
        (("--task", "adept-120"), "two tasks"),
        (("--cycles-per-minute", "-3"), "--cycles-per-minute"),
    ],
)
def test_wrong_words(run: Any, words: tuple[str, ...], said: str) -> None:
    assert said in run("size", "par4", "adept-120", *words).message


def test_wrong_catalogues_name_file_row_and_field(run: Any, folder: Path) -> None:
    write_catalogue(folder, motors=MOTORS.replace("small,1.2,3.6,", "small,,,"))
    message = run("size", "par4", "adept-120", "--catalogue", str(folder)).message
    assert all(word in message for word in ("motors.csv", "line 2", "peak_torque"))
    write_catalogue(folder, gearboxes=GEARBOXES.replace("ten,10", "ten,0"))
    assert "gearboxes.csv" in run("size", "par4", "--catalogue", str(folder)).message


def test_robots_and_tasks_that_cannot_be_sized(run: Any, folder: Path) -> None:
    assert "mass" in run("size", "irb360", "adept-120", "--catalogue", str(folder)).message
    assert "rails" in run("size", "delta-linear", "adept-120", "--catalogue", str(folder)).message
