"""Files with mistakes: the shipped robots and tasks, changed at random, and what a program must make of each.

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
    cases: Iterable[tuple[str, str]], load: Callable[[str], Any], use: Callable[[Any], str]
) -> tuple[Counter[str], list[str]]:
    """How many files were refused and what came of the others, and every fault.

    Args:
        cases: label and text of every file.
        load: reads a text.
        use: computes with what was read, and says how: "computed", ...
    """
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for label, text in cases:
        counts["files"] += 1
        step = "reading"
        try:
            with guarded():
                read = load(text)
            counts["accepted"] += 1
            step = "using"
            with guarded():
                counts[use(read)] += 1
        except ParapickError as error:
            counts[f"refused {step}"] += 1
            faults += [] if str(error).strip() else [f"{label}: {step}: no message"]
        except Exception as error:  # noqa: BLE001, any other error is what is looked for
            faults.append(f"{label}: {step}: {type(error).__name__}: {error}")
    return counts, faults
