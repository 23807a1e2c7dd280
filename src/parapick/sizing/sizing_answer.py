"""What a sizing found, as an answer: the best pairs, every rejected one, the fastest cycle of the best."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from parapick.answer import Answer, Cell, Column, Table, amount, percent
from parapick.sizing.ranking import ASKED_MAX
from parapick.study import USE

if TYPE_CHECKING:
    from parapick.evaluation import Pace
    from parapick.sizing.ranked_pairs import RankedPairs
    from parapick.sizing.sized_pair import SizedPair

PRINTED: Final = 15
"""Rows of the rejected pairs on the terminal."""

_USES: Final = {
    "torque_use": "motor torque, peak",
    "heat_use": "motor torque, RMS",
    "speed_use": "motor speed",
    "gearbox_use": "gearbox torque, peak",
    "gearbox_mean_use": "gearbox torque, mean",
    "curve_use": "motor torque at speed",
}
"""Columns of shares of limits, and the requirement of `evaluate` that each is the use of."""


def sizing_answer(sizing: RankedPairs) -> Answer:
    """What a sizing found.

    Args:
        sizing: the pairs and what is held against them.
    """
    tables = [_best(sizing)] if sizing.best else []
    return Answer(
        key="size",
        title=f"{sizing.task.robot.name}: {sizing.title}\ncatalogue {sizing.catalogue.folder}, ranked by {sizing.by}",
        findings=sizing.best[0].run.requirements if sizing.best else (),
        tables=(*tables, _rejected(sizing)),
        summary=dict(_summary(sizing)),
        notes=tuple(_notes(sizing)),
        data=_data(sizing),
        refusal="" if sizing.best else _refusal(sizing),
        headline=_headline(sizing),
    )


def _best(sizing: RankedPairs) -> Table:
    currency = sizing.catalogue.currency
    columns = (
        Column("motor"),
        Column("gearbox"),
        Column("ratio"),
        Column("energy", "J"),
        *(Column(name, "", "%", 1) for name in ("use", *_USES)),
        Column("inertia_ratio"),
        Column("winding", "degC"),
        Column("power", "W"),
        Column("mass", "kg"),
        Column("price"),
        *([Column("cycles_per_minute")] if sizing.by == "pace" else []),
    )
    note = "all arms together: mass and price" + (f" in {currency}" if currency else "")
    return Table("best", "pairs that do it, the best first", columns, tuple(_row(sizing, p) for p in sizing.best), note)


def _row(sizing: RankedPairs, pair: SizedPair) -> tuple[Cell, ...]:
    place, arms = sizing.rows.pairs.index(pair.pair), sizing.task.robot.arms
    uses = [_use(pair, title) for title in _USES.values()]
    shares = [requirement.use for requirement in pair.run.load_requirements]
    mass, price = pair.pair.mass, pair.pair.price
    row: list[Cell] = [
        pair.pair.motor.name,
        pair.pair.gearbox.name,
        pair.ratio,
        float(sizing.rows.columns["energy"][place]),
        max((share for share in shares if share is not None), default=None),
        *uses,
        pair.inertia_ratio if math.isfinite(pair.inertia_ratio) else None,
        pair.winding,
        pair.bus_power,
        None if mass is None else arms * mass,
        None if price is None else arms * price,
    ]
    return (*row, *([None if pair.pace is None else pair.pace.per_minute] if sizing.by == "pace" else []))


def _use(pair: SizedPair, title: str) -> float | None:
    """The share of a limit that a pair takes by `evaluate`; None where it states none."""
    for requirement in pair.run.load_requirements:
        if requirement.name == title and requirement.limit is not None and math.isfinite(requirement.limit):
            return requirement.use
    return None


def _rejected(sizing: RankedPairs) -> Table:
    """Every pair that does not do it, with the requirement that rejects it, those that lack least first."""
    rows, use = [], sizing.rows.columns[USE]
    for place, pair in enumerate(sizing.rows.pairs):
        word, text = sizing.judged.fault(place)
        if word:
            share = float(use[place])
            rows.append((pair.motor.name, pair.gearbox.name, word, share if math.isfinite(share) else None, text))
    rows.sort(key=lambda row: math.inf if row[3] is None else row[3])
    columns = (Column("motor"), Column("gearbox"), Column("requirement"), Column("use", "", "%", 1), Column("why"))
    return Table("rejected", "pairs that do not do it, the nearest first", columns, tuple(rows), printed=PRINTED)


def _counts(sizing: RankedPairs) -> tuple[int, Counter[str], int]:
    """How many pairs do it, how many each requirement rejects, and how many nobody was asked about."""
    places = range(len(sizing.rows.pairs))
    rejected = Counter(word for place in places if (word := sizing.judged.fault(place)[0]))
    unasked = sum(sizing.judged.is_open(place) for place in places)
    return len(sizing.rows.pairs) - rejected.total() - unasked, rejected, unasked


def _headline(sizing: RankedPairs) -> str:
    count = len(sizing.rows.pairs)
    if not sizing.best:
        return f"NO: {_refusal(sizing)}"
    first, (kept, _, _) = sizing.best[0], _counts(sizing)
    return f"YES: {kept} of {count} pairs do it; the best by {sizing.by} is {first.pair.name}, {_value(sizing, first)}"


def _value(sizing: RankedPairs, first: SizedPair) -> str:
    """What the best pair has of that by which it is the best."""
    if sizing.by == "pace":
        return _pace_words(first.pace)
    if sizing.by in ("cost", "mass"):
        cost = sizing.by == "cost"
        total = _total(sizing, first.pair.price if cost else first.pair.mass)
        return f"{total} {sizing.catalogue.currency if cost else 'kg'}".strip()
    place = sizing.rows.pairs.index(first.pair)
    if sizing.by == "energy":
        return amount(float(sizing.rows.columns["energy"][place]), "J")
    return f"{percent(1.0 - float(sizing.rows.columns[USE][place]))} of its limits left"


def _total(sizing: RankedPairs, value: float | None) -> str:
    return "not stated" if value is None else f"{sizing.task.robot.arms * value:.4g}"


def _refusal(sizing: RankedPairs) -> str:
    count, place = len(sizing.rows.pairs), sizing.nearest
    if place is None:
        (word, text), *_ = [fault for fault in sizing.rows.faults if fault[0]] or [("", "")]
        return f"none of {count} pairs does {sizing.task.name}, whatever its drives: {word}, {text}"
    _, text = sizing.judged.fault(place)
    return f"none of {count} pairs does {sizing.task.name}; the nearest is {sizing.rows.pairs[place].name}: {text}"


def _summary(sizing: RankedPairs) -> Iterator[tuple[str, str]]:
    kept, rejected, unasked = _counts(sizing)
    words = [f"{kept} do it", *(f"{word} rejects {count}" for word, count in rejected.most_common())]
    yield "pairs", f"{len(sizing.rows.pairs)}: {', '.join(words)}" + (f", {unasked} not asked about" if unasked else "")
    if sizing.best:
        paces = sizing.best[0].context.paces
        for name, pace in (("own fastest by its law", paces.own_law), ("own fastest by its drives", paces.timed)):
            if pace is not None:
                yield name, _pace_words(pace)


def _pace_words(pace: Pace | None) -> str:
    """A pace in words, with what decides it."""
    if pace is None:
        return "nothing limits its pace"
    rate = pace.per_minute
    count = f"{rate:.4g} cycles per minute" if rate is not None else amount(pace.motion.duration, "s")
    return f"{count}{f', held by {pace.decides.name}' if pace.decides is not None else ''}"


def _notes(sizing: RankedPairs) -> Iterator[str]:
    robot = sizing.task.robot
    yield "all arms have the same pair; motors and gearboxes stand on the base, so their masses move nothing"
    motors = {pair.motor.name: pair.motor for pair in sizing.rows.pairs}.values()
    unrated = [part.name for part in motors if "rated_torque" not in part.numbers and "continuous" not in part.curves]
    if unrated:
        yield f"no continuous torque is stated of {_listed(unrated)}: nobody says whether they get too hot"
    fast = [part.name for part in motors if "peak_speed" not in part.numbers and "peak" not in part.curves]
    if fast:
        yield f"no peak speed is stated of {_listed(fast)}: nothing bounds their speed"
    if sizing.by in ("cost", "mass"):
        word = "price" if sizing.by == "cost" else "mass"
        lacking = sum(getattr(pair, word) is None for pair in sizing.rows.pairs)
        if lacking:
            yield f"{lacking} pairs state no {word} and come behind the others"
    if robot.plate.drive is not None:
        yield "the motors of the plate are those of the robot's file"
    if _counts(sizing)[2]:
        yield f"{ASKED_MAX} pairs next to a limit were asked about; more stand behind the best and are not decided"
    examples = [part.name for part in motors if part.source.startswith("example")]
    if examples:
        yield f"examples, which nobody sells: {_listed(examples)}"


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"


def _data(sizing: RankedPairs) -> dict[str, Any]:
    kept, rejected, unasked = _counts(sizing)
    first = sizing.best[0] if sizing.best else None
    place = sizing.nearest
    return {
        "robot": sizing.task.robot.name,
        "task": sizing.task.name,
        "catalogue": sizing.catalogue.folder,
        "by": sizing.by,
        "pairs": len(sizing.rows.pairs),
        "kept": kept,
        "undecided": unasked,
        "rejected": dict(rejected),
        "motor": None if first is None else first.pair.motor.name,
        "gearbox": None if first is None else first.pair.gearbox.name,
        "nearest": None if place is None else sizing.rows.pairs[place].name,
    }
