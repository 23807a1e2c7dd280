"""Chunks are believed as far as their digests go: of this study, of these sources, and unchanged."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from parapick.parquet import read_table, write_table
from parapick.progress import Progress
from parapick.study import FolderError, StudyError, run_study, running, sources
from parapick.study.chunk_files import Origin, chunk_name, place_of, read_chunks, rows_digest
from parapick.study.status import status_answer
from parapick.study.store import HEAD, Store
from studies import changed, study_of

pytest.importorskip("duckdb")

SHORT = (("best = 1", "best = 0"), ("count = 4", "count = 2"), ("chunk = 64", "chunk = 16"))
GRID = changed(*SHORT)
OTHER = changed(*SHORT, ('"250 g"', '"900 g"'))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished study of 56 designs in four chunks."""
    return run_study(study_of(GRID), tmp_path_factory.mktemp("whole") / "out", workers=1).store.folder


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That of a study with another payload."""
    return run_study(study_of(OTHER), tmp_path_factory.mktemp("other") / "out", workers=1).store.folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of the first one."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def ran(folder: Path) -> tuple[int, list[str], bytes]:
    """Chunks that a further run computes, what it notes, and its table."""
    computed, notes = list[Progress](), list[str]()
    store = run_study(study_of(GRID), folder, workers=1, progress=computed.append, note=notes.append).store
    return len(computed), notes, store.table.read_bytes()


def test_a_finished_study_computes_nothing_again(folder: Path, whole: Path) -> None:
    assert ran(folder) == (0, [], (whole / "table.parquet").read_bytes())


@pytest.mark.parametrize("place", [1, 3])
def test_a_chunk_of_another_study_counts_as_missing_and_is_named(
    folder: Path, whole: Path, other: Path, place: int
) -> None:
    name = chunk_name(0, place)
    shutil.copy(other / "chunks" / name, folder / "chunks" / name)
    status = status_answer(folder)
    assert status.data["done"] == (40 if place == 1 else 48)
    assert name in status.notes[0]
    computed, [note], table = ran(folder)
    assert (computed, name in note) == (1, True)
    assert table == (whole / "table.parquet").read_bytes()


def test_a_chunk_in_the_place_of_another_one_counts_as_missing(folder: Path, whole: Path) -> None:
    shutil.copy(folder / "chunks" / chunk_name(0, 0), folder / "chunks" / chunk_name(0, 1))
    assert ran(folder)[::2] == (1, (whole / "table.parquet").read_bytes())


def test_a_folder_without_its_description_takes_no_chunks_of_another_study(tmp_path: Path, other: Path) -> None:
    shutil.copytree(other / "chunks", tmp_path / "out" / "chunks")
    with pytest.raises(FolderError, match=r"chunks of another study, 00-000000.parquet for one, and no study.json"):
        run_study(study_of(GRID), tmp_path / "out", workers=1)
    assert not (tmp_path / "out" / HEAD).exists()


def test_a_folder_that_lost_its_description_goes_on_with_its_own_chunks(folder: Path, whole: Path) -> None:
    (folder / HEAD).unlink()
    (folder / "table.parquet").unlink()
    assert ran(folder) == (0, [], (whole / "table.parquet").read_bytes())


def test_two_states_of_the_sources_do_not_mix(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("parapick.study.store", "parapick.study.running"):
        monkeypatch.setattr(f"{module}.sources_digest", lambda: "others")
    assert status_answer(folder).data["done"] == 0
    computed, [note], _ = ran(folder)
    assert computed == 4
    assert "of other sources of parapick" in note
    assert "4 in all" in note


def test_a_worker_with_other_sources_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "computed_rows", lambda *_: ("others", {"a": np.zeros(1)}))
    with pytest.raises(StudyError, match="a worker has other sources"):
        run_study(study_of(GRID), tmp_path, workers=1)
    assert not list((tmp_path / "chunks").iterdir())


def test_the_digest_of_the_sources_follows_every_file_that_can_take_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = Path(sources.__file__).parents[1]
    copied = tmp_path / "parapick"
    shutil.copytree(package, copied, ignore=shutil.ignore_patterns("__pycache__", "*.toml", "papers"))
    monkeypatch.setattr(sources, "_PACKAGE", copied)
    monkeypatch.setattr("parapick.kernel.recipe._FOLDER", copied)

    def digest() -> str:
        sources.digest.cache_clear()
        sources.sources_digest.cache_clear()
        return sources.sources_digest()

    before = digest()
    try:
        for file, counts in (("study/motion_fold.py", True), ("units.py", True), ("cli/app.py", False)):
            text = (copied / file).read_text()
            (copied / file).write_text(f"{text}\n# another state\n")
            assert (digest() != before) == counts, file
            (copied / file).write_text(text)
        assert digest() == before
    finally:
        monkeypatch.undo()
        digest()


def test_no_row_depends_on_a_room_above() -> None:
    import sys

    ours = {name.split(".")[1] for name in sys.modules if name.startswith("parapick.")}
    text = (Path(sources.__file__).parents[3] / "pyproject.toml").read_text()
    above = text[text.index("layers = [") : text.index('"study |')]
    assert ours
    assert all(f"({room})" in above for room in sources.ABOVE)
    assert above.count("(") == len(sources.ABOVE)


def test_a_damaged_chunk_is_named_and_may_be_removed(folder: Path, whole: Path) -> None:
    chunk = folder / "chunks" / chunk_name(0, 2)
    good = chunk.read_bytes()
    for bad in (b"", b"PAR1", good[:-20], good[: len(good) // 2] + good[len(good) // 2 + 1 :]):
        chunk.write_bytes(bad)
        for command in (ran, status_answer):
            with pytest.raises(FolderError, match=r"chunks/00-000002\.parquet is damaged; remove it"):
                command(folder)
    chunk.unlink()
    assert ran(folder)[::2] == (1, (whole / "table.parquet").read_bytes())


def test_no_flipped_byte_goes_into_the_table(folder: Path) -> None:
    chunk, chance = folder / "chunks" / chunk_name(0, 1), random.Random(1)
    good = chunk.read_bytes()
    origin = Store(folder).origin()
    ((_, sound),) = read_chunks([chunk], origin)
    assert isinstance(sound, dict)
    copies = [folder / f"{number}" / chunk.name for number in range(146)]
    for copy in copies:
        place = chance.randrange(len(good))
        copy.parent.mkdir()
        copy.write_bytes(good[:place] + bytes([good[place] ^ (1 << chance.randrange(8))]) + good[place + 1 :])
    outcomes = {"damaged": 0, "other": 0, "same": 0}
    for _, rows in read_chunks(copies, origin):
        if isinstance(rows, dict):
            # What statistics, padding and names of writers say is no part of the rows.
            for name, values in sound.items():
                assert np.array_equal(rows[name], values, equal_nan=values.dtype.kind == "f")
        outcomes["same" if isinstance(rows, dict) else "other" if rows is None else "damaged"] += 1
    assert outcomes["damaged"] > 50


def test_changed_rows_with_the_facts_of_true_ones_are_damaged(folder: Path) -> None:
    chunk = folder / "chunks" / chunk_name(0, 1)
    ((_, rows),) = read_chunks([chunk], Store(folder).origin())
    facts = {name: str(read_table(chunk, name)[0]) for name in ("study", "sources", "round", "chunk", "rows")}
    assert isinstance(rows, dict)
    for change in (
        {"peak_torque": rows["peak_torque"] * 0.5},
        {"feasible": ~rows["feasible"]},
        {"reason": np.array(["fine"] * len(rows["reason"]))},
    ):
        texts = {name: values.astype(str) for name, values in rows.items() if values.dtype.kind == "O"}
        write_table({**rows, **texts, **change}, facts, chunk)
        with pytest.raises(FolderError, match="its rows are not those that were written"):
            status_answer(folder)


def test_a_stray_copy_is_none_of_the_chunks(folder: Path, whole: Path) -> None:
    chunks = folder / "chunks"
    for name in ("00-000001 (copy).parquet", "00-000001.parquet.bak", "0-1.parquet", "00-0000001.parquet", "x.txt"):
        shutil.copy(chunks / chunk_name(0, 1), chunks / name)
    assert status_answer(folder).data["done"] == 56
    assert ran(folder) == (0, [], (whole / "table.parquet").read_bytes())
    assert place_of(chunks / "00-1000000.parquet") == (0, 1_000_000)


def test_what_killed_runs_left_is_removed(folder: Path) -> None:
    left = [
        folder / "chunks" / ".0123abcd-00-000003.parquet",
        folder / ".89abcdef-table.parquet",
        folder / ".00000000-study.json",
    ]
    kept = folder / ".hidden"
    for path in (*left, kept):
        path.write_bytes(b"half")
    ran(folder)
    assert not any(path.exists() for path in left)
    assert kept.exists()


def test_a_run_that_was_killed_while_it_began_begins_again(tmp_path: Path) -> None:
    (tmp_path / "chunks").mkdir()
    (tmp_path / ".0123abcd-study.json").write_text("{")
    assert ran(tmp_path)[0] == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is damaged"),
        ("{", "is damaged"),
        ("[]", "it is not a table"),
        ("null", "it is not a table"),
        ("{}", "name is missing"),
        ("[" * 100_000, "is damaged"),
        ("\x00\xff", "is damaged"),
    ],
)
def test_a_broken_description_is_said_in_a_line(folder: Path, text: str, said: str) -> None:
    (folder / HEAD).write_text(text, encoding="latin-1")
    for command in (status_answer, ran):
        with pytest.raises(FolderError, match=said) as caught:
            command(folder)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"designs": 0},
        {"designs": "many"},
        {"designs": None},
        {"document": {}},
        {"document": {"study": {"objectives": ["nothing"]}}},
        {"document": None},
        {"digest": 3},
        {"title": ["x"]},
        {"method": None},
        {"chunk": True},
    ],
)
def test_a_description_with_another_field_is_damaged(folder: Path, change: dict[str, object]) -> None:
    head = json.loads((folder / HEAD).read_text())
    (folder / HEAD).write_text(json.dumps({**head, **change}))
    with pytest.raises(FolderError, match=r"study\.json is damaged"):
        status_answer(folder)


def test_the_digest_of_rows_sees_every_value_name_and_kind() -> None:
    rows = {"a": np.array([1.0, np.nan]), "b": np.array([True, False]), "c": np.array(["x", ""])}
    others = [
        {**rows, "a": np.array([1.0, 0.0])},
        {**rows, "a": np.array([1.0, -0.0])},
        {**rows, "b": np.array([True, True])},
        {**rows, "c": np.array(["", "x"])},
        {"A": rows["a"], "b": rows["b"], "c": rows["c"]},
        {**rows, "d": np.array([0.0, 0.0])},
    ]
    digests = {rows_digest(one) for one in (rows, *others)}
    assert len(digests) == 1 + len(others)
    again = {"a": rows["a"].copy(), "b": rows["b"], "c": np.array(["x", ""], dtype=object)}
    assert rows_digest(again) == rows_digest(rows)
    assert Origin("s", "p").facts(1, 2) == {"study": "s", "sources": "p", "round": "1", "chunk": "2"}


def test_hostile_choices_are_refused_at_the_edge_and_harmless_below_it(tmp_path: Path) -> None:
    from studies import problems_of

    evil = tmp_path / "evil.csv"
    name = f"motor\\\" FROM samples) TO '{evil}' (FORMAT csv); --"
    option = '{ "drive.peak_torque" = "127 N m" }'
    for text in (
        f'[choices."{name}"]\nsmall = {option}\n',
        f'[choices.motor]\n"{name}" = {option}\n',
        f'[choices."mo\\u001btor"]\nsmall = {option}\n',
        f'[choices."{"m" * 65}"]\nsmall = {option}\n',
        f'[choices.motor]\n"" = {option}\n',
        f"[choices.Feasible]\nsmall = {option}\n",
    ):
        problems = problems_of(changed(*SHORT, ("[requirements]", f"{text}[requirements]")))
        assert any("letters, digits" in said or "another column" in said for said in problems.values()), text
    assert not evil.exists()


@pytest.mark.parametrize("name", ["run[1]", "r*n", "-out", "it's 50 %", "{a,b}"])
def test_a_folder_whose_name_is_a_pattern(tmp_path: Path, other: Path, whole: Path, name: str) -> None:
    for neighbour in ("run1", "run", "a"):
        shutil.copytree(other, tmp_path / neighbour)
    assert ran(tmp_path / name)[::2] == (4, (whole / "table.parquet").read_bytes())
    assert status_answer(tmp_path / name).data["done"] == 56
