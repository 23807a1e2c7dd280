"""A workbench for fast pick-and-place parallel robots.

The public names are listed here and fetched from their rooms on first use, so `import parapick` costs next to nothing
and a program pays only for the libraries it needs.
"""

from __future__ import annotations

from importlib import import_module

from parapick.deferred import defer

# As `typing.TYPE_CHECKING`, without its module: the command line is ready for Ctrl-C the sooner.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from parapick import capability, control
    from parapick.accuracy import tolerance
    from parapick.belts import plan
    from parapick.capability import workspace
    from parapick.control import Controller, list_controllers, load_controller
    from parapick.errors import (
        CacheWarning,
        Doubt,
        FileProblem,
        KernelError,
        MissingMassError,
        ParameterError,
        ParapickError,
        PlausibilityWarning,
        RobotFileError,
        ShapeError,
        UnknownRobotError,
        UnreachableError,
        WorkingModeError,
    )
    from parapick.evaluation import compare, evaluate
    from parapick.mechanism import Payload
    from parapick.model import (
        Model,
        Reach,
        all_doubts,
    )
    from parapick.motion import Motion, adept_cycle, hold
    from parapick.robots import list_robots, load, save
    from parapick.simulation import simulate
    from parapick.tasks import list_tasks, load_task
    from parapick.timing import fastest

defer("casadi")

__version__ = "0.1.0"

__all__ = [
    "CacheWarning",
    "Controller",
    "Doubt",
    "FileProblem",
    "KernelError",
    "MissingMassError",
    "Model",
    "Motion",
    "ParameterError",
    "ParapickError",
    "Payload",
    "PlausibilityWarning",
    "Reach",
    "RobotFileError",
    "ShapeError",
    "UnknownRobotError",
    "UnreachableError",
    "WorkingModeError",
    "adept_cycle",
    "all_doubts",
    "capability",
    "compare",
    "control",
    "evaluate",
    "fastest",
    "hold",
    "list_controllers",
    "list_robots",
    "list_tasks",
    "load",
    "load_controller",
    "load_task",
    "plan",
    "save",
    "simulate",
    "tolerance",
    "workspace",
]

# Public name -> the room it comes from.
_LAZY = {
    "CacheWarning": "parapick.errors",
    "Controller": "parapick.control",
    "Doubt": "parapick.errors",
    "FileProblem": "parapick.errors",
    "KernelError": "parapick.errors",
    "MissingMassError": "parapick.errors",
    "Model": "parapick.model",
    "Motion": "parapick.motion",
    "ParameterError": "parapick.errors",
    "ParapickError": "parapick.errors",
    "Payload": "parapick.mechanism",
    "PlausibilityWarning": "parapick.errors",
    "Reach": "parapick.model",
    "RobotFileError": "parapick.errors",
    "ShapeError": "parapick.errors",
    "UnknownRobotError": "parapick.errors",
    "UnreachableError": "parapick.errors",
    "WorkingModeError": "parapick.errors",
    "adept_cycle": "parapick.motion",
    "all_doubts": "parapick.model",
    "compare": "parapick.evaluation",
    "evaluate": "parapick.evaluation",
    "fastest": "parapick.timing",
    "hold": "parapick.motion",
    "list_controllers": "parapick.control",
    "list_robots": "parapick.robots",
    "list_tasks": "parapick.tasks",
    "load": "parapick.robots",
    "load_controller": "parapick.control",
    "load_task": "parapick.tasks",
    "plan": "parapick.belts",
    "save": "parapick.robots",
    "simulate": "parapick.simulation",
    "tolerance": "parapick.accuracy",
    "workspace": "parapick.capability",
}

# Rooms that are public as a whole: `pp.control.PD`, `pp.capability.speed`.
_ROOMS = ("capability", "control")


def __getattr__(name: str) -> object:
    """Fetch a lazy public name from its room and keep it, so that the next access is a plain attribute."""
    if name in _ROOMS:
        return import_module(f"parapick.{name}")
    room = _LAZY.get(name)
    if room is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(room), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Names of the package, those not fetched yet included."""
    return sorted(set(globals()) | set(__all__))
