"""Whether a robot can follow a task, as an answer: how long it takes, what it meets, where each limit is nearest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from parapick.answer import Answer, fixed
from parapick.belts import Meeting, PickPlan, Stream
from parapick.evaluation.impossible import blocked
from parapick.evaluation.limiting import limiting_of
from parapick.evaluation.plate_tables import peaks_table, phases_table
from parapick.evaluation.run import Run
from parapick.evaluation.tasks import load_words
from parapick.inspection import (
    about,
    motor_table,
    named,
    place_text,
    sharing_words,
    subject,
)
from parapick.model import Model
from parapick.motion import Motion
from parapick.ride import UnreachableCornerError, broken_words, counted_note, cycle_note
from parapick.tasks import PlannedTask, StreamTask, Task, planned_task

_MISSES: Final = 3
"""Items missed that are listed one by one."""


def motion_answer(model: Model, task: Task) -> tuple[Answer, Run | None]:
    """Whether a robot can follow a task once, and the robot on its motion; None where there is no motion.

    Reach, margins, speed and torque of the motors and what else the file limits decide, as in `evaluate`.

    Args:
        task: the task.
    """
    title = subject(model, f"and the task {task.name}", *filter(None, [task.title]))
    data: dict[str, Any] = {**about(model), "task": task.name, "title": task.title, "kind": task.kind}
    try:
        planned = planned_task(task, model)
    except UnreachableCornerError as error:
        pose = named(model.robot, error.pose)
        corner = {"name": error.corner, "pose": pose, "reason": error.reason, "slack": float(error.slack)}
        return Answer("motion", title, data={**data, "corner": corner}, refusal=str(error)), None
    except blocked() as error:
        return Answer("motion", title, data=data, refusal=f"{model.robot.name} cannot do this task: {error}"), None
    run = Run.of(model, planned.motion, planned.picks)
    met = _met(model, task, planned)
    return _followed(run, task, title, {**data, "duration": run.motion.duration, **met}), run


def _followed(run: Run, task: Task, title: str, data: Mapping[str, Any]) -> Answer:
    """The answer where there is a motion."""
    model, motion, no_masses = run.ride.model, run.motion, run.ride.no_masses
    name = model.robot.name
    broken = broken_words(run.requirements)
    shared = model.robot.redundant and not no_masses
    notes = [sharing_words(model)] if shared else []
    notes += run.ride.doubts
    notes += (*counted_note(model), *cycle_note(model))
    payload = [{"time": step.time, "mass": step.mass} for step in motion.payload]
    return Answer(
        key="motion",
        title="\n".join(filter(None, (title, load_words(model, motion)))),
        findings=run.requirements,
        tables=(peaks_table(model, motion, task), phases_table(motion), motor_table(run.ride)),
        summary=dict(_summary(motion, data)),
        notes=tuple(notes),
        left_out=tuple(f"not computed: {text}" for text in run.ride.left_out),
        data={
            **data,
            "gripper": model.gripper.mass,
            "payload": payload,
            "sharing": model.judged_sharing if shared else None,
        },
        refusal=f"{name} cannot follow this motion: {broken}" if broken else "",
        headline="" if broken else _headline(run),
    )


def _headline(run: Run) -> str:
    """That a robot can follow a motion, how long it takes, and the limit that it comes nearest to."""
    model, limiting = run.ride.model, limiting_of(run.requirements)
    aside = f", {model.motors.word}s left aside" if run.ride.no_masses else ""
    tightest = ": no drive is rated" if limiting is None else f": {limiting.brief or limiting.text}"
    return f"YES: {model.robot.name} can follow this motion{aside}, {run.motion.duration:.4f} s{tightest}"


def _met(model: Model, task: Task, planned: PlannedTask) -> dict[str, Any]:
    """What is met on belts and how many items are picked, as data."""
    plan, picks = planned.plan, planned.picks
    if plan is not None:
        return {"meetings": {name: _meeting(model, plan, name) for name in ("pick", "place")}}
    if planned.stream is not None and isinstance(task, StreamTask):
        return {"stream": _stream(planned.stream, task.items.seed)}
    if picks is None or (picks.picked == 1 and picks.brought is None):
        return {}
    return {"picks_per_minute": picks.per_minute, "brought_per_minute": picks.brought, "picked": picks.picked}


def _meeting(model: Model, plan: PickPlan, name: str) -> dict[str, Any]:
    """When and where something on a belt is met; times are those of the motion, which starts at 0."""
    meeting: Meeting = getattr(plan, name)
    return {
        "time": meeting.time - plan.start,
        "pose": named(model.robot, meeting.pose),
        "touch": meeting.touch - plan.start,
        "intercept": meeting.approach.duration,
        "wait": meeting.approach.wait + meeting.approach.stop,
        "bent": bool(meeting.approach.bend),
    }


def _stream(stream: Stream, seed: int) -> dict[str, Any]:
    """What was picked of a stream and what was missed, with the reason of each."""
    return {
        "picked": len(stream.picked),
        "picks_per_minute": stream.picks_per_minute,
        "missed_share": stream.missed_share,
        "busy_share": stream.busy / stream.duration,
        "duration": stream.duration,
        "seed": seed,
        "missed": [
            {"seen": miss.item.time, "reason": miss.reason, "late": miss.late, "error": miss.error}
            for miss in stream.missed
        ],
    }


def _summary(motion: Motion, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "stream" in data:
        yield "duration", f"{motion.duration:.4f} s"
        yield from _stream_lines(data["stream"])
        return
    picks = data.get("picks_per_minute")
    pace = f"{60 / motion.duration:.4g} per minute" if picks is None else f"{picks:.4g} picks per minute"
    brought = data.get("brought_per_minute")
    yield "duration", f"{motion.duration:.4f} s, {pace}{f' of {brought:.4g} that come' if brought else ''}"
    if motion.phases:
        yield "phases", ", ".join(f"{phase.name} {phase.start:.4f} to {phase.end:.4f} s" for phase in motion.phases)
    for name, meeting in data.get("meetings", {}).items():
        wait = f" after a wait of {meeting['wait']:.4f} s" if meeting["wait"] else ""
        met = (
            f"met at {meeting['time']:.4f} s, {place_text(meeting['pose'])}; intercept of {meeting['intercept']:.4f} s"
        )
        yield name, f"{met}{wait}, {'grasp' if name == 'pick' else 'release'} from {meeting['touch']:.4f} s on"
    if motion.payload:
        yield "payload", ", ".join(f"{step.mass:g} kg from {step.time:.4f} s on" for step in motion.payload)


def _stream_lines(stream: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was picked and what was not; of many misses the first few."""
    missed, pace = stream["missed"], f"{stream['picks_per_minute']:.4g} per minute; seed {stream['seed']}"
    count = stream["picked"] + len(missed)
    yield "picked", f"{stream['picked']} of {count} items in {stream['duration']:.2f} s, {pace}"
    yield "busy", f"{fixed(stream['busy_share'], 1, 100.0)} % of the time"
    for number, miss in enumerate(missed[:_MISSES], start=1):
        yield f"missed {number}", f"seen at {miss['seen']:.3f} s; {miss['reason']}"
    if len(missed) > _MISSES:
        yield "missed", f"{len(missed) - _MISSES} more"
