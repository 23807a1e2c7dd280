"""LinuxCNC as far as a component sees it: compiled without the package, and called from Python."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import numpy as np

HEADERS = {
    "rtapi_math.h": "#include <math.h>\n",
    "kinematics.h": """
typedef struct { double x, y, z; } PmCartesian;
typedef struct EmcPose { PmCartesian tran; double a, b, c, u, v, w; } EmcPose;
typedef enum {
    KINEMATICS_IDENTITY = 1, KINEMATICS_FORWARD_ONLY, KINEMATICS_INVERSE_ONLY, KINEMATICS_BOTH
} KINEMATICS_TYPE;
typedef unsigned long KINEMATICS_FORWARD_FLAGS;
typedef unsigned long KINEMATICS_INVERSE_FLAGS;
#define KINS_NOT_SWITCHABLE
#define EXPORT_SYMBOL(name) extern int exported_##name
""",
}
"""The headers of LinuxCNC that components include, as far as they are used."""

FLAGS = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared")

NAMED = re.compile(r"^pin (?:in|out) (?:float|bit) (\w+?)(?:_#\[(\d+)\])? ", re.MULTILINE)


class Component:
    """A component, compiled as a shared library; its pins are arrays."""

    def __init__(self, folder: Path, name: str) -> None:
        """Compile a component of an export.

        Args:
            folder: where the export is.
            name: of the component.
        """
        head, body = (folder / f"{name}.comp").read_text().split("\n;;\n")
        pins = [(pin, int(size or 0)) for pin, size in NAMED.findall(head)]
        lines = ["#define FUNCTION(name) void run_##name(long period); void run_##name(long period)"]
        for pin, size in pins:
            lines.append(f"double pin_{pin}[{size or 1}];")
            lines.append(f"#define {pin}(i) pin_{pin}[i]" if size else f"#define {pin} pin_{pin}[0]")
        headers = folder / "stub"
        headers.mkdir(exist_ok=True)
        for file, text in HEADERS.items():
            (headers / file).write_text(text)
        source, library = headers / f"{name}_whole.c", headers / f"{name}.so"
        source.write_text("\n".join([*lines, body]))
        subprocess.run(["gcc", *FLAGS, f"-I{headers}", f"-I{folder}", "-o", library, source, "-lm"], check=True)
        self.library = ctypes.CDLL(str(library))
        self.pins = {
            pin: np.ctypeslib.as_array((ctypes.c_double * (size or 1)).in_dll(self.library, f"pin_{pin}"))
            for pin, size in pins
        }


def inverse(library: ctypes.CDLL, pose: np.ndarray, joints: int) -> np.ndarray | None:
    """Joints for poses (N, 9) of LinuxCNC: x, y, z, a, b, c, u, v, w; None where a call fails.

    Args:
        library: a module of kinematics.
        pose: the poses, mm and deg.
        joints: number of joints.
    """
    answer = np.zeros((len(pose), 16))
    flags = (ctypes.c_ulong * 2)()
    for row, out in zip(np.ascontiguousarray(pose), answer, strict=True):
        given = (ctypes.c_double * 9)(*row)
        if library.kinematicsInverse(given, ctypes.c_void_p(out.ctypes.data), flags, flags):
            return None
    return answer[:, :joints]


def forward(library: ctypes.CDLL, joints: np.ndarray) -> np.ndarray | None:
    """Poses (N, 9) for joints (N, n); None where a call fails.

    Args:
        library: a module of kinematics.
        joints: mm and deg.
    """
    answer = np.zeros((len(joints), 9))
    flags = (ctypes.c_ulong * 2)()
    for row, out in zip(joints, answer, strict=True):
        given = (ctypes.c_double * 16)(*row)
        if library.kinematicsForward(given, ctypes.c_void_p(out.ctypes.data), flags, flags):
            return None
    return answer
