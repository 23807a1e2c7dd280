"""What shows while a task runs: folded from rows of the log, drawn as a panel or a line, and gone in the end."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from parapick.cli import live as module
from parapick.cli.live import drawn, live, live_text
from parapick.cli.run_panel import EDGES, HEIGHT, WIDTH, RunSight, panel, seen
from parapick.cli.tables import WIDTH_MAX, console
from parapick.runtime.loop_layout import LOG, REPORT
from parapick.runtime.machine import STATES
from parapick.runtime.session import Session, session
from parapick.supervision import State

PERIOD = 250_000
LIMIT = 90.0
"""Torque limit of par4 (N m)."""


@pytest.fixture(scope="module")
def run() -> Session:
    return session("par4", "adept-120", "tsid")


def rows_at(*begins: float, first: int = 0) -> Any:
    """Rows of samples that begin at so many periods, 1 mm beside their place, with a torque that grows."""
    rows = np.zeros(len(begins), LOG)
    rows["begin"] = 10**12 + np.rint(PERIOD * np.array(begins)).astype(int)
    rows["sample"] = first + np.arange(len(begins))
    rows["state"], rows["fault"], rows["pace"] = STATES.index(State.RUNNING), -1, 1.0
    rows["x"][:, 0], rows["torque"][:, 2] = 1e-3, -np.arange(1.0, len(begins) + 1.0)
    return rows


def report_of(late: dict[int, int], **counts: int) -> Any:
    """A report of periods by how late they begin (us)."""
    report = np.zeros((), REPORT)
    for time_late, count in late.items():
        report["late"][min(time_late, len(report["late"]) - 1)] += count
    report["periods"] = sum(late.values())
    for name, count in counts.items():
        report[name] = count
    return report


def sight_of(run: Session, rows: Any, **counts: int) -> RunSight:
    got = seen(None, run, report_of({20: 100}, **counts), rows)
    assert got is not None
    return got


def text_of(sight: RunSight | None, width: int = 80, height: int = 24, encoding: str = "utf-8") -> list[str]:
    """What is drawn on a terminal."""
    file = io.TextIOWrapper(io.BytesIO(), encoding)
    screen = Console(file=file, width=width, height=height, force_terminal=True, color_system=None)
    with screen.capture() as captured:
        screen.print(drawn(sight, "par4, a title that is far too long " * 3, screen))
    return captured.get().splitlines()


def test_periods_fall_into_bins_around_the_period(run: Session) -> None:
    """Each in the middle of its bin: by as much shorter or longer (%) as lies between two edges."""
    edges = np.array([-80.0, *EDGES, 200.0])
    middles = (edges[1:] + edges[:-1]) / 2.0
    begins = np.cumsum([0.0, *(1.0 + middles / 100.0)])
    assert sight_of(run, rows_at(*begins)).periods.tolist() == [1] * (len(EDGES) + 1)
    at = sight_of(run, rows_at(0.0, 1.0, 2.0, 2.0, 2.0, 5.0, 6.0))
    # Two samples that are made up for begin with the one after them: the period before is one of three.
    assert at.periods[np.searchsorted(EDGES, 0.0)] == 3
    assert at.periods[-1] == 1
    assert at.periods.sum() == 4


def test_a_fold_of_parts_is_that_of_the_whole(run: Session) -> None:
    rng = np.random.default_rng(7)
    rows = rows_at(*np.cumsum(rng.uniform(0.3, 2.5, 200)))
    rows["x"][:, :3] = rng.normal(size=(200, 3))
    rows["torque"][:, :4] = rng.normal(size=(200, 4))
    rows["late"] = rng.integers(0, 2, 200)
    report = report_of({20: 200})
    whole, parts = seen(None, run, report, rows), seen(None, run, report, rows[:0])
    assert parts is None
    for part in np.split(rows, [1, 1, 40, 150]):
        parts = seen(parts, run, report, part)
    assert whole is not None
    assert parts is not None
    for name in ("periods", "torque", "error", "late"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    assert whole.error == np.linalg.norm(rows["x"][:, :3], axis=1).max()
    assert whole.periods.sum() == 199
    assert parts.row["sample"] == 199


def test_the_panel_says_how_it_goes(run: Session) -> None:
    lines = text_of(sight_of(run, rows_at(*range(46)), overruns=2, lost=1))
    text = "\n".join(lines)
    assert len(lines) == HEIGHT - 1
    assert {len(line) for line in lines} == {WIDTH}
    for part in ("running", "pace 1.00", "0.0 s", "1.000 mm   most 1.000 mm", "overruns 2", "lost 1"):
        assert part in text
    # 46 of 90 N m: half of the bar.
    assert f" 51 % {'█' * 15}{'░' * 15} most 51 %, motor 3" in text
    # All periods are as long as they should be: one bar, as high as there is room.
    bars = [line for line in lines if "████ " in line and "%" not in line]
    assert len(bars) == 4
    assert len({line.index("█") for line in bars}) == 1
    shares = next(line for line in lines if "100" in line and "-50" not in line)
    assert shares.index("100") - 1 == bars[0].index("█") - 1
    assert shares.count("-") == len(EDGES)


def test_large_counts_fit(run: Session) -> None:
    sight = sight_of(run, rows_at(0.0, 1.0), overruns=12345, missed=12345, lost=12345)
    sight.report["periods"] = 10**7 - 1
    assert len(text_of(replace(sight, late=12345))) == HEIGHT - 1


def test_behind_drives_that_do_not_say_where_the_plate_is_there_is_no_error(run: Session) -> None:
    rows = rows_at(0.0, 250.0)
    rows["x"] = np.nan
    sight = sight_of(run, rows)
    assert "error     -, no drive says where the plate is" in "\n".join(text_of(sight))
    assert "error -  torque" in live_text(sight)


def test_bars_are_logarithmic_and_shares_are_those_of_all_periods(run: Session) -> None:
    sight = replace(sight_of(run, rows_at(0.0, 1.0)), periods=np.array([0, 0, 0, 0, 0, 10, 99988, 1, 0, 0, 0, 0, 0, 1]))
    lines = text_of(sight)
    heights = [sum(line[5 * place + 2] not in " " for line in lines[6:10]) for place in range(len(EDGES) + 1)]
    assert heights == [0, 0, 0, 0, 0, 1, 4, 1, 0, 0, 0, 0, 0, 1]
    assert re.findall(r"[-<.\d]+", lines[11]) == ["-"] * 5 + ["0.01", "99.9", "<.01"] + ["-"] * 5 + ["<.01"]


def test_what_stands_out_is_coloured(run: Session) -> None:
    rows = rows_at(0.0, 1.0, 2.4, 5.0)
    rows["torque"][:, 1], rows["late"] = LIMIT, 1
    rows["fault"] = 1
    text = panel(sight_of(run, rows, missed=1), "par4").renderable
    styled = {text.plain[span.start : span.end].strip(): str(span.style) for span in text.spans if span.style}  # pyright: ignore[reportAttributeAccessIssue]
    assert styled["running"] == "bold red"
    assert styled["█" * 30] == "red"
    assert styled["late 4"] == "red"
    assert styled["missed 1"] == "red"
    assert "overruns 0" not in styled
    assert {"yellow", "red"} <= set(styled.values())


def test_torques_without_a_limit_are_no_shares(run: Session) -> None:
    assembly = run.cell.assembly
    free = replace(assembly.loop, drives=replace(assembly.loop.drives, torque_max=np.full(4, np.inf)))
    endless = replace(run, cell=replace(run.cell, assembly=replace(assembly, loop=free)))
    assert "torque    2.0 N m   most 2.0 N m, without a limit" in "\n".join(
        text_of(sight_of(endless, rows_at(0.0, 1.0)))
    )


@pytest.mark.parametrize(("width", "height", "encoding"), [(77, 24, "utf-8"), (80, HEIGHT, "utf-8"), (80, 24, "ascii")])
def test_without_room_or_signs_it_is_a_line(run: Session, width: int, height: int, encoding: str) -> None:
    sight = sight_of(run, rows_at(0.0, 1.0))
    (line,) = text_of(sight, width, height, encoding)
    assert line.startswith("running  pace 1.00  error 1.000 mm  torque 2.0 N m  overruns 0")
    # The terminal writes ^C behind it.
    assert len(line) == width - 2
    assert len(text_of(sight, WIDTH + 2)) > 1


def test_before_the_first_row_it_says_for_what_it_waits() -> None:
    assert text_of(None) == ["planning and compiling the runtime, waiting for the drives"]


def test_the_line_says_what_is_known(run: Session) -> None:
    sight = sight_of(run, rows_at(0.0, 1.0), overruns=2)
    assert live_text(sight).endswith("overruns 2, 99 % begin within 21 us")
    assert live_text(replace(sight, report=report_of({900: 1}))).endswith("overruns 0, 99 % begin over 511 us")


@pytest.mark.parametrize(("terminal", "shown"), [(False, True), (True, False)])
def test_a_pipe_and_a_document_get_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, terminal: bool, shown: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with live("par4", clock=True, shown=shown) as (progress, watcher):
        assert (progress, watcher) == (None, None)
    assert capsys.readouterr().err == ""


def test_what_is_watched_is_shown(run: Session, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with live("par4", clock=True, shown=True) as (progress, watcher):
        assert progress is None
        assert watcher is not None
        watcher(run, report_of({20: 100}), rows_at(0.0, 1.0, 2.0))
    assert "running" in capsys.readouterr().err


def test_a_terminal_that_stands_still_does_not_hold_the_run(run: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture waits for the terminal, and rows are folded all the while."""
    drawing, released = [], []

    def stuck(sight: RunSight | None, title: str, target: Console) -> str:
        drawing.append(sight)
        while sight is not None and not released:
            time.sleep(1e-3)
        return ""

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(module, "drawn", stuck)
    monkeypatch.setattr(module, "_PICTURES", 100)
    with live("par4", clock=True, shown=True) as (_, watcher):
        assert watcher is not None
        watcher(run, report_of({20: 100}), rows_at(0.0))
        while drawing[-1] is None:
            time.sleep(1e-3)
        count = len(drawing)
        for k in range(1, 50):
            watcher(run, report_of({20: 100}), rows_at(float(k), first=k))
        assert len(drawing) == count
        released.append(True)
    assert drawing[-1].periods.sum() == 49


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """The two ends of a terminal."""
    ends = pty.openpty()
    yield ends
    for end in ends:
        os.close(end)


