"""LinuxCNC itself, headless: an export is compiled, installed for its processes only, and run as another user."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from export.linuxcnc.peers import MODULES

NOBODY = "nobody"
"""The user that the controller runs as: it refuses the superuser."""

RECORDER = """component recorder "writes every period what its pins hold";
pin in float value_#[{count}];
pin in bit running;
option singleton yes;
function _ fp;
license "GPL";
;;
#include <stdio.h>
FUNCTION(_)
{{
    static FILE *file;
    (void)period;
    if (!file) file = fopen("{path}", "wb");
    if (!file || !running) return;
    for (int i = 0; i < {count}; i++) {{
        double now = value(i);
        fwrite(&now, sizeof now, 1, file);
    }}
    fflush(file);
}}
"""
"""LinuxCNC's own sampler prints six digits; this one keeps all of them."""


def skip_without_controller() -> None:
    """Skip the test where the controller cannot be run, and say why."""
    for program, package in (("linuxcnc", "linuxcnc-uspace"), ("halcompile", "linuxcnc-uspace-dev")):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed: the system's package {package}, or make foreign")
    if os.geteuid() != 0 or not shutil.which("runuser"):
        pytest.skip("only the superuser can show LinuxCNC modules of its own, and run it as another user")
    probe = ["unshare", "-m", "mount", "--bind", str(MODULES), str(MODULES)]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here, so that LinuxCNC cannot be shown modules of its own")


def recorded(folder: Path, ini: str, components: list[str], nets: list[tuple[str, str]]) -> tuple[Any, np.ndarray]:
    """Run an export; what its script wrote, and what nets carried in each period of coordinated motion (T, n).

    Args:
        folder: where the export is, readable and writable for everybody.
        ini: name of its INI file.
        components: names of its components.
        nets: each net with the pin that drives it, empty where the export has joined it already.
    """
    series, hal = folder / "series.bin", folder / "recorder.hal"
    (folder / "recorder.comp").write_text(RECORDER.format(count=len(nets), path=series))
    lines = ["loadrt recorder", "net coordinated motion.coord-mode => recorder.running"]
    lines += [f"net {net} {pin} => recorder.value-{k}".replace("  ", " ") for k, (net, pin) in enumerate(nets)]
    hal.write_text("\n".join([*lines, "addf recorder servo-thread", ""]))
    machine = folder / ini
    text = machine.read_text().replace("[KINS]", f"HALFILE = {hal.name}\n[KINS]", 1)
    machine.write_text(text.replace("\n\nHALF", "\nHALF"))
    for name in (*components, "recorder"):
        subprocess.run(["halcompile", "--compile", f"{name}.comp"], cwd=folder, check=True, capture_output=True)
    shown = folder / "modules"
    shutil.copytree(MODULES, shown)
    for module in folder.glob("*.so"):
        shutil.copy(module, shown)
    _open_to_all(folder)
    command = f"mount --bind {shown} {MODULES} && exec runuser -u {NOBODY} -- env HOME={folder} linuxcnc -r {ini}"
    run = subprocess.run(
        ["unshare", "-m", "sh", "-c", command], cwd=folder, check=False, capture_output=True, text=True, timeout=180
    )
    assert (folder / "run.json").exists(), run.stdout + run.stderr
    return json.loads((folder / "run.json").read_text()), np.fromfile(series).reshape(-1, len(nets))


def _open_to_all(folder: Path) -> None:
    """Let every user reach and write a folder of a test."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o777)
    # The folders of pytest above it are its owner's alone.
    for parent in list(folder.parents)[:3]:
        if parent != Path("/tmp"):
            parent.chmod(0o755)
