"""A map as an answer: the worst and the best pose, how even the index is, and why points have no value."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from parapick.answer import Answer, Column, Table, lines
from parapick.answer.words import fixed, part_text
from parapick.capability.map import IndexMap
from parapick.capability.map_region import Axis, region_text
from parapick.capability.reachable import WORDS
from parapick.model.model import Model
from parapick.model.naming import about, coordinates, headline


def map_answer(model: Model, found: IndexMap) -> Answer:
    """What is said of a map; refused where no point of it has a value.

    Args:
        model: the robot, with its payload.
        found: the map.
    """
    load = f", carrying {model.payload.mass:g} kg" if model.payload.mass else ""
    margins = f", margins at least {found.margin:g}" if found.margin else ""
    region = region_text(found.lattice.region, model.robot.dof)
    index = f"{found.index.heading(found.options)}; {found.index.better} is better"
    missing = _missing(found)
    known = found.worst is not None
    return Answer(
        key="map",
        title=headline(model, f"over a region{load}{margins}", region, index),
        tables=(_extremes(model, found), lines("evenness", _evenness(found, missing))) if known else (),
        data=_data(model, found),
        refusal="" if known else f"no point of it has a value: {missing}",
    )


def _extremes(model: Model, found: IndexMap) -> Table:
    """The worst and the best pose, in the index's own unit."""
    places = {"worst": found.worst, "best": found.best}
    rows = tuple((name, place.value, *place.pose.values()) for name, place in places.items() if place is not None)
    columns = (Column("extreme"), Column("value", found.index.unit), *coordinates(model.robot))
    return Table("extremes", "", columns, rows)


def _evenness(found: IndexMap, missing: str) -> dict[str, str]:
    """How even the index is, on how many points, and where it has no value, in words."""
    even = found.homogeneity()
    grid = ", ".join(f"{axis.name} {len(axis.values)}" for axis in found.axes if len(axis.values) > 1)
    texts = {
        "mean": f"{even.mean:.5g} {found.index.unit}".rstrip(),
        "smallest over largest": fixed(even.ratio, 4),
        "deviation over mean": fixed(even.deviation, 4),
        "points": f"{found.values.size} ({grid})" if grid else "1",
    }
    if found.left_out:
        texts["left out"] = f"{part_text(found.left_out)} of the region: nearer to a singularity"
    return texts | ({"without a value": missing} if missing else {})


def _missing(found: IndexMap) -> str:
    """Why points have no value, with how many they are."""
    counts = {name: count for name, count in found.counts().items() if name != "reachable"}
    return ", ".join(f"{WORDS.get(name, name)} {count}" for name, count in counts.items())


def _data(model: Model, found: IndexMap) -> dict[str, Any]:
    index = found.index
    title = index.heading(found.options)
    return {
        **about(model),
        "payload": model.payload.mass,
        "index": {"name": index.name, "title": title, "unit": index.unit, "better": index.better},
        "region": asdict(found.lattice.region),
        "axes": [_axis(axis) for axis in found.axes],
        "points": found.values.size,
        "margin": found.margin,
        "share": found.share,
        "left_out": found.left_out,
        "counts": dict(found.counts()),
        "homogeneity": found.homogeneity()._asdict(),
    }


def _axis(axis: Axis) -> dict[str, Any]:
    ends = {"low": float(axis.values[0]), "high": float(axis.values[-1])}
    return {"name": axis.name, "unit": axis.unit, **ends, "points": len(axis.values)}
