"""What holds the project together beside its code: workflows, hooks, groups of requirements, versions."""

from __future__ import annotations

import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest

import parapick

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = runpy.run_path(str(ROOT / "tools" / "groups.py"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def commands(path: Path) -> list[str]:
    """Lines that a workflow runs."""
    return re.findall(r"^ +(?:- )?run: (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_workflows_run_what_the_makefile_has() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), flags=re.MULTILINE))
    ran = {
        word
        for path in WORKFLOWS
        for command in commands(path)
        if command.startswith("make ")
        for word in shlex.split(command)[1:]
        if "=" not in word
    }
    assert {"lint", "types", "layers", "unit", "docs", "package"} <= ran <= targets


def test_workflows_run_tools_that_are_there() -> None:
    scripts = [word for path in WORKFLOWS for line in commands(path) for word in line.split() if word.endswith(".py")]
    assert scripts
    assert [script for script in scripts if not (ROOT / script).is_file()] == []


def test_tests_run_with_every_python_that_is_claimed() -> None:
    claimed = [re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", name) for name in classifiers()]
    versions = [match[1] for match in claimed if match]
    matrix = re.search(r"python: \[(.+)\]", text_of(".github/workflows/checks.yml"))
    assert matrix is not None
    assert re.findall(r"3\.\d+", matrix[1]) == versions
    assert PROJECT["project"]["requires-python"] == f">={versions[0]}"


def classifiers() -> list[str]:
    return PROJECT["project"]["classifiers"]


def test_hooks_are_tools_of_the_environment() -> None:
    entries = re.findall(r"entry: \.venv/bin/([\w-]+)", text_of(".pre-commit-config.yaml"))
    assert len(entries) == text_of(".pre-commit-config.yaml").count("- id: ")
    packages = {"lint-imports": "import-linter"}
    asked = [GROUPS["requirements"](PROJECT["dependency-groups"], name) for name in ("dev", "project")]
    known = {re.split(r"[\[>=]", line)[0] for lines in asked for line in lines}
    assert {packages.get(entry, entry) for entry in entries} <= known


def test_groups_include_others_and_name_each_requirement_once() -> None:
    groups = {"test": ["pytest>=8", "numpy"], "dev": [{"include-group": "test"}, "ruff", "pytest>=8"]}
    assert GROUPS["requirements"](groups, "dev") == ["pytest>=8", "numpy", "ruff"]


def test_groups_that_cannot_be_are_refused() -> None:
    with pytest.raises(SystemExit, match="there is no group docs; there are dev"):
        GROUPS["requirements"]({"dev": []}, "docs")
    tied = {"a": [{"include-group": "b"}], "b": [{"include-group": "a"}]}
    with pytest.raises(SystemExit, match="a -> b -> a"):
        GROUPS["requirements"](tied, "a")


def test_groups_are_written_one_requirement_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert GROUPS["main"](["docs", "dev"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(set(lines))
    assert {"pytest>=8", "sphinx>=9"} <= set(lines)


def test_the_citation_names_this_version() -> None:
    assert re.findall(r"^version: (.+)$", text_of("CITATION.cff"), flags=re.MULTILINE) == [parapick.__version__]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "CODE_OF_CONDUCT.md"])
def test_pages_beside_the_documentation_name_files_and_targets_that_are_there(page: str) -> None:
    text = text_of(page)
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), flags=re.MULTILINE))
    assert set(re.findall(r"`make ([a-z]+)", text)) <= targets
    linked = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if not target.startswith("http")]
    assert [target for target in linked if not (ROOT / target).exists()] == []
