"""What holds for the project as a whole: a light import, documented public names, tidy files."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parapick
from parapick.fields import doc_of
from parapick.papers import DOCUMENTS

ROOT = Path(__file__).parents[1]
HEAVY = ("casadi", "llvmlite", "matplotlib", "mujoco", "pydantic", "scipy")

# CPU time that `import parapick` may add to a program that has numpy already (s).
IMPORT_CPU_MAX = 0.1
# One concept a file is about 150 lines. Above the first number a file is reported, above the second it fails.
LINES_REPORTED = 350
LINES_MAX = 400
# What a robot computes, a short method each: a list that is long because it is complete.
LISTS = {"src/parapick/model/model.py": 450}

LOADED = "sorted(name for name, module in sys.modules.items() if type(module) is type(sys))"
"""Names of the modules of a program that are loaded; one that is only deferred is not."""

ROOMS = tuple(module.name for module in pkgutil.iter_modules(parapick.__path__) if not module.name.startswith("_"))


def run_python(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


# Import


def test_import_loads_no_heavy_library() -> None:
    code = f"import json, sys, parapick; print(json.dumps({LOADED}))"
    loaded = set(json.loads(run_python(code)))
    assert "parapick.deferred" in loaded
    assert not loaded & {*HEAVY, "numpy", "rich"}


def test_import_is_quick() -> None:
    code = "import time, numpy; t = time.process_time(); import parapick; print(time.process_time() - t)"
    assert min(float(run_python(code)) for _ in range(3)) < IMPORT_CPU_MAX


def test_help_loads_no_heavy_library() -> None:
    code = """
import contextlib, io, json, sys
sys.argv = ["parapick", "--help"]
from parapick.cli import main
text = io.StringIO()
with contextlib.redirect_stdout(text):
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
print(json.dumps([text.getvalue(), code or 0, LOADED]))
""".replace("LOADED", LOADED)
    text, exit_code, loaded = json.loads(run_python(code).splitlines()[-1])
    assert exit_code == 0
    assert all(command in text for command in ("robots", "show", "check", "pose"))
    assert not set(loaded) & set(HEAVY)


def test_dir_lists_lazy_names() -> None:
    assert set(parapick.__all__) <= set(dir(parapick))


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = parapick.nonsense  # pyright: ignore[reportAttributeAccessIssue]


# Public names


def public_names() -> Iterator[tuple[str, Any]]:
    """Every name that the package and its rooms offer, with its value; each value once."""
    seen: set[int] = set()
    for module in (parapick, *(importlib.import_module(f"parapick.{room}") for room in ROOMS)):
        for name in module.__all__:
            value = getattr(module, name)
            if id(value) not in seen:
                seen.add(id(value))
                yield f"{module.__name__}.{name}", value


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Public functions, and the public methods that public classes define themselves."""
    for name, value in public_names():
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and value.__module__.startswith("parapick"):
            for attribute, member in vars(value).items():
                function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
                if inspect.isfunction(function) and not attribute.startswith("_"):
                    yield f"{name}.{attribute}", function


def section(doc: str | None, *titles: str) -> set[str]:
    """Names described in the sections of a Google docstring with these titles."""
    names: set[str] = set()
    inside = False
    for line in inspect.cleandoc(doc or "").splitlines():
        if line and not line.startswith(" "):
            inside = line.rstrip(":") in titles and line.endswith(":")
        elif inside and (entry := re.match(r" {4}([\w*][\w*, ]*?)(?: \([^)]*\))?:\s", line + " ")):
            names.update(part.strip().lstrip("*") for part in entry[1].split(","))
    return names


def arguments(function: Callable[..., Any]) -> set[str]:
    return set(inspect.signature(function).parameters) - {"self", "cls"}


def own_classes() -> frozenset[str]:
    """Names of the classes of the package, each of which says itself what it is."""
    return frozenset(name for outline in outlines().values() for name in outline.classes) - {"Path"}


def told_by_type(function: Callable[..., Any], known: frozenset[str]) -> set[str]:
    """Arguments that are of a class of ours: `model: Model` needs no second word."""
    return {name for name, kind in inspect.get_annotations(function).items() if str(kind) in known}


def contract_arguments() -> dict[str, set[str]]:
    """Per method name, the arguments that a public protocol describes: its implementations need not repeat them."""
    described: dict[str, set[str]] = {}
    for _, value in public_names():
        if inspect.isclass(value) and getattr(value, "_is_protocol", False):
            for name, method in vars(value).items():
                if inspect.isfunction(method):
                    described.setdefault(name, set()).update(section(method.__doc__, "Args"))
    return described


