"""The operating states of a cell and the one table of their transitions.

righettini2024, section 2.4, runs its laws inside "the state machine, which implements the main operating logic" beside
"the safety logic subsystem", and prints neither. The states are those that every drive cabinet has; the ways to stop
are the stop categories of IEC 60204-1: controlled with power kept (2), controlled and then without power (1), or power
removed at once and brakes applied (0).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, final


@final
class State(Enum):
    """What the cell is doing."""

    OFF = "off"
    ENABLING = "enabling"
    HOMING = "homing"
    READY = "ready"
    RUNNING = "running"
    STOPPING = "stopping"
    FAULT = "fault"


@final
class Event(Enum):
    """What can happen: operator's commands, progress of the motion, trips of guards."""

    ENABLE = "enable"
    ENABLED = "enabled"
    HOMED = "homed"
    START = "start"
    FINISHED = "finished"
    STOP = "stop"
    STOPPED = "stopped"
    ABORTED = "aborted"
    TRIP = "trip"
    HALTED = "halted"
    BRAKE = "brake"
    DISABLE = "disable"
    RESET = "reset"


MEANINGS: Final = {
    State.OFF: "no power at the motors, brakes applied",
    State.ENABLING: "power on, the law holds the plate where it is",
    State.HOMING: "slowly to the robot's home",
    State.READY: "at rest under the law, waiting for a start",
    State.RUNNING: "the task",
    State.STOPPING: "the time along the path is slowed to rest, within the limits",
    State.FAULT: "no power at the motors, brakes applied, the reason latched",
    Event.ENABLE: "the operator switches the drives on",
    Event.ENABLED: "the drives hold the plate at rest",
    Event.HOMED: "the plate rests at home",
    Event.START: "the operator starts the task",
    Event.FINISHED: "the task is over and the plate at rest",
    Event.STOP: "the operator stops the motion",
    Event.STOPPED: "the plate rests after the operator's stop",
    Event.ABORTED: "the same before the robot was homed",
    Event.TRIP: "a guard trips, and the path can still be followed",
    Event.HALTED: "the plate rests after a trip",
    Event.BRAKE: "a guard trips, and the path cannot be followed any more",
    Event.DISABLE: "the operator switches the drives off",
    Event.RESET: "the operator clears the fault",
}
"""What every state and every event is, in words."""


@final
@dataclass(frozen=True)
class Transition:
    """A row of the table.

    Attributes:
        state: where the cell is.
        event: what happens.
        next: where it is then.
    """

    state: State
    event: Event
    next: State


_OFF, _ENABLING, _HOMING, _READY, _RUNNING, _STOPPING, _FAULT = State

TRANSITIONS: Final = (
    Transition(_OFF, Event.ENABLE, _ENABLING),
    Transition(_ENABLING, Event.ENABLED, _HOMING),
    Transition(_ENABLING, Event.DISABLE, _OFF),
    Transition(_ENABLING, Event.TRIP, _STOPPING),
    Transition(_ENABLING, Event.BRAKE, _FAULT),
    Transition(_HOMING, Event.HOMED, _READY),
    Transition(_HOMING, Event.STOP, _STOPPING),
    Transition(_HOMING, Event.TRIP, _STOPPING),
    Transition(_HOMING, Event.BRAKE, _FAULT),
    Transition(_READY, Event.START, _RUNNING),
    Transition(_READY, Event.DISABLE, _OFF),
    Transition(_READY, Event.TRIP, _STOPPING),
    Transition(_READY, Event.BRAKE, _FAULT),
    Transition(_RUNNING, Event.FINISHED, _READY),
    Transition(_RUNNING, Event.STOP, _STOPPING),
    Transition(_RUNNING, Event.TRIP, _STOPPING),
    Transition(_RUNNING, Event.BRAKE, _FAULT),
    Transition(_STOPPING, Event.STOPPED, _READY),
    Transition(_STOPPING, Event.ABORTED, _OFF),
    Transition(_STOPPING, Event.HALTED, _FAULT),
    Transition(_STOPPING, Event.BRAKE, _FAULT),
    Transition(_FAULT, Event.RESET, _OFF),
)
"""Every transition; what is not here leaves the state as it is. A trip while stopping is latched, the stop goes on."""

COMMANDS: Final = frozenset({Event.ENABLE, Event.START, Event.STOP, Event.DISABLE, Event.RESET})
"""Events that the operator asks for; the others come from the motion and from the guards."""

_NEXT: Final = {(row.state, row.event): row.next for row in TRANSITIONS}

ENERGISED: Final = frozenset({_ENABLING, _HOMING, _READY, _RUNNING, _STOPPING})
"""States in which the motors may give torque; in the others the brakes are applied."""


def after(state: State, event: Event | None) -> State:
    """The state after an event.

    Args:
        state: the state before.
        event: what happens; None for nothing.
    """
    return state if event is None else _NEXT.get((state, event), state)
