"""A robot as a MuJoCo document, as an answer."""

from __future__ import annotations

from parapick.answer import Answer
from parapick.inspection import (
    about,
    load_lines,
    subject,
)
from parapick.model import Model
from parapick.multibody import assemble


def mjcf_answer(model: Model) -> tuple[Answer, str]:
    """The MuJoCo document of a robot, loops closed at home, and what it holds.

    Args:
        model: the robot, with its payload.

    Raises:
        MissingMassError: a robot without masses.
        ParapickError: MuJoCo is not installed.
    """
    assembly = assemble(model.robot, payload=model.payload)
    document = assembly.mjcf()
    size = {"bodies": int(assembly.model.nbody) - 1, "joints": int(assembly.model.njnt)}
    facts = {"export": "mjcf", "bytes": len(document.encode()), **size}
    title = subject(model, "as a MuJoCo model", *load_lines(model.loads))
    data = {**about(model), **model.loads._asdict(), **facts}
    says = f"{model.robot.name} is a MuJoCo model of {size['bodies']} bodies and {size['joints']} joints."
    return Answer("export", title, data=data, headline=says), document
