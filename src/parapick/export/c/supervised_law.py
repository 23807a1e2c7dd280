"""A law with its supervisor as files of C, the robot's numbers in them: what a program that runs it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from parapick.control import Controller
from parapick.errors import MissingMassError
from parapick.export.c.law import CLaw, c_law
from parapick.export.c.model_functions import model_functions
from parapick.export.c.source import CSource, Numbers
from parapick.export.c.supervised import NEEDED, c_supervisor
from parapick.export.c.texts import header, law_source, model_source
from parapick.formulas import missing_masses
from parapick.kernel import CStyle, identifier
from parapick.model import Model
from parapick.motion import Motion
from parapick.parameters import leaves, structure, symbols_of
from parapick.supervision import Supervisor


@final
@dataclass(frozen=True, eq=False)
class SupervisedLaw:
    """A law with its supervisor as C.

    Attributes:
        prefix: what its symbols begin with.
        law: the law.
        texts: header and sources by file names.
    """

    prefix: str
    law: CLaw
    texts: dict[str, str]


def supervised_law(model: Model, controller: Controller, motion: Motion, supervisor: Supervisor) -> SupervisedLaw:
    """A law with its supervisor as C, for the robot as the controller takes it.

    Args:
        model: the robot.
        controller: the controller.
        motion: a motion, from which gains that are not numbers are found.
        supervisor: settings of the supervisor.

    Raises:
        MissingMassError: the robot lacks masses that its law or its stop needs.
        ParameterError: a law that has no step that a machine could run, or a setting that is not valid.
    """
    style = CStyle(identifier(model.robot.name))
    law = c_law(model, controller, motion, style, fixed=True)
    known = law.assembly.model
    if missing := missing_masses(known.robot):
        raise MissingMassError(known.robot.name, missing)
    pairs = tuple(leaves(known.robot))
    symbols, description = symbols_of(structure(known.robot))
    paths, values = tuple(path for path, _ in pairs), tuple(value for _, value in pairs)
    source = CSource(style, Numbers("parameters", "p", paths, values, True), symbols)
    written = model_functions(source, description, NEEDED)
    guarded = c_supervisor(source, description, written, law, supervisor)
    prefix = style.prefix
    texts = {
        f"{prefix}.h": header(source, known, written, law, guarded, {}),
        f"{prefix}_model.c": model_source(source, known, written),
        f"{prefix}_law.c": law_source(law),
        f"{prefix}_supervisor.c": guarded.part.source,
    }
    return SupervisedLaw(prefix, law, texts)
