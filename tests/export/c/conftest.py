"""Exports that many tests look at, written once, and one that is compiled once."""

from __future__ import annotations

import pytest

import parapick as pp
from parapick.export import ExportedC
from supervisors_in_c import Library, exact_machine, supervisor_library


@pytest.fixture(scope="session")
def supervised() -> ExportedC:
    """Everything that there is of a robot."""
    return pp.export_c("par4", "tsid")


@pytest.fixture(scope="session")
def par4(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A law with its supervisor, compiled."""
    return supervisor_library(pp.load("par4"), exact_machine(), tmp_path_factory.mktemp("par4"))
