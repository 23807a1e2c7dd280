"""Files with mistakes: robots, tasks, studies and tables, changed at random, and what a program must make of each.

A changed file is refused with an error of ours or it computes; it never ends in another error, a warning or a hang.
"""

from __future__ import annotations

import random
import re
import signal
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from parapick.errors import ParapickError

HANG = 5.0
"""CPU time (s) after which a file counts as a hang: hundreds of times what a good one takes."""

WORDS = (
    '""', '"abc"', '"3 kg"', '"350 mm"', '"5 deg"', '"-1 m"', '"1e400 m"', '"nan m"', '"1e-300 mm"', '"0.1"',
    '"++--"', '"outward"', '"fastest"', '"workspace"', '"radial"', '"pulse"', '"\\u001b[31mred"', '"a\\u0000b"',
    '"[bold]x[/bold]"', '"$\\\\frac{"', '"../../x"', '"x\\ny"', '"\\u202eabc"', '"ä ö 中"', f'"{"x" * 300}"',
)  # fmt: skip
NUMBERS = (
    "0", "-0.0", "1", "-1", "2", "3", "7", "1e-3", "1e-9", "1e-12", "1e-13", "1e-160", "1e-300", "5e-324", "1e3", "1e6",
    "1e9", "1e12", "1e13", "1e155", "1e300", "-1e300", "1e400", "inf", "-inf", "nan", "0x7fff", "1_000", f"1{'0' * 40}",
    f"1{'0' * 400}", "0.1", "-0.7", "3.1415926535897931", "-1e-17",
)  # fmt: skip
OTHERS = (
    "true", "false", "1979-05-27", "07:32:00", "[]", "[[]]", "[1]", "[1, 2, 3]", "[0, 0, -0.7]", "[0, 0, -0.7, 0]",
    '["1 mm", 2, "x"]', "[true, 1]", "[1, [2, [3]]]", "{}", "{ a = 1 }", '{ name = "pulse", lam = 0.7 }',
    '{ name = "s-curve", jerk_time = "5 ms" }', '{ name = "pulse", lam = nan }', f"[{'1, ' * 300}]",
    '{ of = "limb.arm", coefficients = [0, 1] }', '{ of = "limb.rod_length", coefficients = [1e300, 1e300] }',
    '{ of = "home", coefficients = [] }', f"{'[' * 20}{']' * 20}", "[[0, 0, -0.7], [0.1, 0, -0.7], [0.1, 0.1, -0.7]]",
)  # fmt: skip
KEYS = (
    "name", "title", "kind", "radius", "angles", "arm", "rods", "rod_model", "mass", "pitch", "payload", "v_max", "law",
    "timing", "duration", "frame", "format", "sources", "limits", "a.b.c", '"x y"', "gravity", "center", "width",
    "height", "corner_radius", "overlap", "dwell", "yaw", "speed", "window", "per_minute", "a.a.a.a.a.a.a.a.a.a.a.a",
)  # fmt: skip

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.])")
_SOURCES = 3
_HEADING = re.compile(r"\s*\[")


