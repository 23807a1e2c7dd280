"""A map as an answer: the worst and the best pose, how even the index is, and why points have no value."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from parapick.answer import Answer, Column, Table, amount, fixed, lines, part_text, pose_text
from parapick.capability.map import IndexMap
from parapick.capability.map_region import Axis, region_text
from parapick.capability.reachable import WORDS
from parapick.inspection import (
    about,
    coordinates,
    load_lines,
    sharing_words,
    subject,
)
from parapick.model import Model
from parapick.ride import limits_jerk

_OF_TORQUES: Final = ("acceleration", "cycle-time", "force", "payload", "torque", "yaw-acceleration")
"""How the names of indices begin that rest on what motors give."""

JERK_LEFT_OUT: Final = "jerk has no part in what is possible at a state: the joint jerk of the file does not count here"
"""What is said where a file limits what an index does not look at."""


def map_answer(model: Model, mapped: IndexMap) -> Answer:
    """What is said of a map; refused where no point of it has a value.

    Args:
        model: the robot, with its payload.
    """
    margins = f", margins at least {mapped.margin:g}" if mapped.margin else ""
    region = region_text(mapped.lattice.region, model.robot.dof)
    index = f"{mapped.index.heading(mapped.options)}; {mapped.index.better} is better"
    missing = _missing(mapped)
    known = mapped.worst is not None
    return Answer(
        key="map",
        title=subject(model, f"over a region{margins}", region, *load_lines(model.loads), index),
        tables=(_extremes(model, mapped), lines("evenness", _evenness(mapped, missing))) if known else (),
        notes=tuple(filter(None, [_sharing(model, mapped), _jerk(model, mapped)])),
        data=_data(model, mapped),
        refusal="" if known else f"no point of it has a value: {missing}",
        headline=_headline(model, mapped),
    )


def _headline(model: Model, mapped: IndexMap) -> str:
    """The worst value of the index, where that is, and the best; empty where no point has one."""
    if mapped.worst is None or mapped.best is None:
        return ""
    unit, where = mapped.index.unit, pose_text(list(mapped.worst.pose.values()))
    worst, best = (amount(place.value, unit) for place in (mapped.worst, mapped.best))
    return f"The {mapped.index.name} of {model.robot.name} is {worst} at worst, at {where}, and {best} at best."


def _sharing(model: Model, mapped: IndexMap) -> str:
    """How the motors share, where the index rests on their torques and there is something to share."""
    return sharing_words(model) if mapped.index.name.startswith(_OF_TORQUES) else ""


def _jerk(model: Model, mapped: IndexMap) -> str:
    """That jerk does not count, where the index rests on what motors give and the file limits it."""
    return JERK_LEFT_OUT if limits_jerk(model) and mapped.index.name.startswith(_OF_TORQUES) else ""


def _extremes(model: Model, mapped: IndexMap) -> Table:
    """The worst and the best pose, in the index's own unit."""
    places = {"worst": mapped.worst, "best": mapped.best}
    rows = tuple((name, place.value, *place.pose.values()) for name, place in places.items() if place is not None)
    columns = (Column("extreme"), Column("value", mapped.index.unit), *coordinates(model.robot))
    return Table("extremes", "", columns, rows)


def _evenness(mapped: IndexMap, missing: str) -> dict[str, str]:
    """How even the index is, on how many points, and where it has no value, in words."""
    even = mapped.homogeneity()
    grid = ", ".join(f"{axis.name} {len(axis.values)}" for axis in mapped.axes if len(axis.values) > 1)
    texts = {
        "mean": f"{even.mean:.5g} {mapped.index.unit}".rstrip(),
        "smallest over largest": fixed(even.ratio, 4),
        "deviation over mean": fixed(even.deviation, 4),
        "points": f"{mapped.values.size} ({grid})" if grid else "1",
    }
    if mapped.left_out:
        texts["left out"] = f"{part_text(mapped.left_out)} of the region: nearer to a singularity"
    return texts | ({"without a value": missing} if missing else {})


def _missing(mapped: IndexMap) -> str:
    """Why points have no value, with how many they are."""
    counts = {name: count for name, count in mapped.counts().items() if name != "reachable"}
    return ", ".join(f"{WORDS.get(name, name)} {count}" for name, count in counts.items())


def _data(model: Model, mapped: IndexMap) -> dict[str, Any]:
    index = mapped.index
    title = index.heading(mapped.options)
    return {
        **about(model),
        **model.loads._asdict(),
        "sharing": model.judged_sharing,
        "index": {"name": index.name, "title": title, "unit": index.unit, "better": index.better},
        "region": asdict(mapped.lattice.region),
        "axes": [_axis(axis) for axis in mapped.axes],
        "points": mapped.values.size,
        "margin": mapped.margin,
        "share": mapped.share,
        "left_out": mapped.left_out,
        "counts": dict(mapped.counts()),
        "homogeneity": mapped.homogeneity()._asdict(),
    }


def _axis(axis: Axis) -> dict[str, Any]:
    ends = {"low": float(axis.values[0]), "high": float(axis.values[-1])}
    return {"name": axis.name, "unit": axis.unit, **ends, "points": len(axis.values)}
