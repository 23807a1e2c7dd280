"""Names of files."""

from __future__ import annotations

import re

__all__ = ["file_name"]


def file_name(*parts: str) -> str:
    """A file's name from names of things, with nothing in it that a file system or a shell takes amiss.

    Args:
        parts: names, such as a robot's and a task's.
    """
    plain = (re.sub(r"[^A-Za-z0-9._]+", "-", part).strip("-._") for part in parts)
    return "-".join(part for part in plain if part) or "report"