def mutants(files: Sequence[Path], count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Changed files, each with a label that finds it again.

    Args:
        files: what is changed, one after the other.
        count: how many.
        seed: where chance comes from.
    """
    texts = [_shortened(file.read_text(encoding="utf-8")) for file in files]
    for number in range(count):
        index = number % len(files)
        chance = random.Random(f"{seed}-{number}")
        text = texts[index]
        # One change in half of the files; many at once hide each other.
        for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
            text = "\n".join(_changed(text.split("\n"), chance))
        yield f"{files[index].stem}, seed {seed}, number {number}", text


def _shortened(text: str) -> str:
    """A file without comments and with its first sources only: they are all alike, and would be most of the changes."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    end = lines.index("[sources]") + 1 + _SOURCES if "[sources]" in lines else len(lines)
    return "\n".join(lines[:end])


def _changed(lines: list[str], chance: random.Random) -> list[str]:
    places = [i for i, line in enumerate(lines) if "=" in line and not line.lstrip().startswith("#")]
    headings = [i for i, line in enumerate(lines) if _HEADING.match(line)]
    if not places:
        return lines
    here = chance.choice(places)
    key, _, value = lines[here].partition("=")
    kind = chance.choices(
        ("scaled", "odd", "removed", "again", "renamed", "swapped", "heading", "new", "noise"),
        (40, 25, 8, 3, 6, 6, 4, 6, 2),
    )[0]
    if kind == "scaled":
        lines[here] = f"{key}={_scaled(value, chance)}"
    elif kind == "odd":
        lines[here] = f"{key}= {_odd(chance)}"
    elif kind == "removed":
        del lines[here]
    elif kind == "again":
        lines.insert(here, lines[here])
    elif kind == "renamed":
        lines[here] = f"{chance.choice(KEYS)} ={value}"
    elif kind == "swapped":
        there = chance.choice(places)
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == "heading" and headings:
        lines[chance.choice(headings)] = chance.choice(("", "[new]", "[[limb]]", "[limb.rods]", "[plate]", "[sources]"))
    elif kind == "new":
        lines.insert(here, f"{chance.choice(KEYS)} = {_odd(chance)}")
    else:
        cut = chance.randrange(len(lines[here]) + 1)
        lines[here] = lines[here][:cut] + chance.choice(('"', "'", "[", "}", "#", "\x00", "\ufeff", "é", "=", ".", ","))
    return lines


def _odd(chance: random.Random) -> str:
    return chance.choice(chance.choice((WORDS, NUMBERS, NUMBERS, NUMBERS, OTHERS)))


def _scaled(value: str, chance: random.Random) -> str:
    """A value with one of its numbers changed a little, or by orders of magnitude."""
    numbers = list(_NUMBER.finditer(value.partition("#")[0]))
    if not numbers:
        return value
    chosen = chance.choice(numbers)
    near = [chance.uniform(*span) for span in ((0.9, 1.1), (0.99, 1.01), (0.3, 3.0))]
    factor = chance.choice((*near, *near, -1.0, 1e3, 1e-3, chance.choice((1e-320, 1e-150, 1e-9, 1e9, 1e150, 1e305))))
    return f"{value[: chosen.start()]}{float(chosen[0]) * factor:.6g}{value[chosen.end() :]}"


CELLS = (
    "", " ", "nan", "inf", "-inf", "1e400", "3.4e38", "-3.4e38", "3.402823e+38", "1e300", "1e150", "1e-320", "1e12",
    "0", "-0.0", "1_000", "0x10", "1,5", "1.5.2", "--1", "true", "None", "#N/A", "12:30:01", "1e", "٣", "1 mm",
    '"0.5"', '"',
    "x" * 200, "9" * 400, "\x00", "\x1b[31m", "\u202e", "é", "=1+1", "1" + "0" * 30,
)  # fmt: skip
HEADINGS = (
    "", "t", "T", "time [ms]", "x", "x [mm]", "x [kg]", "x [", "[mm]", "q1", "Q1 [deg]", "q2", "q5", "q9", "torque1",
    "torque.1", "torque1 [%]", "tau1", "current1 [A]", "payload", "yaw", "xd", "xdd", "\x00", "a\x1b[31m", "*", 'a"b',
    "'", "q" * 300, "é", "; DROP TABLE", "q1 (rad)",
)  # fmt: skip


def table_mutants(text: str, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Changed CSV files, each with a label that finds it again.

    Args:
        text: what is changed; parted by commas.
        count: how many.
        seed: where chance comes from.
    """
    rows = [line.split(",") for line in text.strip().split("\n")]
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        changed = [list(row) for row in rows]
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            _change_table(changed, chance)
        joined = "\n".join(",".join(row) for row in changed).encode()
        yield f"seed {seed}, number {number}", _with_noise(joined, chance) if chance.random() < 0.1 else joined


def _change_table(rows: list[list[str]], chance: random.Random) -> None:
    kind = chance.choices(
        ("cell", "number", "heading", "column", "twice", "row", "rows", "short", "times"),
        (30, 25, 15, 6, 6, 6, 4, 4, 8),
    )[0]
    row = chance.choice(rows[1:] or rows)
    place = chance.randrange(len(row) or 1)
    if kind == "cell" and row:
        row[place] = chance.choice(CELLS)
    elif kind == "number" and row:
        row[place] = _scaled(row[place], chance) if _NUMBER.search(row[place]) else chance.choice(NUMBERS)
    elif kind == "heading" and rows[0]:
        rows[0][chance.randrange(len(rows[0]))] = chance.choice(HEADINGS)
    elif kind in ("column", "twice"):
        for one in rows:
            if place < len(one):
                one[place : place + 1] = [one[place]] * (0 if kind == "column" else 2)
    elif kind == "row":
        rows.insert(chance.randrange(1, len(rows) + 1), list(row))
    elif kind == "rows":
        del rows[chance.randrange(1, len(rows) + 1) :]
    elif kind == "short":
        del row[place:]
    else:
        _change_times(rows, chance.choice((0.0, -1.0, 1e-12, 1e-6, 1e3, 1e12, 1e300)))


def _change_times(rows: list[list[str]], factor: float) -> None:
    for one in rows[1:]:
        if one and _NUMBER.fullmatch(one[0].strip()):
            one[0] = repr(float(one[0]) * factor)


def byte_mutants(contents: Sequence[bytes], count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Files with changed bytes, each with a label that finds it again.

    Args:
        contents: what is changed, one after the other.
        count: how many.
        seed: where chance comes from.
    """
    for number in range(count):
        chance = random.Random(f"{seed}-{number}")
        yield f"seed {seed}, number {number}", _with_noise(contents[number % len(contents)], chance)


def _with_noise(content: bytes, chance: random.Random) -> bytes:
    """A content with bits turned, or a part of it cut, doubled, moved or made of one byte; often near the end."""
    data = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        size = len(data)
        near = max(0, size - 2000) if chance.random() < 0.5 else 0
        first = chance.randrange(near, size + 1) if size else 0
        last = min(size, first + chance.choice((1, 1, 2, 8, 100)))
        kind = chance.choices(("bit", "byte", "cut", "twice", "fill", "end"), (40, 25, 10, 5, 10, 10))[0]
        if kind in ("bit", "byte") and first < size:
            data[first] = data[first] ^ (1 << chance.randrange(8)) if kind == "bit" else chance.randrange(256)
        elif kind == "cut":
            del data[first:last]
        elif kind == "twice":
            data[first:first] = data[first:last]
        elif kind == "fill":
            data[first:last] = bytes([chance.choice((0, 1, 0x7F, 0x80, 0xFF))]) * (last - first)
        elif kind == "end":
            del data[first:]
    return bytes(data)


class HangError(Exception):
    """A file took too long."""


@contextmanager
def guarded(seconds: float = HANG) -> Iterator[None]:
    """Raise `HangError` where the CPU time runs out, and every warning as an error.

    Args:
        seconds: CPU time allowed (s).
    """

    def stop(*_: Any) -> None:
        raise HangError(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def trial(
    cases: Iterable[tuple[str, Any]], load: Callable[[Any], Any], use: Callable[[Any], str], seconds: float = HANG
) -> tuple[Counter[str], list[str]]:
    """How many files were refused and what came of the others, and every fault.

    Args:
        cases: label and content of every file.
        load: reads a content.
        use: computes with what was read, and says how: "computed", ...
        seconds: CPU time (s) after which either counts as a hang.
    """
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for label, text in cases:
        counts["files"] += 1
        step = "reading"
        try:
            with guarded(seconds):
                read = load(text)
            counts["accepted"] += 1
            step = "using"
            with guarded(seconds):
                counts[use(read)] += 1
        except ParapickError as error:
            counts[f"refused {step}"] += 1
            faults += [] if str(error).strip() else [f"{label}: {step}: no message"]
        except Exception as error:  # noqa: BLE001, any other error is what is looked for
            faults.append(f"{label}: {step}: {type(error).__name__}: {error}")
    return counts, faults
