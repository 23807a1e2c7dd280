"""Controllers written to files read back as the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from parapick.control import (
    Controller,
    ControllerFileError,
    controller_text,
    list_controllers,
    load_controller,
    machine_controller,
    save_controller,
)


@pytest.mark.parametrize("name", [entry.name for entry in list_controllers()])
def test_every_shipped_controller_comes_back(name: str, tmp_path: Path) -> None:
    controller = load_controller(name)
    assert load_controller(save_controller(controller, tmp_path / "again.toml")) == controller


def test_what_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ControllerFileError, match=r"ends in \.toml"):
        save_controller(machine_controller("pd"), tmp_path / "pd.txt")
    with pytest.raises(ControllerFileError, match="is a Python function"):
        controller_text(Controller(lambda t, measured, reference: reference.x))
