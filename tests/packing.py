"""A packaging machine and its tasks, as their user wrote them: a Par4, and trays of 3 x 4 chocolates."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "packer"
ROBOT: Final = FOLDER / "packdelta4.toml"


def task(name: str) -> Path:
    """The file of a task: "choco-tray", "choco-still" or "choco-stop"."""
    return FOLDER / f"{name}.toml"
