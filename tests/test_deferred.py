"""Modules that wait for their first use: libraries, and the fronts of rooms."""

from __future__ import annotations

import ast
import importlib
import itertools
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import parapick
from parapick.deferred import defer, fetched

NUMBERS = itertools.count()

FRONT = """
from parapick.deferred import front
__getattr__, __dir__, __all__ = front(__name__, {"walk": "walk Step", "run": "pace"})
"""
LEAVES = {
    "walk": "import sys\nRUNS = sys.__dict__.setdefault('_runs', [])\nRUNS.append(__name__)\n"
    "import time\ntime.sleep(0.05)\ndef walk(): return 'walked'\nclass Step: pass\n",
    "run": "def pace(): return 3\n",
    "hidden": "value = 7\n",
}
"""A room whose module `walk` defines the public function `walk`, and counts how often it is run."""


@pytest.fixture
def name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Name of a package with a front that nobody has imported yet."""
    package = f"front_{next(NUMBERS)}"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").write_text(FRONT, encoding="utf-8")
    for leaf, text in LEAVES.items():
        (folder / f"{leaf}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield package
    for module in [module for module in sys.modules if module.partition(".")[0] == package]:
        del sys.modules[module]
    vars(sys).pop("_runs", None)


def times_run(leaf: str) -> int:
    return vars(sys).get("_runs", []).count(leaf)


def at_once(call: Callable[[], Any], count: int = 8) -> list[Any]:
    """What a call gives to several threads that make it at the same time."""
    ready = threading.Barrier(count)
    answers: list[Any] = []

    def ask() -> None:
        ready.wait()
        answers.append(call())

    threads = [threading.Thread(target=ask) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    return answers


# Fronts


def test_a_front_imports_nothing_until_a_name_is_used(name: str) -> None:
    room = importlib.import_module(name)
    assert f"{name}.walk" not in sys.modules
    assert room.pace() == 3
    assert f"{name}.run" in sys.modules
    assert f"{name}.walk" not in sys.modules


def test_a_public_name_wins_over_a_module_imported_before(name: str) -> None:
    module = importlib.import_module(f"{name}.walk")
    room = importlib.import_module(name)
    assert isinstance(module, ModuleType)
    assert room.walk() == "walked"
    assert room.walk is module.walk


def test_a_public_name_wins_over_a_module_imported_after(name: str) -> None:
    room = importlib.import_module(name)
    assert room.walk() == "walked"
    module = importlib.import_module(f"{name}.walk")
    assert isinstance(module, ModuleType)
    assert room.walk is module.walk


def test_a_public_name_wins_where_a_module_is_imported_for_another_name(name: str) -> None:
    room = importlib.import_module(name)
    assert room.Step.__name__ == "Step"
    assert room.walk() == "walked"


def test_a_module_of_another_name_is_an_attribute_once_imported(name: str) -> None:
    room = importlib.import_module(name)
    assert not hasattr(room, "hidden")
    module = importlib.import_module(f"{name}.hidden")
    assert room.hidden is module


def test_an_unknown_name_is_an_attribute_error_with_the_name_of_the_package(name: str) -> None:
    room = importlib.import_module(name)
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'stroll'"):
        _ = room.stroll
    with pytest.raises(ImportError, match="stroll"):
        exec(f"from {name} import stroll")


def test_dir_and_all_list_the_public_names_in_order(name: str) -> None:
    room = importlib.import_module(name)
    assert room.__all__ == dir(room) == ["Step", "pace", "walk"]
    importlib.import_module(f"{name}.hidden")
    assert dir(room) == room.__all__


def test_changing_what_dir_gives_changes_no_front(name: str) -> None:
    room = importlib.import_module(name)
    room.__dir__().clear()
    assert dir(room) == ["Step", "pace", "walk"]


def test_a_star_import_takes_the_public_names(name: str) -> None:
    names: dict[str, Any] = {}
    exec(f"from {name} import *", names)
    assert {"Step", "pace", "walk"} <= set(names)
    assert "hidden" not in names
    assert names["walk"]() == "walked"


def test_a_name_is_fetched_once(name: str) -> None:
    room = importlib.import_module(name)
    assert "walk" not in vars(room)
    first = room.walk
    assert vars(room)["walk"] is first
    assert room.walk is first
    assert times_run(f"{name}.walk") == 1


def test_a_replaced_name_stays_replaced(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    room = importlib.import_module(name)
    monkeypatch.setattr(room, "walk", lambda: "limped")
    importlib.import_module(f"{name}.walk")
    assert room.walk() == "limped"
    monkeypatch.undo()
    assert room.walk() == "walked"


def test_threads_that_ask_at_once_get_one_value(name: str) -> None:
    room = importlib.import_module(name)
    values = at_once(lambda: room.walk)
    assert len({id(value) for value in values}) == 1
    assert values[0]() == "walked"
    assert times_run(f"{name}.walk") == 1


# Libraries


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Name of a library that nobody has imported yet, and that uses itself while it is loaded."""
    module = f"library_{next(NUMBERS)}"
    text = f"import time\nimport {module}\nEARLY = hasattr({module}, 'LATE')\ntime.sleep(0.05)\nLATE = object()\n"
    (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield module
    sys.modules.pop(module, None)


def test_a_deferred_library_is_loaded_at_its_first_use(library: str) -> None:
    defer(library)
    module = importlib.import_module(library)
    assert "LATE" not in vars(module)
    assert module.LATE is vars(module)["LATE"]
    assert type(module) is ModuleType


def test_a_library_that_lacks_a_name_says_so(library: str) -> None:
    defer(library)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = importlib.import_module(library).nonsense


def test_what_a_library_does_not_have_yet_while_it_loads_is_missing(library: str) -> None:
    defer(library)
    assert importlib.import_module(library).EARLY is False


def test_a_library_is_loaded_once_by_threads_that_ask_at_once(library: str) -> None:
    defer(library)
    module = importlib.import_module(library)
    assert len({id(value) for value in at_once(lambda: module.LATE)}) == 1


def test_a_library_that_is_loaded_already_stays(library: str) -> None:
    module = importlib.import_module(library)
    defer(library)
    assert sys.modules[library] is module
    assert "LATE" in vars(module)


def test_a_library_that_is_not_installed_stays_missing() -> None:
    defer("no_such_library")
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("no_such_library")


def test_what_answers_for_a_value_is_fetched_by_its_place() -> None:
    """A place that nobody has would be seen only when an answer is asked for."""
    places = set()
    for path in Path(parapick.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fetched":
                module, name = node.args
                if isinstance(module, ast.Constant) and isinstance(name, ast.Constant):
                    places.add((module.value, name.value))
    assert ("parapick.simulation.loop_answer", "record_answer") in places
    assert len(places) > 8
    for module, name in places:
        assert callable(fetched(module, name)), (module, name)
