"""Write again what commands print on the pages of the documentation.

    python tools/outputs.py [PAGE ...]

Tests compare every output on a page with what its command prints today. This runs the pages as the tests do, all of
them or those that are named (`cli.md`), writes outputs that differ, and names them: read each, and the sentences
beside it. An output with a line of three dots is named and left to you, and so is what takes long.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from parapick.cli.tables import WIDTH_MAX

ROOT = Path(__file__).parents[1]

# The runner is that of the tests, which are no package.
sys.path.insert(0, str(ROOT / "tests"))

from pages import Stale, blocks, run_page, write_own_files  # noqa: E402

WIDTHS = {"cli.md": WIDTH_MAX}
"""Width of the terminal whose output a page shows (characters), where it is not 100."""


def rewritten(text: str, stale: list[Stale]) -> tuple[str, list[str]]:
    """A page with what its commands print, and what was done about each output that differs.

    Args:
        text: the page.
        stale: outputs that are not what their commands print.
    """
    done = []
    for one in stale:
        whole = "..." not in one.shown.splitlines() and text.count(one.shown) == 1
        text = text.replace(one.shown, one.printed) if whole else text
        done.append(f"{'written' if whole else 'left to you'}: parapick {one.command}")
    return text, done


def mend(page: Path) -> list[str]:
    """Run a page in a folder of its own and write what its commands print; what was done.

    Args:
        page: the page.
    """
    here = Path.cwd()
    os.environ["COLUMNS"] = str(WIDTHS.get(page.name, 100))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_own_files()
        robot = next(block.text for block in blocks(ROOT / "docs" / "own-robot.md") if block.language == "toml")
        Path("my-delta.toml").write_text(robot, encoding="utf-8")
        _, stale = run_page(page, long=False)
        os.chdir(here)
    text, done = rewritten(page.read_text(encoding="utf-8"), stale)
    page.write_text(text, encoding="utf-8")
    return done


def main(names: list[str]) -> int:
    """Mend the pages that are named, or all; 1 where something is left to do.

    Args:
        names: file names of pages.
    """
    pages = (*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md")
    done = [f"{page.name}: {line}" for page in pages if not names or page.name in names for line in mend(page)]
    sys.stdout.write("".join(f"{line}\n" for line in done))
    return int(any("left to you" in line for line in done))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
