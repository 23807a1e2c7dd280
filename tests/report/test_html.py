"""The report as a page: well formed, whole in itself, and deaf to what names try to say."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import parapick as pp
from parapick.answer import Answer, Series, Table, against, columns
from parapick.answer.page import notes_list, table_element
from parapick.answer.texts import Texts
from parapick.errors import ParapickError
from parapick.evaluation.evaluation import Evaluation
from parapick.report import Cover, html, input_files, write_report
from parapick.report.document import ZOOM
from parapick.report.figures import draw
from parapick.report.html import report_html
from parapick.robots import load_robot
from report.evaluations import bare, made

VOID = {"meta", "link", "br", "img", "input", "hr"}
HOSTILE = """<script>alert("1")</script> & 'two' $x_{"""


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class Reader(HTMLParser):
    """Notes tags that do not match, identifiers, links, and texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        named = dict(attrs)
        self.ids += [named["id"]] if named.get("id") else []
        self.links += [value for name, value in attrs if value and name in ("href", "src", "xlink:href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> str:
    return report_html(made(), replay=False)


def test_the_page_is_well_formed(page: str) -> None:
    found = Reader(page)
    assert (found.wrong, found.open) == ([], [])
    assert len(found.ids) == len(set(found.ids)) > len(made().sections)
    inner = [link[1:] for link in found.links if link.startswith("#")]
    assert set(inner) <= set(found.ids)
    assert found.tags.count("h1") == found.tags.count("main") == 1


def test_the_page_asks_for_nothing(page: str) -> None:
    assert {link for link in Reader(page).links if not link.startswith("#")} == {"data:,"}
    assert not re.search(r"url\((?!#)|@import", page)
    assert "default-src 'none'" in page


def test_every_section_is_in_the_page_with_its_figures(page: str) -> None:
    evaluation = made()
    for section in evaluation.sections:
        body = page.split(f'<section id="section-{section.key}">')[1].split("</section>", maxsplit=1)[0]
        assert f"<h2>{section.title}</h2>" in body
        assert 'role="group"' in body
    assert "YES: it can" in page
    assert "base.radius" in Reader(page).text


def test_the_same_evaluation_gives_the_same_page(page: str) -> None:
    assert report_html(made(), replay=False) == page


def test_names_are_text_never_markup() -> None:
    evaluation = made()
    robot = dataclasses.replace(evaluation.model.robot, name=HOSTILE, title=HOSTILE)
    table = Table("hostile", HOSTILE, columns((HOSTILE, "b"), ("", "m")), ((HOSTILE, 0.1),), HOSTILE)
    series = dataclasses.replace(evaluation["novelty"].series[0], name=HOSTILE)
    findings = tuple(dataclasses.replace(finding, reading=HOSTILE, label=HOSTILE) for finding in evaluation.findings)
    section = Answer(HOSTILE, HOSTILE, findings, (table,), (series,), {HOSTILE: HOSTILE}, (HOSTILE,))
    hostile = dataclasses.replace(
        evaluation,
        model=dataclasses.replace(evaluation.model, robot=robot),
        task=HOSTILE,
        title=HOSTILE,
        settings={"limb.arm": HOSTILE, HOSTILE: "1"},
        work=dataclasses.replace(pp.load_task("tray"), sources={"v_max": HOSTILE}),
        verdict=dataclasses.replace(evaluation.verdict, text=HOSTILE),
        sections=(section,),
    )
    text = report_html(hostile, replay=False)
    found = Reader(text)
    # One script, the page's own, and no other: its policy names it by its digest.
    assert found.tags.count("script") == 1
    assert f"<script>{ZOOM}</script>" in text
    assert re.findall(r"script-src ([^;]*);", text) == [f"'sha256-{digest(ZOOM)}'"]
    assert found.wrong == []
    assert found.text.count(HOSTILE) >= 11


def test_a_task_out_of_reach_has_a_report_too() -> None:
    text = report_html(bare(pp.load("par4")))
    assert '<p class="verdict no"' in text
    assert "The robot at its home" in text
    assert "There is no motion to show." in text
    assert "iframe" not in Reader(text).tags


def test_doubts_about_the_robot_are_repeated() -> None:
    model = pp.load("par4")
    light = model.with_parameters({"limb.arm_inertia": 71e-6})
    plain, doubted = (Reader(report_html(bare(one), replay=False)) for one in (model, light))
    assert "doubts" not in plain.ids
    assert "doubts" in doubted.ids
    assert "limb.arm_inertia: is 7.1\u00b710\u207b\u2075 kg m2" in doubted.text
    assert doubted.wrong == []


def test_without_viser_the_page_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "can_replay", lambda: False)
    text = report_html(made())
    assert "pip install" in text
    assert "parapick[report]" in text
    assert "iframe" not in Reader(text).tags
    assert "three.js authors" not in text
    assert 'class="still"' in text


def test_the_replay_is_inside_the_page() -> None:
    pytest.importorskip("viser")
    text = report_html(made())
    (frame,) = re.findall(r'<iframe class="replay"[^>]*srcdoc="([^"]*)"', text)
    assert "__VISER_EMBED_DATA__" in frame
    assert re.findall(r'<iframe[^>]* sandbox="([^"]*)"', text) == ["allow-scripts"]
    assert "<" not in frame
    found = Reader(text)
    assert {link for link in found.links if not link.startswith("#")} == {"data:,"}
    assert len(text) < 4e6
    # Licences in the player ask for their notices to go with it.
    assert "three.js authors" in found.text
    assert "Permission is hereby granted, free of charge" in found.text


def test_no_number_has_an_exponent_of_a_program_or_a_sign_before_zero() -> None:
    model = pp.load("delta-linear")
    evaluation = pp.evaluate(model, "adept-120", sections=("reach", "joints", "torque", "improve"))
    text = Reader(report_html(evaluation, replay=False)).text.replace(ZOOM, "")
    assert not re.findall(r"\d[eE][-+\u2212]\d+", text)
    assert not re.findall(r"[-\u2212]0(?:\.0+)?(?![.\d])", text)
    # Linear motors give forces.
    assert "torque" not in text
    assert "motor force, RMS" in text


def test_a_requirement_over_the_cycle_has_its_motor() -> None:
    evaluation = made()
    finding = dataclasses.replace(evaluation.findings[0], name="motor torque, RMS", place=None, motor=3)
    section = Answer("torque", "Motor torque", findings=(finding,))
    text = report_html(dataclasses.replace(evaluation, sections=(section,)), replay=False)
    assert "<td>motor 3, over the cycle</td>" in text


def broken(evaluation: Evaluation) -> Evaluation:
    finding = dataclasses.replace(evaluation.findings[0], value=-135.0, ok=False)
    section = Answer("torque", "Motor torque", findings=(finding,))
    return dataclasses.replace(evaluation, sections=(section,))


def test_a_requirement_that_is_not_kept_stands_out() -> None:
    text = report_html(broken(made()), replay=False)
    row = text.split('<table class="findings">')[1].split("</table>")[0]
    assert '<td class="broken">no</td>' in row
    assert "150 %" in row
    assert "135 N m" in row
    assert 'class="bar over"' in row


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.25, "m", "250"),
        (0.5235987755982988, "rad", "30"),
        (-12345.6, "W", "\u221212346"),
        (1e-12, "m", "0"),
        (1e-12, "", "10\u207b\u00b9\u00b2"),
        (-2.5e7, "", "\u221225000000"),
        (-2.5e-7, "", "\u22122.5\u00b710\u207b\u2077"),
        (float("inf"), "m/s3", "unbounded"),
        (float("nan"), "m", "–"),
        (None, "m", "–"),
        (True, "", "yes"),
        (3, "", "3"),
        ("arm <1>", "", "arm <1>"),
    ],
)
def test_cells(value: float, unit: str, text: str) -> None:
    table = Table("t", "t", columns(("name", "value"), ("", unit)), (("a", value), ("b", 1.0)))
    assert f">{escape(text)}</td></tr>" in table._repr_html_()


