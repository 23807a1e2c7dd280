"""The plates as bodies and joints, one file a kind; the file of a kind is found by its name."""

from __future__ import annotations

from importlib import import_module

from parapick.multibody.plates.sheet import Built, Elbow, Sheet

__all__ = ["Built", "Elbow", "Sheet", "add_plate"]


def add_plate(sheet: Sheet) -> Built:
    """Add the plate of a robot.

    Args:
        sheet: where to write.
    """
    plate = sheet.robot.plate
    return import_module(f"parapick.multibody.plates.{plate.kind}").build(sheet, plate)
