"""Notices that travel with the player in a report, and the licences that the documentation names."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import metadata, version
from pathlib import Path

import pytest

from parapick.report import notices
from parapick.report.notices import player_notices

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
BUILD_TOOLS = r"@types/|@vanilla-extract/css$|@vitejs/|browserslist$|postcss$|vite-"

pytest.importorskip("viser")


def test_every_package_of_the_player_has_its_notice() -> None:
    import viser

    text = player_notices()
    if not text.startswith("The player"):
        pytest.skip(f"the notices are not those of viser {version('viser')}: run tools/player_notices.py")
    client = Path(viser.__file__).parent / "client"
    wanted = json.loads((client / "package.json").read_text(encoding="utf-8"))["dependencies"]
    installed = json.loads((client / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    inside = [name for name in wanted if not re.match(BUILD_TOOLS, name)]
    assert {"three", "react", "uplot", "zstddec", "@mantine/core"} <= set(inside)
    stated = [f"{name} {installed[f'node_modules/{name}']['version']}" for name in inside]
    assert [one for one in stated if not re.search(rf"(?<![\w/-]){re.escape(one)}(?![\w.])", text)] == []
    for licence in ("Permission is hereby granted, free of charge", "Apache License", "Redistributions in binary form"):
        assert licence in text
    assert "three.js authors" in text


def test_another_version_of_the_player_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "version", lambda _: "99.0")
    assert player_notices().startswith("This page was made with viser 99.0; ")
    assert "three.js authors" in player_notices()


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=\[ ]", one)[0] for one in requirements} - {"parapick"}


def test_the_documentation_names_the_licence_of_every_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    used = names(project["dependencies"])
    for extra in ("plot", "report", "multibody", "data", "mcap", "cluster", "optuna"):
        used |= names(project["optional-dependencies"][extra])
    rows = dict(re.findall(r"^\| ([\w-]+) \| ([^|]+) \|", PAGE.split("## What a report")[0], flags=re.MULTILINE))
    assert set(rows) - {"package", "---"} == used


@pytest.mark.parametrize(
    ("package", "stated"),
    [("casadi", "LGPLv3+"), ("cyclopts", "Apache-2.0"), ("rich", "MIT"), ("viser", "MIT")],
)
def test_the_packages_still_state_the_licences_of_the_documentation(package: str, stated: str) -> None:
    about = metadata(package)
    said = [*(about.get_all("License-Expression") or ()), *(about.get_all("License") or ())]
    assert stated in " ".join(said)


def test_the_readme_names_the_lgpl_of_casadi() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").split("## Licence")[1]
    assert re.search(r"casadi\b[^.]*LGPL-3\.0", readme)
