"""`parapick export`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick as pp

mujoco: Any = pytest.importorskip("mujoco")


def test_the_document_is_printed_and_opens_in_the_engine(run: Any) -> None:
    result = run("export", "mjcf", "par4")
    assert result.code == 0
    model = mujoco.MjModel.from_xml_string(result.out)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.nu == 4
    # The loops start closed, with the plate at home.
    assert np.max(np.abs(data.efc_pos[: data.ne])) < 1e-9
    assert data.site("tool").xpos == pytest.approx(list(pp.load("par4").robot.home[:3]), abs=1e-9)


def test_the_file_holds_what_would_be_printed(run: Any, tmp_path: Path) -> None:
    target = tmp_path / "par4.xml"
    run("export", "mjcf", "delta-4", "--out", str(target))
    result = run("export", "mjcf", "par4", "--out", str(target))
    assert result.code == 0
    assert "python -m mujoco.viewer" in " ".join(result.out.split())
    assert f"model: {target} (replaced)" in " ".join(result.out.split())
    assert target.read_text() == run("export", "mjcf", "par4").out
    assert [path.name for path in tmp_path.iterdir()] == ["par4.xml"]


def test_options_reach_the_model(run: Any) -> None:
    plain, loaded = (
        mujoco.MjModel.from_xml_string(run("export", "mjcf", "delta-nr", *words).out)
        for words in ([], ["--payload", "500g"])
    )
    assert sum(loaded.body_mass) - sum(plain.body_mass) == pytest.approx(0.5)
    assert run("export", "mjcf", "delta-nr", "--mode", "inward").out != run("export", "mjcf", "delta-nr").out


def test_export_as_json(run: Any, tmp_path: Path) -> None:
    printed = run("export", "mjcf", "delta-nr", "--json").data
    assert printed["document"].startswith("<mujoco")
    assert printed["bytes"] == len(printed["document"].encode())
    target = tmp_path / "delta.xml"
    written = run("export", "mjcf", "delta-nr", "--out", str(target), "--json")
    assert "document" not in written.data
    assert written.json["files"] == {"model": str(target)}
    assert target.stat().st_size == written.data["bytes"] == printed["bytes"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["irb360"], "irb360 has no masses"),
        (
            ["par4", "--out", "par4.txt"],
            "par4.txt: nothing can be written that ends in .txt",
        ),
        (["par4", "--out", "nowhere/par4.xml"], "the folder nowhere does not exist"),
        (["par4", "--payload", "heavy"], "--payload: 'heavy' is not a finite number"),
        (["par4", "--mode", "up"], "no working mode 'up'"),
        ([], "requires an argument"),
    ],
)
def test_wrong_input_is_one_message(run: Any, words: list[str], message: str) -> None:
    assert message in run("export", "mjcf", *words).message


def test_a_folder_is_no_file(run: Any, tmp_path: Path) -> None:
    (tmp_path / "par4.xml").mkdir()
    assert "is a folder" in run("export", "mjcf", "par4", "--out", str(tmp_path / "par4.xml")).message


def test_without_the_engine_the_message_says_what_to_install(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    assert "pip install 'parapick[multibody]'" in run("export", "mjcf", "par4").message


def test_c_goes_into_a_folder_and_replaces_nothing_unasked(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    words = ("export", "c", "delta-4", "--functions", "inverse_kinematics,margins", "--out", str(folder))
    assert run(*words).code == 0
    assert (folder / "delta_4.h").read_text(encoding="utf-8").count("int delta_4_") == 2
    refused = run(*words)
    assert refused.code != 0
    assert "--force" in refused.err
    assert run(*words, "--force", "--real", "float").code == 0
    assert "typedef float" in (folder / "delta_4.h").read_text(encoding="utf-8")
