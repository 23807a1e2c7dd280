"""Change single lines of the source, at random but seeded, and see whether the tests of their room find it.

A change that no test finds is a gap in the tests, or has no effect: which of both, a person decides. The changes are
those of a slip of the pen: another comparison, another sign, another operation, a number off by one.

    python tools/mutants.py --count 20 --seed 1              changes all over the package
    python tools/mutants.py --rooms study,tuning --list      what would be changed, without running anything

Works on a copy of the files that git knows, so the working tree is never touched.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/parapick")
LONGEST = 900
"""Seconds after which the tests of a change are stopped: it counts as found, since something hangs."""

COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
JOINED = {ast.And: ast.Or, ast.Or: ast.And}


@dataclass(frozen=True)
class Mutant:
    """One changed expression of a file.

    Attributes:
        path: the file, from the root of the project.
        line: its line, from 1.
        before: the expression as it stands.
        after: what takes its place.
        start: where it begins in the file (bytes).
        end: where it ends.
    """

    path: Path
    line: int
    before: str
    after: str
    start: int
    end: int

    @property
    def room(self) -> str:
        """The room that the file is in; its own name for one at the top level."""
        inside = self.path.relative_to(PACKAGE)
        return inside.parts[0] if len(inside.parts) > 1 else inside.stem

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before} -> {self.after}"

    def applied(self, text: bytes) -> bytes:
        """The text of the file with the change."""
        return text[: self.start] + f"({self.after})".encode() + text[self.end :]


def changed(node: ast.AST) -> ast.expr | None:
    """The expression after a slip of the pen; None for one that is left alone."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        return ast.Compare(node.left, [COMPARED[type(node.ops[0])]()], node.comparators)
    if isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not _is_text(node):
        return ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
    if isinstance(node, ast.BoolOp):
        return ast.BoolOp(JOINED[type(node.op)](), node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.Not)):
        return node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return ast.Constant(node.value + 1)
    return None


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operation may join texts: a minus there fails at once and tests nothing."""
    return any(isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) for side in (node.left, node.right))


def mutants_of(path: Path, text: str) -> Iterator[Mutant]:
    """Every change of a file; what stands outside of functions, in annotations and in f-strings is left alone."""
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    for node in dict.fromkeys(part for function in functions for part in _body(function)):
        after = changed(node)
        if isinstance(node, ast.expr) and after is not None and node.end_lineno == node.lineno:
            start = lines[node.lineno - 1] + node.col_offset
            end = lines[node.lineno - 1] + (node.end_col_offset or 0)
            yield Mutant(path, node.lineno, text.encode()[start:end].decode(), ast.unparse(after), start, end)


def _body(node: ast.AST) -> Iterator[ast.AST]:
    """What is computed inside a function."""
    for part in node.body if isinstance(node, ast.FunctionDef) else ast.iter_child_nodes(node):
        if not isinstance(part, (ast.JoinedStr, ast.AnnAssign)):
            yield part
            yield from _body(part)


def tests_of(mutant: Mutant, root: Path) -> list[str]:
    """Tests of a file's room: those of the file itself first, then those that name its module."""
    room = root / "tests" / mutant.room
    if not room.exists():
        alone = sorted((root / "tests").glob(f"test_{mutant.room}*.py"))
        return [str(path.relative_to(root)) for path in alone] or ["tests"]
    module = ".".join(("parapick", *mutant.path.relative_to(PACKAGE).with_suffix("").parts))

    def distance(path: Path) -> int:
        if path.stem.startswith(f"test_{mutant.path.stem}"):
            return 0
        return 1 if module in path.read_text(encoding="utf-8") else 2

    return [str(path.relative_to(root)) for path in sorted(sorted(room.rglob("test_*.py")), key=distance)]


def copied(folder: Path) -> None:
    """Copy what git knows of the project."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def finder(mutant: Mutant, folder: Path, workers: int) -> str | None:
    """The first test of the room that fails with the change; None where all pass.

    Args:
        mutant: the change.
        folder: a copy of the project.
        workers: processes of the tests; 0 for none beside that of pytest.

    Raises:
        SystemExit: the test fails without the change too.
    """
    path = folder / mutant.path
    before = path.read_bytes()
    path.write_bytes(mutant.applied(before))
    try:
        failed = _first_of(tests_of(mutant, folder), folder, workers)
    except subprocess.TimeoutExpired:
        return f"nothing, and was stopped after {LONGEST} s"
    finally:
        path.write_bytes(before)
    # A test that fails by itself finds nothing.
    if failed is not None and _first_of([failed.partition("[")[0]], folder, workers) is not None:
        raise SystemExit(f"{failed} fails without a change too; mend it first")
    return failed


def _first_of(tests: list[str], folder: Path, workers: int) -> str | None:
    """The first of some tests that fails in a copy of the project; None where all pass."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n", str(workers), *tests]
    paths = [str(folder / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, timeout=LONGEST, check=False, text=True
    )
    return first_failure(done.returncode, done.stdout + done.stderr)


def first_failure(code: int, output: str) -> str | None:
    """The test that failed, from what pytest leaves behind; None where all passed.

    Args:
        code: how pytest ended: 0 where all passed, 1 where a test failed, 2 where a file was not read.
        output: what it wrote.

    Raises:
        RuntimeError: pytest did not run at all: that says nothing about the change.
    """
    if code == 0:
        return None
    names = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    if code not in (1, 2) or not names:
        message = f"pytest ended with {code} and without a test that failed:\n{output[-2000:]}"
        raise RuntimeError(message)
    return names[0]


def main() -> int:
    """Change lines and count what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="how many changes")
    parser.add_argument("--seed", type=int, default=1, help="of the choice")
    parser.add_argument("--rooms", default="", help="only these rooms, such as study,tuning")
    parser.add_argument("--workers", type=int, default=2, help="processes of the tests")
    parser.add_argument("--list", action="store_true", help="only list the changes")
    given = parser.parse_args()
    files = sorted((ROOT / PACKAGE).rglob("*.py"))
    every = [one for path in files for one in mutants_of(path.relative_to(ROOT), path.read_text(encoding="utf-8"))]
    rooms = set(filter(None, given.rooms.split(",")))
    chosen = [one for one in every if not rooms or one.room in rooms]
    chosen = random.Random(given.seed).sample(chosen, min(given.count, len(chosen)))
    if given.list:
        sys.stdout.writelines(f"{one}\n" for one in chosen)
        return 0
    missed = 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as name:
        folder = Path(name)
        copied(folder)
        for one in chosen:
            test = finder(one, folder, given.workers)
            missed += test is None
            sys.stdout.write(f"MISSED  {one}\n" if test is None else f"found   {one}\n        by {test}\n")
            sys.stdout.flush()
    found = f"{len(chosen) - missed} of {len(chosen)} changes"
    sys.stdout.write(f"{found} were found; look which of the others have an effect\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
