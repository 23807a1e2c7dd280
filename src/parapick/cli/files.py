"""Where a command may write what it made."""

from __future__ import annotations

from pathlib import Path

from parapick.errors import ParapickError

__all__ = ["check_target"]


def check_target(path: str, suffixes: tuple[str, ...] = ()) -> Path:
    """The path of a file that can be written, as far as one can tell before there is something to write.

    Args:
        path: the file.
        suffixes: how its name may end; anything if empty.

    Raises:
        ParapickError: the name ends otherwise, its folder does not exist, or it is a folder itself.
    """
    target = Path(path)
    if suffixes and target.suffix.lower() not in suffixes:
        raise ParapickError(f"{path}: the name of the file must end in {', '.join(suffixes)}")
    if target.is_dir():
        raise ParapickError(f"{path}: is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise ParapickError(f"{path}: the folder {target.parent} does not exist")
    return target
