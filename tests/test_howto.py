"""The pages of the documentation: their files are valid, their commands and programs run and give what they say."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pages import ROOT, Block, blocks, commands, run_program, same_lines
from parapick.cli import main
from parapick.robots import list_robots
from parapick.tasks import list_tasks

DOCS = ROOT / "docs"

ELSEWHERE = {"cli.md": "tests/cli", "conveyor.md": "tests/belts", "timing.md": "tests/timing"}
"""Pages whose blocks are run by the tests of their room."""

NEVER = {
    "mpi4py": "needs MPI, which the page says",
    "import ray": "needs Ray, which the page says",
    "tcp://": "needs a cluster",
    "pip install": "installs the package",
    "write_pdf": "needs Chromium: tests/report",
    "--pdf": "needs Chromium: tests/browser",
    "reproduce --out": "takes half an hour: tests/cli writes a page, the soak of tests/papers computes every document",
}
"""What no test here can run, by a part of it, and why."""

LONG = ("belts-stream", "study run", "run_study", "--task tray", "SearchEffort", "parapick reproduce")
"""What takes many seconds, by a part of it: only the soak runs it."""

PAGES = [page for page in (*sorted(DOCS.glob("*.md")), ROOT / "README.md") if page.name not in ELSEWHERE]


def with_mistakes(robot: str) -> str:
    """The robot of the page on robots with the five mistakes that it shows."""
    changes = (
        ('radius = "200 mm"', 'radius = "200 kg"'),
        ("rod_length =", "rod_mass = -0.1\nrodlength ="),
        ("[plate]", "[drive]\nrated_torque = 12\npeak_torque = 9\n\n[plate]"),
    )
    for old, new in changes:
        assert old in robot
        robot = robot.replace(old, new, 1)
    return robot


def forgetful(robot: str) -> str:
    """The same robot with three units forgotten."""
    for heading, lines in (("[limb]", "rod_spacing = 100\narm_mass = 700"), ("[plate]", "mass = 400")):
        robot = robot.replace(heading, f"{heading}\n{lines}")
    return robot


PREPARED: dict[str, tuple[str, Callable[[str], str]]] = {
    "5 problems": ("my-delta.toml", with_mistakes),
    "1.3 mm too short": ("my-delta.toml", lambda robot: robot.replace('"-600 mm"', '"-990 mm"')),
    "forgotten.toml": ("forgotten.toml", forgetful),
}
"""Files that a block of own-robot.md speaks of, made from the first robot of the page, by a part of the block."""


def prepare(block: Block, robot: str) -> None:
    """Write the file that a block speaks of."""
    for part, (name, change) in PREPARED.items():
        if part in block.text:
            Path(name).write_text(change(robot), encoding="utf-8")


def run_commands(block: Block, place: str, capsys: pytest.CaptureFixture[str], *, long: bool) -> list[str]:
    """Run the commands of a block; where output is printed below one, it is the command's."""
    wrong = []
    for words, output in commands(block.text):
        line = shlex_line(words)
        if any(part in line for part in NEVER) or is_long(f"parapick {line}") != long:
            continue
        code = main(words)
        printed = capsys.readouterr()
        # 1 is an answer: no.
        if code not in (0, 1) and not output:
            wrong.append(f"{place}: {line}: {printed.err}")
        if output and not any(same_lines(text, output) for text in (printed.out, printed.out + printed.err)):
            wrong.append(f"{place}: {line} prints\n{printed.out}{printed.err}")
    return wrong


def shlex_line(words: list[str]) -> str:
    return " ".join(words)


def is_long(text: str) -> bool:
    return any(part in text for part in LONG)


def run_page(page: Path, capsys: pytest.CaptureFixture[str], *, long: bool) -> list[str]:
    """Run the blocks of a page in their order; what they do not do as the page says."""
    names: dict[str, Any] = {"__name__": "page"}
    wrong: list[str] = []
    texts: list[str] = []
    robot = next((block.text for block in blocks(page) if block.language == "toml"), "")
    for block in blocks(page):
        place = f"{page.name}:{block.line}"
        named = re.search(r'^name = "(.*)"$', block.text, flags=re.MULTILINE)
        if block.language == "toml" and named and "format = 1" in block.text:
            Path(f"{named[1]}.toml").write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            prepare(block, robot)
            wrong += run_commands(block, place, capsys, long=long)
        elif block.language == "python" and not any(part in block.text for part in NEVER):
            if is_long(block.text) <= long:
                faults, texts = run_program(block.text, place, names)
                wrong += faults
        elif block.language == "text" and texts and not any(same_lines(text, block.text) for text in texts):
            wrong.append(f"{place}: none of {texts} is\n{block.text}")
    return wrong


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with what pages take for granted: a robot, a task and a log of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for name, listed, of in (("mine", list_robots(), "par4"), ("tray", list_tasks(), "tray")):
        text = next(entry.path for entry in listed if entry.name == of).read_text(encoding="utf-8")
        Path(f"{name}.toml").write_text(text, encoding="utf-8")
    rows = [f"{t},{0.05 - 0.05 * math.cos(math.tau * t)},0,-0.7,0" for t in np.linspace(0.0, 1.0, 101).tolist()]
    # At rest before and after.
    rows = ["-0.02,0,0,-0.7,0", "-0.01,0,0,-0.7,0", *rows, "1.01,0,0,-0.7,0", "1.02,0,0,-0.7,0"]
    Path("log.csv").write_text("\n".join(["t,x,y,z,yaw", *rows, ""]), encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_does_what_it_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = run_page(page, capsys, long=False)
    assert not wrong, "\n".join(wrong)


LONG_PAGES = [page for page in PAGES if is_long("".join(block.text for block in blocks(page)))]


@pytest.mark.soak
@pytest.mark.parametrize("page", LONG_PAGES, ids=lambda page: page.name)
def test_what_takes_long_does_what_it_says(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = run_page(page, capsys, long=True)
    assert not wrong, "\n".join(wrong)


def test_every_page_with_code_is_run() -> None:
    """A page that is run elsewhere exists, and the test that runs it names it."""
    for page, where in ELSEWHERE.items():
        assert (DOCS / page).exists()
        tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / where).glob("*.py"))
        assert f'"{page}"' in tests
    for page in PAGES:
        for block in blocks(page):
            assert block.language != "console" or block.text.startswith("$ "), f"{page.name}:{block.line} has no $"
