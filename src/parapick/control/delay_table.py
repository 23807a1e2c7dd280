"""The delay ledger as a table of an answer, the same in every room that shows a loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from parapick.answer import Cell, Column, Table
from parapick.control.controller import Controller
from parapick.control.delays import ACTS, EXACT, DelayLedger, ledger_of

_NOTE: Final = (
    "of slow signals; in the loop each counts as what it is, in simulations and linear loops alike, and a delay margin "
    "is what may be added to the sum of torques"
)


def delays_table(controllers: Mapping[str, Controller], head: str = "controller") -> Table:
    """Every delay of controllers, and their sums; controllers that are equally late share their rows.

    Args:
        controllers: controllers by name.
        head: what the names are.
    """
    columns = (
        Column(head),
        Column("delay"),
        Column("time", "s", shown="ms", decimals=4),
        Column("from"),
        Column("acts on"),
        Column("in margins"),
    )
    shared: dict[tuple[tuple[Cell, ...], ...], list[str]] = {}
    for name, controller in controllers.items():
        shared.setdefault(tuple(_rows(ledger_of(controller))), []).append(name)
    rows = [(", ".join(names), *row) for listed, names in shared.items() for row in listed]
    return Table("ledger", "delay ledger: from the encoder to the torque", columns, tuple(rows), _NOTE)


def _rows(ledger: DelayLedger) -> Iterator[tuple[Cell, ...]]:
    for delay in ledger.delays:
        counted = "yes" if delay.analysed == EXACT else "no"
        yield delay.name, delay.time, delay.field, ACTS[delay.path], counted
    yield "sum of torques", ledger.torque, None, ACTS["torque"], "yes"
    if ledger.speed > ledger.torque:
        yield "sum of speeds", ledger.speed, None, ACTS["speed"], "yes"


def delays_data(controllers: Mapping[str, Controller]) -> dict[str, dict[str, Any]]:
    """The ledgers of controllers by name, for programs.

    Args:
        controllers: controllers by name.
    """
    return {name: ledger_of(controller).data() for name, controller in controllers.items()}
