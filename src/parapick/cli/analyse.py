"""`parapick analyse`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    PLAIN,
    Files,
    Names,
    RobotName,
    Shared,
    TaskName,
    Vector,
    Whole,
    as_options,
    load_with_masses,
    names_in,
    parsed_amount,
    series,
)
from parapick.cli.groups import ASKED
from parapick.cli.loop_options import ControllerNames, LoopOptions
from parapick.cli.outputs import FIGURE, Force, Outputs, draw, out_parameter
from parapick.cli.progress import watched
from parapick.cli.settings import NO_TASK_SETTINGS, TaskSettings
from parapick.cli.tables import busy

if TYPE_CHECKING:
    from parapick.answer import Answer, Requirement
    from parapick.motion import Motion

_LOOP: Final = LoopOptions()

OUTPUTS: Final = Outputs(replace(FIGURE, text="responses, poles and margins as a figure"))


@Parameter(name="*", group=ASKED)
@final
@dataclass(frozen=True)
class LookOptions:
    """Where loops are looked at.

    Attributes:
        pose: Where responses are looked at, as x,y,z or x,y,z,yaw; where the delay margin is smallest if not given.
        joint: Which joint is disturbed, from 1.
        frequencies: Frequencies of sine tests on the simulated loop, in Hz, separated by commas; none for no tests.
        points: Poses along the motion at which margins are looked at.
    """

    pose: Vector = None
    joint: Whole = 1
    frequencies: Names = "1,5,10,20"
    points: Whole = 13


_LOOK: Final = LookOptions()


def analyse(
    robot: RobotName,
    task: TaskName,
    /,
    *,
    controller: ControllerNames = None,
    loop: LoopOptions = _LOOP,
    look: LookOptions = _LOOK,
    settings: TaskSettings = NO_TASK_SETTINGS,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Stability, margins and disturbance responses of control laws along a task.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file.
        controller: Controllers to compare.
        loop: What the controllers have otherwise than their files state.
        look: Where loops are looked at.
        settings: What the task has otherwise than its file states.
        shared: Working mode, what the robot has otherwise than its file states, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.analysis import analyse as analysed, analysis_answer
    from parapick.cli.printing import print_answer
    from parapick.evaluation import asked_of
    from parapick.report import analysis_figure
    from parapick.simulation import with_loads

    model = load_with_masses(robot, shared)
    asked = loop.controllers(controller, model)
    files = OUTPUTS.targets(out, force=force)
    pose = None if look.pose is None else series(model.robot, "--pose", look.pose)
    wanted = (
        []
        if look.frequencies == "none"
        else [parsed_amount("--frequencies", f, "Hz") for f in names_in(look.frequencies)]
    )
    planned, drawn = settings.load(task), {}

    def plan() -> Motion:
        with busy("planning the motion"):
            return planned.motion(model)

    def follow(motion: Motion, path: tuple[Requirement, ...]) -> Answer:
        with watched("making loops linear") as progress, as_options("joint", "points", "frequencies"):
            analyses = analysed(
                model,
                motion,
                asked.by_name,
                points=look.points,
                pose=pose,
                joint=look.joint,
                measured=wanted,
                progress=progress,
            )
        drawn.update(draw(lambda: analysis_figure(analyses.by_name, f"{model.robot.name}, {task}"), files))
        answer = analysis_answer(model, task, motion.duration, analyses.by_name, path)
        answer = asked.with_gains(answer, model, motion, "controller")
        return with_loads(answer, model, motion, asked.by_name)

    answer = asked_of("analyse", model, task, plan, follow, asked.by_name.values())
    stated = {**shared.stated, **settings.stated, **loop.stated}
    return print_answer(answer, as_json=shared.as_json, files=drawn, settings=stated)
