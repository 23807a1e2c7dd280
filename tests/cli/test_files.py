"""Writing a file whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from parapick.errors import ParapickError
from parapick.files import write_text


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "result.csv"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ParapickError, match="cannot be written: no space left on device"):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_replaces_the_old_with_its_permissions(tmp_path: Path) -> None:
    target, link = tmp_path / "result.csv", tmp_path / "link.csv"
    target.write_text("a\nold\n")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "a\nb\n")
    assert target.read_bytes() == b"a\nb\n"
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
