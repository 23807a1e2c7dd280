"""A map as a table: one row a point, for CSV and Parquet files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from parapick.capability import MAP_REASONS, IndexMap
from parapick.columns import csv_text
from parapick.parquet import write_table


def map_columns(index_map: IndexMap) -> Mapping[str, np.ndarray]:
    """Columns of a map, each (N,), in the order of the arrays: pose (m, rad), value, why there is none, and `share`.

    The value's column has the name of the index; it is NaN, and `reason` says why, where there is none. The share is
    that of the region the point stands for, to average with: points of a cylinder crowd at its axis.
    """
    poses = index_map.lattice.poses().reshape(-1, len(index_map.task_names))
    columns = {name: poses[:, i] for i, name in enumerate(index_map.task_names)}
    reasons = np.array(MAP_REASONS)[index_map.reason.ravel()]
    shares = index_map.lattice.weights().ravel()
    return {**columns, index_map.index.name: index_map.values.ravel(), "share": shares, "reason": reasons}


def map_facts(index_map: IndexMap) -> Mapping[str, str]:
    """What a table of the map is about: robot, index, title, unit, whether high or low is better, smallest margin."""
    index = index_map.index
    title = index.heading(index_map.options)
    facts = {"robot": index_map.robot, "index": index.name, "title": title, "unit": index.unit, "better": index.better}
    return {**facts, "margin": f"{index_map.margin:g}"}


def map_csv(index_map: IndexMap) -> str:
    """A map as CSV text, in SI units: a header, and one line a point. A value that is missing is empty."""
    columns = map_columns(index_map)
    return csv_text(list(columns), *columns.values(), missing="")


def write_map_parquet(index_map: IndexMap, path: str | Path) -> Path:
    """Write a map to a Parquet file, whole or not at all; missing values are null, facts are its metadata.

    Args:
        path: the file.

    Raises:
        ParapickError: it cannot be written, or duckdb is not installed.
    """
    return write_table(map_columns(index_map), map_facts(index_map), path)
