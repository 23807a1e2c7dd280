"""How a robot came to rest after a stop: how long it took, what it used of its limits, and which it left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from parapick.answer import Requirement, against
from parapick.formulas import SLACKS
from parapick.mechanism import Workspace
from parapick.model import Model, Reach
from parapick.operation.state_change import Change
from parapick.simulation import OVERSPEED, Record
from parapick.supervision import STANDSTILL, TRACKING, Event, State

_STOPPING: Final = [*State].index(State.STOPPING)


@final
@dataclass(frozen=True)
class Stop:
    """How the robot came to rest.

    Attributes:
        kind: "path" where its time along the path was slowed, "brakes" where the drives were switched off.
        start: when it began (s).
        duration: time from which on no joint moved faster than `STANDSTILL` (s); until the end where one still did.
        length: length of the plate's path meanwhile (m).
        off_path: largest distance from the reference across the path meanwhile (m); of brakes, from where they began.
        torque: largest share of its limit that a motor gave; 0 with the drives off, None without limits.
        speed: largest share of its limit that a joint's speed had; None without limits.
        slack: smallest slack of legs, carriages and links (m); negative: a limit was left.
        angle: smallest slack of joints, passive joints and yaw (rad), likewise; None where nothing limits them.
        workspace: smallest distance to the border of the stated workspace (m); negative: outside; None without one,
            and where its guard is switched off.
        turn: the same of the yaw that it allows (rad).
        rested: whether every joint came to rest.
    """

    kind: str
    start: float
    duration: float
    length: float
    off_path: float
    torque: float | None
    speed: float | None
    slack: float
    angle: float | None
    workspace: float | None
    turn: float | None = None
    rested: bool = True

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """What a stop must keep; a guard on speed trips only beyond `OVERSPEED`, one on the workspace `TRACKING`."""
        return (
            *_share("torque", self.torque, 1.0),
            *_share("speed", self.speed, 1.0 + OVERSPEED),
            *_slack("reach", self.slack, "m", 0.0),
            *_slack("angle", self.angle, "rad", 0.0),
            *_slack("workspace", self.workspace, "m", -TRACKING),
            *_slack("yaw of the workspace", self.turn, "rad", -TRACKING),
            _rest(self.rested, self.duration),
        )

    @property
    def inside(self) -> bool:
        """Whether the robot came to rest and kept to its limits meanwhile."""
        return all(requirement.ok for requirement in self.requirements)

    @property
    def beyond(self) -> tuple[str, ...]:
        """What was not kept, in words; what is not a number is never kept."""
        return tuple(requirement.text for requirement in self.requirements if not requirement.ok)


def _share(name: str, share: float | None, limit: float) -> tuple[Requirement, ...]:
    """The requirement on a share of a limit; none where nothing limits it."""
    if share is None:
        return ()
    return (against(name, name, share, unit="", at_most=limit, state=f"{100.0 * share:.4g} % of its limit"),)


def _slack(name: str, slack: float | None, unit: str, floor: float) -> tuple[Requirement, ...]:
    """The requirement on what is left to a limit; none where nothing limits it."""
    if slack is None:
        return ()
    amount = f"{-1e3 * slack:.4g} mm" if unit == "m" else f"{-slack:.4g} rad"
    return (against(name, name, slack, unit=unit, at_least=floor, state=f"left by {amount}"),)


def _rest(rested: bool, duration: float) -> Requirement:
    return against(
        "rest", "rest", float(rested), unit="", at_least=1.0, state=f"still moving after {1e3 * duration:.4g} ms"
    )


def stop_of(
    plant: Model, record: Record, states: np.ndarray, changes: Sequence[Change], region: Workspace | None
) -> Stop | None:
    """How a robot came to rest; None where it was not stopped.

    A joint rests from where on it moves no faster than `STANDSTILL`.

    Args:
        plant: the robot as it is.
        record: the record of the whole run.
        states: the operating states (T,).
        changes: changes of the state.
        region: the workspace that counts, if any.
    """
    stops = [change for change in changes if change.after in (State.STOPPING, State.FAULT)]
    first = stops[0].sample if stops else len(states)
    if first >= len(states):
        return None
    braking = any(change.event is Event.BRAKE for change in changes)
    moving = np.flatnonzero(np.any(~(np.abs(record.qd[first:]) <= STANDSTILL), axis=-1))
    rest = first + (int(moving[-1]) + 1 if len(moving) else 0)
    during = slice(first, min(rest, len(states) - 1) + 1)
    x = record.x[during]
    reach, border = plant.reach(x), None if region is None else region.slack(x).min(axis=0)
    powered = record.torque[during][states[during] == _STOPPING]
    torque = float(np.max(np.abs(powered) / record.torque_max, initial=0.0))
    speed = float(np.max(np.abs(record.qd[during]) / record.speed_max))
    off_path = np.linalg.norm((x - x[0])[:, :3], axis=-1) if braking else record.path_normal[during]
    return Stop(
        kind="brakes" if braking else "path",
        start=float(record.t[first]),
        duration=(rest - first) / record.rate,
        length=float(np.sum(np.linalg.norm(np.diff(x[:, :3], axis=0), axis=-1))),
        off_path=float(np.max(off_path)),
        torque=torque if np.isfinite(record.torque_max).any() else None,
        speed=speed if np.isfinite(record.speed_max).any() else None,
        slack=_least(reach, "m"),
        angle=angle if np.isfinite(angle := _least(reach, "rad")) else None,
        workspace=None if border is None else float(border[0]),
        turn=None if border is None or len(border) < 2 else float(border[1]),
        rested=rest < len(states),
    )


def _least(reach: Reach, unit: str) -> float:
    """Smallest slack of a unit over poses."""
    return min((float(np.min(reach.slack(kind))) for kind in SLACKS if reach.unit(kind) == unit), default=np.inf)
