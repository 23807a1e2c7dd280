"""Closed loops with all their settings in one line, wherever each of them belongs."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from parapick.control import Controller, PlantChanges
from parapick.model import Model
from parapick.motion import Motion
from parapick.simulation import Disturbance, Record, simulate

CONTROLLER = {field.name for field in fields(Controller)} - {"law", "plant"}
PLANT = {field.name for field in fields(PlantChanges)} - {"parameters", "factors", "rods", "payload"}
DISTURBANCE = {field.name for field in fields(Disturbance)}


def looped(model: Model, motion: Motion, law: Any, **settings: Any) -> Record:
    """`simulate` with fields of `Controller`, `PlantChanges` and `Disturbance` as keywords beside its own."""

    def taken(names: set[str]) -> dict[str, Any]:
        return {name: settings.pop(name) for name in names & settings.keys()}

    controller = Controller(law, **taken(CONTROLLER), plant=PlantChanges(**taken(PLANT)))
    return simulate(model, motion, controller, disturbance=Disturbance(**taken(DISTURBANCE)), **settings)
