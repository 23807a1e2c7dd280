"""What code is made for: processors chosen by name, and vector mathematics."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from casadi import SX

from parapick.errors import KernelError
from parapick.kernel import Trace, build
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.batch_loop import batch_module
from parapick.kernel.llvm.compiler import compile_text
from parapick.kernel.llvm.target import Target, host_target

x86_only = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="levels of x86-64")


def compiled(trace: Trace, target: Target) -> bytes:
    return compile_text(batch_module(trace, target), target)


def disassembly(payload: bytes, folder: Path) -> str:
    tool = shutil.which("objdump")
    if tool is None:
        pytest.skip("no objdump")
    (folder / "object.o").write_bytes(payload)
    return subprocess.run([tool, "-dr", folder / "object.o"], capture_output=True, text=True, check=True).stdout


@x86_only
def test_masking_avx2_leaves_no_avx(example: Trace, tmp_path: Path) -> None:
    code = disassembly(compiled(example, host_target(cpu="x86-64")), tmp_path)
    assert "mulpd" in code
    assert "ymm" not in code
    assert "vmulpd" not in code
    assert "_ZGVdN4" not in code


@x86_only
def test_the_environment_chooses(example: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CPU", "x86-64")
    assert host_target().cpu == "x86-64"
    assert host_target() != host_target(cpu="host")
    monkeypatch.setenv("PARAPICK_VECTOR_MATH", "scalar")
    assert not host_target().isa
    code = disassembly(compiled(example, host_target()), tmp_path)
    assert "_ZGV" not in code
    assert "atan2" in code
    x = SX.sym("x", 1)
    np.testing.assert_array_equal(build("chosen", {"x": x}, None, {"y": 2 * x})([[1.0], [2.0]])[0], [2.0, 4.0])


@x86_only
def test_vector_mathematics_is_used_where_it_is(example: Trace, tmp_path: Path) -> None:
    target = host_target()
    if "cos" not in target.functions:
        pytest.skip("libmvec is absent or old")
    code = disassembly(compiled(example, target), tmp_path)
    assert f"_ZGV{target.isa}N{target.width}v_cos" in code, "of parameters"
    assert ("zmm" in code) == (target.width == 8)
    assert "atan2" not in code, "written out"
    assert "v_exp" not in code, "written out"
    masked = disassembly(compiled(example, host_target(cpu="x86-64")), tmp_path)
    assert "_ZGV" not in masked, "no vectors of four to pass"
    assert "exp" in masked


@pytest.mark.parametrize("name", ["pentium", "x86_64", "HOST"])
def test_an_unknown_processor(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CPU", name)
    with pytest.raises(KernelError, match=f"PARAPICK_CPU is '{name}'; it should be one of host"):
        host_target()


def test_unknown_vector_mathematics(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_VECTOR_MATH", "fast")
    with pytest.raises(KernelError, match="PARAPICK_VECTOR_MATH is 'fast'; it should be 'auto' or 'scalar'"):
        host_target()


@x86_only
def test_a_processor_this_machine_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from parapick.kernel.llvm import target

    monkeypatch.setitem(target._X86_LEVELS, "x86-64-v9", ("sse2", "future"))
    with pytest.raises(KernelError, match="'x86-64-v9', but this machine lacks future"):
        host_target(cpu="x86-64-v9")


@x86_only
def test_eight_rows_where_the_processor_has_them() -> None:
    from parapick.kernel.llvm import target

    present = target._processor(host_target().triple, "host")[2]
    assert host_target().width == (8 if present >= target._EIGHT else 4)
    assert host_target(cpu="x86-64").width == 4
    assert host_target(width=4).width == 4


def test_eight_rows_are_the_same_numbers(example: Trace, make_rows: Callable[..., Any]) -> None:
    x, y, p = make_rows(37)
    made = [kernel_of(example, host_target(width=width, vector_math="scalar"))(x, y, p) for width in (4, 8)]
    for four, eight in zip(*made, strict=True):
        np.testing.assert_array_equal(four, eight)
