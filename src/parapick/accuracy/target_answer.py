"""The cheapest tolerances for a target, as parts of the answer on tolerances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, Final

import numpy as np

from parapick.accuracy.error_norms import MOST, NORMS, SIGMA, WORST
from parapick.accuracy.error_target import ROBOTS, ToleranceChoice, Unreachable
from parapick.answer import Column, Requirement, Table, against, amount, pose_text

_ALIKE: Final = 1e-3
"""Share by which amounts that are equal but for their rounding to four digits may differ."""

_SHOWN: Final = 3
_NAMED: Final = 0.01
"""Tolerances that a refusal names at most, those with the largest shares, and the share below which none is named."""


def choice_table(choice: ToleranceChoice) -> Table:
    """Every tolerance, how it comes, and what it costs; the most expensive first, those that were stated last."""
    costs = dict(zip(choice.costs.paths, choice.costs.costs(choice.multiples).tolist(), strict=True))
    total = sum(costs.values())
    rows = []
    for tolerance in sorted(choice.tolerances, key=lambda tolerance: -round(costs.get(tolerance.path, 0.0), 9)):
        cost = costs.get(tolerance.path)
        share = None if cost is None else cost / total
        rows.append((tolerance.path, tolerance.amount, tolerance.unit, _origin(choice, tolerance.path), cost, share))
    heads = (Column("tolerance"), Column("amount"), Column("unit"), Column("is"), Column("cost"))
    columns = (*heads, Column("share of cost", shown="%", decimals=1))
    note = "Cost: price times (ordinary tolerance / this one) to its exponent; ordinary are 0.1 mm and 0.02 deg."
    return Table("chosen", "the cheapest tolerances", columns, tuple(rows), note=note)


def requirements_of(choice: ToleranceChoice) -> tuple[Requirement, ...]:
    """Whether drawn robots keep each target; for the worst case, whether its bound does."""
    worst = choice.target.norm == WORST
    words = NORMS[choice.target.norm]
    return tuple(
        against(
            f"{check.name}, {words}",
            f"{words} of the {check.name} error",
            check.linear if worst else check.drawn,
            at_most=check.target,
            unit=check.unit,
            where=f"at {pose_text(check.pose)}",
        )
        for check in choice.checks
    )


def choice_notes(choice: ToleranceChoice) -> Iterator[str]:
    """How the target was met, what decides, and which tolerances tie."""
    total, usual = choice.costs.costs(choice.multiples).sum(), choice.costs.prices.sum()
    yield f"cost {total:.4g}; the ordinary tolerances of the same numbers cost {usual:.4g}"
    for check in choice.checks:
        limit = amount(check.target, check.unit)
        share = f"{100 * check.within:.2f} % of {ROBOTS} robots drawn at {pose_text(check.pose)} are within {limit}"
        linear = f"to first order its {NORMS[choice.target.norm]} is {amount(check.linear, check.unit)}"
        yield f"{check.name}: {share}; {linear}"
    if (choice.multiples >= choice.costs.coarsest * (1.0 - _ALIKE)).all():
        yield "every tolerance is at its coarsest: the target asks for nothing finer"
    for group in _ties(choice):
        yield f"{joined(group)} tie: equal in effect, price and amount"


def choice_headline(choice: ToleranceChoice) -> str:
    """What the cheapest tolerances cost, and what the error is with them."""
    total, worst = choice.costs.costs(choice.multiples).sum(), choice.target.norm == WORST
    sizes = [(check, check.linear if worst else check.drawn) for check in choice.checks]
    parts = [f"{check.name} {amount(size, check.unit)} of {amount(check.target, check.unit)}" for check, size in sizes]
    return f"The cheapest tolerances cost {total:.4g}: {', '.join(parts)} ({NORMS[choice.target.norm]})."


def checked_errors(errors: Table, choice: ToleranceChoice) -> Table:
    """The table of errors, with what was found of the errors that have a target by the robots that checked it.

    The table draws fewer robots, so that by itself it would show a kept target as just missed, or the reverse.

    Args:
        errors: the table, by fewer robots.
        choice: the choice that was checked.
    """
    method = {MOST: "95 %, Monte Carlo", SIGMA: "Monte Carlo"}.get(choice.target.norm)
    if method is None:
        return errors
    heads = [column.name for column in errors.columns]
    checked = {heads.index(check.name): check.drawn for check in choice.checks}
    rows = tuple(
        tuple(checked.get(i, cell) for i, cell in enumerate(row)) if row[:2] == ("worst pose", method) else row
        for row in errors.rows
    )
    names = joined([check.name for check in choice.checks])
    return replace(errors, rows=rows, note=f"{errors.note} {method}, {names}: by the {ROBOTS} robots of the check.")


def choice_data(choice: ToleranceChoice) -> dict[str, Any]:
    """The choice for programs."""
    costs = choice.costs
    rows = zip(costs.paths, costs.prices, costs.exponents, costs.finest, costs.coarsest, costs.ordinary, strict=True)
    prices = {
        path: {"price": float(p), "exponent": float(k), "finest": float(low * t), "coarsest": float(high * t)}
        for path, p, k, low, high, t in rows
    }
    return {
        "target": asdict(choice.target),
        "cost": float(costs.costs(choice.multiples).sum()),
        "costs": prices,
        "checks": [asdict(check) for check in choice.checks],
        "checked_robots": ROBOTS,
    }


def unreachable_text(missing: Unreachable) -> str:
    """Why no tolerances keep a target: what is left with all at their finest, where, and whose it is."""
    name, limit, unit = missing.target.limits[missing.floor.goal]
    paths = dict(zip(missing.costs.paths, missing.floor.shares.tolist(), strict=True))
    amounts = {tolerance.path: (tolerance.amount, tolerance.unit) for tolerance in missing.tolerances}
    largest = sorted(paths.items(), key=lambda pair: -pair[1])[:_SHOWN]
    parts = [f"{path} at {amount(*amounts[path])} ({100 * share:.0f} %)" for path, share in largest if share > _NAMED]
    stated = 1.0 - sum(paths.values())
    fixed = [tolerance.path for tolerance in missing.tolerances if tolerance.path not in paths and tolerance.amount]
    if fixed and stated > _NAMED:
        parts.insert(0, f"what is stated, {', '.join(fixed)} ({100 * stated:.0f} %)")
    norm = NORMS[missing.target.norm]
    return (
        f"no tolerances within their bounds reach a {name} of {amount(limit, unit)} ({norm}): with every one at its "
        f"finest it is {amount(missing.floor.size, unit)} at {pose_text(missing.pose)}, to first order, by "
        f"{', '.join(parts)}; allow or state finer ones, or calibrate the robot"
    )


def _origin(choice: ToleranceChoice, path: str) -> str:
    if path not in choice.costs.paths:
        return "stated"
    i = choice.costs.paths.index(path)
    if choice.multiples[i] <= choice.costs.finest[i] * (1.0 + _ALIKE):
        return "finest"
    return "coarsest" if choice.multiples[i] >= choice.costs.coarsest[i] * (1.0 - _ALIKE) else "chosen"


def _ties(choice: ToleranceChoice) -> list[list[str]]:
    """Chosen tolerances that are equal because nothing tells them apart."""
    kinds: list[tuple[np.ndarray, list[str]]] = []
    costs = choice.costs
    for i, path in enumerate(costs.paths):
        if _origin(choice, path) != "chosen":
            continue
        key = np.array([choice.multiples[i] * costs.ordinary[i], costs.prices[i], costs.exponents[i]])
        group = next((paths for other, paths in kinds if np.allclose(other, key, rtol=_ALIKE, atol=0.0)), None)
        if group is None:
            kinds.append((key, [path]))
        else:
            group.append(path)
    return [paths for _, paths in kinds if len(paths) > 1]


def joined(names: Sequence[str]) -> str:
    """Names as a list in words.

    Args:
        names: one or more.
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
