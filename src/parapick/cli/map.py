"""`parapick map`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, SharingRule, amount, load, with_payload
from parapick.cli.files import draw, targets
from parapick.cli.index_options import IndexTexts, RegionTexts
from parapick.cli.tables import busy, counted
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.capability.map import IndexMap
    from parapick.model import Model


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


_ALL, _DEFAULTS, _NO_FILES = RegionTexts(), IndexTexts(), MapFiles()


def map(  # noqa: A001 - the command's name
    robot: RobotName,
    index: str,
    /,
    *,
    where: RegionTexts = _ALL,
    payload: Amount = None,
    sharing: SharingRule = None,
    asked: IndexTexts = _DEFAULTS,
    files: MapFiles = _NO_FILES,
    shared: Shared = PLAIN,
) -> int:
    """An index over a region: its worst and best pose, how even it is, as table and figure.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        index: What to map, such as acceleration; a name that there is not lists all there are.
        where: Where it is laid.
        payload: Mass in the tool beyond the gripper, such as 500g; none if not given.
        sharing: How the motors of a redundant robot share: least-norm or least-peak; least-peak if not given.
        asked: What the index is asked for with.
        files: What it is written to.
        shared: Working mode, and how the answer is printed.
    """
    from parapick.capability.index import index_of
    from parapick.capability.map import index_map
    from parapick.capability.map_answer import map_answer
    from parapick.cli.printing import print_answer

    chosen, model = index_of(index), with_payload(load(robot, shared), payload).with_sharing(sharing)
    paths = targets(**asdict(files))
    region, options = where.read(model.robot), asked.read(model.robot)
    step = None if where.spacing is None else amount("--spacing", where.spacing, "m")
    least = None if where.margin is None else amount("--margin", where.margin, "", least=0.0)
    with counted(f"mapping {chosen.heading(options)}") as progress:
        found = index_map(model, chosen, region, spacing=step, options=options, margin=least, progress=progress)
    answer = map_answer(model, found)
    written = _written(model, found, paths) if answer.ok else {}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=shared.settings.stated)


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
