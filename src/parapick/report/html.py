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

from parapick import __version__
from parapick.answer import Answer
from parapick.answer.page import findings_table, notes_list, plain_table, table_element
from parapick.answer.words import power_text
from parapick.evaluation.evaluation import Evaluation
from parapick.evaluation.tasks import load_words
from parapick.files import write_text
from parapick.names import file_name
from parapick.report.cover import Cover, cover_lines, files_section
from parapick.report.document import document
from parapick.report.figures import Drawing, draw, figure_element
from parapick.report.notices import player_notices
from parapick.report.replay import can_replay, record_replay
from parapick.report.still import robot_panels
from parapick.robots import RobotFile
from parapick.robots.rows import in_words, rows

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


_FOOT: Final = (
    f"Made by parapick {escape(__version__)}. Lengths are in millimetres and angles in degrees where a table or an "
    "axis says so; everything else is SI. Torques, forces and speeds of motors are at their shafts."
)


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
        evaluation: the evaluation.
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
        evaluation: the evaluation.
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
        f"{_head(evaluation, cover, name)}{_links([section for section, _ in parts])}<main>\n"
        f"{_doubts(evaluation)}{findings_table(evaluation.findings)}"
        f"{picture}{sections}{_numbers(evaluation)}{files_section(cover)}</main>\n<footer>{_FOOT}</footer>\n"
    )
    return document(name, body, _POLICY)


def _head(evaluation: Evaluation, cover: Cover, name: str) -> str:
    verdict, robot = evaluation.verdict, evaluation.model.robot
    # A title of one's own says neither robot nor task.
    texts = (robot.name, robot.title, evaluation.title) if cover.title else (robot.title,)
    if evaluation.settings:
        changes = ", ".join(f"{path} = {text}" for path, text in evaluation.settings.items())
        texts += (f"set otherwise than the files state: {changes}",)
    about = "".join(f'<p class="about">{escape(text)}</p>\n' for text in texts if text)
    return (
        f"<header>\n<h1>{name}</h1>\n{about}{cover_lines(cover)}"
        f'<p class="verdict {"yes" if verdict.ok else "no"}" role="status">{escape(verdict.text)}</p>\n</header>\n'
    )


def _links(sections: Sequence[Answer]) -> str:
    links = "".join(f'<li><a href="#{_anchor(part)}">{escape(part.title)}</a></li>' for part in sections)
    return f'<nav aria-label="Sections"><ul>{links}<li><a href="#numbers">Numbers of the robot</a></li></ul></nav>\n'


def _doubts(evaluation: Evaluation) -> str:
    """What is doubtful about the numbers of the robot; nothing where nothing is."""
    if not evaluation.doubts:
        return ""
    items = "".join(f"<li>{escape(power_text(str(doubt)))}</li>" for doubt in evaluation.doubts)
    title = "Doubts about the numbers of the robot"
    return f'<section id="doubts">\n<h2>{title}</h2>\n<ul class="notes">{items}</ul>\n</section>\n'


def _anchor(section: Answer) -> str:
    return f"section-{file_name(section.key)}"


def _section(section: Answer, drawings: Sequence[Drawing]) -> str:
    tables = "".join(table_element(table.title, table.texts(), table.note) for table in section.tables)
    drawn = enumerate(drawings)
    figures = "".join(figure_element(drawing, f"{_anchor(section)}-{number}") for number, drawing in drawn)
    return (
        f'<section id="{_anchor(section)}">\n<h2>{escape(section.title)}</h2>\n'
        f'{notes_list((*section.left_out, *section.notes))}<div class="blocks">\n{tables}{figures}</div>\n</section>\n'
    )


def _picture(evaluation: Evaluation, *, replay: bool) -> str:
    """The robot moving, and a still picture of it for print and where it cannot move."""
    still = _still(evaluation)
    frame, sentence = _replay(evaluation) if replay else ("", "")
    if not still and not frame and not sentence:
        return ""
    hint = f'<p class="note on-screen">{escape(sentence)}</p>\n' if sentence else ""
    kind = ' class="has-replay"' if frame else ""
    return f'<section id="robot"{kind}>\n<h2>The robot on its way</h2>\n{frame}{still}{hint}</section>\n'


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
    found = record_replay(model, motion)
    slower = f"{found.slower:g} times slower than the robot" if found.slower > 1.0 else "at the pace of the robot"
    text = f"{slower}; drag to turn, scroll to come nearer, space to pause. Arms have the colours of their motors."
    return (
        f'<figure><iframe class="replay" sandbox="{_SANDBOX}" title="The robot moving through a cycle in 3D" '
        f'srcdoc="{escape(found.html)}"></iframe>'
        f'<figcaption class="on-screen">The cycle, {text}</figcaption></figure>\n'
        f'<details class="notices on-screen"><summary>Notices of the player</summary>\n'
        f"<pre>{escape(player_notices())}</pre></details>\n"
    ), ""


def _numbers(evaluation: Evaluation) -> str:
    """The numbers of the robot that the report rests on."""
    stated = rows(RobotFile(evaluation.model.robot))
    cells: Sequence[tuple[str, str]] = [(path, power_text(value)) for path, value, _ in in_words(stated)]
    table = plain_table("", ("parameter", "value"), cells)
    mode = evaluation.model.working_mode
    lines = [f"working mode {mode.name}" + (f" ({mode.signs})" if mode.signs != mode.name else "")]
    if evaluation.motion is not None and (loads := load_words(evaluation.model, evaluation.motion)):
        lines.append(loads)
    return (
        f'<section id="numbers">\n<h2>Numbers of the robot</h2>\n{notes_list(lines)}'
        f"<details><summary>All {len(cells)} parameters</summary>\n{table}</details>\n</section>\n"
    )