def test_a_row_may_state_the_unit_of_its_value() -> None:
    rows = (("slack", 0.25, "m"), ("acceleration", 50.0, "m/s2"))
    table = Table("smallest", "smallest", columns(("quantity", "value", "unit"), ("", "", "")), rows)._repr_html_()
    assert '<td class="number">250</td><td class="short">mm</td>' in table
    assert '<td class="number">50</td><td class="short">m/s²</td>' in table


def test_the_cover_names_project_author_date_and_files() -> None:
    files = input_files("par4", "box")
    cover = Cover("Cell 4: biscuits", "Line 3", HOSTILE, "2026-11-16", files)
    found = Reader(report_html(bare(pp.load("par4")), replay=False, cover=cover))
    assert found.wrong == []
    assert found.tags.count("script") == 1
    for text in ("Cell 4: biscuits", "Line 3", HOSTILE, "2026-11-16"):
        assert text in found.text
    for file in files:
        assert f"{file.path.name}, shipped with parapick" in found.text
        assert hashlib.sha256(file.path.read_bytes()).hexdigest() in found.text


def test_without_a_title_robot_and_task_are_the_title(page: str) -> None:
    assert "<h1>par4: a task</h1>" in page
    assert 'class="cover"' not in page
    assert "Input files" not in page


