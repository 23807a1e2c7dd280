"""`parapick compare` of variants, written as one word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import parapick as pp
from parapick.cli import main
from parapick.robots import ROBOTS

FEW = ["--sections", "torque"]


def compared(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict[str, object]]:
    """The numbers that differ, by path, of a comparison that every robot passes."""
    assert main(["compare", *words, *FEW, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    return {row.pop("number"): row for row in document["tables"]["differences"]["rows"]}


def test_variants_are_columns_named_by_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    rows = compared(capsys, "par4", "par4:limb.arm=400mm", "par4:limb.arm=0.42, plate.mass=300g")
    names = ("par4", "par4 (limb.arm 400 mm)", "par4 (limb.arm 420 mm, plate.mass 0.3 kg)")
    assert [rows["limb.arm"][name] for name in names] == pytest.approx([0.35, 0.4, 0.42])
    assert [rows["plate.mass"][name] for name in names] == pytest.approx([0.26, 0.26, 0.3])


def test_what_is_set_for_all_gives_way_to_what_one_has_itself(capsys: pytest.CaptureFixture[str]) -> None:
    rows = compared(capsys, "par4", "par4:plate.mass=300g", "--set", "plate.mass=280g", "--set", "limb.arm=360mm")
    assert list(rows) == ["plate.mass"]
    assert rows["plate.mass"]["par4 (plate.mass 0.28 kg)"] == pytest.approx(0.28)
    assert rows["plate.mass"]["par4 (plate.mass 0.3 kg)"] == pytest.approx(0.3)


def test_a_file_has_variants_too_and_may_have_a_colon_in_its_path(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "a:b=c"
    folder.mkdir()
    path = folder / "mine.toml"
    path.write_text((ROBOTS.folder / "par4.toml").read_text(encoding="utf-8"), encoding="utf-8")
    rows = compared(capsys, str(path), f"{path}:limb.arm=400mm")
    assert list(rows) == ["limb.arm"]


def test_the_text_says_what_differs_and_hints_once_at_masses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "par4", "par4:limb.arm=400mm", "par4:limb.arm=420mm", *FEW]) == 0
    out, err = capsys.readouterr()
    assert "what differs" in out
    assert err.count("arm_inertia = { of") == 1
    assert "limb.arm: is 400 mm" in err


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("par4:limb.arm", "par4:limb.arm: 'limb.arm' is not a number and its value"),
        ("par4:", "'' is not a number and its value"),
        ("par4:limb.arm=400mm,", "'' is not a number and its value"),
        ("par4:limb.arm=long", "limb.arm: 'long' is not a finite number"),
        ("par4:limb.arms=1", "limb.arms: is not a parameter of this robot; did you mean limb.arm"),
        ("par4:limb.arm=-1", "limb.arm: is -1 m; it must be greater than 0"),
        ("par4:limb.arm=1,limb.arm=2", "is given twice"),
        ("par5:limb.arm=1", "no robot named 'par5'"),
    ],
)
def test_wrong_variants_are_refused(word: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "par4", word, *FEW]) == 2
    assert message in capsys.readouterr().err


def test_the_other_commands_note_a_length_whose_masses_stay(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "par4", "--set", "limb.arm=400mm", "--no-report", "--sections", "reach"]) == 0
    out = capsys.readouterr().out.splitlines()
    line = next(line for line in out if "arm_inertia = {" in line)
    # Alone on its line, so that it can be pasted.
    assert line.strip().startswith("arm_inertia = { of")
    assert line.strip().endswith("] }")
    inertia = pp.load("par4").numbers.limb.arm_inertia / 0.35**3
    assert f"{inertia:.9g}" in line
