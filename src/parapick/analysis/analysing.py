"""`analyse`: controllers on a motion as linear loops: margins, responses, and what sampling, delay and encoders do."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, final

import numpy as np
from numpy.typing import ArrayLike

from parapick.analysis.linear_loop import SampledLoop
from parapick.analysis.operating_point import ideal, sampled_loop, sampled_loops
from parapick.analysis.sampling import encoder_noise, sampling_limit
from parapick.analysis.sine_tests import sine_test
from parapick.analysis.stability_margins import StabilityMargins
from parapick.control import (
    DELAY_MAX,
    ControlLaw,
    Controller,
    ControllerChoice,
    controllers_by_name,
    with_gains,
    with_sharing_rule,
)
from parapick.deferred import fetched
from parapick.errors import ParameterError
from parapick.limits import count_objection
from parapick.model import Model
from parapick.motion import Motion
from parapick.progress import Listener, tell
from parapick.robots import RobotChoice, model_of
from parapick.simulation import encoder_of
from parapick.tasks import TaskChoice, motion_for, name_of

if TYPE_CHECKING:
    from parapick.answer import Answer, Table

POINTS: Final = 13
"""Instants of a motion at which loops are looked at, where nothing else is asked for."""

MEASURED: Final = (1.0, 5.0, 10.0, 20.0)
"""Frequencies (Hz) of sine tests where nothing else is asked for."""

CURVE: Final = 121
"""Frequencies of a response curve."""

BAND: Final = (0.1, 1000.0)
"""Ends of a response curve (Hz); the upper one is at most half the control rate."""

LIMIT_POINTS: Final = 5
"""Poses, about, at which the longest control period is looked for."""

DELAYS: Final = (0, 1, 2, 4, 8)
"""Delays (samples) whose effect is shown, beside the controller's own."""

BITS: Final = (13, 16, 20, 23)
"""Encoders (bits per motor turn) whose noise is shown."""


@final
@dataclass(frozen=True, eq=False)
class Response:
    """Error of the plate per torque at a joint.

    Attributes:
        frequencies: frequencies (F,), Hz.
        values: complex (F, dof), m/(N m) and rad/(N m).
    """

    frequencies: np.ndarray
    values: np.ndarray

    @property
    def size(self) -> np.ndarray:
        """Amplitude of the position error, all directions together (F,), m/(N m)."""
        return np.linalg.norm(np.abs(self.values[:, :3]), axis=1)


@final
@dataclass(frozen=True, eq=False)
class LoopAnalysis:
    """A controller as linear loops.

    Attributes:
        controller: the controller, its gains found.
        loops: at rest at poses along the motion.
        margins: of each of them.
        limit: longest control period (s) that leaves all of them stable; 0 without any, infinite without a limit.
        ideal: response at the pose in continuous time, with exact signals and no delay.
        sampled: the same of the sampled loop.
        measured: the same by sine tests on the simulated loop; None where it is unstable or was not asked for.
        delays: margins at the pose by delay (samples); None where unstable.
        encoders: RMS of position error (m) and of the largest command (N m) by encoder (bits per motor turn).
    """

    controller: Controller
    loops: tuple[SampledLoop, ...]
    margins: tuple[StabilityMargins, ...]
    limit: float
    ideal: Response
    sampled: Response
    measured: Response | None
    delays: Mapping[int, StabilityMargins | None]
    encoders: Mapping[int, tuple[float, float]]

    @property
    def stable(self) -> bool:
        """Whether it is stable at every pose."""
        return all(loop.stable for loop in self.loops)

    @property
    def least_delay(self) -> float:
        """Smallest delay margin along the motion (s), as stated."""
        return min(self.stated(margin) for margin in self.margins)

    def stated(self, margin: StabilityMargins) -> float:
        """A delay margin as it is stated (s): up to the longest delay that can be run; infinite without a limit.

        Args:
            margin: margins of one of its loops.
        """
        most = (DELAY_MAX - self.controller.delay) / self.controller.rate
        return margin.worst.delay if math.isinf(margin.worst.delay) else min(margin.worst.delay, most)

    def capped(self, margin: StabilityMargins) -> bool:
        """Whether a delay margin is longer than can be run, and stated shorter.

        Args:
            margin: margins of one of its loops.
        """
        return self.stated(margin) < margin.worst.delay


@final
@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """Controllers on one motion as linear loops.

    Attributes:
        model: the robot.
        task: what they follow, in a word: the name of a task, or "motion".
        motion: the motion.
        by_name: the loops of every controller, by its name.
    """

    model: Model
    task: str
    motion: Motion
    by_name: Mapping[str, LoopAnalysis]

    def __getitem__(self, name: str) -> LoopAnalysis:
        """The loops of a controller by its name."""
        if name not in self.by_name:
            raise ParameterError("controller", f"no {name!r} was analysed; there are {', '.join(self.by_name)}")
        return self.by_name[name]

    @property
    def ok(self) -> bool:
        """Whether a controller is stable at every pose."""
        return any(analysis.stable for analysis in self.by_name.values())

    def answer(self) -> Answer:
        """Margins, responses, delays and encoders, side by side."""
        return fetched("parapick.analysis.analysis_answer", "analysis_answer")(
            self.model, self.task, self.motion.duration, self.by_name
        )

    def table(self, name: str) -> Table:
        """A table of the answer by its name.

        Args:
            name: its name, such as "loops".
        """
        return self.answer().table(name)

    def __repr__(self) -> str:
        stable = ", ".join(f"{name} {'stable' if one.stable else 'unstable'}" for name, one in self.by_name.items())
        return f"<Analysis of {self.model.robot.name} on {self.task}: {stable}>"

    def _repr_html_(self) -> str:
        return self.answer()._repr_html_()


