"""What a study takes for granted: what the tool holds, how motors share, how stiff servos are, masses that stay."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from parapick.answer import Column, Table
from parapick.errors import Doubt
from parapick.inspection import sharing_words
from parapick.mechanism import length_doubts
from parapick.model import Model

if TYPE_CHECKING:
    from parapick.study.reading import Study


def tool_lines(study: Study) -> Iterator[str]:
    """Gripper and payload as a line of a title; nothing where neither is stated."""
    gripper, payload = Model(study.space.robot).gripper.mass, study.work.settings.payload
    carried = payload is None and any(getattr(task, "payload", 0.0) for task in study.file.tasks)
    if not (gripper or carried or payload is not None):
        return
    stated = f"payload {payload.mass:g} kg" if payload else "no payload"
    words = "payload of each task" if carried else stated
    yield f"gripper {gripper:g} kg, {words}" if gripper else words


def taken_notes(study: Study) -> Iterator[str]:
    """How the motors share where there is something to share, and the servos where stiffness is asked for."""
    model = Model(study.space.robot, sharing=study.file.sharing)
    if words := sharing_words(model):
        yield words
    if "stiffness" in study.work.columns:
        yield f"stiffness: servos of {study.file.stiffness.servo:g} {model.robot.limb.axis.stiffness}"


def mass_doubts(study: Study) -> tuple[Doubt, ...]:
    """Lengths that vary from design to design while the masses of their bodies stay, and how these could follow."""
    space = study.space
    return length_doubts(space.robot, {space.paths[i]: "varies from design to design" for i in space.varied})


def mass_tables(study: Study) -> Iterator[Table]:
    """The lines of a robot file by which masses follow their lengths, where they do not."""
    for doubt in mass_doubts(study):
        rows, table = tuple((line,) for line in doubt.lines), doubt.path.partition(".")[0]
        yield Table(f"masses of {doubt.path}", doubt.head, (Column(f"to paste under [{table}]"),), rows)
