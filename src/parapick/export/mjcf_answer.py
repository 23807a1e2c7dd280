"""A robot as a MuJoCo document, as an answer."""

from __future__ import annotations

from parapick.answer import Answer
from parapick.inspection import (
    about,
    headline,
    load_lines,
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
    title = headline(
        model, f"as a MuJoCo model of {size['bodies']} bodies and {size['joints']} joints", *load_lines(model.loads)
    )
    return Answer("export", title, data={**about(model), **model.loads._asdict(), **facts}), document
