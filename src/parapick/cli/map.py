"""`parapick map`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from parapick.cli.arguments import NO_LOAD, PLAIN, Files, Load, RobotName, Shared, load, parsed_amount, with_payload
from parapick.cli.index_options import IndexTexts, RegionTexts
from parapick.cli.outputs import FIGURE, Force, Output, Outputs, WrittenFile, WrittenFiles, draw, out_parameter
from parapick.cli.progress import watched
from parapick.cli.tables import busy
from parapick.files import write_text

if TYPE_CHECKING:
    from parapick.capability import IndexMap
    from parapick.model import Model


OUTPUTS: Final = Outputs(FIGURE, Output("map", "every point", (".csv", ".parquet"), "a table of x, y"))

_ALL, _DEFAULTS = RegionTexts(), IndexTexts()


def map(  # noqa: A001 - the command's name
    robot: RobotName,
    index: str,
    /,
    *,
    where: RegionTexts = _ALL,
    carried: Load = NO_LOAD,
    asked: IndexTexts = _DEFAULTS,
    shared: Shared = PLAIN,
    out: Annotated[Files, out_parameter(OUTPUTS)] = (),
    force: Force = False,
) -> int:
    """An index over a region: its worst and best pose, how even it is, as table and figure.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        index: What to map, such as acceleration; a name that there is not lists all there are.
        where: Where it is laid.
        carried: What the motors carry and how they share it.
        asked: What the index is asked for with.
        shared: Working mode, and how the answer is printed.
        out: What is written.
        force: Whether files of the same kind are replaced.
    """
    from parapick.capability import index_map, index_of, map_answer
    from parapick.cli.printing import print_answer

    chosen = index_of(index)
    model = with_payload(load(robot, shared), carried.payload).with_sharing(carried.sharing)
    targets = OUTPUTS.targets(out, force=force)
    region, options = where.read(model.robot), asked.read(model.robot)
    step = None if where.spacing is None else parsed_amount("--spacing", where.spacing, "m")
    least = None if where.margin is None else parsed_amount("--margin", where.margin, "", least=0.0)
    with watched(f"mapping {chosen.heading(options)}") as progress:
        index_values = index_map(model, chosen, region, spacing=step, options=options, margin=least, progress=progress)
    answer = map_answer(model, index_values)
    written = _written(model, index_values, targets) if answer.ok else {}
    return print_answer(answer, as_json=shared.as_json, files=written, settings={**shared.stated, **carried.stated})


def _written(model: Model, index_values: IndexMap, targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Write the files that are asked for."""
    from parapick.export import map_csv, write_map_parquet
    from parapick.report import map_figure

    drawn = draw(lambda: map_figure(model, index_values), targets)
    with busy("writing"):
        for target in targets.of("map"):
            if target.path.suffix.lower() == ".csv":
                write_text(target.path, map_csv(index_values))
            else:
                write_map_parquet(index_values, target.path)
    return {**drawn, **targets.written("map")}
