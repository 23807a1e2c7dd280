"""The delay ledger: every delay between an encoder sample and the torque that acts, and those of commands, in one list.

All that is late in a controller stands in fields of its file: whole samples on the bus and in the law, the torque loops
of the drives, the hold over a period, the filter of speeds, the jerk time. The ledger lists them with their times and
says what each acts on. `simulate`, `run`, `analyse`, `tune` and `evaluate` print it; what they compute follows from the
same fields, and `parapick log` measures it.

A delay of rational filters and holds is that of slow signals: their phase over the frequency towards 0. `response`
gives the exact one at any frequency,

    D(jw) = exp(-jw k T) (1 - exp(-jw T)) / (jw T) / (1 + jw t)      with k samples, period T and lag t.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.control.controller import Controller, division_problems
from parapick.control.sensing import Differenced
from parapick.errors import ParameterError

ActsOn = Literal["torque", "speed", "command"]
"""What a delay acts on: every torque of the loop, only what the law makes of joint speeds, or only commands."""

ACTS: Final[dict[ActsOn, str]] = {
    "torque": "every torque",
    "speed": "speeds in the law",
    "command": "commands, before the loop",
}
"""The same in words."""

EXACT: Final = "exact"
"""How simulations and linear loops count what is in the loop: as what it is, not as a dead time of the same length."""

OUTSIDE: Final = "left out: it moves no pole"
"""How linear loops count what only commands pass."""


@final
@dataclass(frozen=True)
class Delay:
    """A delay of a loop.

    Attributes:
        name: what is late.
        times: of every motor (s), or one for all.
        field: field of the controller's file from which it follows.
        path: what it acts on.
        simulated: how a simulation counts it.
        analysed: how a linear loop counts it, and a tuning in its margins.
    """

    name: str
    times: tuple[float, ...]
    field: str
    path: ActsOn = "torque"
    simulated: str = EXACT
    analysed: str = EXACT

    @property
    def time(self) -> float:
        """The longest of all motors (s)."""
        return max(self.times)


@final
@dataclass(frozen=True)
class DelayLedger:
    """All delays of a controller.

    Attributes:
        delays: each of them, from the encoder on.
        samples: whole samples between measurement and torque.
        period: control period (s).
    """

    delays: tuple[Delay, ...]
    samples: int
    period: float

    def __getitem__(self, name: str) -> Delay:
        """A delay by its name."""
        for delay in self.delays:
            if delay.name == name:
                return delay
        raise ParameterError("delay", f"no {name!r} is listed; there are {', '.join(one.name for one in self.delays)}")

    def of_motors(self, *paths: ActsOn) -> np.ndarray:
        """Sum of delays by motor (n,), s; one number where all motors have the same.

        Args:
            paths: what they act on.
        """
        chosen = [np.array(delay.times) for delay in self.delays if delay.path in paths]
        return np.atleast_1d(sum(chosen, np.zeros(1)))

    @property
    def torque(self) -> float:
        """From the angle at a sample to the torque that acts, in the mean over its period (s): the slowest motor."""
        return float(self.of_motors("torque").max())

    @property
    def speed(self) -> float:
        """The same of torques that follow from joint speeds (s)."""
        return float(self.of_motors("torque", "speed").max())

    @property
    def command(self) -> float:
        """By how much what moves steadily follows later than it is asked to, before any error of the loop (s)."""
        return float(self.of_motors("command").max())

    @property
    def lag(self) -> np.ndarray:
        """Time constants of the torque loops (n,), s; one 0 without them."""
        lags = [delay.times for delay in self.delays if delay.name == LAG]
        return np.array(lags[0] if lags else (0.0,))

    @property
    def logged(self) -> np.ndarray:
        """From a torque that is asked for to the same in a log that reads drives at the samples (n,), s.

        Without lag a torque stands in the log at the sample from which it is held, so that the hold is not seen. With
        a lag t the drive answers `y[k+1] = a y[k] + (1 - a) u[k]`, `a = exp(-T / t)`: `T / (1 - a)` late.
        """
        late = [self.period / -math.expm1(-self.period / lag) if lag else 0.0 for lag in self.lag]
        return self.samples * self.period + np.array(late)

    def response(self, frequencies: ArrayLike) -> np.ndarray:
        """What the delays make of a torque at frequencies (F, n): the gain and the phase that they take.

        Args:
            frequencies: frequencies (F,), Hz.
        """
        turn = 2j * math.pi * np.atleast_1d(np.asarray(frequencies, dtype=float))[:, None]
        # (1 - exp(-jwT)) / (jwT), without a division by 0.
        hold = np.exp(-turn * self.period / 2) * np.sinc(np.imag(turn) * self.period / (2 * math.pi))
        return np.exp(-turn * self.samples * self.period) * hold / (1.0 + turn * self.lag)

    def data(self) -> dict[str, Any]:
        """The list for programs: plain numbers (SI), as a runtime reads them too."""
        return {
            "period": self.period,
            "samples": self.samples,
            "torque": self.torque,
            "speed": self.speed,
            "command": self.command,
            "delays": [
                {
                    "name": delay.name,
                    "time": delay.time,
                    "times": list(delay.times),
                    "field": delay.field,
                    "acts_on": delay.path,
                    "simulate": delay.simulated,
                    "analyse": delay.analysed,
                    "tune": f"errors: {delay.simulated}; margins: {delay.analysed}",
                }
                for delay in self.delays
            ],
        }


LAG: Final = "drive lag"
"""Name of the delay of the torque loops."""


def ledger_of(controller: Controller) -> DelayLedger:
    """All delays of a controller.

    Args:
        controller: the controller.

    Raises:
        ParameterError: its delay is shorter than what it says the bus and the law take of it.
    """
    for problem in division_problems(controller):
        raise ParameterError(problem.path, problem.message)
    period = 1.0 / controller.rate
    return DelayLedger(tuple(_delays(controller, period)), controller.delay, period)


def _delays(controller: Controller, period: float) -> Iterator[Delay]:
    yield from _speeds(controller.law, period)
    yield from _samples(controller, period)
    if controller.lag is not None:
        times = controller.lag if isinstance(controller.lag, tuple) else (controller.lag,)
        yield Delay(LAG, tuple(float(time) for time in times), "lag")
    yield Delay("hold", (period / 2,), "rate")
    if controller.command_filter:
        whole = round(controller.command_filter * controller.rate) * period
        yield Delay("jerk filter", (whole / 2,), "command_filter", "command", "mean over whole periods", OUTSIDE)


def _samples(controller: Controller, period: float) -> Iterator[Delay]:
    """Whole samples: on the bus and in the law, or both in one where the file does not divide them."""
    if controller.exchange is None:
        yield Delay("bus and computation", (controller.delay * period,), "delay")
        return
    yield Delay("bus exchange", (controller.exchange * period,), "exchange")
    yield Delay("computation", ((controller.delay - controller.exchange) * period,), "delay")


def _speeds(law: Any, period: float) -> Iterator[Delay]:
    """What a law's speeds are late: a backward difference by half a period, a low pass `y += s (x - y)` by its own."""
    velocity = getattr(law, "velocity", None)
    if not isinstance(velocity, Differenced):
        return
    yield Delay("speed difference", (period / 2,), "rate", "speed")
    if velocity.cutoff is not None:
        share = -math.expm1(-2 * math.pi * velocity.cutoff * period)
        yield Delay("speed filter", ((1.0 - share) / share * period,), "law.velocity.cutoff", "speed")
