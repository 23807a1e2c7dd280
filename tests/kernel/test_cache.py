"""The cache on disk: used, rebuilt when damaged, safe for several processes, and dispensable."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from casadi import SX

from parapick.kernel import Kernel, Trace, build, cache as disk, compilations, compiled, recipe
from parapick.kernel.call.kernel import kernel_of
from parapick.kernel.llvm.target import host_target


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, without what all kernels share."""
    compiled.shared_functions(host_target())
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def make(factor: float = 3.0) -> Kernel:
    x = SX.sym("x", 2)
    kernel = build("cached", {"x": x}, None, {"y": factor * x[0] + x[1]})
    # Code is made when it is needed first.
    kernel([2.0, 1.0])
    return kernel


def counted(action: Callable[[], object]) -> tuple[int, int]:
    """How many kernels an action built and loaded."""
    before = compilations()
    action()
    after = compilations()
    return after.built - before.built, after.loaded - before.loaded


def entry_of(folder: Path) -> Path:
    (entry,) = folder.iterdir()
    return entry


def test_the_second_time_it_is_loaded(folder: Path) -> None:
    assert counted(make) == (1, 0)
    assert counted(make) == (0, 1)
    assert make()([2.0, 1.0]) == (7.0,)
    assert len(list(folder.iterdir())) == 1


def test_another_expression_or_target_is_another_entry(folder: Path, example: Trace) -> None:
    host = host_target()
    targets = [host, replace(host, width=1), replace(host, isa="", functions=frozenset())]
    assert counted(lambda: [make(3.0), make(4.0)]) == (2, 0)
    assert make(4.0)([2.0, 1.0]) == (9.0,)
    distinct = len(set(targets))
    kernels = [kernel_of(example, target) for target in targets]
    assert counted(lambda: [kernel([1.0] * 3, [1.0] * 5, [1.0] * 4) for kernel in kernels]) == (distinct, 3 - distinct)


@pytest.mark.parametrize("part", ["digest", "llvmlite"])
def test_another_version_is_another_entry(part: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    changed = {"digest": lambda _: b"changed", "llvmlite": SimpleNamespace(__version__="0.0.0")}
    monkeypatch.setattr(compiled, part, changed[part])
    assert counted(make) == (1, 0)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("source", ["operations.py", "trace/packs.py", "llvm/lowering.py", "call/kernel.py"])
def test_another_source_is_another_version(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file of the room counts, in folders too: code that an older file wrote is not loaded."""
    copy = tmp_path / "parapick" / "kernel"
    shutil.copytree(Path(compiled.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(recipe, "_FOLDER", copy.parent)
    before = recipe.digest.__wrapped__("parapick.kernel")
    with (copy / source).open("a") as file:
        file.write("# changed\n")
    assert recipe.digest.__wrapped__("parapick.kernel") != before


def cut(entry: bytes) -> bytes:
    return entry[: len(entry) // 2]


def flip(entry: bytes) -> bytes:
    return entry[:-100] + bytes([entry[-100] ^ 1]) + entry[-99:]


@pytest.mark.parametrize(
    "damage",
    [cut, flip, lambda _: b"", lambda _: b"\x7fELF" * 1000, lambda entry: entry[10:], lambda entry: entry + b"more"],
    ids=["cut off", "one bit", "empty", "foreign", "beginning lost", "too long"],
)
def test_a_damaged_entry_is_rebuilt_and_replaced(damage: Callable[[bytes], bytes], folder: Path) -> None:
    make()
    entry = entry_of(folder)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert counted(lambda: np.testing.assert_equal(make()([2.0, 1.0]), (7.0,))) == (1, 0)
    assert counted(make) == (0, 1)
    assert disk.load(entry.name) is not None


def test_an_entry_of_another_key_is_not_taken(folder: Path) -> None:
    make(3.0)
    first = entry_of(folder)
    make(4.0)
    (second,) = set(folder.iterdir()) - {first}
    second.write_bytes(first.read_bytes())
    assert make(4.0)([2.0, 1.0]) == (9.0,)


def test_a_folder_in_place_of_an_entry(folder: Path) -> None:
    make()
    entry = entry_of(folder)
    entry.unlink()
    entry.mkdir()
    assert make()([2.0, 1.0]) == (7.0,)
    assert [path.name for path in folder.iterdir()] == [entry.name]


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "file" / "kernels"))
    assert counted(make) == (1, 0)
    assert counted(make) == (1, 0)
    assert make()([2.0, 1.0]) == (7.0,)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="permissions do not stop this user")
def test_a_cache_without_permission(folder: Path) -> None:
    folder.mkdir(mode=0o500)
    assert counted(make) == (1, 0)
    assert counted(make) == (1, 0)


def test_a_full_disk_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert make()([2.0, 1.0]) == (7.0,)
    assert list(folder.iterdir()) == []


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAPICK_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert disk.directory() == tmp_path / "parapick" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert disk.directory() == tmp_path / "home" / ".cache" / "parapick" / "kernels"


PROGRAM = """
import json, sys
import numpy as np
from casadi import SX, sin
from parapick.kernel import build, compilations
sys.stdin.readline()
values = []
for factor in range(1, 6):
    x = SX.sym("x", 2)
    kernel = build("raced", {"x": x}, None, {"y": sin(factor * x[0]) + x[1]})
    values.append(kernel(np.array([0.5, 1.0]))[0])
count = compilations()
print(json.dumps([values, count.built + count.loaded]))
"""


def test_several_processes_at_once(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    processes = [subprocess.Popen([sys.executable, "-c", PROGRAM], **pipes) for _ in range(4)]
    # All have imported their libraries when they read the line, so that they build at the same time.
    results = [json.loads(process.communicate("go\n", timeout=60)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    for values, kernels in results:
        np.testing.assert_allclose(values, np.sin(0.5 * np.arange(1, 6)) + 1.0, rtol=1e-15)
        assert kernels == 5
    # And what all of them share.
    assert len(list(folder.iterdir())) == 6
    assert all(disk.load(entry.name) is not None for entry in folder.iterdir())