def test_docstring_section_reader_sees_what_is_missing() -> None:
    doc = """Do.

    Note: prose.

    Args:
        a: one.
        b, c (float): two
            d: deeper.

    Returns:
        e: no.
    """
    assert section(doc, "Args") == {"a", "b", "c"}
    assert section("Do a and b.", "Args") == set()


@pytest.mark.parametrize("room", ROOMS)
def test_room_declares_its_public_names(room: str) -> None:
    module = importlib.import_module(f"parapick.{room}")
    assert all(hasattr(module, name) for name in module.__all__)
    assert module.__doc__


def test_public_names_have_docstrings() -> None:
    own = [(name, value) for name, value in public_names() if inspect.isclass(value) or inspect.isfunction(value)]
    assert {"parapick.load", "parapick.Model"} <= {name for name, _ in own}
    assert [name for name, value in own if not (value.__doc__ or "").strip()] == []


def test_every_argument_is_documented() -> None:
    contracts, classes = contract_arguments(), own_classes()
    missing = []
    for name, function in public_functions():
        known = section(function.__doc__, "Args") | contracts.get(function.__name__, set())
        known |= told_by_type(function, classes)
        missing += [f"{name}({argument})" for argument in sorted(arguments(function) - known)]
    assert not missing, "\n".join(missing)


def test_only_a_class_of_ours_says_what_an_argument_is() -> None:
    def asked(model: parapick.Model, rate: float, place: Path) -> None: ...

    asked.__annotations__ = {"model": "Model", "rate": "float", "place": "Path"}
    assert told_by_type(asked, own_classes()) == {"model"}


def test_documented_arguments_exist() -> None:
    stale = []
    for name, function in public_functions():
        stale += [f"{name}({extra})" for extra in sorted(section(function.__doc__, "Args") - arguments(function))]
    assert not stale, "\n".join(stale)


def test_every_field_is_documented() -> None:
    missing = []
    for name, value in public_names():
        if inspect.isclass(value) and dataclasses.is_dataclass(value):
            known = section(value.__doc__, "Attributes", "Args")
            fields = [field for field in dataclasses.fields(value) if not field.name.startswith("_")]
            missing += [f"{name}.{field.name}" for field in fields if field.name not in known and not doc_of(field)]
    assert not missing, "\n".join(missing)


# Imports between modules


@dataclasses.dataclass(frozen=True)
class Outline:
    """What a module imports, and the classes that it has.

    Attributes:
        imports: modules with the names taken from them.
        classes: names of its classes.
    """

    imports: tuple[tuple[str, str], ...]
    classes: tuple[str, ...]


