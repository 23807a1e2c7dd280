"""Files of the best robots: what is written, what was edited and is kept, what is no robot, and what lists them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from parapick.parameters import leaves
from parapick.robots import load_robot
from parapick.study import Study
from parapick.study.best_robots import WRITTEN, kept_notes, write_best
from studies import study_of

DESIGNS = np.array([[0.12, 0.2, 0.5, -0.53], [0.13, 0.21, 0.52, -0.55]])


@pytest.fixture(scope="module")
def study() -> Study:
    return study_of()


def names(paths: tuple[Path, ...]) -> list[str]:
    return [path.name for path in paths]


def test_a_file_is_the_robot_of_its_design_and_says_where_its_numbers_come_from(study: Study, tmp_path: Path) -> None:
    files, kept = write_best(study, SimpleNamespace(folder=tmp_path), DESIGNS)
    assert (names(files), kept) == (["small-1.toml", "small-2.toml"], ())
    for path, design in zip(files, DESIGNS, strict=True):
        file = load_robot(path)
        assert dict(leaves(file.robot)) == pytest.approx(dict(leaves(study.space.robot_of(design))), rel=1e-12)
        assert file.robot.name == path.stem
        computed = {path for path, source in file.sources.items() if source == "computed: study small"}
        varied = {"base.radius", "limb.arm", "limb.rod_length", "workspace.z_min", "workspace.z_max", "home.3"}
        assert computed == varied


def test_an_edited_file_is_kept_and_named_and_the_others_follow_the_study(study: Study, tmp_path: Path) -> None:
    store = SimpleNamespace(folder=tmp_path)
    first, second = write_best(study, store, DESIGNS)[0]
    first.write_text(first.read_text() + "\n# mine\n")
    mine, before = first.read_text(), second.read_text()
    files, kept = write_best(study, store, DESIGNS[::-1])
    assert (names(files), names(kept)) == (["small-2.toml"], ["small-1.toml"])
    assert first.read_text() == mine
    assert second.read_text() != before
    (note,) = kept_notes(kept)
    assert note.startswith("small-1.toml was changed")
    first.unlink()
    assert write_best(study, store, DESIGNS[::-1])[1] == ()
    assert load_robot(first).robot.limb.arm == 0.21


def test_a_file_that_is_what_the_study_would_write_is_no_edit(study: Study, tmp_path: Path) -> None:
    """Also where the list of digests is lost."""
    store = SimpleNamespace(folder=tmp_path)
    files, _ = write_best(study, store, DESIGNS)
    stamps = [path.stat().st_mtime_ns for path in files]
    (tmp_path / WRITTEN).unlink()
    assert write_best(study, store, DESIGNS) == (files, ())
    assert [path.stat().st_mtime_ns for path in files] == stamps
    assert set(json.loads((tmp_path / WRITTEN).read_text())) == set(names(files))


@pytest.mark.parametrize("text", ["", "[1, 2]", '{"small-1.toml": 3}', "[" * 100_000, "\udcff"])
def test_a_broken_list_of_digests_takes_nobodys_work(study: Study, tmp_path: Path, text: str) -> None:
    store = SimpleNamespace(folder=tmp_path)
    files, _ = write_best(study, store, DESIGNS)
    (tmp_path / WRITTEN).write_text(text, errors="surrogateescape")
    changed_designs = DESIGNS + 0.001
    # Nothing says that the files are the study's own, so they may be somebody's.
    assert write_best(study, store, changed_designs) == ((), files)


def test_a_file_that_is_no_text_is_somebodys(study: Study, tmp_path: Path) -> None:
    (tmp_path / "small-1.toml").write_bytes(b"\xff\xfe\x00")
    files, kept = write_best(study, SimpleNamespace(folder=tmp_path), DESIGNS)
    assert (names(files), names(kept)) == (["small-2.toml"], ["small-1.toml"])
    assert (tmp_path / "small-1.toml").read_bytes() == b"\xff\xfe\x00"


def test_a_design_that_is_no_robot_is_left_out(study: Study, tmp_path: Path) -> None:
    out_of_reach = np.array([0.12, 0.2, 0.5, -2.0])
    files, kept = write_best(study, SimpleNamespace(folder=tmp_path), np.stack([out_of_reach, DESIGNS[0]]))
    assert (names(files), kept) == (["small-2.toml"], ())
    assert write_best(study, SimpleNamespace(folder=tmp_path / "none"), out_of_reach[None]) == ((), ())
    assert not (tmp_path / "none").exists()
