"""`parapick tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

COMMAND = ("tune", "delta-nr", "adept-120", "--controller", "pd")
FEW = ("--candidates", "8")


def test_the_controller_written_is_the_one_that_was_tuned(run: Any, tmp_path: Path) -> None:
    target = tmp_path / "tuned.toml"
    options = (
        "--free",
        "law.poles.frequency=10..40",
        "--delay-margin",
        "2.5ms",
        "--payloads",
        "500g",
        "--rate",
        "4000",
    )
    result = run(*COMMAND, *FEW, *options, "--out", str(target), "--json")
    assert result.code == 0
    assert result.json["settings"] == {"controller.rate": "4000", "payloads": "500g"}
    (row,) = result.rows("tunings")
    assert row["keeps"] is True
    assert row["delay"] >= 2.5e-3
    again = run("simulate", "delta-nr", "adept-120", "--controller", str(target), "--payload", "500g", "--json")
    (scenario,) = result.rows("scenarios")
    assert scenario["scenario"] == "0.5 kg"
    heavy = scenario["rms"]
    assert row["rms"] == heavy
    assert again.data["laws"]["pd-tuned"]["distance"]["rms"] == pytest.approx(heavy, rel=1e-6)
    costs = {one["choice"]: one["cost"] for one in result.rows("simpler")}
    assert costs["as given"] > 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--free", "law.kp=10..1"), "law.kp: is from 10 to 1"),
        (("--free", "law.kp=10"), "write it as 100..1000"),
        (("--free", "law.kp=1x..10"), "write it as 100..1000"),
        (("--free", "law.pk=1..2"), "did you mean law.kp"),
        (("--candidates", "0"), "--candidates: is 0"),
        (("--singular", "2"), "--singular: is 2"),
        (("--delay-margin", "-1ms"), "--delay-margin"),
        (("--frictions", "1,2"), "has nothing to scale"),
        (("--masses", "plate.mas=1,2"), "plate.mas"),
    ],
)
def test_refusals(run: Any, options: tuple[str, ...], message: str) -> None:
    result = run(*COMMAND, *options)
    assert result.code == 2
    assert message in result.err


def test_a_loop_unstable_everywhere_is_a_no(run: Any) -> None:
    result = run(*COMMAND, *FEW, "--free", "law.kd=3000..6000", "--json")
    assert result.code == 1
    assert "no loop within the bounds is stable" in result.json["refusal"]
