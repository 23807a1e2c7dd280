"""Logs of a machine: joint angles and torques over time as drives and scopes record them, from CSV, Parquet or MCAP.

Angles and torques are those of the joints: what a motor-side log counts is divided and multiplied by the gear ratio,
and a current becomes a torque by the motor's torque constant. A torque in % or per mille of the rated one, as CiA 402
drives log it (object 6077h), is always that of the motor: it is multiplied by the drive's rated torque and its ratio.
The torque is what the motor gives, times the ratio: rotors, friction and losses of gearboxes are spent from it. Records
that `parapick simulate --out FILE.csv` writes are logs.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, final

import numpy as np

from parapick.columns import NumberTable, check_steps, read_headings, read_some
from parapick.errors import ParameterError
from parapick.files import UnreadableError, check_readable
from parapick.identification.log_columns import LogColumn, find_columns, rated_share
from parapick.mcap_table import read_mcap_head, read_mcap_numbers
from parapick.parquet import DamagedTableError, TableHead, read_head, read_numbers
from parapick.robots import RobotChoice, model_of

if TYPE_CHECKING:
    from parapick.model import Model

KIND: Final = "a log"
SIZE_MAX: Final = 1_000_000_000
"""Most bytes of a packed file."""

ROWS_MAX: Final = 2_000_000
"""Most samples of a packed file: eight minutes at 4 kHz."""

GAP: Final = 1.5
"""A step of time longer than this many usual ones is a gap: at least one sample is missing."""

UNEVEN: Final = 0.02
"""Share of the usual step by which steps may differ before samples count as uneven: time stamps round to digits."""

SAMPLES_MIN: Final = 64
"""Fewest samples of a stretch without gaps that can be filtered and derived."""


@final
@dataclass(frozen=True)
class _Packed:
    """A kind of file that says what it has before it is read.

    Attributes:
        kind: its name in messages.
        head: reads what it says of itself.
        numbers: reads columns of numbers by their names.
    """

    kind: str
    head: Callable[[Path], TableHead]
    numbers: Callable[[Path, Sequence[str]], dict[str, np.ndarray]]


PACKED: Final = {
    ".parquet": _Packed("a Parquet file", read_head, read_numbers),
    ".mcap": _Packed("an MCAP file", read_mcap_head, read_mcap_numbers),
}
"""Kinds of packed files, by the ending of their names."""


@final
@dataclass(frozen=True)
class LogReading:
    """How a log is read.

    Attributes:
        columns: headings by signal, where they are not the usual ones; see `log_columns.SPELLINGS`.
        side: whether angles, torques and currents are counted at the "joint" or at the "motor".
        torque_constant: torque per current of the motors (N m/A), for all or one per motor; for logs of currents.
        sign: +1 or -1 per motor, or for all: the sense in which the log counts angles and torques.
        zero: joint angle (rad) at which the log says 0, for all or one per motor.
        torque_sign: +1 or -1 per motor, or for all: the sense of torques and currents beside that.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    side: Literal["joint", "motor"] = "joint"
    torque_constant: float | tuple[float, ...] | None = None
    sign: float | tuple[float, ...] = 1.0
    zero: float | tuple[float, ...] = 0.0
    torque_sign: float | tuple[float, ...] = 1.0


