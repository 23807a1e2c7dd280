"""One sample of the supervisor, a pure function: memory and observation in, memory out.

Everything it knows is in `CellMemory` and `Rules`, whole numbers and truths, so that it can be written in any language.
What a guard's quantity is, and whether it is beyond its limit, is found before (`watching.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from parapick.supervision.guards import GUARDS, NAMES
from parapick.supervision.states import COMMANDS, ENERGISED, Event, State, after

_EMERGENCY: Final = NAMES.index("emergency")
_UNREST: Final = NAMES.index("unrest")

ENDS: Final = {State.ENABLING: Event.ENABLED, State.HOMING: Event.HOMED, State.RUNNING: Event.FINISHED}
"""What the end of a reference means where it means the same always; while stopping it depends on what was before."""


@final
@dataclass(frozen=True)
class Rules:
    """How long things may take, in samples.

    Attributes:
        persistence: for how many samples in a row each guard must be beyond its limit until it trips.
        settled: for how many samples in a row the plate must rest to count as at rest.
    """

    persistence: tuple[int, ...]
    settled: int


@final
@dataclass(frozen=True)
class Observation:
    """What the supervisor sees at a sample.

    Attributes:
        over: per guard, whether its quantity is beyond its limit.
        still: whether the encoders say that the plate rests.
        arrived: whether the reference of the present state has come to its end.
        command: what the operator asks for, if anything.
    """

    over: tuple[bool, ...]
    still: bool
    arrived: bool
    command: Event | None = None


@final
@dataclass(frozen=True)
class CellMemory:
    """What the supervisor remembers.

    Attributes:
        state: the operating state.
        fault: which guard tripped first, its place in `GUARDS`; -1 for none. It stays until a reset.
        homed: whether the robot has been at home since the drives were enabled.
        counts: per guard, for how many samples in a row it has been beyond its limit, up to its persistence.
        rest: for how many samples in a row the plate has rested, up to those that count as at rest.
        event: what happened at the last sample.
        cause: which guard caused that, its place in `GUARDS`; -1 where none did.
    """

    state: State = State.OFF
    fault: int = -1
    homed: bool = False
    counts: tuple[int, ...] = (0,) * len(GUARDS)
    rest: int = 0
    event: Event | None = None
    cause: int = -1

    @property
    def reason(self) -> str:
        """Name of the guard that tripped; empty without a fault."""
        return "" if self.fault < 0 else NAMES[self.fault]

    @property
    def energised(self) -> bool:
        """Whether the motors may give torque."""
        return self.state in ENERGISED


def step(rules: Rules, memory: CellMemory, seen: Observation) -> CellMemory:
    """The supervisor after a sample.

    Args:
        rules: how long things may take.
        memory: what it remembers.
        seen: what it sees.
    """
    rest = min(memory.rest + 1, rules.settled) if seen.still else 0
    counts = _counts(rules, memory, seen, rest >= rules.settled)
    tripped = [i for i, count in enumerate(counts) if count >= rules.persistence[i]]
    event = _trip(memory, tripped) or _progress(memory, seen, rest >= rules.settled) or _command(seen)
    state = after(memory.state, event)
    cause = tripped[0] if event in (Event.TRIP, Event.BRAKE) else -1
    fault = cause if memory.fault < 0 else memory.fault
    fault = -1 if after(memory.state, event) is State.OFF else fault
    homed = (memory.homed or event is Event.HOMED) and state in ENERGISED
    if state is not memory.state:
        counts, rest = (0,) * len(counts), 0
    return CellMemory(state, fault, homed, counts, rest, event, cause)


def _counts(rules: Rules, memory: CellMemory, seen: Observation, settled: bool) -> tuple[int, ...]:
    """For how many samples in a row each guard that is armed has been beyond its limit; more than trips is not counted.

    A cell may rest for days: whole numbers of other languages would overflow.
    """
    over = list(seen.over)
    over[_UNREST] = seen.arrived and not settled
    return tuple(
        min(count + 1, most) if beyond and memory.state in guard.armed else 0
        for guard, count, most, beyond in zip(GUARDS, memory.counts, rules.persistence, over, strict=True)
    )


def _trip(memory: CellMemory, tripped: list[int]) -> Event | None:
    """The event of the guards that trip; one that stops along the path is news only where nothing is latched yet."""
    if any(GUARDS[i].stopping == "brakes" for i in tripped):
        return Event.BRAKE
    return Event.TRIP if tripped and memory.fault < 0 else None


def _progress(memory: CellMemory, seen: Observation, settled: bool) -> Event | None:
    """What the end of a reference means, once the plate rests there."""
    if not (seen.arrived and settled):
        return None
    if memory.state is State.STOPPING:
        return Event.HALTED if memory.fault >= 0 else Event.STOPPED if memory.homed else Event.ABORTED
    return ENDS.get(memory.state)


def _command(seen: Observation) -> Event | None:
    """What the operator asks for; nothing is switched on or cleared while the emergency stop is pressed."""
    pressed = seen.over[_EMERGENCY] and seen.command in (Event.ENABLE, Event.RESET)
    return None if pressed or seen.command not in COMMANDS else seen.command
