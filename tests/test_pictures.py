"""The picture of the README shows what parapick answers today."""

from __future__ import annotations

import importlib.util
import re
import struct
import zlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    """The tool that takes the picture."""
    spec = importlib.util.spec_from_file_location("pictures_tool", ROOT / "tools" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_picture_shows_the_verdict_of_today(pictures: ModuleType) -> None:
    """Where this fails, `make pictures` takes the picture again."""
    shown = pictures.texts_of(pictures.PICTURE.read_bytes())
    assert shown == pictures.texts(pictures.shown())
    assert shown["Verdict"].startswith("YES: par4 can do this")


def test_the_readme_shows_the_picture(pictures: ModuleType) -> None:
    link = re.search(r"!\[[^\]]*\]\((.*?)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert link is not None
    assert (ROOT / link[1]).samefile(pictures.PICTURE)
    assert re.search(r"^pictures: .*\n.*tools/pictures.py", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


def test_texts_of_a_picture_are_read_back(pictures: ModuleType) -> None:
    chunks = [b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0), b"IEND"]
    plain = pictures.SIGNATURE + b"".join(
        struct.pack(">I", len(own) - 4) + own + struct.pack(">I", zlib.crc32(own)) for own in chunks
    )
    assert pictures.texts_of(plain) == {}
    words = {"Verdict": "NO: par4 cannot do this: 1 µm is missing", "Requirements": "leg slack -1e-06"}
    written = pictures.with_texts(plain, words)
    assert pictures.texts_of(written) == words
    assert written.startswith(plain[:33])
    assert written.endswith(plain[33:])


def test_without_chromium_no_picture_is_taken(
    pictures: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pictures, "find_chromium", lambda: None)
    before = pictures.PICTURE.read_bytes()
    assert pictures.main() == 1
    assert "chromium" in capsys.readouterr().err
    assert pictures.PICTURE.read_bytes() == before
