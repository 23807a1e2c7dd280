"""`parapick map`."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from parapick.answer.plain import finite
from parapick.cli.answers import about
from parapick.cli.app import UNREACHABLE
from parapick.cli.arguments import Amount, Json, Mode, RobotName, amount, load
from parapick.cli.files import check_target
from parapick.cli.tables import (
    busy,
    console,
    headline,
    number,
    percent,
    place_text,
    print_json,
    print_list,
    print_table,
    say,
)
from parapick.errors import ParapickError
from parapick.files import write_text

if TYPE_CHECKING:
    from pathlib import Path

    from parapick.capability.map import IndexMap
    from parapick.model import Model

__all__ = ["map"]

_FILES: Final = {"plot": (".png", ".svg", ".pdf"), "csv": (".csv",), "parquet": (".parquet",)}
"""Endings of the files that a map can be written to."""


_SAME_ENDS: Final = re.compile(r"(?<!\S)(\S+) to \1(?= )")
"""The ends of a coordinate at which a region is cut."""


def map(  # noqa: A001 - the command's name
    robot: RobotName,
    index: str,
    /,
    *,
    region: Amount = None,
    x: Amount = None,
    y: Amount = None,
    z: Amount = None,
    yaw: Amount = None,
    spacing: Amount = None,
    margin: Amount = None,
    payload: Amount = None,
    torque: Amount = None,
    rated: Amount = None,
    velocity: Amount = None,
    acceleration: Amount = None,
    speed: Amount = None,
    plate_speed: Amount = None,
    servo: Amount = None,
    rods: Amount = None,
    arms: Amount = None,
    width: Amount = None,
    height: Amount = None,
    corner_radius: Amount = None,
    azimuth: Amount = None,
    plot: str | None = None,
    csv: str | None = None,
    parquet: str | None = None,
    mode: Mode = None,
    as_json: Json = False,
) -> int:
    """An index over a region: its worst and best pose, how even it is, as table and figure.

    Args:
        robot: A shipped robot, or the path of a TOML file.
        index: What to map, such as acceleration; a name that there is not lists all there are.
        region: cylinder,RADIUS,ZMIN,ZMAX or box,XMIN,XMAX,YMIN,YMAX,ZMIN,ZMAX; the workspace of the file if not given.
        x: Cut upright at this x; of a box, two numbers are its ends.
        y: Cut upright at this y; of a box, two numbers are its ends.
        z: Cut level at this height, such as -700mm; two numbers, such as -750mm,-650mm, are the ends.
        yaw: Yaw of the plate, such as 30deg; two numbers are its ends.
        spacing: Distance of neighbouring points, such as 10mm.
        margin: Smallest margin to a singularity that still belongs to the map; 0.05 if not given, or 0 for margins,
            conditioning and clearance.
        payload: Mass in the tool, such as 500g, on top of what it holds.
        torque: Torque limit at the motors: peak, rated, or N m, one number or one per motor; peak if not given.
        rated: Rated torque that cycles must keep on average: N m, one number or one per motor, or none to leave heat
            aside; that of the file if not given.
        velocity: Velocity x,y,z[,yaw] of the plate for accelerations, such as 5,0,0; at rest if not given.
        acceleration: Acceleration that torques and payloads are for; 100 m/s2 if not given.
        speed: Speed limit of the motors: peak, or rad/s; peak if not given.
        plate_speed: Plate speed that joint speeds are for; 1 m/s if not given.
        servo: Stiffness of the servos at the arms (N m/rad); 10000 if not given.
        rods: Axial stiffness E A of a rod (N), or file; rigid if not given.
        arms: Bending stiffness E I of an arm (N m2); rigid if not given.
        width: Way over of the cycle; 305 mm if not given.
        height: Lift of the cycle; 25 mm if not given.
        corner_radius: Radius of the corners of the cycle; 20 mm if not given.
        azimuth: Direction from pick to place, about z from x; 0 deg if not given.
        plot: Draw it into this .png, .svg or .pdf file.
        csv: Write every point into this CSV file.
        parquet: Write every point into this Parquet file.
        mode: Working mode: a name of the robot's, or one + or - an arm.
        as_json: Print one JSON document instead.
    """
    from parapick.capability.index import index_of
    from parapick.capability.map import index_map
    from parapick.cli.map_words import options_of, region_of

    chosen, model = index_of(index), load(robot, mode)
    if payload is not None:
        model = model.carrying(amount("--payload", payload, "kg", least=0.0))
    given = {"plot": plot, "csv": csv, "parquet": parquet}
    targets = {kind: check_target(path, _FILES[kind]) for kind, path in given.items() if path is not None}
    where = region_of(model.robot, region, {"x": x, "y": y, "z": z, "yaw": yaw})
    words = {
        "torque": torque,
        "rated": rated,
        "velocity": velocity,
        "acceleration": acceleration,
        "speed": speed,
        "plate_speed": plate_speed,
        "servo": servo,
        "rods": rods,
        "arms": arms,
        "width": width,
        "height": height,
        "corner_radius": corner_radius,
        "azimuth": azimuth,
    }
    asked = options_of(model.robot, words)
    step = None if spacing is None else amount("--spacing", spacing, "m")
    least = None if margin is None else amount("--margin", margin, "", least=0.0)
    with _counted(f"mapping {chosen.heading(asked)}") as progress:
        found = index_map(model, chosen, where, spacing=step, options=asked, margin=least, progress=progress)
    answer = finite(_answer(model, found))
    if answer["worst"]:
        answer["files"] = _written(model, found, targets)
    if as_json:
        print_json(answer)
    else:
        _print(model, found, answer)
    return 0 if answer["worst"] else UNREACHABLE


@contextmanager
def _counted(text: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show on the error output how much is done; on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(error=True), transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _answer(model: Model, found: IndexMap) -> dict[str, Any]:
    """The answer as plain values."""
    index = found.index
    title = index.heading(found.options)
    places = {"worst": found.worst, "best": found.best}
    return {
        **about(model),
        "payload": model.payload.mass,
        "index": {"name": index.name, "title": title, "unit": index.unit, "better": index.better},
        "region": dataclasses.asdict(found.lattice.region),
        "axes": [
            {
                "name": axis.name,
                "unit": axis.unit,
                "low": float(axis.values[0]),
                "high": float(axis.values[-1]),
                "points": len(axis.values),
            }
            for axis in found.axes
        ],
        "points": found.values.size,
        "margin": found.margin,
        "share": found.share,
        "left_out": found.left_out,
        "counts": dict(found.counts()),
        "homogeneity": found.homogeneity()._asdict(),
        **{name: place and {"value": place.value, "pose": dict(place.pose)} for name, place in places.items()},
        "files": [],
    }


def _written(model: Model, found: IndexMap, targets: dict[str, Path]) -> list[str]:
    """Write the files that were asked for; their names."""
    from parapick.export.map_table import map_csv, write_map_parquet

    for kind, target in targets.items():
        with busy("writing"):
            if kind == "plot":
                _draw(model, found, target)
            elif kind == "csv":
                write_text(target, map_csv(found))
            else:
                write_map_parquet(found, target)
    return [str(target) for target in targets.values()]


def _draw(model: Model, found: IndexMap, target: Path) -> None:
    from parapick.report.canvas import save_figure
    from parapick.report.map_figure import map_figure

    try:
        save_figure(map_figure(model, found), target)
    except OSError as error:
        raise ParapickError(f"{target}: cannot be written: {(error.strerror or str(error)).lower()}") from error


def _print(model: Model, found: IndexMap, answer: dict[str, Any]) -> None:
    from parapick.cli.region import region_text

    robot = dataclasses.replace(model.robot, workspace=found.lattice.region)
    load = f", carrying {answer['payload']:g} kg" if answer["payload"] else ""
    margins = f", margins at least {answer['margin']:g}" if answer["margin"] else ""
    headline(model, f"over a region{load}{margins}", _SAME_ENDS.sub(r"\1", region_text(robot)))
    if answer["worst"] is None:
        say(f"no point of it has a value: {_missing(answer)}")
        return
    index, even = answer["index"], answer["homogeneity"]
    unit = f" ({index['unit']})" if index["unit"] else ""
    say(f"{index['title']}{unit}; {index['better']} is better")
    cells = [
        (name, f"{answer[name]['value']:.5g}", place_text(_tidy(answer[name]["pose"]))) for name in ("worst", "best")
    ]
    print_table(("", "value", "at"), cells, numbers=(1,))
    say()
    grid = ", ".join(f"{axis['name']} {axis['points']}" for axis in answer["axes"] if axis["points"] > 1)
    missing = _missing(answer)
    lines = {
        "mean": f"{even['mean']:.5g}",
        "smallest over largest": number(even["ratio"], 4),
        "deviation over mean": number(even["deviation"], 4),
        "points": f"{answer['points']} ({grid})" if grid else "1",
    }
    if answer["left_out"]:
        lines["left out"] = f"{percent(answer['left_out'])} of the region: nearer to a singularity"
    print_list(lines | ({"without a value": missing} if missing else {}))
    for name in answer["files"]:
        say()
        say(f"written to {name}")


def _tidy(pose: dict[str, float]) -> dict[str, float]:
    """A pose without the rounding of its sines."""
    return {name: round(value, 9) + 0.0 for name, value in pose.items()}


def _missing(answer: dict[str, Any]) -> str:
    """Why points have no value, with how many they are."""
    from parapick.capability.reachable import WORDS

    counts = {name: count for name, count in answer["counts"].items() if name != "reachable"}
    return ", ".join(f"{WORDS.get(name, name)} {count}" for name, count in counts.items())
