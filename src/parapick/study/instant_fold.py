"""Designs along a task under the limits of an instant that their file states: the largest share of each.

The limits are those of `formulas.INSTANT`, from the kernel that every ride asks.
"""

from __future__ import annotations

from functools import reduce

import casadi as ca
import numpy as np

from parapick.formulas import (
    INSTANT,
    LIMIT,
    Expression,
    expression_of,
    gripper_column,
    held_together,
    instant_kinds,
    sharing_kernel,
)
from parapick.kernel import Reads, Recipe, Scan, build_scan, known_scan_by_reads
from parapick.mechanism import Robot
from parapick.parameters import structure, symbols_of
from parapick.study.motion_fold import FOLD_ROOMS, TaskSeries, sample_place


def instant_titles(robot: Robot) -> tuple[str, ...]:
    """Names that `evaluate` has for the limits of an instant that a robot's file states."""
    return tuple(kind.title for kind in instant_kinds(robot))


INSTANT_TITLES = tuple(kind.title for kind in INSTANT)
"""Names that `evaluate` has for all of them."""


def instant_fold(robot: Robot, series: TaskSeries, rule: str, numbers: np.ndarray) -> dict[str, np.ndarray]:
    """Largest share of every limit of an instant along a task by its name, for each design (m,); NaN without one.

    Args:
        robot: the robot, for its structure.
        series: the samples of the task.
        rule: how a redundant robot's motors share.
        numbers: numbers of the robot, one row per design (m, all).
    """
    titles = instant_titles(robot)
    scan = _instant_scan(structure(robot), rule, series.placed)
    state = scan.final(np.zeros(len(titles)), *series.instant, numbers)
    return {title: state[..., i] for i, title in enumerate(titles)}


def instant_expression(robot: Robot, rule: str, *, placed: bool) -> Expression:
    """Shares of the limits of an instant at a sample of a task, by the names that `evaluate` has for them.

    Args:
        robot: with symbols in its fields.
        rule: how a redundant robot's motors share.
        placed: whether samples are counted from the middle of the workspace.
    """
    whole = expression_of(sharing_kernel(robot, "instant_limits", rule), robot)
    x, load = whole.inputs["x"], whole.inputs["payload"]
    there = [sample_place(robot, x, placed=placed), held_together(gripper_column(robot), load)]
    shares = {
        kind.title: whole.outputs[kind.key] / whole.outputs[f"{kind.key}{LIMIT}"] for kind in instant_kinds(robot)
    }
    *values, validity = ca.substitute([*shares.values(), whole.validity], [x, load], there)
    return Expression(whole.inputs, dict(zip(shares, values, strict=True)), validity)


def _instant_scan(key: Robot, rule: str, placed: bool) -> Scan:
    def make(reads: Reads) -> Scan:
        numbers, robot = symbols_of(key, reads)
        sample = instant_expression(robot, rule, placed=placed)
        state = ca.SX.sym("state", len(sample.outputs))
        largest = [
            reduce(ca.fmax, [state[i], *ca.vertsplit(shares)]) for i, shares in enumerate(sample.outputs.values())
        ]
        after = ca.vertcat(*largest)
        return build_scan("study_instant", state, sample.inputs, numbers, after, {}, validity=sample.validity)

    return known_scan_by_reads(Recipe(FOLD_ROOMS, f"study_instant {rule} {placed}", key), make)
