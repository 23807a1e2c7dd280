"""The loop's C with a machine that is written in a test, and a system whose clock stands still: compiled once."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from parapick.runtime.building import LOOP_SOURCES, loop_texts
from parapick.runtime.cell_program import c_sources
from parapick.runtime.layout import EXACT, IN, MAGIC, OUT, VERSION
from parapick.runtime.lockstep import OwnMemory
from parapick.runtime.loop_layout import ARRIVED, LAST, LOG, LOOP_MAGIC, ROW
from parapick.runtime.machine import EVENTS, STATES, names_text
from parapick.supervision import Event, State
from runtime.compiled import HERE, linked, pointer, written

RENAMED = ("clock_gettime", "clock_nanosleep", "mlockall", "sched_setaffinity", "sched_setscheduler", "sigaction")
PERIOD = 1_000_000
"""Period (ns) of these loops."""
STEP = 1e-3
"""The same (s)."""
MOTORS = DOF = 2

DISABLED, SWITCHED_ON, ENABLED = 0x0240, 0x0233, 0x1237
REACTION, FAULT = 0x020F, 0x0208
"""Status words of drives."""

_D = ctypes.POINTER(ctypes.c_double)
_SIGNATURES = {
    "reset": (None,),
    "rest": (None, _D, _D),
    "look": (None, ctypes.c_void_p, _D),
    "decide": (None, ctypes.c_int, ctypes.c_int, ctypes.c_void_p),
    "remember": (None, _D, _D),
    "energised": (ctypes.c_int,),
    "law": (ctypes.c_int, _D, _D, ctypes.c_void_p, _D, _D, _D),
    "joints": (None, _D, _D),
    "stop_begin": (None, ctypes.c_double, ctypes.c_double),
    "stop_now": (None, _D, _D),
    "stop_step": (ctypes.c_double, _D, _D, _D, _D, _D, _D),
}
_KINDS = {name: ctypes.CFUNCTYPE(*kinds) for name, kinds in _SIGNATURES.items()}


class _Machine(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in ("motors", "dof", "terms", "quantities")),
        ("period", ctypes.c_double),
        *_KINDS.items(),
    ]


class _Sight(ctypes.Structure):
    _fields_ = [
        *((name, _D) for name in ("q_meas", "x_ref", "x_ahead", "command")),
        ("late", ctypes.c_int),
        ("emergency", ctypes.c_int),
        ("dead", ctypes.c_int * 8),
    ]


class System(ctypes.Structure):
    """`probe_system` of loop_probe.c."""

    KIND = ctypes.CFUNCTYPE(None)
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("now", "reading", "working", "worked", "memory", "processor")),
        *((name, ctypes.c_int64) for name in ("scheduler", "priority", "kept_to", "interrupts", "sleeps")),
        ("slept", KIND),
    ]


class Machine:
    """Two motors whose joints are the pose, a supervisor of a few lines, and a stop that slows evenly.

    Attributes:
        state: operating state.
        patience: late samples that it lets pass.
        torque: what its law asks for.
        sound: whether its law has numbers.
        slowing: by how much a stop slows per sample.
        sights: what the guards looked at: late, emergency, dead motors, and the pose wanted.
        stops: what stops were planned with: pose and its derivatives by path time.
        commands: events that it was given, by sample.
    """

    def __init__(self) -> None:
        self.state, self.fault, self.lates = State.OFF, -1, 0
        self.patience, self.torque, self.sound, self.slowing = 10**9, [1.0, -2.0], True, 0.25
        self.still, self.resets, self.remembered = True, 0, 0
        self.stop = [0.0, 0.0]
        self.sights: list[tuple[int, int, list[int], list[float]]] = []
        self.stops: list[list[list[float]]] = []
        self.commands: list[str] = []
        made = {name: kind(getattr(self, f"_{name}")) for name, kind in _KINDS.items()}
        self.c = _Machine(MOTORS, DOF, 1, 1, STEP, **made)

    def _reset(self) -> None:
        self.resets += 1

    def _rest(self, q_meas: Any, x_ref: Any) -> None: ...

    def _look(self, sight: int, quantities: Any) -> None:
        seen = _Sight.from_address(sight)
        dead = list(seen.dead[:MOTORS])
        self.sights.append((seen.late, seen.emergency, dead, seen.x_ref[:DOF]))
        self.lates += seen.late
        if self.fault < 0 and (any(dead) or self.lates > self.patience):
            self.fault = 0 if any(dead) else 1
        quantities[0] = float(seen.late)

    def _decide(self, arrived: int, command: int, decision: int) -> None:
        event = EVENTS[command]
        if event is not None:
            self.commands.append(event.value)
        after = self.state
        if self.fault >= 0:
            after = State.FAULT
        elif event is Event.STOP and self.state not in (State.OFF, State.STOPPING):
            after = State.STOPPING
        elif event in (Event.ENABLE, Event.DISABLE):
            after = State.ENABLING if event is Event.ENABLE else State.OFF
        elif event is Event.START:
            after = State.RUNNING
        elif arrived:
            next_one = {State.ENABLING: State.HOMING, State.STOPPING: State.OFF, State.OFF: State.OFF}
            after = next_one.get(self.state, State.READY)
        self.state = after
        out = (ctypes.c_int * 5).from_address(decision)
        out[:] = [STATES.index(after), command, -1, self.fault, int(self.still)]

    def _remember(self, q_meas: Any, x_ref: Any) -> None:
        self.remembered += 1

    def _energised(self) -> int:
        return int(self.state not in (State.OFF, State.FAULT))

    def _law(self, q_meas: Any, qd: Any, row: int, terms: Any, command: Any, torque: Any) -> int:
        terms[0] = 1.0
        command[0], command[1] = self.torque
        torque[0], torque[1] = self.torque
        return int(self.sound)

    def _joints(self, x: Any, q: Any) -> None:
        q[0], q[1] = 2.0 * x[0], 2.0 * x[1]

    def _stop_begin(self, s: float, pace: float) -> None:
        self.stop = [s + pace * STEP, pace]

    def _stop_now(self, s: Any, pace: Any) -> None:
        s[0], pace[0] = self.stop

    def _stop_step(self, x: Any, x_s: Any, x_ss: Any, payload: Any, xd: Any, xdd: Any) -> float:
        self.stops.append([x[:DOF], x_s[:DOF], x_ss[:DOF]])
        s, pace = self.stop
        for i in range(DOF):
            xd[i], xdd[i] = pace * x_s[i], pace * pace * x_ss[i]
        self.stop = [s + pace * STEP, max(pace - self.slowing, 0.0)]
        return 0.5


def compiled_loop(folder: Path) -> Path:
    """Loop and pace as a library, the system behind them that of loop_probe.c."""
    texts = c_sources(LOOP_SOURCES) | loop_texts("loop.c", "pace.c")
    texts |= {"pp_names.h": names_text(), "loop_probe.c": (HERE / "loop_probe.c").read_text()}
    written(folder, texts)
    renamed = [f"-D{name}=probe_{name}" for name in RENAMED]
    return linked(folder, "loop.so", [*LOOP_SOURCES, "pace.c", "loop_probe.c"], "-shared", "-fPIC", *renamed)


def functions_of(path: Path) -> ctypes.CDLL:
    """Its functions."""
    functions = ctypes.CDLL(str(path))
    for name in ("probe_loop_size", "probe_loop_lost", "pp_loop_settings_of"):
        getattr(functions, name).restype = ctypes.c_size_t
    functions.pp_pace_rehearse.restype = ctypes.c_int64
    functions.pp_loop_period.argtypes = (
        *(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint32, ctypes.c_int64),
        *(ctypes.c_void_p, ctypes.c_void_p),
    )
    return functions


def rings(reference: int, log: int) -> dict[str, tuple[int, np.dtype]]:
    """Rings of so many rows, and room for the settings behind them."""
    return {"reference": (reference, ROW), "log": (log + 50, LOG)}


def fill(whole: Any, settings: Any, size: int) -> None:
    """What a segment of the scripted machine says of itself."""
    head = whole["head"]
    head["motors"], head["dof"], head["period"], head["watchdog"] = MOTORS, DOF, PERIOD, 5 * PERIOD
    head["flags"], head["units"]["angle"], head["units"]["torque"] = EXACT, 0.5, 0.25
    head["units"]["torque_max"], head["version"], head["bytes"], head["magic"] = 10.0, VERSION, size, MAGIC
    settings["dwell"], settings["shown"], settings["resting"], settings["braking"] = 2, 3, 4, 50
    settings["horizon"], settings["budget"], settings["mode"], settings["processor"] = 3, PERIOD // 2, 10, -1
    settings["start"]["pace"], settings["magic"] = 1.0, LOOP_MAGIC


def path_rows(state: State, count: int, path: Callable[[np.ndarray], tuple], pace: float = 1.0) -> np.ndarray:
    """Rows of a state along a path x(s), the last one held (T,)."""
    rows = np.zeros(count, ROW)
    rows["s"], rows["pace"], rows["state"] = pace * STEP * np.arange(count), pace, STATES.index(state)
    x, x_s, x_ss = path(rows["s"])
    rows["x"][:, :DOF], rows["xd"][:, :DOF], rows["xdd"][:, :DOF] = x, pace * x_s, pace**2 * x_ss
    rows["flags"][-1] = ARRIVED | LAST
    return rows


class Scene:
    """A loop in ordinary memory, driven frame by frame."""

    def __init__(self, functions: ctypes.CDLL, reference: int = 100, log: int = 60) -> None:
        self.functions, self.machine = functions, Machine()
        self.memory: Any = OwnMemory(rings(reference, log), log)
        self.whole, self.settings = self.memory.whole, self.memory.settings
        self.reference, self.log = self.memory.rings["reference"], self.memory.rings["log"]
        fill(self.whole, self.settings, self.memory.size)
        self.loop = ctypes.create_string_buffer(functions.probe_loop_size())
        self.frame, self.count = np.zeros((), IN), 0
        self.out, self.row = np.zeros((), OUT), np.zeros((), LOG)
        self.rows: list[np.ndarray] = []

    def start(self, size: int | None = None) -> bool:
        """Whether the loop begins."""
        size = self.memory.size if size is None else size
        machine = ctypes.byref(self.machine.c)
        return bool(self.functions.pp_loop_start(self.loop, machine, pointer(self.memory.bytes), ctypes.c_size_t(size)))

    def period(self, status: int = ENABLED, *, ahead: int = 1, q: Any = 0.0, inputs: int = 0, late: int = 0) -> bool:
        """A period at a frame that is so many bus cycles newer; whether it is a sample."""
        frame: Any = self.frame
        frame["cycle"] += ahead
        frame["time"], frame["inputs"] = int(frame["cycle"]) * PERIOD, inputs
        frame["drives"]["status_word"][:MOTORS] = status
        frame["drives"]["exact_position"][:MOTORS] = q
        self.count += 1
        return self.again(late=late)

    def again(self, *, count: int | None = None, late: int = 0) -> bool:
        """A period at the frame that was there before; `count` 0 where nothing could be read."""
        places = (self.frame.ctypes.data, self.count if count is None else count, late, 7, self.out.ctypes.data)
        is_sample = bool(self.functions.pp_loop_period(self.loop, *places, self.row.ctypes.data))
        if is_sample:
            self.rows.append(self.row.copy())
        return is_sample

    def until(self, state: State, most: int = 200, status: int = ENABLED) -> None:
        """Periods until a state is reached."""
        for _ in range(most):
            if self.machine.state is state:
                return
            self.period(status)
        assert self.machine.state is state

    def feed(self, *rows: np.ndarray, close: bool = True) -> None:
        """Rows into the ring."""
        for one in rows:
            assert self.reference.write(one) == len(one)
        if close:
            self.reference.close()

    @property
    def ended(self) -> bool:
        return bool(self.functions.probe_loop_ended(self.loop))

    @property
    def lost(self) -> int:
        return self.functions.probe_loop_lost(self.loop)

    @property
    def states(self) -> list[State]:
        return [STATES[int(row["state"])] for row in self.rows]


def quintic(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A path of degree five, which the loop's interpolation must meet exactly, with its derivatives."""
    u = s / 0.04
    x = np.stack([3 * u**5 - 2 * u**4 + u, 1 - u**3 + 0.5 * u**2], axis=1)
    x_s = np.stack([15 * u**4 - 8 * u**3 + 1, -3 * u**2 + u], axis=1) / 0.04
    x_ss = np.stack([60 * u**3 - 24 * u**2, -6 * u + 1], axis=1) / 0.04**2
    return x, x_s, x_ss


def still(s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    none = np.zeros((len(s), DOF))
    return none + quintic(np.zeros(1))[0], none, none


HOMING, RUNNING = path_rows(State.HOMING, 4, still), path_rows(State.RUNNING, 41, quintic)
