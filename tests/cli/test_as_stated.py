"""What a controller file states stays: simulate, tune and analyse run the same controller, `--law` or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from parapick.control import list_controllers

FILE = """
format = 1
name = "mine"
rate = "2 kHz"
delay = 1

[law]
kind = "pid"
kp = [1900, 2000, 2100]
kd = 22
ki = 3000
velocity = { cutoff = "400 Hz" }
friction = { coulomb = 0.2, viscous = "0.05 N m s/rad" }

[plant]
payload = "90 g"
friction = { coulomb = 0.3, viscous = 0.05 }
"""

ROBOT = ("delta-nr", "adept-120")
PLACES = {
    "corbel2010": ("r4-100g", "corbel2010-line1"),
    "nabat2005": ("par4", "adept-120"),
    "par4": ("par4", "adept-120"),
    "righettini2024": ("fivebar-spindle", "righettini2024"),
    "wu2020": ("asymmetric-screw", "wu2020-fit1"),
}
FEW = ("--candidates", "4", "--singular", "0")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(FILE)
    return str(file)


def rms(run: Any, place: tuple[str, str], controller: str, *options: str) -> float | None:
    """Error of a simulated run (m); None where it did not do its work, which tunings do not weigh."""
    (law,) = run("simulate", *place, "--controller", controller, *options, "--json").data["laws"].values()
    return None if law["fault"] else law["distance"]["rms"]


def check_as_stated(run: Any, place: tuple[str, str], controller: str, law: str) -> Any:
    """The tuning; with its own law named a file gives the same, and two commands state one error."""
    error = rms(run, place, controller)
    assert rms(run, place, controller, "--law", law) == error
    looked = [
        run("analyse", *place, "--controller", controller, *own, "--frequencies", "none", "--points", "1", "--json")
        for own in ((), ("--law", law))
    ]
    assert looked[0].rows("loops") == looked[1].rows("loops")
    made = run("tune", *place, "--controller", controller, *FEW, "--json")
    given = next(row["rms"] for row in made.rows("simpler") if row["choice"] == "as given")
    assert given == (None if error is None else pytest.approx(error, rel=1e-6))
    return made


def test_a_file_with_gains_that_differ_by_axis(run: Any, mine: str) -> None:
    tuned = check_as_stated(run, ROBOT, mine, "pid")
    assert any("law.kp 1900/2000/2100 and law.kd 22 and law.ki 3000" in note for note in tuned.json["notes"])


def test_what_differs_is_said(run: Any, mine: str) -> None:
    changed = run("simulate", *ROBOT, "--controller", mine, "--law", "pd", "--rate", "4000", "--json").json
    (note,) = [note for note in changed["notes"] if "differs from its file" in note]
    for said in ("mine-pd", "law pd instead of pid", "rate 4000 instead of 2000", "law.ki 3000"):
        assert said in note
    assert changed["data"]["laws"]["mine-pd"]["shares"].keys() == {"tau_p", "tau_d", "friction"}


@pytest.mark.soak
@pytest.mark.parametrize("entry", list_controllers(), ids=lambda entry: entry.name)
def test_every_shipped_controller(run: Any, entry: Any) -> None:
    check_as_stated(run, PLACES[entry.name.partition("-")[0]], entry.name, entry.law)
