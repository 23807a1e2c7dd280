"""Evaluations made by hand from real robots and motions, so that a report can be tested without evaluating."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import parapick as pp
from parapick.answer import Answer, Place, Requirement, Series, Table, columns
from parapick.evaluation.evaluation import Evaluation, Verdict
from parapick.model import Model

CHANGES = Table(
    "changes",
    "what a change of each number does",
    columns(
        ("number", "value", "unit", "change", "peak torque", "RMS torque", "cycle time"),
        ("", "", "", "", "%", "%", "%"),
    ),
    (
        ("plate.drive.gearbox_inertia", 1e-4, "kg m2", "5 % less", -4.5, -4.4, -0.2),
        ("limb.arm", 0.35, "m", "5 % less", -2.3, 1.7, None),
        ("limb.rod_length", 0.8, "m", "5 % more", -1e-9, 0.0, None),
    ),
)


@lru_cache(maxsize=8)
def made(robot: str = "par4", task: str = "box", rate: float = 500.0) -> Evaluation:
    """A robot on a task, with a section of each kind the report knows, and one it has never heard of."""
    model = pp.load(robot)
    motion = pp.load_task(task).motion(model)
    samples = motion.sample(rate, corners=True)
    torque, speed, _ = model.drive_torque(samples.x, samples.xd, samples.xdd)
    legs = model.reach(samples.x).legs
    labels = tuple(f"motor {i + 1}" for i in range(torque.shape[1]))
    worst = int(np.argmax(np.abs(torque[:, 0])))
    place = Place(float(samples.t[worst]), tuple(samples.x[worst].tolist()), 1)
    finding = Requirement("motor torque, peak", float(torque[worst, 0]), 90.0, "N m", True, "peak torque", place)
    sections = (
        Answer("reach", "Reach", series=(Series("leg slack", "m", samples.t, legs, labels[: legs.shape[1]]),)),
        Answer("motion", "Motion", series=(Series("plate position", "m", samples.t, samples.x[:, :3], tuple("xyz")),)),
        Answer("joints", "Joints", series=(Series("motor speed", "rad/s", samples.t, speed, labels),)),
        Answer(
            "torque",
            "Motor torque",
            findings=(finding,),
            tables=(
                Table("parts", "parts", columns(("part", "share", "length"), ("", "N m", "m")), (("arms", 1.5, 0.25),)),
            ),
            series=(Series("motor torque", "N m", samples.t, torque, labels, {"peak": 90.0}),),
        ),
        Answer("improve", "What would improve it", tables=(CHANGES,)),
        Answer("novelty", "Something new", series=(Series("temper", "K", samples.t, torque[:, :1], ("one",)),)),
    )
    return Evaluation(model, task, "a task", motion, samples, Verdict(True, "YES: it can", finding), sections)


def bare(model: Model, *, ok: bool = False) -> Evaluation:
    """A robot with a task of which not even a motion can be made."""
    place = Place(0.0, (0.9, 0.0, -0.7, 0.0)[: model.robot.dof])
    finding = Requirement("corner", -0.1, 0.0, "m", ok, "corner out of reach", place, floor=True)
    section = Answer("reach", "Reach", findings=(finding,), notes=("there is no motion to look at",))
    return Evaluation(model, "far", "too far", None, None, Verdict(ok, "NO: too far", finding), (section,))
