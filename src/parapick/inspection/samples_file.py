"""Samples of a motion as a CSV file, written and read back.

The columns are `t`, the task coordinates (`x`, `y`, `z` and, for robots with yaw, `yaw`), and if there are any their
rates (`xd` ...), accelerations (`xdd` ...) and what is carried (`payload`). They are SI unless a heading names another
unit: s, m, rad, kg. Rates that are not there come from quintic splines through the samples.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.columns import check_steps, csv_text, read_columns
from parapick.files import UnreadableError
from parapick.inspection.naming import unit_of
from parapick.mechanism import Robot
from parapick.ride import Samples

SAMPLES_MAX: Final = 500_000
"""Most samples of a file: 500 s at 1 kHz. With all columns it has 140 MB, and reading it takes 1 GB."""

MISFIT: Final = 0.2
"""How far rates may be from adding up to the way, as a share of the largest way: the trapezoidal rule is good to a few
hundredths on coarse samples, and a wrong unit is off by 57 or 1000 times."""

ROUNDING: Final = 1e-3
"""The same (m, rad, or per s) for a robot that stands still, where samples are all rounding."""

_PER: Final = ("", "/s", "/s2")
"""What follows the unit of a pose, of its rate and of its acceleration."""

_DEGREE: Final = 5
"""Degree of the splines: their second derivative is smooth."""


@final
@dataclass(frozen=True, eq=False)
class SampleFile:
    """Samples that were read from a file.

    Attributes:
        name: its path.
        samples: the samples; nothing is carried where the file does not say.
        rates: where rates and accelerations are from, in words.
    """

    name: str
    samples: Samples
    rates: str


def samples_csv(names: Sequence[str], samples: Samples) -> str:
    """Samples as CSV (s, m, rad, kg), with all digits: time, poses, rates, accelerations and what is carried.

    Args:
        names: names of the task coordinates.
    """
    header = ["t", *itertools.chain(*_orders(names)), "payload"]
    return csv_text(header, samples.t, samples.x, samples.xd, samples.xdd, samples.payload)


def _orders(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Columns of the poses, of their rates and of their accelerations."""
    return [tuple(f"{name}{'d' * order}" for name in names) for order in range(3)]


def read_samples(file: str, robot: Robot) -> SampleFile:
    """Read a motion for a robot.

    Args:
        file: path of the CSV file.

    Raises:
        UnreadableError: the file cannot be read, or is not such a motion; says which line or column is wrong, or when.
    """
    orders = _orders(robot.task_names)
    units = {
        name: (f"{unit_of(robot.task_names[i])}{per}",)
        for names, per in zip(orders, _PER, strict=True)
        for i, name in enumerate(names)
    }
    column = read_columns(file, {"t": ("s",), **units, "payload": ("kg",)}, "a motion")
    _check_columns(file, robot, column, orders)
    t = column["t"]
    _check_times(file, t)
    check_steps(file, t)
    given = [np.stack([column[n] for n in names], axis=-1) if names[0] in column else None for names in orders]
    _check_rates(file, t, orders, given)
    load = np.zeros((len(t), 5))
    load[:, 0] = column.get("payload", 0.0)
    if (load < 0.0).any():
        raise UnreadableError(file, f"payload: {load.min():g} kg is not a mass; it must be 0 or greater")
    x, xd, xdd, rates = _with_rates(file, t, given)
    return SampleFile(file, Samples(t, x, xd, xdd, load), rates)


def _check_columns(file: str, robot: Robot, given: Collection[str], orders: Sequence[Sequence[str]]) -> None:
    """Raise if columns are missing: of time and pose any, of rates and accelerations some."""
    needed = ("t", *orders[0])
    rates = " and ".join(",".join(names) for names in orders[1:])
    for names in (needed, *orders[1:]):
        missing = [name for name in names if name not in given]
        if missing and (names is needed or len(missing) < len(names)):
            takes = f"{robot.name} takes {','.join(needed)}, then rates {rates} and payload if any"
            raise UnreadableError(file, f"has no column {', '.join(missing)}; {takes}")


def _check_times(file: str, t: np.ndarray) -> None:
    """Raise if there are too few or too many samples, or if their times do not rise."""
    if not 2 <= len(t) <= SAMPLES_MAX:
        raise UnreadableError(file, f"has {len(t)} samples; a motion has at least 2 and at most {SAMPLES_MAX}")
    back = np.flatnonzero(np.diff(t) <= 0)
    if len(back):
        i = int(back[0])
        raise UnreadableError(file, f"t: {t[i + 1]:g} s is not after {t[i]:g} s of the sample before")


def _check_rates(file: str, t: np.ndarray, orders: Sequence[Sequence[str]], given: Sequence[np.ndarray | None]) -> None:
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
            sums = f"{rate} adds up to {way[row, coordinate]:.4g}"
            reason = f"{change} since the first sample, {sums}; write both in SI, or name their units"
            raise UnreadableError(file, f"column {rate}, t {t[row + 1]:g} s: {reason}")


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
        raise UnreadableError(file, f"has {len(t)} samples; {need}")
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
