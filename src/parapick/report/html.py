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
from parapick.report.cover import Cover, cover_lines, files_section
from parapick.report.document import FOOT, document, page_header, page_links, page_section
from parapick.report.figures import Drawing, draw, figure_element, figure_elements
from parapick.report.notices import player_notices
from parapick.report.replay import can_replay, record_replay
from parapick.report.still import robot_panels
from parapick.robots import RobotFile, number_rows, row_texts

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval' blob:; "
    "worker-src blob:; img-src data: blob:; connect-src data: blob:; font-src data:; frame-src 'self'"
)
"""What the page may load: nothing from anywhere. The replay is a frame that the page carries; it inherits this."""

_SANDBOX: Final = "allow-scripts"
"""What the frame of the replay may do: run its player. It has no origin, so that it reaches neither the page around it
nor anything that a browser keeps, and it can open, download and send nothing."""

_PLAIN: Final = Cover()

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
    picture = _picture(evaluation, replay=replay)
    # The figures of maps are matplotlib's, which takes as long to import as all of the report to write.
    parts = [(section, draw(evaluation, section)) for section in evaluation.sections]
    if maps:
        from parapick.report.regions import regions

        parts += [(region.answer, list(region.drawings)) for region in regions(evaluation.model, maps)]
    sections = "".join(_section(section, drawings) for section, drawings in parts)
    body = (
        f"{_header(evaluation, cover, name)}{_links([section for section, _ in parts])}<main>\n"
        f"{_doubts(evaluation)}{findings_table(evaluation.findings)}"
        f"{picture}{sections}{_numbers(evaluation)}{files_section(cover)}</main>\n{FOOT}"
    )
    return document(name, body, _POLICY)


def _header(evaluation: Evaluation, cover: Cover, name: str) -> str:
    verdict, robot = evaluation.verdict, evaluation.model.robot
    # A title of one's own says neither robot nor task.
    texts = (robot.name, robot.title, evaluation.title) if cover.title else (robot.title,)
    if evaluation.settings:
        changes = ", ".join(f"{path} = {text}" for path, text in evaluation.settings.items())
        texts += (f"set otherwise than the files state: {changes}",)
    return page_header(name, texts, verdict.text, ok=verdict.ok, lines=cover_lines(cover))


def _links(sections: Sequence[Answer]) -> str:
    return page_links([*((_anchor(part), part.title) for part in sections), ("numbers", "Numbers of the robot")])


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


def _picture(evaluation: Evaluation, *, replay: bool) -> str:
    """The robot moving, and a still picture of it for print and where it cannot move."""
    still = _still(evaluation)
    frame, sentence = _replay(evaluation) if replay else ("", "")
    if not still and not frame and not sentence:
        return ""
    hint = f'<p class="note on-screen">{escape(sentence)}</p>\n' if sentence else ""
    return page_section("robot", "The robot on its way", f"{frame}{still}{hint}", kind="has-replay" if frame else "")


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


def _numbers(evaluation: Evaluation) -> str:
    """The numbers of the robot that the report rests on."""
    stated = number_rows(RobotFile(evaluation.model.robot))
    cells: Sequence[tuple[str, str]] = [(path, power_text(value)) for path, value, _ in row_texts(stated)]
    table = plain_table("", ("parameter", "value"), cells)
    mode = evaluation.model.working_mode
    lines = [f"working mode {mode.name}" + (f" ({mode.signs})" if mode.signs != mode.name else "")]
    if evaluation.motion is not None and (loads := load_words(evaluation.model, evaluation.motion)):
        lines.append(loads)
    folded = f"<details><summary>All {len(cells)} parameters</summary>\n{table}</details>\n"
    return page_section("numbers", "Numbers of the robot", f"{notes_list(lines)}{folded}")
