"""The requirements of dependency groups (PEP 735), one a line, for a pip that is older than its option `--group`.

    python tools/groups.py dev > requirements.txt

`python -m venv` brings the pip of its Python: that of 3.11 and 3.12 knows no groups (they came with pip 25.1).
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

Groups = Mapping[str, Sequence[str | Mapping[str, str]]]


def requirements(groups: Groups, name: str, asked: tuple[str, ...] = ()) -> list[str]:
    """What a group requires, with the groups that it includes, each once.

    Args:
        groups: the table `dependency-groups`.
        name: of the group.
        asked: groups that led to it.

    Raises:
        SystemExit: there is no such group, or it includes itself.
    """
    if name not in groups:
        raise SystemExit(f"there is no group {name}; there are {', '.join(sorted(groups))}")
    if name in asked:
        raise SystemExit(f"the group {name} includes itself: {' -> '.join((*asked, name))}")
    lines: list[str] = []
    for entry in groups[name]:
        lines += [entry] if isinstance(entry, str) else requirements(groups, entry["include-group"], (*asked, name))
    return [*dict.fromkeys(lines)]


def main(names: Sequence[str]) -> int:
    """Write the requirements of groups.

    Args:
        names: of the groups.
    """
    groups = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]
    lines = [line for name in names for line in requirements(groups, name)]
    sys.stdout.write("".join(f"{line}\n" for line in dict.fromkeys(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
