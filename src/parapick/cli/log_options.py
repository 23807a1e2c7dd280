"""The options that say how a log is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, as_options, names_in, parsed_amount
from parapick.cli.groups import LOG
from parapick.cli.settings import pairs_of
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.identification import Log
    from parapick.model import Model


@Parameter(name="*", group=LOG)
@final
@dataclass(frozen=True)
class LogOptions:
    """How a log is read.

    Attributes:
        column: Heading of a signal that is not found by itself, such as "q=Axis {} position [deg]" or "t=Time [ms]";
            repeatable. Signals are t, q, torque, current, command, q_ref; {} is the motor's number.
        side: Whether angles and torques are counted at the joint or at the motor, before the gearbox.
        torque_constant: Torque per current, such as 0.8 (N m/A), for all motors or one each, separated by commas.
        sign: 1 or -1, for all motors or one each, separated by commas: the sense of angles and torques.
        zero: Joint angle at which the log says 0, such as 90deg, for all or one each, separated by commas.
        torque_sign: 1 or -1, for all motors or one each: the sense of torques beside that of angles.
    """

    column: Annotated[tuple[str, ...], Parameter(negative=(), show_default=False, metavar="SIGNAL=HEADING")] = ()
    side: Literal["joint", "motor"] = "joint"
    torque_constant: Amount = None
    sign: Amount = None
    zero: Amount = None
    torque_sign: Amount = None

    def read(self, file: str, model: Model) -> Log:
        """The log of a file.

        Args:
            file: a .csv, .parquet or .mcap file.
            model: the robot.
        """
        from parapick.identification import LogReading, read_log

        columns = pairs_of("--column", "q='Axis {} position [deg]'", self.column)
        axis = model.motors.axes[0]
        constant = _numbers("--torque-constant", self.torque_constant, f"{axis.effort}/A")
        reading = LogReading(
            columns,
            self.side,
            constant,
            _numbers("--sign", self.sign, "") or 1.0,
            _numbers("--zero", self.zero, axis.unit) or 0.0,
            _numbers("--torque-sign", self.torque_sign, "") or 1.0,
        )
        try:
            with as_options("torque_constant", "sign", "zero", "torque_sign"):
                return read_log(file, model, reading)
        except ParameterError as error:
            if not error.path.startswith("column "):
                raise
            raise ParameterError(f"--{error.path}", error.message) from error


def _numbers(option: str, text: str | None, unit: str) -> float | tuple[float, ...] | None:
    """One number, or several that are separated by commas."""
    if text is None:
        return None
    numbers = tuple(parsed_amount(option, one, unit) for one in names_in(text))
    return numbers[0] if len(numbers) == 1 else numbers
