"""A map as a table: one row a point, for CSV and Parquet files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from parapick.capability.map import MAP_REASONS, IndexMap
from parapick.parquet import write_table


def map_columns(found: IndexMap) -> Mapping[str, np.ndarray]:
    """Columns of a map, each (N,), in the order of the arrays: pose (m, rad), value, why there is none, and `share`.

    The value's column has the name of the index; it is NaN, and `reason` says why, where there is none. The share is
    that of the region the point stands for, to average with: points of a cylinder crowd at its axis.

    Args:
        found: the map.
    """
    poses = found.lattice.poses().reshape(-1, len(found.task_names))
    columns = {name: poses[:, i] for i, name in enumerate(found.task_names)}
    reasons = np.array(MAP_REASONS)[found.reason.ravel()]
    shares = found.lattice.weights().ravel()
    return {**columns, found.index.name: found.values.ravel(), "share": shares, "reason": reasons}


def map_facts(found: IndexMap) -> Mapping[str, str]:
    """What a table of the map is about: robot, index, title, unit, whether high or low is better, smallest margin.

    Args:
        found: the map.
    """
    index = found.index
    title = index.heading(found.options)
    facts = {"robot": found.robot, "index": index.name, "title": title, "unit": index.unit, "better": index.better}
    return {**facts, "margin": f"{found.margin:g}"}


def map_csv(found: IndexMap) -> str:
    """A map as CSV text, in SI units: a header, and one line a point. A value that is missing is empty.

    Args:
        found: the map.
    """
    columns = map_columns(found)
    text = io.StringIO()
    text.write(",".join(columns) + "\n")
    for *numbers, reason in zip(*columns.values(), strict=True):
        # repr of a float reads back as the very same number.
        text.write(",".join("" if np.isnan(value) else repr(float(value)) for value in numbers) + f",{reason}\n")
    return text.getvalue()


def write_map_parquet(found: IndexMap, path: str | Path) -> Path:
    """Write a map to a Parquet file, whole or not at all; missing values are null, facts are its metadata.

    Args:
        found: the map.
        path: the file.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    return write_table(map_columns(found), map_facts(found), path)