def analyse(
    robot: RobotChoice,
    task: TaskChoice,
    controllers: ControllerChoice | Collection[ControllerChoice] | Mapping[str, Controller],
    *,
    points: int = POINTS,
    pose: ArrayLike | None = None,
    joint: int = 1,
    measured: Sequence[float] = MEASURED,
    progress: Listener | None = None,
) -> Analysis:
    """Controllers on a motion as linear loops.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: a motion, a task, the name of a shipped task, or the path of a file.
        controllers: one or several: controllers, names of laws or of shipped controllers, paths of files; or
            controllers by name.
        points: number of instants at which margins are looked at, evenly over the motion.
        pose: task vector (dof) at which responses are looked at; where the first one's delay margin is smallest if not
            given.
        joint: which joint is disturbed, from 1.
        measured: frequencies (Hz) of sine tests on the simulated loop; empty for none.
        progress: called with the name of every controller before its loops are made; what it raises ends the work.

    Raises:
        ParameterError: no controllers or instants, no such joint, a frequency that cannot be, a delay that is too long.
    """
    model = model_of(robot)
    named, motion = controllers_by_name(controllers, model), motion_for(task, model)
    if not named:
        raise ParameterError("controllers", "is empty; at least one is analysed")
    if points < 1:
        raise ParameterError("points", f"is {points}; a motion needs at least one pose")
    if objection := count_objection("instants", points):
        raise ParameterError("points", objection)
    if not 1 <= joint <= model.robot.motors:
        raise ParameterError("joint", f"is {joint}; {model.robot.name} has joints 1 to {model.robot.motors}")
    times = np.linspace(0.0, motion.duration, points)
    fixed = {name: with_fixed_gains(model, motion, controller) for name, controller in named.items()}
    along = {
        name: tuple(sampled_loops(model, motion, controller, times, resting=True)) for name, controller in fixed.items()
    }
    margins = {name: tuple(loop.margins() for loop in loops) for name, loops in along.items()}
    first = next(iter(fixed))
    worst = int(np.argmin([margin.worst.delay for margin in margins[first]]))
    place = along[first][worst].x if pose is None else np.asarray(pose, dtype=float)
    few = times[:: max(1, points // LIMIT_POINTS)]
    analyses = {}
    for done, (name, controller) in enumerate(fixed.items()):
        tell(progress, name, done, len(fixed))
        frequencies = _band(controller, measured)
        analyses[name] = LoopAnalysis(
            controller=controller,
            loops=along[name],
            margins=margins[name],
            limit=sampling_limit(model, motion, controller, few),
            ideal=_response(model, place, ideal(controller), joint, frequencies),
            sampled=_response(model, place, controller, joint, frequencies),
            measured=_measured(model, place, controller, joint, tuple(measured)),
            delays=_delays(model, place, controller),
            encoders=_encoders(model, sampled_loop(model, place, controller)),
        )
    return Analysis(model, name_of(task), motion, analyses)


def with_fixed_gains(model: Model, motion: Motion, controller: Controller) -> Controller:
    """The same controller with the gains that its poles give it along a motion."""
    stated = with_sharing_rule(controller, model)
    if not isinstance(stated.law, ControlLaw):
        raise ParameterError("controller", "has a Python callable for its law, which cannot be made linear")
    return replace(stated, law=with_gains(stated.law, stated.model.applied(model), motion))


def _band(controller: Controller, also: Sequence[float]) -> np.ndarray:
    """Frequencies of a response curve (Hz)."""
    curve = np.geomspace(BAND[0], min(BAND[1], 0.5 * controller.rate), CURVE)
    return np.unique(np.concatenate([curve, also]))


def _response(model: Model, pose: np.ndarray, controller: Controller, joint: int, frequencies: np.ndarray) -> Response:
    loop = sampled_loop(model, pose, controller)
    return Response(frequencies, loop.response(frequencies)[:, :, joint - 1])


def _measured(
    model: Model, pose: np.ndarray, controller: Controller, joint: int, frequencies: tuple[float, ...]
) -> Response | None:
    if not frequencies or not sampled_loop(model, pose, controller).stable:
        return None
    return Response(np.array(frequencies), sine_test(model, pose, controller, frequencies, joint=joint))


def _delays(model: Model, pose: np.ndarray, controller: Controller) -> dict[int, StabilityMargins | None]:
    margins = {}
    for delay in sorted({*DELAYS, controller.delay}):
        loop = sampled_loop(model, pose, replace(controller, delay=delay))
        margins[delay] = loop.margins() if loop.stable else None
    return margins


def _encoders(model: Model, loop: SampledLoop) -> dict[int, tuple[float, float]]:
    if not loop.stable:
        return {}
    noise = {}
    for bits in BITS:
        encoder = encoder_of(model, float(2**bits))
        error, command = encoder_noise(loop, np.array(encoder.resolution if encoder else 0.0))
        noise[bits] = (error, float(command.max()))
    return noise
