"""Libraries, and modules of ours, that are imported when something of theirs is first used.

CasADi takes as long to import as NumPy, and is needed only where an expression is made: a kernel that was compiled
before is found without it. Many files write expressions, each with a plain `import casadi as ca`; until one of them is
called, that name is a module with nothing in it (`defer`). Every room offers its public names the same way (`front`),
and a value names by its place the function above it that answers for it (`fetched`).
"""

from __future__ import annotations

import sys
from _thread import RLock
from importlib import import_module
from importlib.machinery import PathFinder, SourceFileLoader
from types import ModuleType

__all__ = ["defer", "fetched", "front"]

# As `typing.TYPE_CHECKING`, without its module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_loading = RLock()
_begun: set[str] = set()


class _Deferred(ModuleType):
    """A module whose contents are loaded at the first look at one of them; from then on it is a plain module."""

    def __getattr__(self, name: str) -> object:
        """A content of the module; several threads may ask for the first at once."""
        with _loading:
            # While the module's own code runs, what it does not have yet is missing and nothing to be loaded.
            if isinstance(self, _Deferred) and self.__name__ not in _begun:
                _load(self)
        return object.__getattribute__(self, name)


def _load(module: _Deferred) -> None:
    loader = module.__loader__
    _begun.add(module.__name__)
    try:
        if isinstance(loader, SourceFileLoader):
            loader.exec_module(module)
        module.__class__ = ModuleType  # pyright: ignore[reportAttributeAccessIssue]
    finally:
        _begun.discard(module.__name__)


def defer(name: str) -> None:
    """Let a library be imported at its first use; without effect where it is imported already, or not installed.

    Args:
        name: its name.
    """
    spec = None if name in sys.modules else PathFinder.find_spec(name)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        return
    module = _Deferred(name)
    module.__spec__, module.__loader__ = spec, spec.loader
    module.__file__, module.__path__ = spec.origin, list(spec.submodule_search_locations or ())
    sys.modules[name] = module


def fetched(module: str, name: str) -> Any:
    """Something of a module that is imported when it is asked for; for a value whose answer is made above it.

    A result such as a record is a plain value, and the module that words its tables rests on it. `record.answer()`
    names that module by its place, as a room does its public names, so that neither imports the other.

    Args:
        module: name of the module.
        name: what of it.
    """
    return getattr(import_module(module), name)


class _Front(ModuleType):
    """A package whose public names are found in its modules at their first use.

    Importing a module sets it as an attribute of its package. Here a public name wins over a module of the same name,
    such as the function `simulate` over the file that defines it, whichever of them is imported first. Python then
    reads `import room.simulate as name` as the function, too; `import_module("room.simulate")` is always the module.
    """

    def __setattr__(self, name: str, value: object) -> None:
        """Keep an attribute, unless it is a module with the name of something public."""
        if not (isinstance(value, ModuleType) and name in vars(self).get("__all__", ())):
            super().__setattr__(name, value)


def front(
    package: str, places: Mapping[str, str], rooms: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """What a package offers to others: its `__getattr__`, its `__dir__` and its `__all__`.

    A name is fetched from its module at its first use and kept; several threads may ask for it at once, since Python
    runs a module once. Type checkers read the same names as imports under `TYPE_CHECKING`; a test holds both lists
    together.

    Args:
        package: name of the package, which is being imported.
        places: public names, with spaces between them, by the module below the package that has them.
        rooms: modules below the package that are public as a whole, with spaces between them.
    """
    whole = {name: f"{package}.{name}" for name in rooms.split()}
    modules = {name: f"{package}.{module}" for module, names in places.items() for name in names.split()}
    room = sys.modules[package]
    room.__class__ = _Front

    def fetch(name: str) -> object:
        if name in whole:
            return import_module(whole[name])
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(room, name, value)
        return value

    public = sorted([*modules, *whole])
    return fetch, public.copy, public
