"""The report of an evaluation in a file of a chosen name, as a web page or printed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from parapick.files import write_text
from parapick.report.html import report_html
from parapick.report.pdf import write_pdf

if TYPE_CHECKING:
    from parapick.evaluation import Evaluation
    from parapick.report.cover import Cover


def write_report_file(evaluation: Evaluation, path: str | Path, *, cover: Cover, maps: Sequence[str] = ()) -> Path:
    """Write the report of an evaluation into a file and say where it is.

    Args:
        evaluation: the evaluation.
        path: the file: printed if its name ends in .pdf, which needs Chromium; otherwise a web page.
        cover: title, project, author, date and input files.
        maps: sections about the whole region of the robot: "workspace", or names of indices such as "acceleration".

    Raises:
        ParapickError: it cannot be written, a map cannot be made, or there is no Chromium.
    """
    target, page = Path(path), report_html(evaluation, cover=cover, maps=maps)
    if target.suffix.lower() != ".pdf":
        write_text(target, page)
        return target
    with tempfile.TemporaryDirectory(prefix="parapick-report-") as folder:
        source = Path(folder) / f"{target.stem}.html"
        write_text(source, page)
        return write_pdf(source, target)
