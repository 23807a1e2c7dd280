"""Whether a simulated loop did its work: it may have ended early, lost the path, or chattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

import numpy as np

from parapick.simulation.record import Record

LOST: Final = 0.05
"""Share of the path's extent beyond which an error means that the path was lost."""

CHATTERING: Final = 0.1
"""Share of the samples at which a command may change its sign: beyond, the torque swings near the control rate, a limit
cycle that wears gears and heats motors, however small the error."""


@final
@dataclass(frozen=True)
class Fault:
    """What is wrong with a loop.

    Attributes:
        kind: "diverged", "lost" or "chattering".
        message: the same in words, with numbers.
    """

    kind: Literal["diverged", "lost", "chattering"]
    message: str


def fault_of(record: Record) -> Fault | None:
    """What is wrong with a loop; None where it did its work. Saturation alone is no fault.

    Args:
        record: the record.
    """
    if record.divergence is not None:
        return Fault("diverged", record.divergence.message)
    extent = float(np.linalg.norm(np.ptp(record.x_ref[:, :3], axis=0)))
    worst = int(np.argmax(record.distance))
    if extent > 0.0 and record.distance[worst] > LOST * extent:
        off = f"{1e3 * record.distance[worst]:.4g} mm off at {record.t[worst]:.4g} s"
        return Fault("lost", f"the plate is {off}, more than {100 * LOST:g} % of the path's {1e3 * extent:.4g} mm")
    return _chattering(record)


def _chattering(record: Record) -> Fault | None:
    changes = np.mean(record.command[1:] * record.command[:-1] < 0.0, axis=0)
    motor = int(np.argmax(changes))
    if changes[motor] > CHATTERING:
        share = f"{100 * changes[motor]:.0f} % of the samples"
        return Fault("chattering", f"the {record.word} of motor {motor + 1} changes its sign at {share}")
    # A slower limit cycle, between the two torque limits of a motor for example, shows in the joints themselves.
    wanted, shaken = (
        np.linalg.norm(np.diff(rate, axis=0), axis=0) for rate in (record.qd_ref, record.qd - record.qd_ref)
    )
    motor = int(np.argmax(shaken - wanted))
    if shaken[motor] > wanted[motor] > 0.0:
        times = f"{shaken[motor] / wanted[motor]:.2g} times the acceleration that the motion asks of it"
        return Fault("chattering", f"joint {motor + 1} shakes with {times} (RMS)")
    return None
