"""Take the picture of the README: the head of the report of par4 on the Adept cycle with a kilogram in its tool.

    python tools/pictures.py

The picture carries what it shows as texts in its file: the verdict, and every requirement with its value. A test
compares these with what parapick answers; where it fails, `make pictures` takes the picture again. It needs Chromium.
"""

from __future__ import annotations

import struct
import sys
import tempfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import parapick as pp
from parapick.files import whole_file
from parapick.report import find_chromium, write_report

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "par4.png"

WIDTH = 960
"""Width of the picture (pixels); it ends below the robot, where the report's first section begins."""

END = "document.querySelectorAll('h2')[1].closest('section').getBoundingClientRect().top"
"""Where the picture ends on the page (pixels): the second heading is that of the first section."""

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def shown() -> Evaluation:
    """What the picture shows."""
    return pp.evaluate("par4", payload=1.0)


def texts(evaluation: Evaluation) -> dict[str, str]:
    """What a picture of an evaluation says, by the keywords of its text chunks.

    Args:
        evaluation: the evaluation.
    """
    return {
        "Verdict": evaluation.verdict.text,
        "Requirements": "; ".join(f"{finding.name} {finding.value:.3g}" for finding in evaluation.findings),
    }


def with_texts(picture: bytes, words: dict[str, str]) -> bytes:
    """A PNG file with texts (iTXt) behind its header.

    Args:
        picture: the file.
        words: texts by keyword.
    """
    # The header is the first chunk: 4 bytes of length, 4 of type, 13 of data, 4 of checksum.
    head = len(SIGNATURE) + 25
    chunks = [b"iTXt" + keyword.encode("latin-1") + b"\0\0\0\0\0" + text.encode() for keyword, text in words.items()]
    added = [struct.pack(">I", len(own) - 4) + own + struct.pack(">I", zlib.crc32(own)) for own in chunks]
    return picture[:head] + b"".join(added) + picture[head:]


def texts_of(picture: bytes) -> dict[str, str]:
    """The texts of a PNG file by keyword.

    Args:
        picture: the file.
    """
    found, place = {}, len(SIGNATURE)
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        kind, data = picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        if kind == b"iTXt":
            keyword, _, rest = data.partition(b"\0")
            found[keyword.decode("latin-1")] = rest[4:].decode()
        place += 12 + length
    return found


def screenshot(page: Path, browser: str) -> bytes:
    """The head of a page as a PNG file.

    Args:
        page: an HTML file.
        browser: path of Chromium.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        window = chromium.new_page(viewport={"width": WIDTH, "height": WIDTH})
        window.goto(page.resolve().as_uri(), wait_until="load")
        height = float(window.evaluate(END))
        taken = window.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": height})
        chromium.close()
    return taken


def main() -> int:
    """Take the picture; 1 where there is no Chromium to take it with."""
    browser = find_chromium()
    if browser is None:
        sys.stderr.write("a picture needs the system's package chromium\n")
        return 1
    evaluation = shown()
    with tempfile.TemporaryDirectory() as folder:
        page = write_report(evaluation, folder, replay=False)
        taken = with_texts(screenshot(page, browser), texts(evaluation))
    with whole_file(PICTURE) as place:
        place.write_bytes(taken)
    sys.stdout.write(f"{PICTURE}: {evaluation.verdict.text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
