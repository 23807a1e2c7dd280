"""Where Chromium is missing: what the tests and the tool that installs it say."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

from browser.watched import program

TOOL = Path(__file__).parents[2] / "tools" / "chromium.py"

APT = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *install*) printf '#!/bin/sh\\n' > {folder}/chromium; chmod +x {folder}/chromium;; esac
"""


@pytest.fixture
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("chromium_tool", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole path: no Chromium, and apt-get only where a test puts it there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def apt_in(folder: Path) -> Path:
    """An apt-get that writes down what it is asked for and installs a Chromium."""
    log = folder.parent / "asked"
    apt = folder / "apt-get"
    apt.write_text(
        APT.format(log=log, folder=folder).replace("printf", "/usr/bin/printf").replace("chmod", "/bin/chmod")
    )
    apt.chmod(0o755)
    return log


def test_the_superuser_gets_it_installed(tool: ModuleType, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = apt_in(programs)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert tool.main() == 0
    assert log.read_text().splitlines() == ["-qq update", "-qq install -y chromium"]
    assert tool.main() == 0
    assert len(log.read_text().splitlines()) == 2, "nothing is installed twice"


@pytest.mark.parametrize(("user", "apt"), [(1000, True), (0, False)])
def test_otherwise_the_package_is_named(
    tool: ModuleType,
    programs: Path,
    user: int,
    apt: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if apt:
        apt_in(programs)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert tool.main() == 1
    assert "package chromium" in capsys.readouterr().err


@pytest.mark.parametrize(("ci", "outcome"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)])
def test_without_it_tests_are_skipped_but_never_on_ci(
    programs: Path, ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="package chromium"):
        program()
