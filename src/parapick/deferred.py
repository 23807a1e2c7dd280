"""Libraries, and modules of ours, that are imported when something of theirs is first used.

CasADi takes as long to import as NumPy, and only who makes an expression needs it: a kernel that was compiled before is
found without. Many files write expressions, each with a plain `import casadi as ca`; until one of them is asked, that
name is a module with nothing in it.
"""

from __future__ import annotations

import sys
from _thread import RLock
from importlib import import_module
from importlib.machinery import PathFinder, SourceFileLoader
from types import ModuleType

__all__ = ["defer", "fetching"]

# As `typing.TYPE_CHECKING`, without its module.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def fetching(package: str, places: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """The `__getattr__` of a package that fetches public names from its modules at their first use, and keeps them.

    Args:
        package: name of the package.
        places: names by the module below the package that has them.
    """
    modules = {name: f"{package}.{module}" for module, names in places.items() for name in names}

    def fetch(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(modules[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return fetch