def test_a_file_of_ones_own_is_named_by_its_path(tmp_path: Path) -> None:
    own = tmp_path / "mine.toml"
    own.write_text("hello", encoding="utf-8")
    (file,) = input_files(own)
    assert file.name == str(own)
    assert file.digest == hashlib.sha256(b"hello").hexdigest()


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ParapickError, match="no such file"):
        input_files(tmp_path / "missing.toml")


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = bare(pp.load("par4"))
    path = write_report(evaluation, tmp_path / "new" / "folder", replay=False)
    assert path == tmp_path / "new" / "folder" / "par4-far.html"
    first = path.read_text(encoding="utf-8")
    assert first.endswith("</html>\n")

    def fail(self: Path, *arguments: object, **options: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(ParapickError, match="no space left"):
        write_report(evaluation, path.parent, replay=False)
    assert path.read_text(encoding="utf-8") == first
    assert [file.name for file in path.parent.iterdir()] == ["par4-far.html"]


def test_a_file_in_the_place_of_the_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    with pytest.raises(ParapickError, match="cannot be written"):
        write_report(bare(pp.load("par4")), tmp_path / "taken", replay=False)


def section_of(text: str, anchor: str) -> dict[str, tuple[str, ...]]:
    """Rows of the table of a section by their first cell."""
    body = text.split(f'<section id="{anchor}">')[1].split("</section>", maxsplit=1)[0]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr>(.*?)</tr>", body)]
    return {row[0]: tuple(row[1:]) for row in rows if row}


def test_the_numbers_of_task_and_robot_have_their_sources() -> None:
    evaluation = pp.evaluate("par4", "tray", sections=("motion",))
    evaluation = dataclasses.replace(evaluation, settings={"limb.arm": "0.35", "a_max": "80"})
    text = report_html(evaluation, replay=False, cover=Cover(files=input_files("par4", "tray")))
    task, robot = section_of(text, "task"), section_of(text, "numbers")
    assert task["v_max"][0] == "4 m/s"
    assert task["v_max"][-1] == pp.load_task("tray").sources["v_max"]
    assert task["place.grid.columns"][0] == "3"
    stated = load_robot("par4").sources
    assert robot["limb.rod_length"][-1] == escape(load_robot("par4").source_of("limb.rod_length") or "")
    assert stated
    # What was changed for this evaluation is from neither file.
    assert "set here" in robot["limb.arm"][-1]
    assert "set here" in task["a_max"][-1]
    assert '<a href="#task">' in text


def test_without_files_a_report_says_that_it_knows_no_sources(page: str) -> None:
    assert "was not given" in page
    robot = section_of(page, "numbers")
    assert len(robot["limb.arm"]) == 2
    assert '<section id="task">' not in page


def test_a_requirement_reads_as_words_where_numbers_would_not() -> None:
    records = ("pd", "tsid")
    finding = against("control that does it", "", 2.0, at_least=1.0, unit="laws", reading="2 of 2 laws do it")
    section = Answer("control", "Closed loop", findings=(finding,), notes=records)
    text = report_html(dataclasses.replace(made(), sections=(section,)), replay=False)
    (row,) = re.findall(r"<tr><td>control that does it</td>(.*?)</tr>", text)
    assert '<td colspan="2">2 of 2 laws do it</td>' in row
    assert "at least 1" not in row
    # As many columns as the others.
    assert row.count("<td") == 4


def test_a_quantity_from_a_stop_on_has_an_axis_of_its_own() -> None:
    t = np.linspace(0.0, 0.2, 50)
    series = Series("speed of the plate", "m/s", t, np.exp(-t)[:, None], ("pd",), since="the stop")
    (drawing,) = draw(made(), Answer("stopping", "Stopping", series=(series,)))
    (panel,) = drawing.panels
    assert panel.xlim == (0.0, 0.2)
    assert "the stop" in panel.xlabel
    assert panel.phases == ()


def test_options_stay_on_one_line_and_quantities_have_their_units_raised() -> None:
    options = notes_list(["evaluate with --task-set <a>=1, not a --- b"])
    assert '<span class="option">--task-set</span> &lt;a&gt;=1, not a --- b' in options
    table = table_element("", Texts(("quantity", "name"), (("acceleration (m/s2)", "m/s2"),), (), frozenset()))
    assert '<td class="short">acceleration (m/s²)</td>' in table
    assert '<td class="short">m/s2</td>' in table