def outline(text: str) -> Outline:
    """The outline of a module.

    Args:
        text: its source.
    """
    tree = ast.parse(text)
    classes = tuple(node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return Outline(tuple(imported_names(tree)), classes)


@cache
def outlines() -> dict[str, Outline]:
    """Every module by its name, a package by its own."""
    names = {}
    for path in sorted((ROOT / "src" / "parapick").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = outline(text_of(path))
    return names


def modules() -> dict[str, Outline]:
    """Every module by its name; the front page, which names all rooms, is left out."""
    return {name: own for name, own in outlines().items() if name != "parapick"}


def imported_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Modules with the names taken from them, wherever in a module: in functions and for types too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)


def defining(known: Mapping[str, Iterable[tuple[str, str]]], module: str, name: str) -> str | None:
    """The module that a name comes from: a package hands it on from the module that it imports it from itself."""
    if f"{module}.{name}" in known:
        return f"{module}.{name}"
    if module not in known:
        return None
    for source, handed in known[module]:
        if handed == name and source.startswith(f"{module}."):
            return defining(known, source, name)
    return module


def knots(among: dict[str, Outline]) -> list[list[str]]:
    """Groups of modules that import each other, directly or through others."""
    known = {module: own.imports for module, own in among.items()}
    edges = {
        module: {source for name in names if (source := defining(known, *name))} - {module}
        for module, names in known.items()
    }

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            fresh = edges[waiting.pop()] - seen
            seen |= fresh
            waiting += fresh
        return seen

    reach = {module: reached(module) for module in known}
    tied = {frozenset({other for other in reach[m] if m in reach[other]}) for m in known if m in reach[m]}
    return sorted(sorted(group) for group in tied)


def test_modules_have_no_import_knots() -> None:
    """Types and imports inside functions count: a reader follows them as well."""
    tied = {"a": "def f():\n    from b import B", "b": "if TYPE_CHECKING:\n    from c import C", "c": "import a"}
    assert knots({name: outline(text) for name, text in (tied | {"d": "from a import A"}).items()}) == [["a", "b", "c"]]
    handed = {"p": "from p.x import X", "p.x": "", "p.y": "from p import X"}
    assert knots({name: outline(text) for name, text in handed.items()}) == []
    found = [" <-> ".join(group) for group in knots(modules())]
    assert not found, "\n".join(found)


# Fronts

FRONTS = (
    *(room for room in ROOMS if (ROOT / "src" / "parapick" / room).is_dir()),
    "mechanism.legs",
    "mechanism.plates",
    "capability.reachable",
)
"""Packages with a front: rooms, and parts of rooms that others enter by themselves."""


def past_fronts(among: dict[str, Outline]) -> list[str]:
    """Imports that reach past the front of another room, or of their own room's front from inside it."""
    fronts = {f"parapick.{name}" for name in FRONTS}
    public = {front: set(importlib.import_module(front).__all__) for front in fronts}
    found = []
    for module, own in among.items():
        room = ".".join(module.split(".")[:2])
        for source, name in own.imports:
            target = ".".join(source.split(".")[:2])
            if target not in fronts:
                continue
            if target == room:
                if source == room != module and name in public[room]:
                    found.append(f"{module}: its own front, {source} {name}")
            elif source not in fronts or name not in public[source]:
                found.append(f"{module}: {source} {name}")
    return found


def test_rooms_are_entered_by_their_fronts() -> None:
    past = {
        "parapick.cli.torque": "from parapick.model.model import Model",
        "parapick.model.reach": "from parapick.model import Model",
        "parapick.tuning.trial": "from parapick.model import Model\nfrom parapick.model import kernels",
    }
    assert len(past_fronts({name: outline(text) for name, text in past.items()})) == 3
    found = past_fronts(modules())
    assert not found, "\n".join(found)


def checked_names(tree: ast.Module) -> set[str]:
    """Names that a front hands on to type checkers."""
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    return {
        alias.asname or ""
        for block in blocks
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@pytest.mark.parametrize("front", [name for name in FRONTS if name not in ("mechanism.plates", "cli")])
def test_type_checkers_see_what_a_front_offers(front: str) -> None:
    module = importlib.import_module(f"parapick.{front}")
    assert module.__file__ is not None
    assert checked_names(ast.parse(text_of(Path(module.__file__)))) == set(module.__all__)


# Files


def project_files() -> list[Path]:
    """Files that are, or would be, under version control; all files where this is not a git clone."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        folders = [ROOT / name for name in ("src", "tests", "docs", "benchmarks", "examples")]
        return [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def test_no_path_of_one_machine() -> None:
    machine_path = re.compile(r"(?<![\w.\-])/(?:home|root|tmp|work|Users)/\w|[A-Z]:\\Users\\")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in project_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if machine_path.search(line)
    ]
    assert not found, "\n".join(found)


def test_changelog_has_a_section_for_what_is_coming() -> None:
    headings = re.findall(r"^## \[(.+?)\]", text_of(ROOT / "CHANGELOG.md"), flags=re.MULTILINE)
    assert {"Unreleased", parapick.__version__} & set(headings)


def test_readme_names_the_two_commands() -> None:
    readme = text_of(ROOT / "README.md")
    assert "make demo" in readme
    assert "make test" in readme


def pages() -> list[Path]:
    """What a user reads: the documentation and the pages beside it."""
    return [*sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("*.md")), ROOT / "benchmarks" / "README.md"]


def repeated_rows(text: str) -> list[str]:
    """Rows that a Markdown table has twice; in a table of two columns the first cell is a key, and counts alone."""
    found = []
    for table in re.findall(r"(?:^\|.*\n)+", text + "\n", flags=re.MULTILINE):
        rows = [[cell.strip() for cell in row.strip().strip("|").split(" | ")] for row in table.splitlines()]
        keys = [row[0] if len(row) == 2 else " | ".join(row) for row in rows]
        found += [key for index, key in enumerate(keys) if key in keys[:index]]
    return found


def test_pages_have_no_control_characters() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {character!r} in {line!r}"
        for path in (*pages(), *sorted((ROOT / "src").rglob("*.toml")))
        for line in text_of(path).split("\n")
        for character in re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", line)
    ]
    assert not found, "\n".join(found)


def test_pages_have_no_row_twice() -> None:
    assert repeated_rows("| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n") == ["x"]
    assert repeated_rows("| a | b | c |\n| x | 1 | 2 |\n| x | 1 | 3 |\n| x | 1 | 2 |\n") == ["x | 1 | 2"]
    assert repeated_rows("| a | b |\n| x | 1 |\n\n| a | b |\n| x | 1 |\n") == []
    found = [f"{path.relative_to(ROOT)}: {row}" for path in pages() for row in repeated_rows(text_of(path))]
    assert not found, "\n".join(found)


def exists(name: str) -> bool:
    """Whether a dotted name is a module, something of one, or an attribute of that."""
    try:
        pkgutil.resolve_name(name)
    except (ModuleNotFoundError, AttributeError):
        return False
    return True


def test_modules_that_pages_name_exist() -> None:
    assert exists("parapick.robots.ROBOTS.check")
    assert not exists("parapick.robots.ROBOTS.checked")
    assert not exists("parapick.no_such_room")
    missing = []
    for path in pages():
        for name in sorted(set(re.findall(r"`(parapick(?:\.\w+)+)", text_of(path)))):
            missing += [] if exists(name) else [f"{path.relative_to(ROOT)}: {name}"]
    assert not missing, "\n".join(missing)


NOTES = re.compile(
    rf"\breference pages?\b|\b(?:{'|'.join(DOCUMENTS)})(?:'s)? page\b|\bthe issue\b|\bissue(?:: | #?\d)", re.IGNORECASE
)
"""Words that point to notes, or to requests for work, that are not shipped."""


def test_notes_that_are_not_shipped_are_seen() -> None:
    wrong = (
        "nabat2005 page, section 4",
        "Reference page, section 5",
        "wu2020's page",
        "What the issue asks for",
        "Issue: ten",
    )
    assert [text for text in wrong if not NOTES.search(text)] == []
    assert NOTES.search("nabat2005 section V; the page of nabat2005; GitHub issues") is None


def test_nothing_points_to_pages_that_no_user_has() -> None:
    """Equations and numbers are cited by document, section and erratum, not by notes that are not shipped."""
    folders = ("src", "tests", "examples", "benchmarks", "tools", "docs/_ext", "docs/experiments")
    files = [path for folder in folders for kind in ("*.py", "*.toml") for path in (ROOT / folder).rglob(kind)]
    # This file names what it looks for.
    shown = sorted({*pages(), *files} - {Path(__file__)})
    text = {path: re.sub(r"\s+(?:# )?", " ", text_of(path)) for path in shown}
    assert {
        str(path.relative_to(ROOT)): NOTES.findall(words) for path, words in text.items() if NOTES.search(words)
    } == {}


def first_block(page: str, language: str) -> str:
    block = re.search(rf"^```{language}\n(.*?)^```", text_of(ROOT / page), flags=re.DOTALL | re.MULTILINE)
    assert block is not None
    return block[1]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_documented_program_runs(page: str) -> None:
    run_python(first_block(page, "python"))


@pytest.mark.parametrize("page", ["README.md", "docs/own-robot.md"])
def test_documented_robot_closes_at_its_home(page: str, tmp_path: Path) -> None:
    file = tmp_path / "my-delta.toml"
    file.write_text(first_block(page, "toml"), encoding="utf-8")
    model = parapick.load(file)
    assert np.isfinite(model.inverse_kinematics(np.array(model.robot.home))).all()


def test_one_name_is_one_class() -> None:
    """A reader who meets a name need not ask of which room it is; names of one module alone begin with a line."""
    places: dict[str, list[str]] = {}
    for module, own in outlines().items():
        for name in own.classes:
            if not name.startswith("_"):
                places.setdefault(name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


# A long file is reported as a warning, not as a failure.
@pytest.mark.filterwarnings("default::UserWarning")
def test_files_hold_one_concept() -> None:
    lengths = {path: len(text_of(path).splitlines()) for path in sorted((ROOT / "src").rglob("*.py"))}
    for path, lines in lengths.items():
        if lines > LINES_REPORTED:
            warnings.warn(f"{path.relative_to(ROOT)} has {lines} lines: does it hold one concept?", stacklevel=1)
    named = {str(path.relative_to(ROOT)): lines for path, lines in lengths.items()}
    assert [name for name, lines in named.items() if lines > LISTS.get(name, LINES_MAX)] == []
