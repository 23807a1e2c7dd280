"""A kind of file on one that is made up, grippers: found, listed, read, checked and described by `FileKind` alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, final

import pytest

from parapick.errors import Doubt, FileError, FileProblem, UnknownFileError
from parapick.fields import label, quantity
from parapick.forms import FileKind, Name, Reading, TableForm, file_of, read_document, table_of
from schemas import objections

SOFT = 'format = 1\nname = "soft"\ntitle = "Three soft fingers"\nforce = "20 N"\n'
HARD = 'format = 1\nname = "hard"\ntitle = "Two jaws"\nforce = "200 N"\n'


@dataclass(frozen=True, kw_only=True)
class Gripping:
    """A gripper."""

    name: str = label("short name", form=Name())
    title: str = label("what it is", default="")
    force: float = quantity("N", "largest force", above=0.0)


@dataclass(frozen=True)
class GrippingEntry:
    name: str
    fingers: tuple[str, ...]
    path: Path


@final
class GripperFileError(FileError):
    """A gripper file is none."""


@cache
def form() -> TableForm:
    return file_of(table_of(Gripping))


def read(document: Mapping[str, Any], _path: Path) -> Reading[Gripping]:
    table, values, problems = read_document(form(), document)
    return (None if table is None or problems else table.make(values)), problems


def by_name(path: Path) -> Reading[Gripping]:
    """A gripper that is only a name, in a text file."""
    text = path.read_text().strip()
    return (Gripping(name=text, force=1.0), ()) if text else (None, (FileProblem("", "is empty"),))


@pytest.fixture
def grippers(tmp_path: Path) -> FileKind[Gripping]:
    folder = tmp_path / "shipped"
    folder.mkdir()
    # The order of names is not that of files: "soft-2" comes behind "soft", and "-" before ".".
    for name, text in {"soft": SOFT, "hard": HARD, "soft-2": SOFT}.items():
        (folder / f"{name}.toml").write_text(text)
    return FileKind(
        name="gripper",
        plural="grippers",
        folder=folder,
        doc="A gripper.",
        outline="format, name and force",
        form=form,
        reader=read,
        entry=lambda path, document: GrippingEntry(path.stem, tuple(document["title"].split()[:1]), path),
        columns={"name": "name"},
        data={"paths": "path", "fingers": "fingers"},
        endings={".txt": by_name},
        doubts=lambda gripping: (Doubt("force", "is large"),) if gripping.force > 100.0 else (),
        refused=GripperFileError,
    )


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.toml"


def test_shipped_files_are_found_by_name_in_any_case(grippers: FileKind[Gripping]) -> None:
    assert list(grippers.shipped()) == ["hard", "soft", "soft-2"]
    assert grippers.find(" SOFT ") == grippers.folder / "soft.toml"
    assert grippers.load("soft") == Gripping(name="soft", title="Three soft fingers", force=20.0)


@pytest.mark.parametrize("name", ["./soft", "SOFT.TOML", "soft.txt", Path("soft")], ids=str)
def test_a_path_is_what_has_a_slash_or_an_ending_or_is_a_path_already(
    grippers: FileKind[Gripping], name: str | Path
) -> None:
    assert grippers.find(name) == Path(name)


def test_a_home_is_expanded_where_there_is_one(
    grippers: FileKind[Gripping], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert grippers.find("~/own.toml") == tmp_path / "own.toml"
    assert grippers.find("~nobody-here/own.toml") == Path("~nobody-here/own.toml")


def test_an_unknown_name_says_what_is_shipped(grippers: FileKind[Gripping]) -> None:
    with pytest.raises(UnknownFileError) as caught:
        grippers.load("Sfot")
    assert str(caught.value) == (
        "no gripper named 'Sfot'; did you mean soft or soft-2? A path to a .toml file works too."
    )
    assert (caught.value.name, caught.value.close) == ("Sfot", ("soft", "soft-2"))
    with pytest.raises(UnknownFileError, match=r"shipped grippers: hard, soft, soft-2\. A path"):
        grippers.check("xyzzy")
    with pytest.raises(UnknownFileError, match="no gripper named '3'"):
        grippers.find(3)  # pyright: ignore[reportArgumentType]


def test_a_kind_may_have_an_error_of_its_own(grippers: FileKind[Gripping]) -> None:
    class UnknownGripperError(UnknownFileError):
        pass

    kind = FileKind(**{**vars(grippers), "unknown": UnknownGripperError})
    with pytest.raises(UnknownGripperError, match="no file named 'x'"):
        kind.find("x")


def test_all_problems_of_a_file_come_at_once(grippers: FileKind[Gripping], own: Path) -> None:
    own.write_text('format = 1\nforce = "20 kg"\n')
    problems = grippers.check(own)
    assert {problem.path for problem in problems} == {"name", "force"}
    with pytest.raises(GripperFileError) as caught:
        grippers.load(own)
    assert caught.value.problems == problems
    assert (caught.value.file, str(caught.value).splitlines()[0]) == (str(own), f"{own}: 2 problems")


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "there is no such file"), ("a = [", "is not TOML"), ("a" * 90, "is not a gripper file: line 1")],
)
def test_what_cannot_be_read_is_a_problem_of_the_file(
    grippers: FileKind[Gripping], own: Path, text: str | None, message: str
) -> None:
    if text is not None:
        own.write_text(text)
    (problem,) = grippers.check(own)
    assert problem.path == ""
    assert message in problem.message
    with pytest.raises(GripperFileError, match="1 problem"):
        grippers.load(own)


def test_files_of_another_ending_have_their_own_reader(grippers: FileKind[Gripping], tmp_path: Path) -> None:
    (tmp_path / "bare.txt").write_text("bare\n")
    assert grippers.load(tmp_path / "bare.txt").name == "bare"
    (tmp_path / "void.TXT").touch()
    assert grippers.check(tmp_path / "void.TXT") == (FileProblem("", "is empty"),)


def test_a_document_is_made_a_description(grippers: FileKind[Gripping], own: Path) -> None:
    document = grippers.document(own, SOFT)
    assert grippers.made(own, {**document, "force": 3.0}).force == 3.0
    with pytest.raises(GripperFileError, match=r"own\.toml: 1 problem\n  force: is -1 N"):
        grippers.made(own, {**document, "force": -1.0})


def test_the_list_has_a_row_for_each_and_data_beside_it(grippers: FileKind[Gripping]) -> None:
    assert [entry.name for entry in grippers.entries()] == ["hard", "soft", "soft-2"]
    answer = grippers.answer()
    assert answer.key == "grippers"
    assert answer.first_line == "3 grippers are shipped."
    assert answer.table("grippers").column("name") == ("hard", "soft", "soft-2")
    assert answer.data["fingers"] == {"hard": ["Two"], "soft": ["Three"], "soft-2": ["Three"]}
    assert answer.data["paths"]["hard"] == str(grippers.folder / "hard.toml")


def test_its_schema_and_its_fields_are_those_of_the_form(grippers: FileKind[Gripping]) -> None:
    schema = grippers.schema()
    assert (schema["title"], schema["description"]) == ("GripperFile", "A gripper.")
    assert objections(grippers.document(grippers.find("soft")), schema, schema) == []
    assert grippers.fields() == {"format", "name", "title", "force"}
    assert grippers.words == "a gripper file"


def test_nothing_is_marked_or_doubted_unless_a_kind_says_so(grippers: FileKind[Gripping]) -> None:
    assert grippers.doubts(grippers.load("hard")) == (Doubt("force", "is large"),)
    plain = FileKind(**{name: value for name, value in vars(grippers).items() if name not in ("doubts", "refused")})
    assert plain.doubts(plain.load("hard")) == ()
    assert plain.marks({"name": "soft"}) is False
    assert type(plain.problem("x.toml", "is wrong", "force")) is FileError
    assert str(plain.problem("x.toml", "is wrong", "force")) == "x.toml: 1 problem\n  force: is wrong"
