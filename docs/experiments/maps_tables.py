"""The tables of docs/maps.md that documents give rise to; `python docs/experiments/maps_tables.py` prints them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from evenness import COMPARED, evenness
from parapick.capability import INDICES, Homogeneity, IndexOptions
from parapick.papers.corbel2010.tables import PRINTED, SETTINGS, acceleration_tables
from parapick.papers.nabat2005.alternatives import JointLife, YawCompared, joint_lives, yaw_compared


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown.

    Args:
        heads: heads of the columns.
        rows: the cells of each row.
    """
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows))


def gains_table() -> str:
    """corbel2010, Tables III to V: the print and the three settings side by side."""
    columns = [PRINTED, *map(acceleration_tables, SETTINGS)]
    rows = []
    for title, name, digits in (("III (%)", "min_max", 1), ("IV (%)", "max", 1), ("V", "ratio", 2)):
        for robots in getattr(PRINTED, name):
            ranges = [getattr(column, name)[robots] for column in columns]
            rows.append((title, robots, *(f"{low:.{digits}f} to {high:.{digits}f}" for low, high in ranges)))
    return markdown(("table", "robots", "printed", *SETTINGS), rows)


def evenness_table(compared: Mapping[str, Mapping[str, Homogeneity]]) -> str:
    """How even each index is, by robot.

    Args:
        compared: what `evenness` gives.
    """
    rows = []
    for index in COMPARED:
        entry = INDICES[index]
        title = entry.heading(IndexOptions()) + (f" ({entry.unit})" if entry.unit else "")
        for robot, values in compared.items():
            even = values[index]
            ends = (f"{even.minimum:.3g}", f"{even.maximum:.3g}")
            rows.append((title, robot, *ends, f"{even.ratio:.2f}", f"{even.deviation:.3f}"))
    return markdown(("index", "robot", "smallest", "largest", "smallest / largest", "deviation / mean"), rows)


def lives_table(lives: Mapping[str, Sequence[JointLife]]) -> str:
    """The joint that bears most of every robot.

    Args:
        lives: what `joint_lives` gives.
    """
    heads = ("robot", "joint", "across it, N", "moment, N m", "on balls, N", "travel a cycle", "nominal life, h")
    hardest = {robot: max(joints, key=lambda joint: joint.pressure) for robot, joints in lives.items() if joints}
    return markdown(heads, [_life_row(robot, joint) for robot, joint in hardest.items()])


def _life_row(robot: str, joint: JointLife) -> tuple[str, ...]:
    slides = joint.kind == "slide"
    travel = f"{1e3 * joint.travel:.4g} mm" if slides else f"{math.degrees(joint.travel):.4g} deg"
    loads = (f"{joint.lateral:.3g}", f"{joint.moment:.3g}", f"{joint.pressure:.4g}")
    return robot, joint.joint, *loads, travel, _two_digits(joint.hours)


def _two_digits(hours: float) -> str:
    """Hours to two digits: nominal lives have no more."""
    return "no end" if math.isinf(hours) else f"{int(float(f'{hours:.1e}')):,}"


def yaw_table(compared: Mapping[str, YawCompared]) -> str:
    """Stiffness of the tools in yaw (N m/rad).

    Args:
        compared: what `yaw_compared` gives.
    """
    rows = [
        (robot, f"{values.axis:.3g}", f"{values.smallest:.3g}", f"{values.largest:.3g}")
        for robot, values in compared.items()
    ]
    return markdown(("robot", "on the axis, at least", "anywhere, at least", "at most"), rows)


def main() -> None:
    """Print the tables in the order of the page."""
    tables = (gains_table(), evenness_table(evenness()), lives_table(joint_lives()), yaw_table(yaw_compared()))
    print("\n\n".join(tables))


if __name__ == "__main__":
    main()
