"""`--out` and `--force`: what a command can write, into which files, and which of them may be replaced.

Each command has one table of what it can write, `Outputs`. A file is known by its ending, by a name before it where
endings are shared (`cam:FILE.csv`), and is a folder without an ending. All is checked before anything is computed.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, final

from cyclopts import Parameter

from parapick.cli.groups import OUTPUT
from parapick.cli.replacing import BY_HAND, check_file, made_folder
from parapick.cli.tables import busy
from parapick.errors import ParapickError
from parapick.files import unwritable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Final = (".png", ".svg", ".pdf")
"""How the name of a figure may end."""

FOLDER: Final = ""
"""The ending of a folder."""

Force = Annotated[
    bool,
    Parameter(
        group=OUTPUT,
        negative=(),
        show_default=False,
        help="Replace robot, task, controller, study and CSV files of the same kind.",
    ),
]

_KINDS: Final = {
    ".png": "a PNG picture",
    ".svg": "an XML file",
    ".pdf": "a PDF file",
    ".xml": "an XML file",
    ".html": "a web page",
    ".json": "a JSON file",
    ".parquet": "a Parquet file",
    ".mcap": "an MCAP file",
}
"""What files are by their endings, as `file_kind` calls them; other endings have several kinds."""

RECORDS: Final = (".csv", ".parquet", ".mcap")
"""Endings of the files of a record."""

_NAMED: Final = re.compile(r"([a-z][a-z-]+):(.+)", re.DOTALL)
"""`name:FILE`. A single letter before a colon is a drive of Windows."""


@final
@dataclass(frozen=True)
class Output:
    """Something that a command can write.

    Attributes:
        name: what it is called: "cam", as in `--out cam:FILE.csv`.
        text: what it holds, for the help.
        endings: how the names of its files may end; `FOLDER` for a folder.
        kind: what a .csv or .toml file of it is, as `file_kind` calls it: "a table of t, x".
        usual: whether an ending that it shares means it where no name stands before the file.
        beside: endings of files that are written beside it, and what they are.
    """

    name: str
    text: str
    endings: tuple[str, ...]
    kind: str = ""
    usual: bool = False
    beside: Mapping[str, str] = field(default_factory=dict)

    def kind_of(self, ending: str) -> str:
        """What a file of it with this ending is, as `file_kind` calls it."""
        return self.kind if ending in BY_HAND else _KINDS[ending]


FIGURE: Final = Output("figure", "a figure", FIGURES)
"""The figure of an answer."""


@final
@dataclass(frozen=True)
class WrittenFile:
    """A file, or a folder, that is written.

    Attributes:
        name: what it holds, among all that a command writes.
        path: where it is.
        replaces: whether there is a file of this name already.
        of: which of several equal things it holds, such as the law of a record; empty for the only one.
    """

    name: str
    path: Path
    replaces: bool = False
    of: str = ""

    def __str__(self) -> str:
        return str(self.path)


@final
@dataclass(frozen=True)
class WrittenFiles:
    """What is to be written, checked as far as one can before there is something to write.

    Attributes:
        entries: every file, by the name of its output.
    """

    entries: tuple[tuple[str, WrittenFile], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    def of(self, *outputs: str) -> tuple[WrittenFile, ...]:
        """The files of some outputs, in the order in which they were asked for.

        Args:
            outputs: their names.
        """
        return tuple(target for name, target in self.entries if name in outputs)

    def written(self, *outputs: str) -> dict[str, WrittenFile]:
        """The files of some outputs by what they hold; of all of them if none is named.

        Args:
            outputs: their names.
        """
        return {target.name: target for name, target in self.entries if not outputs or name in outputs}


@final
@dataclass(frozen=True)
class Outputs:
    """What a command can write.

    Attributes:
        table: each thing, the usual one first.
    """

    table: tuple[Output, ...]

    def __init__(self, *table: Output) -> None:
        object.__setattr__(self, "table", table)

    def words(self) -> str:
        """Everything that can be written, in words: "figure (.png, .svg, .pdf), cam (cam:FILE.csv)"."""
        return ", ".join(f"{output.name} ({', '.join(self._forms(output))})" for output in self.table)

    def targets(
        self, out: Sequence[str], *, force: bool = False, each: Mapping[str, Sequence[str]] | None = None
    ) -> WrittenFiles:
        """The files that are asked for, all of them writable as far as one can tell.

        Args:
            out: texts of `--out`.
            force: whether files of the same kind are replaced that otherwise are not.
            each: outputs that have a file for each of several things, and their names.

        Raises:
            ParapickError: one of them cannot be written, or would replace what it must not.
        """
        entries: list[tuple[str, WrittenFile]] = []
        for text in out:
            output, path = self._read(text)
            for which, place in _spread(path, (each or {}).get(output.name, ())):
                replaces = _check(output, place, force=force)
                if any(target.path.absolute() == place.absolute() for _, target in entries):
                    raise ParapickError(f"--out: {place} is given twice")
                number = sum(name == output.name and target.of == which for name, target in entries)
                label = f"{output.name} of {which}" if which else output.name
                entries.append(
                    (output.name, WrittenFile(f"{label} {number + 1}" if number else label, place, replaces, which))
                )
        return WrittenFiles(tuple(entries))

    def _read(self, text: str) -> tuple[Output, Path]:
        """What `--out` asks for, and where."""
        if "\0" in text:
            raise ParapickError(f"--out: {text!r}: is not a path: it has a null character")
        if named := _NAMED.fullmatch(text):
            name, text = named.groups()
            output = next((entry for entry in self.table if entry.name == name), None)
            if output is None:
                raise ParapickError(f"--out: {name}: is not the name of something that can be written; {self._valid()}")
            ending = _ending(text)
            if ending not in output.endings:
                raise ParapickError(f"--out: {text}: {self._wrong(ending)}; {name} is {self._listed(output)}")
            return output, _expanded(text)
        ending = _ending(text)
        fitting = [output for output in self.table if ending in output.endings]
        chosen = fitting if len(fitting) == 1 else [output for output in fitting if output.usual]
        if len(chosen) != 1:
            reason = self._wrong(ending) if not fitting else f"several things end in {ending}; say which"
            raise ParapickError(f"--out: {text}: {reason}; {self._valid()}")
        return chosen[0], _expanded(text)

    def _wrong(self, ending: str) -> str:
        if ending == FOLDER:
            return "without an ending it is a folder, and there is none to write"
        return f"nothing can be written that ends in {ending}"

    def _valid(self) -> str:
        folder = any(FOLDER in output.endings for output in self.table)
        return f"this command writes {self.words()}" + ("; a folder with a dot ends in /" if folder else "")

    def _listed(self, output: Output) -> str:
        return ", ".join(self._forms(output))

    def _forms(self, output: Output) -> Iterator[str]:
        """How its files are asked for: by the ending, or by its name where others have the same."""
        for ending in output.endings:
            shared = sum(ending in other.endings for other in self.table) > 1
            yield (
                "FOLDER"
                if ending == FOLDER
                else f"{output.name}:FILE{ending}"
                if shared and not output.usual
                else ending
            )


def out_parameter(outputs: Outputs, **options: Any) -> Parameter:
    """The option `--out` of a command, whose help says what can be written.

    Args:
        outputs: what it can write.
        options: what else the option has.
    """
    parts = [f"{output.text} ({', '.join(outputs._forms(output))})" for output in outputs.table]
    folder = all(output.endings == (FOLDER,) for output in outputs.table)
    text = f"Write {'; '.join(parts)}." + ("" if folder else " Repeatable.")
    form = {"metavar": "FOLDER" if folder else "FILE", "negative": (), "show_default": False}
    return Parameter(name="--out", group=OUTPUT, help=text, **{**form, **options})


def draw(figure: Callable[[], Figure], targets: WrittenFiles) -> dict[str, WrittenFile]:
    """Draw a figure into all the files that are asked for; the files by what they hold.

    Args:
        figure: what makes it.
        targets: what is asked for.

    Raises:
        ParapickError: a file cannot be written.
    """
    asked = targets.written(FIGURE.name)
    if not asked:
        return {}
    from parapick.report import save_figure

    with busy("drawing"):
        drawn = figure()
        for target in asked.values():
            try:
                save_figure(drawn, target.path)
            except OSError as error:
                raise ParapickError(f"{target}: {unwritable(error)}") from error
    return asked


def contents(folder: Path) -> frozenset[Path]:
    """What is in a folder; nothing where there is none."""
    return frozenset(folder.iterdir()) if folder.is_dir() else frozenset()


def written_in(before: frozenset[Path], files: Mapping[str, Path]) -> dict[str, WrittenFile]:
    """Files that were written into a folder, by what they hold, and which of them were there before.

    Args:
        before: what was in the folder.
        files: what was written.
    """
    return {name: WrittenFile(name, path, path in before) for name, path in files.items()}


def numbered(files: Sequence[WrittenFile]) -> dict[str, WrittenFile]:
    """Files by what they hold, a further one of the same with its number behind it: "numbers", "numbers 2".

    Args:
        files: the files; what `--out` has numbered is numbered anew.
    """
    by_name: dict[str, WrittenFile] = {}
    counts: Counter[str] = Counter()
    for file in files:
        held = re.sub(r" \d+$", "", file.name)
        counts[held] += 1
        by_name[held if counts[held] == 1 else f"{held} {counts[held]}"] = file
    return by_name


def _ending(text: str) -> str:
    """The ending of a file's name in small letters; `FOLDER` where it is a folder."""
    path = _expanded(text)
    if text.endswith(("/", os.sep)) or not path.suffix:
        return FOLDER
    try:
        return FOLDER if path.is_dir() else path.suffix.lower()
    except OSError:
        # Such as a name that is too long, about which the check of the target has a message.
        return path.suffix.lower()


def _expanded(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        # A user of this name does not exist; then the tilde is part of the name.
        return Path(text)


def _spread(path: Path, names: Sequence[str]) -> list[tuple[str, Path]]:
    """A file for each of several things, by its name; the file itself for one."""
    if len(names) < 2:
        return [("", path)]
    return [(name, path.with_name(f"{path.stem}-{name}{path.suffix}")) for name in names]


def _check(output: Output, path: Path, *, force: bool) -> bool:
    """Raise if a file cannot be written or must not be replaced; whether there is one already."""
    ending = FOLDER if output.endings == (FOLDER,) else _ending(str(path))
    if ending == FOLDER:
        made_folder(path)
        return False
    replaces = check_file(path, output.kind_of(ending), force=force)
    for other, kind in output.beside.items():
        check_file(path.with_suffix(other), kind, force=force)
    return replaces
