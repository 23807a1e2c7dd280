"""`parapick map`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, final

from cyclopts import Parameter

from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load
from parapick.cli.files import FIGURES, check_target, draw
from parapick.cli.map_words import IndexTexts, RegionTexts
from parapick.cli.tables import busy, counted
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.capability.map import IndexMap
    from parapick.model import Model

_ENDINGS: Final = {"plot": FIGURES, "csv": (".csv",), "parquet": (".parquet",)}
"""How the names of the files may end that a map can be written to."""


@final
@Parameter(name="*")
@dataclass(frozen=True)
class MapFiles:
    """What a map is written to.

    Attributes:
        plot: Draw it into this .png, .svg or .pdf file.
        csv: Write every point into this CSV file.
        parquet: Write every point into this Parquet file.
    """

    plot: str | None = None
    csv: str | None = None
    parquet: str | None = None


def map(  # noqa: A001 - the command's name
    robot: RobotName,
    index: str,
    /,
    *,
    where: RegionTexts | None = None,
    payload: Amount = None,
    asked: IndexTexts | None = None,
    files: MapFiles | None = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """An index over a region: its worst and best pose, how even it is, as table and figure.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        index: What to map, such as acceleration; a name that there is not lists all there are.
        where: Where it is laid.
        payload: Mass in the tool, such as 500g, on top of what it holds.
        asked: What the index is asked for with.
        files: What it is written to.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.capability.index import index_of
    from parapick.capability.map import index_map
    from parapick.capability.map_answer import map_answer
    from parapick.cli.printing import print_answer

    chosen, model, place = index_of(index), load(robot, mode), where or RegionTexts()
    if payload is not None:
        model = model.carrying(amount("--payload", payload, "kg", least=0.0))
    named = {kind: path for kind, path in asdict(files or MapFiles()).items() if path is not None}
    targets = {kind: check_target(path, _ENDINGS[kind]) for kind, path in named.items()}
    region, options = place.read(model.robot), (asked or IndexTexts()).read(model.robot)
    step = None if place.spacing is None else amount("--spacing", place.spacing, "m")
    least = None if place.margin is None else amount("--margin", place.margin, "", least=0.0)
    with counted(f"mapping {chosen.heading(options)}") as progress:
        found = index_map(model, chosen, region, spacing=step, options=options, margin=least, progress=progress)
    answer = map_answer(model, found)
    return print_answer(answer, as_json=as_json, files=_written(model, found, targets) if answer.ok else {})


def _written(model: Model, found: IndexMap, targets: Mapping[str, Path]) -> Mapping[str, Path]:
    """Write the files that were asked for."""
    from parapick.export.map_table import map_csv, write_map_parquet
    from parapick.report.map_figure import map_figure

    for kind, target in targets.items():
        if kind == "plot":
            draw(lambda: map_figure(model, found), target)
            continue
        with busy("writing"):
            if kind == "csv":
                write_text(target, map_csv(found))
            else:
                write_map_parquet(found, target)
    return targets
