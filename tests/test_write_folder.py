"""Several files written into one folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from parapick.errors import ParapickError
from parapick.files import write_folder


def test_texts_and_bytes_are_written_as_they_are_and_the_folder_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    paths = write_folder(folder, {"one.c": "int a;\n", "one.o": b"\x7fELF"})
    assert paths == {"one.c": folder / "one.c", "one.o": folder / "one.o"}
    assert paths["one.c"].read_bytes() == b"int a;\n"
    assert paths["one.o"].read_bytes() == b"\x7fELF"
    assert sorted(path.name for path in folder.iterdir()) == ["one.c", "one.o"]


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(ParapickError, match="there"):
        write_folder(tmp_path / "there", {"one.c": ""})
    assert (tmp_path / "there").read_text() == "mine"
