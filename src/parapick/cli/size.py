"""`parapick size`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Final, Literal, final

from cyclopts import Parameter

from parapick.cli.arguments import (
    DEFAULT_TASK,
    PLAIN,
    Files,
    RobotName,
    Shared,
    TaskChoice,
    as_options,
    load_with_masses,
    parsed_amount,
)
from parapick.cli.groups import ASKED, SEARCH
from parapick.cli.outputs import FIGURE, Force, Output, Outputs, WrittenFile, WrittenFiles, draw, out_parameter
from parapick.cli.progress import watched
from parapick.errors import ParameterError, ParapickError

if TYPE_CHECKING:
    from parapick.sizing import Sizing

OUTPUTS: Final = Outputs(
    Output("robot", "the robot with the best pair", (".toml",), kind="a robot file"),
    Output("page", "the page: pairs, limits, torque over speed", (".html",)),
    replace(FIGURE, text="torque over speed of the best pair"),
)


@final
@Parameter(name="*", group=SEARCH)
@dataclass(frozen=True)
class PartsChoice:
    """Which parts are chosen from, and how they are ranked.

    Attributes:
        catalogue: Folder with motors.csv, gearboxes.csv, curves.csv and pairs.csv; the shipped one if not given.
        by: What the best pair has least or most of.
        ratio: FROM..TO, gearboxes of any ratio beside those of the catalogue, without losses and inertia.
    """

    catalogue: Annotated[str | None, Parameter(metavar="FOLDER")] = None
    by: Literal["cost", "mass", "energy", "pace", "reserve"] = "energy"
    ratio: Annotated[str | None, Parameter(metavar="FROM..TO")] = None

    def ratios(self) -> tuple[float, float] | None:
        """Least and largest ratio of gearboxes of any ratio; None for none."""
        if self.ratio is None:
            return None
        low, dots, high = (part.strip() for part in self.ratio.partition(".."))
        if not (low and dots and high):
            raise ParameterError("--ratio", f"{self.ratio!r} is not a range; write it as 5..50")
        return parsed_amount("--ratio", low, ""), parsed_amount("--ratio", high, "")


_SHIPPED: Final = PartsChoice()


def size(
    robot: RobotName,
    task: str | None = None,
    /,
    *,
    parts: PartsChoice = _SHIPPED,
    asked: Annotated[TaskChoice, Parameter(group=ASKED)] = DEFAULT_TASK,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """Which motor and which gearbox of a catalogue a robot needs for a task.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        task: A shipped task, or the path of a TOML file; the Adept cycle at 120 per minute if not given.
        parts: Which parts are chosen from, and how they are ranked.
        asked: What is changed about the task.
        shared: Working mode, and how the answer is printed.
        out: What is written.
        force: Replace robot, task, controller, study and CSV files of the same kind.
    """
    from parapick.cli.printing import print_answer
    from parapick.sizing import size as sized

    if task is not None and asked.task is not None:
        raise ParapickError(f"two tasks are given, {task} and --task {asked.task}; give one")
    asked = asked if task is None else replace(asked, task=task)
    targets = OUTPUTS.targets(out, force=force)
    model = load_with_masses(robot, shared)
    with watched(f"sizing {model.robot.name}") as doing, as_options("by", "ratio", "catalogue", "cycles_per_minute"):
        sizing = sized(
            model, **asked.read(), catalogue=parts.catalogue, by=parts.by, ratio=parts.ratios(), progress=doing
        )
        answer = sizing.answer()
    return print_answer(answer, as_json=shared.as_json, files=_written(sizing, targets))


def _written(sizing: Sizing, targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Write what is asked for; without a pair that does it there is no robot and no figure, but there is a page."""
    from parapick.report import sizing_figure, write_sizing_page

    for target in targets.of("page"):
        write_sizing_page(sizing, target.path)
    files = targets.written("page")
    if not sizing.ok:
        return files
    for target in targets.of("robot"):
        sizing.save_robot(target.path)
    return {**files, **targets.written("robot"), **draw(lambda: sizing_figure(sizing), targets)}