@final
@dataclass(frozen=True, eq=False, repr=False)
class Log:
    """A log, at the joints; T samples, n motors.

    Attributes:
        file: where it comes from.
        t: times (T,), s, rising.
        q: joint angles (T, n), rad.
        torque: torques of the motors at the joints (T, n), N m; None where it has none.
        q_ref: wanted angles (T, n), rad; None where it has none.
        headings: heading of every column that was read, by signal: q1, torque1, ...
        sign: +1 or -1 per motor, or for all: with which angles and torques were read.
        torque_sign: +1 or -1 per motor, or for all: with which torques were read beside that.
        command: torques that the drives were asked for, at the joints (T, n), N m; None where it has none.
    """

    file: str
    t: np.ndarray
    q: np.ndarray
    torque: np.ndarray | None
    q_ref: np.ndarray | None
    headings: Mapping[str, str]
    sign: float | tuple[float, ...] = 1.0
    torque_sign: float | tuple[float, ...] = 1.0
    command: np.ndarray | None = None

    def __repr__(self) -> str:
        motors = f"{self.q.shape[1]} motors{'' if self.torque is not None else ', no torques'}"
        return f"<Log {self.file}: {len(self.t)} samples of {motors} over {self.t[-1] - self.t[0]:.4g} s>"

    @cached_property
    def step(self) -> float:
        """Usual time between two samples (s)."""
        return float(np.median(np.diff(self.t)))

    @property
    def rate(self) -> float:
        """Samples per second (Hz)."""
        return 1.0 / self.step

    @cached_property
    def stretches(self) -> tuple[slice, ...]:
        """Stretches without gaps, all of them."""
        cuts = np.flatnonzero(np.diff(self.t) > GAP * self.step) + 1
        edges = [0, *cuts.tolist(), len(self.t)]
        return tuple(slice(a, b) for a, b in itertools.pairwise(edges))

    @cached_property
    def uneven(self) -> bool:
        """Whether samples within a stretch are not evenly spaced."""
        steps = np.diff(self.t)
        within = steps[steps <= GAP * self.step]
        return bool(np.max(np.abs(within - self.step), initial=0.0) > UNEVEN * self.step)

    def notes(self) -> tuple[str, ...]:
        """What a reader should know of it: gaps, uneven samples."""
        notes = []
        if len(self.stretches) > 1:
            first = self.stretches[1].start
            gaps = [float(self.t[one.start] - self.t[one.start - 1]) for one in self.stretches[1:]]
            notes.append(
                f"the log has {len(gaps)} gap{'s' if len(gaps) > 1 else ''}, the first at {self.t[first - 1]:.6g} s, "
                f"the longest {1e3 * max(gaps):.4g} ms where samples are {1e3 * self.step:.4g} ms apart; nothing is "
                "put there"
            )
        if self.uneven:
            notes.append(
                "samples are not evenly spaced; between them angles are interpolated by cubic splines, torques linearly"
            )
        return tuple(notes)


def read_log(file: str | os.PathLike[str], robot: RobotChoice, reading: LogReading | None = None) -> Log:
    """Read a log of a robot.

    Args:
        file: a .csv, .parquet or .mcap file.
        robot: a model, the name of a shipped robot, or the path of a file.
        reading: how it is read; by the usual headings, at the joints, if not given.

    Raises:
        UnreadableError: it cannot be read, lacks a column, is of another number of motors, has a value that is no
            finite number, or its time does not rise.
        ParameterError: a reading that does not fit the robot.
    """
    path, chosen, model = Path(file), reading or LogReading(), model_of(robot)
    headings, table_of = _opened(path)
    motors = model.motors
    signals = find_columns(path, headings, motors.count, model.robot.name, chosen.columns)
    table = table_of([one.heading for columns in signals.values() for one in columns])

    def signal(name: str, kinds: list[tuple[str, ...]]) -> np.ndarray | None:
        if name not in signals:
            return None
        pairs = zip(signals[name], kinds, strict=True)
        return np.column_stack([table.si(one.heading, one.unit, own) for one, own in pairs])

    t = table.si(signals["t"][0].heading, signals["t"][0].unit, ("s",))
    _check_times(path, t)
    check_steps(path, t)
    ratio = motors.ratio if chosen.side == "motor" else np.ones(motors.count)
    sign, zero = _signs(model, "sign", chosen.sign), _per_motor(model, "zero", chosen.zero)
    sense = sign * _signs(model, "torque_sign", chosen.torque_sign)
    units = [(axis.unit,) for axis in motors.axes]
    angles = {name: signal(name, units) for name in ("q", "q_ref")}
    placed = {name: None if one is None else sign * one / ratio + zero for name, one in angles.items()}
    q = placed["q"]
    assert q is not None  # noqa: S101, its columns were found
    torques = {name: _torque(path, model, chosen, table, of) for name, of in _torque_signals(signals).items()}
    names = {
        one if one == "t" else f"{one}{i}": column.heading
        for one, columns in signals.items()
        for i, column in enumerate(columns, start=1)
    }
    felt = {name: None if one is None else sense * one for name, one in torques.items()}
    wanted, asked = placed["q_ref"], felt["command"]
    return Log(str(file), t, q, felt["torque"], wanted, names, chosen.sign, chosen.torque_sign, asked)


def _torque_signals(signals: Mapping[str, list[LogColumn]]) -> dict[str, dict[str, list[LogColumn]]]:
    """Columns of torques: those of the motors, by torque or current, and those that they are asked for."""
    own = {name: signals[name] for name in ("torque", "current") if name in signals}
    return {"torque": own, "command": {"torque": signals["command"]} if "command" in signals else {}}


