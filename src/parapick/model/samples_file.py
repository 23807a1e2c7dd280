"""Samples of a motion as a CSV file, written and read back.

The header names the columns: `t`, the task coordinates (`x`, `y`, `z` and, for robots with yaw, `yaw`), and if there
are any their rates (`xd` ...), accelerations (`xdd` ...) and what is carried (`payload`). Everything is SI: s, m, rad,
kg. Rates that are not there come from quintic splines through the samples.
"""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from parapick.errors import ParapickError
from parapick.files import read_text
from parapick.mechanism.robot import Robot
from parapick.model.samples import Samples
from parapick.names import shown

SAMPLES_MAX: Final = 500_000
"""Most samples of a file: 500 s at 1 kHz. With all columns it has 140 MB, and reading it takes 1 GB."""

SIZE_MAX: Final = 200_000_000
"""Most bytes of a file: as many samples as there may be, with every digit of every column."""

LINES_MAX: Final = SAMPLES_MAX + 1
"""Most lines of a file: a header and the samples."""

MISFIT: Final = 0.2
"""How far rates may be from adding up to the way, as a share of the largest way: the trapezoidal rule is good to a few
hundredths on coarse samples, and a wrong unit is off by 57 or 1000 times."""

ROUNDING: Final = 1e-3
"""The same (m, rad, or per s) for a robot that stands still, where samples are all rounding."""

_DEGREE: Final = 5
"""Degree of the splines: their second derivative is smooth."""


@final
@dataclass(frozen=True, eq=False)
class SampleFile:
    """Samples that were read from a file.

    Attributes:
        name: its path.
        samples: the samples; nothing is carried where the file does not say.
        lines: line of the file of every sample.
        rates: where rates and accelerations are from, in words.
    """

    name: str
    samples: Samples
    lines: tuple[int, ...]
    rates: str

    def without_load(self) -> SampleFile:
        """The same with nothing carried."""
        return replace(self, samples=replace(self.samples, load=np.zeros_like(self.samples.load)))


def samples_csv(names: Sequence[str], samples: Samples) -> str:
    """Samples as CSV (s, m, rad, kg), with all digits: time, poses, rates, accelerations and what is carried.

    Args:
        names: names of the task coordinates.
        samples: the samples.
    """
    header = ["t", *itertools.chain(*_orders(names)), "payload"]
    return csv_text(header, np.column_stack([samples.t, samples.x, samples.xd, samples.xdd, samples.payload]))


def csv_text(header: Sequence[str], rows: np.ndarray) -> str:
    """Numbers as CSV with all their digits.

    Args:
        header: names of the columns.
        rows: the numbers (T, columns).
    """
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows.tolist())]) + "\n"