def resized(end: int, width: int) -> None:
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))


def test_the_error_output_has_a_width_of_its_own(terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a terminal where the output goes into a file, whose lines are as long as they like."""
    monkeypatch.delenv("COLUMNS")
    assert console(error=True).width == WIDTH_MAX
    with os.fdopen(os.dup(terminal[1]), "w") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        for width, expected in ((60, 60), (200, WIDTH_MAX)):
            resized(stream.fileno(), width)
            assert console(error=True).width == expected
        assert console().width == WIDTH_MAX
        monkeypatch.setenv("COLUMNS", "70")
        assert console(error=True).width == 70
        monkeypatch.undo()


@pytest.mark.skipif(not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="a C compiler is missing")
def test_ctrl_c_leaves_the_terminal_clean(terminal: tuple[int, int]) -> None:
    """Whether the machine is quick enough for the run or not: the panel goes, and the cursor is back."""
    ours, theirs = terminal
    resized(theirs, 80)
    words = ["run", "fivebar-spindle", "righettini2024", "--cycles", "50", "--guard", "deadline=100000"]
    environment = {**{k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}, "TERM": "xterm"}
    command = [sys.executable, "-m", "parapick", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        shown, end = b"", time.monotonic() + 120.0
        while b"pace" not in shown and process.poll() is None and time.monotonic() < end:
            shown += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        while process.poll() is None and time.monotonic() < end:
            os.set_blocking(ours, False)
            try:
                shown += os.read(ours, 4096)
            except BlockingIOError:
                time.sleep(0.01)
    assert process.returncode in (0, 1)
    text = shown.decode()
    assert "pace" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")
    # Every line of the last picture is erased.
    assert text[text.rindex("╯") :].count("\x1b[2K") >= HEIGHT - 1
