"""One export of a robot for all tests of it: its C takes a second."""

from __future__ import annotations

import pytest

import parapick as pp
from parapick.export import ExportedController, export_linuxcnc


@pytest.fixture(scope="session")
def exported() -> ExportedController:
    """Par4 with a task that carries something."""
    return export_linuxcnc(pp.load("par4"), pp.load_task("pick-and-place"))
