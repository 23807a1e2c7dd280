"""The report: an evaluation as one HTML file with its figures and its replay inside, which asks nothing of a network.

The page says so itself (its content security policy): a browser that opens it loads nothing, whoever wrote the names
in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from parapick.answer import (
    Answer,
    findings_table,
    notes_list,
    plain_table,
    power_text,
    table_element,
)
from parapick.errors import Doubt
from parapick.evaluation import Evaluation, load_words
from parapick.files import write_text
from parapick.names import file_name
from parapick.report.cover import Cover, cover_lines, files_section, robot_sources
from parapick.report.document import FOOT, STILL, document, page_header, page_links, page_section
from parapick.report.figures import Drawing, draw, figure_element, figure_elements
from parapick.report.notices import player_notices
from parapick.report.replay import can_replay, record_replay
from parapick.report.still import robot_panels
from parapick.robots import RobotFile, number_rows, row_texts
from parapick.tasks import task_rows

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval' blob:; "
    "worker-src blob:; img-src data: blob:; connect-src data: blob:; font-src data:; frame-src 'self'"
)
"""What a page with a replay may load: nothing from anywhere. Its frame, which the page carries, inherits this."""

_SANDBOX: Final = "allow-scripts"
"""What the frame of the replay may do: run its player. It has no origin, so that it reaches neither the page around it
nor anything that a browser keeps, and it can open, download and send nothing."""

_PLAIN: Final = Cover()

_TASK: Final = "Numbers of the task"
_ROBOT: Final = "Numbers of the robot"

_HEADS: Final = ("path", "value", "meaning", "source")

_SET_HERE: Final = "set here, otherwise than the file states"
"""The source of a number that was changed for this evaluation."""

_INSTALL: Final = "The robot moves here in 3D once viser is installed: pip install 'parapick[report]'."


def write_report(
    evaluation: Evaluation,
    folder: str | Path,
    *,
    replay: bool = True,
    cover: Cover = _PLAIN,
    maps: Sequence[str] = (),
) -> Path:
    """Write the report of an evaluation into a folder and say where it is.

    Args:
        folder: where to put it; made if it does not exist.
        replay: whether the robot moves in 3D; without it a picture stands in its place.
        cover: title, project, author, date and input files.
        maps: sections about the whole region of the robot: "workspace", or names of indices such as "acceleration".

    Raises:
        ParapickError: it cannot be written, or a map cannot be made.
    """
    path = Path(folder) / f"{file_name(evaluation.model.robot.name, evaluation.task)}.html"
    text = report_html(evaluation, replay=replay, cover=cover, maps=maps)
    write_text(path, text, folders=True)
    return path


def report_html(evaluation: Evaluation, *, replay: bool = True, cover: Cover = _PLAIN, maps: Sequence[str] = ()) -> str:
    """The report of an evaluation as an HTML document.

    Args:
        replay: whether the robot moves in 3D; without it a picture stands in its place.
        cover: title, project, author, date and input files.
        maps: sections about the whole region of the robot: "workspace", or names of indices such as "acceleration".

    Raises:
        ParapickError: a map cannot be made.
    """
    name = escape(cover.title or f"{evaluation.model.robot.name}: {evaluation.title}")
    picture, moving = _picture(evaluation, replay=replay)
    # The figures of maps are matplotlib's, which takes as long to import as all of the report to write.
    parts = [(section, draw(evaluation, section)) for section in evaluation.sections]
    if maps:
        from parapick.report.regions import regions

        parts += [(region.answer, list(region.drawings)) for region in regions(evaluation.model, maps)]
    sections = "".join(_section(section, drawings) for section, drawings in parts)
    body = (
        f"{_header(evaluation, cover, name)}{_links(evaluation, [section for section, _ in parts])}<main>\n"
        f"{_doubts(evaluation)}{findings_table(evaluation.findings)}"
        f"{picture}{sections}{_numbers(evaluation, cover)}{files_section(cover)}</main>\n{FOOT}"
    )
    return document(name, body, _POLICY if moving else STILL)


def _header(evaluation: Evaluation, cover: Cover, name: str) -> str:
    verdict, robot = evaluation.verdict, evaluation.model.robot
    # A title of one's own says neither robot nor task.
    texts = (robot.name, robot.title, evaluation.title) if cover.title else (robot.title,)
    if evaluation.settings:
        changes = ", ".join(f"{path} = {text}" for path, text in evaluation.settings.items())
        texts += (f"set otherwise than the files state: {changes}",)
    return page_header(name, texts, verdict.text, ok=verdict.ok, lines=cover_lines(cover))


def _links(evaluation: Evaluation, sections: Sequence[Answer]) -> str:
    stated = [("numbers", _ROBOT)] if evaluation.work is None else [("task", _TASK), ("numbers", _ROBOT)]
    return page_links([*((_anchor(part), part.title) for part in sections), *stated])


def _doubts(evaluation: Evaluation) -> str:
    """What is doubtful about the numbers of the robot; nothing where nothing is."""
    if not evaluation.doubts:
        return ""
    items = "".join(f"<li>{_doubt(doubt)}</li>" for doubt in evaluation.doubts)
    return page_section("doubts", "Doubts about the numbers of the robot", f'<ul class="notes">{items}</ul>\n')


def _doubt(doubt: Doubt) -> str:
    """A doubt, and below it the lines of a file that would settle it."""
    return "<br>".join([escape(power_text(doubt.head)), *(f"<code>{escape(line)}</code>" for line in doubt.lines)])


def _anchor(section: Answer) -> str:
    return f"section-{file_name(section.key)}"


def _section(section: Answer, drawings: Sequence[Drawing]) -> str:
    tables = "".join(table_element(table.title, table.texts(), table.note) for table in section.tables)
    notes = notes_list((*section.left_out, *section.notes))
    figures = figure_elements(drawings, _anchor(section))
    return page_section(_anchor(section), section.title, f'{notes}<div class="blocks">\n{tables}{figures}</div>\n')


def _picture(evaluation: Evaluation, *, replay: bool) -> tuple[str, bool]:
    """The robot moving, and a still picture of it for print and where it cannot move; and whether it moves."""
    still = _still(evaluation)
    frame, sentence = _replay(evaluation) if replay else ("", "")
    if not still and not frame and not sentence:
        return "", False
    hint = f'<p class="note on-screen">{escape(sentence)}</p>\n' if sentence else ""
    inner, kind = f"{frame}{still}{hint}", "has-replay" if frame else ""
    return page_section("robot", "The robot on its way", inner, kind=kind), bool(frame)


def _still(evaluation: Evaluation) -> str:
    panels = robot_panels(evaluation.model, evaluation.motion)
    if not panels:
        return ""
    where = "at its home" if evaluation.motion is None else "at the start of the cycle and, fainter, halfway"
    return figure_element(Drawing(f"The robot {where}, from two sides", panels, "still"), "still")


def _replay(evaluation: Evaluation) -> tuple[str, str]:
    """The replay as a frame that carries its whole document, or why there is none."""
    model, motion, samples = evaluation.model, evaluation.motion, evaluation.samples
    if motion is None or samples is None:
        return "", "There is no motion to show."
    if not np.isfinite(model.inverse_kinematics(samples.x)).all():
        return "", "The motion leaves the reach of the robot, so it is not shown."
    if not can_replay():
        return "", _INSTALL
    replay = record_replay(model, motion)
    slower = f"{replay.slower:g} times slower than the robot" if replay.slower > 1.0 else "at the pace of the robot"
    text = f"{slower}; drag to turn, scroll to come nearer, space to pause. Arms have the colours of their motors."
    return (
        f'<figure><iframe class="replay" sandbox="{_SANDBOX}" title="The robot moving through a cycle in 3D" '
        f'srcdoc="{escape(replay.html)}"></iframe>'
        f'<figcaption class="on-screen">The cycle, {text}</figcaption></figure>\n'
        f'<details class="notices on-screen"><summary>Notices of the player</summary>\n'
        f"<pre>{escape(player_notices())}</pre></details>\n"
    ), ""


def _numbers(evaluation: Evaluation, cover: Cover) -> str:
    """The numbers of task and robot that the report rests on, each with where it comes from."""
    return _task_numbers(evaluation) + _robot_numbers(evaluation, cover)


def _task_numbers(evaluation: Evaluation) -> str:
    if evaluation.work is None:
        return ""
    rows = [
        (path, value, meaning, _SET_HERE if path in evaluation.settings else source)
        for path, value, meaning, source in task_rows(evaluation.work)
    ]
    lines = [evaluation.title]
    return page_section("task", _TASK, notes_list(lines) + _stated_table(rows, "fields"))


def _robot_numbers(evaluation: Evaluation, cover: Cover) -> str:
    sources = {**robot_sources(cover), **dict.fromkeys(evaluation.settings, _SET_HERE)}
    stated = number_rows(RobotFile(evaluation.model.robot, sources=sources))
    # Entries of a list share their meaning.
    meanings = {path: row.meaning for row in stated for path in (row.path, row.path.rstrip(".0123456789"))}
    rows = [
        (path, value, meanings.get(path, ""), source.removeprefix("-")) for path, value, source in row_texts(stated)
    ]
    mode = evaluation.model.working_mode
    lines = [f"working mode {mode.name}" + (f" ({mode.signs})" if mode.signs != mode.name else "")]
    if evaluation.motion is not None and (loads := load_words(evaluation.model, evaluation.motion)):
        lines.append(loads)
    if not cover.files:
        lines.append("where they come from is in the file of the robot, which this report was not given")
    return page_section("numbers", _ROBOT, notes_list(lines) + _stated_table(rows, "parameters"))


def _stated_table(rows: Sequence[tuple[str, str, str, str]], what: str) -> str:
    """Paths with values, meanings and sources, folded away on the screen."""
    heads = [name for name, filled in zip(_HEADS, map(any, zip(*rows, strict=True)), strict=True) if filled]
    chosen = [_HEADS.index(head) for head in heads]
    cells = [tuple(power_text(row[i]) if i == 1 else row[i] for i in chosen) for row in rows]
    table = plain_table("", heads, cells)
    return f'<details class="stated"><summary>All {len(rows)} {what}</summary>\n{table}</details>\n'
