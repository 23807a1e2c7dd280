"""`parapick map`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

from cyclopts import Parameter

from parapick.cli.arguments import PLAIN, Amount, RobotName, Shared, SharingRule, load, parsed_amount, with_payload
from parapick.cli.files import draw, targets
from parapick.cli.index_options import IndexTexts, RegionTexts
from parapick.cli.progress import watched
from parapick.cli.tables import busy
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.capability import IndexMap
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
    from parapick.capability import index_map, index_of, map_answer
    from parapick.cli.printing import print_answer

    chosen, model = index_of(index), with_payload(load(robot, shared), payload).with_sharing(sharing)
    paths = targets(**asdict(files))
    region, options = where.read(model.robot), asked.read(model.robot)
    step = None if where.spacing is None else parsed_amount("--spacing", where.spacing, "m")
    least = None if where.margin is None else parsed_amount("--margin", where.margin, "", least=0.0)
    with watched(f"mapping {chosen.heading(options)}") as progress:
        index_values = index_map(model, chosen, region, spacing=step, options=options, margin=least, progress=progress)
    answer = map_answer(model, index_values)
    written = _written(model, index_values, paths) if answer.ok else {}
    return print_answer(answer, as_json=shared.as_json, files=written, settings=shared.settings.stated)


def _written(model: Model, index_values: IndexMap, targets: Mapping[str, Path]) -> Mapping[str, Path]:
    """Write the files that were asked for."""
    from parapick.export import map_csv, write_map_parquet
    from parapick.report import map_figure

    for kind, target in targets.items():
        if kind == "plot":
            draw(lambda: map_figure(model, index_values), target)
            continue
        with busy("writing"):
            if kind == "csv":
                write_text(target, map_csv(index_values))
            else:
                write_map_parquet(index_values, target)
    return targets
