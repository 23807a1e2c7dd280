"""What the side-by-side runs share: compiling hand-written C, its disassembly, aligned arrays, fresh interpreters.

A benchmark compiles its C file with `compile_library` into a folder of its own, calls it through `ctypes`, and reads
with `instructions` whether the compiler made vectors of it. Timing and tables are in `racing.py`.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from parapick.kernel.llvm.target import host_target

__all__ = [
    "C_WIDE",
    "LANES",
    "SCALAR_FLAGS",
    "VECTOR_FLAGS",
    "Instructions",
    "aligned",
    "compile_library",
    "compiler",
    "instructions",
    "machine",
    "run_python",
    "spawn_cpu_seconds",
]

# C gets vectors as wide as those of the generated code, which has 8 lanes where the CPU has AVX-512.
LANES = host_target().width
C_WIDE = f"C {LANES}-wide"
VECTOR_FLAGS = ("-O3", "-march=native", "-ffast-math", f"-mprefer-vector-width={64 * LANES}")
SCALAR_FLAGS = (*VECTOR_FLAGS, "-fno-tree-vectorize", "-fno-tree-slp-vectorize")

# Vector mathematics of glibc; named explicitly because a shared object does not get it from -lm.
LIBRARIES = ("-lmvec", "-lm")


def compiler() -> str | None:
    """Path of gcc, or None where the machine has none."""
    return shutil.which("gcc")


def compile_library(source: Path, folder: Path, name: str, flags: Sequence[str] = VECTOR_FLAGS) -> Path:
    """Compile one C file into the shared library `folder/name.so`.

    It is linked without `flags`: told of -ffast-math, gcc before version 13 links start-up code into a library that
    makes subnormal numbers zero, from then on and for everybody in the process, contenders included.

    Args:
        source: the C file.
        folder: where the library goes; the caller owns it and removes it.
        name: name of the build, unique in `folder`.
        flags: options of gcc.

    Returns:
        Path of the library.
    """
    gcc = compiler()
    if gcc is None:
        raise FileNotFoundError("hand-written C needs gcc, which is not on the PATH")
    compiled, library = folder / f"{name}.o", folder / f"{name}.so"
    subprocess.run([gcc, "-std=gnu11", "-Wall", *flags, "-fPIC", "-c", str(source), "-o", str(compiled)], check=True)
    subprocess.run([gcc, "-shared", str(compiled), "-o", str(library), *LIBRARIES], check=True)
    return library


def aligned(*shape: int) -> np.ndarray:
    """An empty array of doubles that starts on a cache line, so that chance does not decide about split stores."""
    line, size = 64, math.prod(shape)
    memory = np.empty(size + line // 8)
    start = -memory.ctypes.data % line // 8
    return memory[start : start + size].reshape(shape)


@final
@dataclass(frozen=True)
class Instructions:
    """Counts of floating-point instructions in the machine code of one function, for doubles.

    Attributes:
        vector4: arithmetic on 4 doubles, by mnemonic.
        vector8: arithmetic on 8 doubles, by mnemonic.
        calls: calls of vector mathematics, such as `_ZGVdN4vv_atan2`: `dN4` is AVX2 with 4 lanes.
    """

    vector4: Mapping[str, int]
    vector8: Mapping[str, int]
    calls: Mapping[str, int]

    def is_wide(self, *needed: str) -> bool:
        """Whether all of `needed` occur with `LANES` lanes, and nothing with more."""
        used = {4: self.vector4, 8: self.vector8}[LANES]
        return all(used.get(name, 0) for name in needed) and not (LANES == 4 and self.vector8)


ARITHMETIC = re.compile(r"\b(v(?:add|sub|mul|div|sqrt|max|min|fn?m(?:add|sub)\d*)pd)\b[^\n]*%([yz])mm")
VECTOR_CALL = re.compile(r"\bcall\w*\s.*<(_ZGV[a-z]N\d+v+_\w+)@?")


def instructions(library: Path, function: str) -> Instructions:
    """Read the machine code of `function` with objdump."""
    command = ["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", str(library)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = ARITHMETIC.findall(text)
    return Instructions(
        vector4=Counter(name for name, width in found if width == "y"),
        vector8=Counter(name for name, width in found if width == "z"),
        calls=Counter(VECTOR_CALL.findall(text)),
    )


def run_python(code: str, environment: Mapping[str, str] | None = None) -> Any:
    """Run `code` in a fresh interpreter and give back what it printed last, read as JSON.

    Args:
        code: the program; it prints one JSON value on its last line.
        environment: variables to set beside the present ones.
    """
    merged = {**os.environ, **(environment or {})}
    done = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True, env=merged)
    return json.loads(done.stdout.strip().splitlines()[-1])


def spawn_cpu_seconds(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """CPU time (s) of one child process, user and system."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def machine() -> dict[str, str]:
    """What a reader must know of the machine: CPU, vector instructions, compiler, Python, NumPy."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    model = re.search(r"^model name\s*:\s*(.*)$", text, re.MULTILINE)
    flags = [name for name in ("avx2", "fma", "avx512f") if re.search(rf"\b{name}\b", text)]
    gcc = compiler()
    version = subprocess.check_output([gcc, "-dumpfullversion"], text=True) if gcc else "none"
    return {
        "cpu": model.group(1) if model else os.uname().machine,
        "vectors": " ".join(flags),
        "gcc": version.strip(),
        "python": sys.version.split()[0],
        "numpy": np.__version__,
    }
