"""Small catalogues of motors and gearboxes for tests, written as a user would."""

from __future__ import annotations

from pathlib import Path

MOTORS = """name,rated_torque (N m),peak_torque (N m),peak_speed (1/min),inertia (kg cm2),mass (kg),price (EUR),source
small,1.2,3.6,6000,0.5,1.5,300,a test
middle,2.4,7.2,6000,1.5,2.5,400,a test
large,6,18,5000,5,6,800,a test
"""
GEARBOXES = """name,ratio,efficiency (%),inertia (kg cm2),peak_torque (N m),mass (kg),price (EUR),source
ten,10,97,0.3,60,1.5,290,a test
twenty,20,94,0.4,140,3,480,a test
"""
PAIRS = """motor,gearbox
small,ten
small,twenty
middle,ten
large,twenty
"""
CURVES = """motor,kind,speed (1/min),torque (N m)
middle,peak,0,7.2
middle,peak,4000,7.2
middle,peak,6000,3
large,peak,0,18
large,peak,5000,9
large,continuous,0,7
large,continuous,2500,6.5
large,continuous,5000,4
"""


def write_catalogue(folder: Path, **texts: str | None) -> Path:
    """A catalogue in a folder; a file is another text, or left out where it is None."""
    given = {"motors": MOTORS, "gearboxes": GEARBOXES, "pairs": PAIRS, "curves": CURVES, **texts}
    for name, text in given.items():
        if text is not None:
            (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return folder