def _opened(path: Path) -> tuple[tuple[str, ...], Callable[[Sequence[str]], NumberTable]]:
    """Headings of a file, and a function that reads columns by their headings."""
    packed = PACKED.get(path.suffix.lower())
    if packed is not None:
        check_readable(path, SIZE_MAX, KIND)
        try:
            head = packed.head(path)
        except DamagedTableError as error:
            raise UnreadableError(path, f"is not {packed.kind}, or a damaged one: {error}") from error
        if head.rows > ROWS_MAX:
            raise UnreadableError(path, f"has {head.rows} rows; {KIND} has at most {ROWS_MAX}")
        return tuple(head.columns), lambda names: _unpacked(path, packed, head, names)
    if path.suffix.lower() not in (".csv", ".txt", ".tsv"):
        raise UnreadableError(path, "the name of a log ends in .csv, .txt, .tsv, .parquet or .mcap")
    return read_headings(path, KIND), lambda names: read_some(path, names, KIND)


def _unpacked(path: Path, packed: _Packed, head: TableHead, names: Sequence[str]) -> NumberTable:
    """Columns of a file as finite numbers; the others are not read."""
    for name in names:
        if not head.columns[name]:
            raise UnreadableError(path, f"column {name}: holds no numbers")
    try:
        columns = packed.numbers(path, list(dict.fromkeys(names)))
    except DamagedTableError as error:
        raise UnreadableError(path, f"is not {packed.kind}, or a damaged one: {error}") from error
    for name, numbers in columns.items():
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if len(wrong):
            text = f"row {wrong[0] + 1}: {name} is {numbers[wrong[0]]:g}; it must be a finite number"
            raise UnreadableError(path, text)
    return NumberTable(str(path), columns, np.arange(1, head.rows + 1), "row")


def _check_times(path: Path, t: np.ndarray) -> None:
    """Raise if there are too few samples, or if their times do not rise."""
    if len(t) < SAMPLES_MIN:
        raise UnreadableError(path, f"has {len(t)} samples; {KIND} has at least {SAMPLES_MIN}")
    falls = np.flatnonzero(np.diff(t) <= 0.0)
    if falls.size:
        row = int(falls[0])
        raise UnreadableError(
            path, f"t goes from {t[row]:.9g} to {t[row + 1]:.9g} s at sample {row + 2}; times must rise"
        )


def _torque(
    path: Path, model: Model, reading: LogReading, table: NumberTable, signals: Mapping[str, list[LogColumn]]
) -> np.ndarray | None:
    """Torques at the joints (T, n); None where the log has neither torques nor currents."""
    motors = model.motors
    ratio = motors.ratio if reading.side == "motor" else np.ones(motors.count)
    if "torque" in signals:
        columns = [_torque_column(path, model, table, one, i, ratio[i]) for i, one in enumerate(signals["torque"])]
        return np.column_stack(columns)
    if "current" not in signals:
        return None
    if reading.torque_constant is None:
        message = f"is needed: {path} has currents, not torques (N m/A, at the {reading.side})"
        raise ParameterError("torque_constant", message)
    constant = _per_motor(model, "torque_constant", reading.torque_constant)
    if not np.all(constant > 0.0):
        raise ParameterError("torque_constant", f"is {reading.torque_constant}; each must be greater than 0 N m/A")
    return ratio * constant * np.column_stack([table.si(one.heading, one.unit, ("A",)) for one in signals["current"]])


def _torque_column(
    path: Path, model: Model, table: NumberTable, column: LogColumn, motor: int, ratio: float
) -> np.ndarray:
    """The torque of a motor at its joint (T,): stated as one, or as a share of what the motor is rated for."""
    motors, share = model.motors, rated_share(column.unit)
    if share is None:
        return ratio * table.si(column.heading, column.unit, (motors.axes[motor].effort,))
    rated = float(motors.rated_torque[motor])
    if not np.isfinite(rated):
        word = motors.axes[motor].word
        drive = "drive" if motor < motors.arms else motors.plate_drive
        raise UnreadableError(
            path,
            f"column {column.heading} is in {column.unit} of the rated {word}, and the file of {motors.name} states "
            f"none for motor {motor + 1}: add {drive}.rated_{word}",
        )
    return float(motors.ratio[motor]) * rated * share * table.si(column.heading, "", ("",))


def _signs(model: Model, name: str, given: float | tuple[float, ...]) -> np.ndarray:
    """+1 or -1 per motor (n,)."""
    sign = _per_motor(model, name, given)
    if not np.all(np.abs(sign) == 1.0):
        raise ParameterError(name, f"is {given}; each must be 1 or -1")
    return sign


def _per_motor(model: Model, name: str, given: float | tuple[float, ...]) -> np.ndarray:
    numbers = np.asarray(given, dtype=float)
    if numbers.shape not in ((), (model.motors.count,)) or not np.all(np.isfinite(numbers)):
        count = model.motors.count
        raise ParameterError(
            name, f"is {given}; {model.robot.name} has {count} motors: give one finite number, or one each"
        )
    return np.broadcast_to(numbers, model.motors.count)