def _orders(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Columns of the poses, of their rates and of their accelerations."""
    return [tuple(f"{name}{'d' * order}" for name in names) for order in range(3)]


def read_samples(file: str, robot: Robot) -> SampleFile:
    """Read a motion for a robot.

    Args:
        file: path of the CSV file.
        robot: the robot.

    Raises:
        ParapickError: the file cannot be read, or is not such a motion; the message names line and column.
    """
    rows = _rows(file)
    header = [name.strip().lower() for name in rows[0][1]] if rows else []
    orders = _orders(robot.task_names)
    _check_header(file, robot, header, orders)
    lines, table = _numbers(file, header, rows[1:])
    column = dict(zip(header, table.T, strict=True))
    t = column["t"]
    _check_times(file, lines, t)
    given = [np.stack([column[n] for n in names], axis=-1) if names[0] in column else None for names in orders]
    _check_rates(file, lines, t, orders, given)
    load = np.zeros((len(t), 5))
    load[:, 0] = column.get("payload", 0.0)
    if (load < 0.0).any():
        line = lines[int(np.argmax(load[:, 0] < 0.0))]
        raise _refused(file, line, "payload", f"{load.min():g} kg is no mass; it must be 0 or greater")
    x, xd, xdd, rates = _with_rates(file, t, given)
    return SampleFile(file, Samples(t, x, xd, xdd, load), lines, rates)


def _refused(file: str, line: int, column: str, message: str) -> ParapickError:
    where = f"line {line}" + (f", column {column}" if column else "")
    return ParapickError(f"{file}: {where}: {message}")


def _rows(file: str) -> list[tuple[int, list[str]]]:
    """Rows that hold something, each with its line."""
    text = read_text(file, SIZE_MAX, "a motion")
    lines = text.count("\n")
    if lines > LINES_MAX:
        raise ParapickError(f"{file}: has {lines} lines; a motion has at most {LINES_MAX}")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise _refused(file, reader.line_num, "", f"is not CSV: {error}") from error


def _check_header(file: str, robot: Robot, header: Sequence[str], orders: Sequence[Sequence[str]]) -> None:
    needed = ("t", *orders[0])
    valid = (*needed, *orders[1], *orders[2], "payload")
    told = (
        f"{robot.name} takes {','.join(needed)}, then rates {','.join(orders[1])} and {','.join(orders[2])} and "
        "payload if any"
    )
    if not header:
        raise ParapickError(f"{file}: is empty; {told}")
    for name in header:
        if name not in valid:
            raise _refused(file, 1, shown(name), f"is not known; {told}, separated by commas")
        if header.count(name) > 1:
            raise _refused(file, 1, name, "is there twice")
    for names in (needed, *orders[1:]):
        missing = [name for name in names if name not in header]
        if missing and (names is needed or len(missing) < len(names)):
            raise _refused(file, 1, missing[0], f"is missing; {told}")


def _numbers(
    file: str, header: Sequence[str], rows: Sequence[tuple[int, list[str]]]
) -> tuple[tuple[int, ...], np.ndarray]:
    """Lines and numbers (T, columns) of the samples."""
    if len(rows) < 2:
        raise ParapickError(f"{file}: has {len(rows)} samples; a motion has at least 2")
    table = np.empty((len(rows), len(header)))
    for place, (line, row) in enumerate(rows):
        if len(row) != len(header):
            raise _refused(file, line, "", f"has {len(row)} cells; the header has {len(header)}")
        for index, cell in enumerate(row):
            table[place, index] = value = _number(cell)
            if not math.isfinite(value):
                raise _refused(file, line, header[index], f"{shown(cell.strip())} is not a finite number")
    return tuple(line for line, _ in rows), table


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return math.nan


def _check_times(file: str, lines: Sequence[int], t: np.ndarray) -> None:
    back = np.flatnonzero(np.diff(t) <= 0)
    if len(back):
        i = int(back[0]) + 1
        raise _refused(file, lines[i], "t", f"{t[i]:g} s is not after {t[i - 1]:g} s of line {lines[i - 1]}")


def _check_rates(
    file: str, lines: Sequence[int], t: np.ndarray, orders: Sequence[Sequence[str]], given: Sequence[np.ndarray | None]
) -> None:
    """Raise if rates do not add up to the path: most likely they are in other units."""
    for order, (values, rates) in enumerate(itertools.pairwise(given)):
        if values is None or rates is None:
            continue
        way = np.cumsum(np.diff(t)[:, None] * (rates[1:] + rates[:-1]) / 2, axis=0)
        off = np.abs(values[1:] - values[0] - way)
        row, coordinate = (int(i) for i in np.unravel_index(int(np.argmax(off)), off.shape))
        if off[row, coordinate] > MISFIT * np.max(np.ptp(values, axis=0)) + ROUNDING:
            name, rate = orders[order][coordinate], orders[order + 1][coordinate]
            change = f"{name} has changed by {values[row + 1, coordinate] - values[0, coordinate]:.4g}"
            told = f"{change} since the first sample, {rate} adds up to {way[row, coordinate]:.4g}; write both in SI"
            raise _refused(file, lines[row + 1], rate, told)


def _with_rates(
    file: str, t: np.ndarray, given: Sequence[np.ndarray | None]
) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Poses, rates and accelerations (T, dof), and where the last two are from."""
    x, xd, xdd = given
    assert x is not None  # noqa: S101, the header was checked
    if xd is not None and xdd is not None:
        return x, xd, xdd, "rates and accelerations from the file"
    if len(t) <= _DEGREE:
        need = f"rates from splines need at least {_DEGREE + 1} samples, or columns of rates and accelerations"
        raise ParapickError(f"{file}: has {len(t)} samples; {need}")
    if xd is not None:
        return x, xd, _derived(t, xd, 1), "rates from the file, accelerations by quintic splines through them"
    xd = _derived(t, x, 1)
    if xdd is not None:
        return x, xd, xdd, "rates by quintic splines through the poses, accelerations from the file"
    return x, xd, _derived(t, x, 2), "rates and accelerations by quintic splines through the poses"


def _derived(t: np.ndarray, values: np.ndarray, order: int) -> np.ndarray:
    """Derivative (T, dof) of the quintic spline through samples (T, dof)."""
    from scipy.interpolate import make_interp_spline

    return np.asarray(make_interp_spline(t, values, k=_DEGREE)(t, nu=order))
