"""What a study takes for granted beside the robot: what the tool holds, how motors share, how stiff servos are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from parapick.inspection import sharing_words
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
