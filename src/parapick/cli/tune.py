"""`parapick tune`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Amount,
    Files,
    Pairs,
    Real,
    RobotName,
    Shared,
    TaskName,
    Whole,
    as_options,
    given_texts,
    load_with_masses,
    names_in,
    parsed_amount,
)
from parapick.cli.groups import SEARCH
from parapick.cli.loop_options import AskedControllers, ControllerNames, LoopOptions
from parapick.cli.outputs import Force, Output, Outputs, WrittenFile, WrittenFiles, out_parameter
from parapick.cli.progress import watched
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings, pairs_of
from parapick.cli.tables import busy
from parapick.errors import ParameterError

if TYPE_CHECKING:
    from parapick.answer import Answer, Requirement
    from parapick.model import Model
    from parapick.motion import Motion
    from parapick.search import Free
    from parapick.tasks import Task
    from parapick.tuning import Conditions, Goal, SearchEffort, Tuning, Tunings

_LOOP: Final = LoopOptions()

OUTPUTS: Final = Outputs(
    Output("controller", "the tuned controller, of several each with its name", (".toml",), "a controller file")
)


@Parameter(name="*", group=SEARCH)
@final
@dataclass(frozen=True)
class GoalOptions:
    """What is minimised, within which bounds, and what must hold.

    Attributes:
        free: A number of the law and its bounds, such as law.kp=100..1000, or 0.5x..2x of what it is; repeatable. The
            poles of the law if not given.
        objective: Least integral of the joint error (wu2020), or peak or RMS of the plate's error.
        over: Of several scenarios the worst or the mean counts.
        delay_margin: Least delay margin of the sampled loop, such as 1ms.
        singular: Least singular value of I + L, from 0 for a loop that is merely stable to below 1; 0.5 if not given.
        payloads: Masses in the tool beyond the gripper, instead of what the task carries, separated by commas, such as
            0,500g,1kg; the first is nominal.
        frictions: Factors on the friction of the plant, separated by commas; the first is nominal.
        masses: Factors on a number of the plant, such as plate.mass=1,0.9,1.1; repeatable.
        candidates: Candidates that are spread over the bounds, before the search around the best.
        seed: Where its random numbers begin.
    """

    free: Annotated[Pairs, Parameter(metavar="PATH=LOW..HIGH")] = ()
    objective: Literal["integral", "peak", "rms"] = "rms"
    over: Literal["worst", "mean"] = "worst"
    delay_margin: Amount = None
    singular: Real = None
    payloads: Annotated[Amount, Parameter(metavar="AMOUNTS")] = None
    frictions: Annotated[Amount, Parameter(metavar="NUMBERS")] = None
    masses: Annotated[Pairs, Parameter(metavar="PATH=FACTORS")] = ()
    candidates: Whole = 256
    seed: Whole = 0

    @property
    def stated(self) -> dict[str, str]:
        """What plate and plant have otherwise than files state, as it was written, by its name."""
        factors = pairs_of("--masses", "plate.mass=1,0.9,1.1", self.masses)
        scenarios = given_texts(payloads=self.payloads, frictions=self.frictions)
        return {**scenarios, **{f"masses.{path}": text for path, text in factors.items()}}

    def goal(self) -> Goal:
        """What is minimised, and the margins."""
        from parapick.tuning import SINGULAR, Goal

        delay = 0.0 if self.delay_margin is None else parsed_amount("--delay-margin", self.delay_margin, "s", least=0.0)
        return Goal(self.objective, self.over, delay, SINGULAR if self.singular is None else self.singular)

    def conditions(self, task: Task, model: Model) -> Conditions:
        """Payloads, frictions and mass errors.

        Args:
            task: the task, which says where a payload is carried.
            model: the robot.
        """
        from parapick.tuning import Conditions

        payloads = tuple(parsed_amount("--payloads", text, "kg", least=0.0) for text in names_in(self.payloads or ""))
        motions = tuple(task.motion(model.with_payload(mass)) for mass in payloads)
        frictions = tuple(parsed_amount("--frictions", text, "", least=0.0) for text in names_in(self.frictions or ""))
        pairs = pairs_of("--masses", "plate.mass=1,0.9,1.1", self.masses)
        factors = {
            path: tuple(parsed_amount("--masses", one, "") for one in names_in(text)) for path, text in pairs.items()
        }
        return Conditions(payloads, motions, frictions, factors)

    def effort(self) -> SearchEffort:
        """How much is tried."""
        from parapick.tuning import SearchEffort

        return SearchEffort(candidates=self.candidates, seed=self.seed)

    def bounds(self) -> dict[str, Free] | None:
        """The free numbers; None for the poles of each law."""
        pairs = pairs_of("--free", "law.kp=100..1000", self.free)
        return {path: _bounds(path, text) for path, text in pairs.items()} or None


_GOAL: Final = GoalOptions()


def tune(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: ControllerNames = None,
    loop: LoopOptions = _LOOP,
    goal: GoalOptions = _GOAL,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Gains that follow a task best and keep their margins, over payloads and frictions.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: Controllers whose numbers are free.
        loop: What the controllers have otherwise than their files state.
        goal: What is minimised, within which bounds, and what must hold.
        settings: What the task has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of

    model = load_with_masses(robot, shared)
    chosen = loop.controllers(controller, model)
    targets = OUTPUTS.targets(out, force=force, each={"controller": list(chosen.by_name)})
    least, bounds = goal.goal(), goal.bounds()
    asked = _Asked(model, task, settings.load(task), chosen, goal, least, bounds)
    files: dict[str, WrittenFile] = {}

    def follow(motion: Motion, path: tuple[Requirement, ...]) -> Answer:
        tunings = asked.tunings(motion)
        files.update(_written(dict(tunings.by_name), targets))
        return asked.answer(tunings, motion, path)

    answer = asked_of("tune", model, task, asked.plan, follow, chosen.by_name.values(), asked.laden)
    stated = {**shared.stated, **settings.stated, **loop.stated, **goal.stated}
    return print_answer(answer, as_json=shared.as_json, files=files, settings=stated)


@final
@dataclass(frozen=True, eq=False)
class _Asked:
    """What is tuned, for what and how.

    Attributes:
        model: the robot.
        name: the task, as it was named.
        task: the task.
        chosen: the controllers.
        options: conditions and effort of the search.
        goal: what is minimised, and the margins.
        bounds: the free numbers; None for the poles of each law.
    """

    model: Model
    name: str
    task: Task
    chosen: AskedControllers
    options: GoalOptions
    goal: Goal
    bounds: dict[str, Free] | None

    @cached_property
    def conditions(self) -> Conditions:
        """Payloads, frictions and mass errors."""
        return self.options.conditions(self.task, self.model)

    def plan(self) -> Motion:
        """The motion of the task."""
        with busy("planning the motion"):
            return self.task.motion(self.model)

    def tunings(self, motion: Motion) -> Tunings:
        """The gains found for every controller."""
        from parapick.tuning import tune as tuned

        free = None if self.bounds is None else dict.fromkeys(self.chosen.by_name, self.bounds)
        conditions = self.conditions
        with watched("tuning") as progress, as_options("candidates", "seed", "singular"):
            return tuned(
                self.model,
                motion,
                self.chosen.by_name,
                free,
                goal=self.goal,
                conditions=conditions,
                effort=self.options.effort(),
                progress=progress,
            )

    def answer(self, tunings: Tunings, motion: Motion, path: tuple[Requirement, ...]) -> Answer:
        """What is said of them, with the requirements of the path."""
        from parapick.simulation import with_loads
        from parapick.tuning import tuning_answer

        answer = self.chosen.noted(tuning_answer(replace(tunings, task=self.name), path))
        nominal = self.conditions.motions[0] if self.conditions.motions else motion
        return with_loads(answer, self.model, nominal, self.chosen.by_name)

    def laden(self) -> Iterator[tuple[Model, Motion]]:
        """The robot with every payload, and its motion."""
        for mass, motion in zip(self.conditions.payload, self.conditions.motions, strict=True):
            yield self.model.with_payload(mass), motion


def _bounds(path: str, text: str) -> Free:
    """Bounds such as `100..1000`, or `0.5x..2x` for factors."""
    from parapick.tuning import free_gain

    low, sign, high = (part.strip() for part in text.partition(".."))
    factor = low.endswith("x") and high.endswith("x")
    try:
        ends = (float(low.removesuffix("x")), float(high.removesuffix("x")))
    except ValueError:
        ends = None
    if not sign or ends is None or low.endswith("x") != high.endswith("x"):
        raise ParameterError(f"--free {path}", f"{text!r} is not a range; write it as 100..1000 (SI), or as 0.5x..2x")
    return free_gain(path, *ends, factor=factor)


def _written(tunings: dict[str, Tuning], targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Write every tuned controller that is asked for; the files by what they hold."""
    from parapick.control import save_controller

    files = {}
    for target in targets.of("controller"):
        tuning = tunings.get(target.of) if target.of else next(iter(tunings.values()), None)
        if tuning is not None:
            save_controller(tuning.controller, target.path)
            files[target.name] = target
    return files
