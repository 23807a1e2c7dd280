"""The main job: a robot and a task in, an evaluation with a verdict out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from parapick.answer import Answer, Place, against
from parapick.errors import ParameterError, ParapickError
from parapick.evaluation.context import Context
from parapick.evaluation.evaluation import Evaluation
from parapick.evaluation.impossible import blocked
from parapick.evaluation.sections import ON_REQUEST, SECTIONS, MakeSection
from parapick.evaluation.tasks import at_pace, chosen_task, load_words, planned_of, title_of
from parapick.evaluation.verdict import verdict_of
from parapick.motion import Motion
from parapick.progress import Listener, tell
from parapick.ride import UnreachableCornerError
from parapick.robots import RobotChoice, model_of
from parapick.tasks import TaskChoice

if TYPE_CHECKING:
    from parapick.control import Controller, ControllerChoice
    from parapick.mechanism import Load
    from parapick.model import Model


def evaluate(
    robot: RobotChoice,
    task: TaskChoice | None = None,
    *,
    payload: Load | None = None,
    cycles_per_minute: float | None = None,
    sharing: str | None = None,
    sections: Collection[str] | None = None,
    control: bool | ControllerChoice | Collection[ControllerChoice] = False,
    progress: Listener | None = None,
) -> Evaluation:
    """Whether a robot can do a task, what limits it, how fast it could be and what would improve it.

    What cannot be computed, because the robot's file lacks masses or ratings, is said in the section's notes.

    Args:
        robot: a model, the name of a shipped robot, or the path of a file.
        task: name of a shipped task, path of a file, a task, or a motion. If not given: the Adept cycle 25 x 305 x
            25 mm in the middle of the robot's workspace, at 120 cycles per minute; turned or smaller if it would leave
            that workspace or the robot's reach.
        payload: what the tool holds beyond the gripper, in the place of what the task carries: a mass (kg), a mass with
            its unit such as "500 g", or a `Payload`. It is held where the task carries, or would carry, something;
            that of the model, else of the task, if not given.
        cycles_per_minute: cycles per minute, there and back, instead of those of the task.
        sharing: how the motors of a redundant robot share, "least-norm" or "least-peak"; that of the model, else least
            peak, if not given.
        sections: keys of the sections to compute, such as ("reach", "torque"); all but "control", "stopping" and
            "belt-rate" if not given. The verdict rests on these, and on what must hold for the robot to be on the
            motion at all.
        control: simulate the task in closed loop, too, the sections "control" and "stopping": True to compare control
            laws with the same poles, or a `Controller`, the name of a control law or of a shipped controller, the path
            of a file, or several of them.
        progress: called with the key of every section before it is computed; what it raises ends the work.

    Raises:
        UnknownRobotError, RobotFileError: no such robot, or a file that does not describe one.
        UnknownTaskError, TaskFileError: no such task, or a file that does not describe one.
        UnknownControllerError, ControllerFileError: no such controller, or a file that does not describe one.
        ParameterError: a payload or pace that cannot be, or an unknown section.
        MotionError: a task that cannot be made for any robot, or not for one without yaw.
    """
    controllers = _controllers(control)
    chosen = _chosen(sections, control=control is not False)
    model = _loaded(robot, payload, sharing)
    work = chosen_task(task, (model,), cycles_per_minute)
    name, title = title_of(work, cycles_per_minute)
    named_task = None if isinstance(work, Motion) else work
    try:
        planned = planned_of(work, model, cycles_per_minute)
    except UnreachableCornerError as error:
        return replace(_without_motion(model, name, title, _corner(error)), work=named_task)
    except blocked() as error:
        return replace(_without_motion(model, name, title, _blocked(error)), work=named_task)
    motion = planned.motion
    if cycles_per_minute is not None:
        motion = at_pace(work, planned.motion, model, cycles_per_minute)
    loads = load_words(model, motion)
    title = f"{title}; {loads}" if loads else title
    context = replace(Context.of(model, motion, named_task, planned), controllers=controllers)
    answers = _answers(context, chosen, progress)
    paces = context.paces if "fastest" in chosen else None
    records = context.loops.records if "control" in chosen else {}
    needed = (*context.run.path_requirements, *context.run.item_requirements)
    verdict = verdict_of(model, answers, needed, paces)
    return Evaluation(
        model, name, title, motion, context.samples, verdict, answers, records, paces=paces, work=named_task
    )


def _loaded(robot: RobotChoice, payload: Load | None, sharing: str | None) -> Model:
    """The robot, with the payload and the rule of sharing that are asked for, if any."""
    model = model_of(robot)
    if payload is not None:
        model = model.with_payload(payload)
    return model if sharing is None else model.with_sharing(sharing)


def _answers(context: Context, chosen: dict[str, MakeSection], progress: Listener | None) -> tuple[Answer, ...]:
    """The sections that have something to say, in their order."""
    answers = []
    for done, (key, section) in enumerate(chosen.items()):
        tell(progress, key, done, len(chosen))
        answers.append(section(context))
    return tuple(answer for answer in answers if answer is not None)


def _without_motion(model: Model, name: str, title: str, section: Answer) -> Evaluation:
    """The evaluation of a task that has no motion for a robot, with the one section that says why."""
    return Evaluation(model, name, title, None, None, verdict_of(model, (section,)), (section,))


def _controllers(control: bool | ControllerChoice | Collection[ControllerChoice]) -> dict[str, Controller]:
    """The controllers that are asked for by name; none for the usual ones."""
    if isinstance(control, bool):
        return {}
    from parapick.control import controllers_of

    if isinstance(control, Collection) and not isinstance(control, str):
        return controllers_of(control)
    return controllers_of([control])


def _chosen(keys: Collection[str] | None, *, control: bool) -> dict[str, MakeSection]:
    """The sections that are asked for, in their order."""
    for key in keys or ():
        if key not in SECTIONS:
            close = get_close_matches(key, SECTIONS, n=2)
            hint = f"did you mean {' or '.join(close)}? Valid" if close else "valid"
            raise ParameterError("sections", f"{key!r} is not a section; {hint} are {', '.join(SECTIONS)}")
    wanted = set(SECTIONS) - ON_REQUEST if keys is None else set(keys)
    wanted |= {"control"} if control else set()
    wanted |= {"stopping"} if control and keys is None else set()
    return {key: section for key, section in SECTIONS.items() if key in wanted}


def _blocked(error: ParapickError) -> Answer:
    """The one section of a task that has no motion for a robot."""
    motion = against(
        "motion that does it", "", 0.0, at_least=1.0, unit="motions", words=str(error), reading="there is none"
    )
    notes = ("the task has no motion for this robot, so there is none to look at",)
    return Answer("reach", "Reach and margins", findings=(motion,), notes=notes, data={"reason": str(error)})


def _corner(error: UnreachableCornerError) -> Answer:
    """The one section of a task with a corner out of reach, so that it has no motion."""
    corner = against(
        "corner",
        "",
        float(error.slack),
        at_least=0.0,
        unit=error.unit,
        place=Place(0.0, tuple(error.pose)),
        words=str(error),
    )
    return Answer(
        key="reach",
        title="Reach and margins",
        findings=(corner,),
        notes=("a corner of the task is out of reach, so there is no motion to evaluate",),
        data={"corner": error.corner, "pose": list(error.pose), "reason": error.reason},
    )
