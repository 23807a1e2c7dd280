"""Where the code of a recipe is found: by its whole structure, or by the parts of it that its expressions read.

Three kinds of entries lead to an object (see `compiled`). Under the whole recipe lies which object it made, and its
ports. Under a quantity lie the sets of paths that its makers have read so far. Under a quantity and what a structure is
at such paths lies the object of all structures that are the same there, with the names of the parameters it uses. What
is found by its parts is stored under the whole recipe as well, so that the next process looks once.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import Any, Final, final

from parapick.kernel import cache as disk
from parapick.kernel.compiled import Found, key_of
from parapick.kernel.llvm.target import Target
from parapick.kernel.ports import Ports
from parapick.kernel.reads import Reads, number_paths, parts
from parapick.kernel.recipe import Recipe

_VARIANTS_MAX: Final = 60
"""Most sets of paths kept of a quantity; a robot of another kind is read elsewhere, so there are some."""


@final
class Lookup:
    """The entries of a recipe; each is looked for once.

    Attributes:
        reads: what was read while its expressions were made; None where nobody watches, and all of it counts.
    """

    def __init__(self, recipe: Recipe, reads: Reads | None = None) -> None:
        self._recipe = recipe
        self._content = recipe.content()
        self._earlier: dict[tuple[Target, bytes], Found | None] = {}
        self.reads = reads

    def found(self, target: Target, form: bytes = b"") -> Found | None:
        """What was made of the recipe, or of another with the same parts, for a target before; None: nothing.

        Args:
            target: what code was made for.
            form: which of several codes of the recipe.
        """
        if (target, form) not in self._earlier:
            self._earlier[target, form] = self._found(target, form)
        return self._earlier[target, form]

    def _found(self, target: Target, form: bytes) -> Found | None:
        if self._content is None:
            return None
        whole = key_of(target, form + self._content)
        text = disk.load(whole)
        # What cannot be read in spite of its digest is as good as absent.
        with contextlib.suppress(ValueError, TypeError, LookupError):
            if text is not None:
                key, ports = json.loads(text)
                return Found(Ports.read(ports), key)
            if self.reads is not None:
                earlier = self._by_parts(target, form)
                if earlier is not None:
                    disk.store(whole, _text(earlier.key, earlier.ports))
                return earlier
        return None

    def keep(self, target: Target, form: bytes, ports: Ports, content: bytes) -> None:
        """Let code be found by its recipe the next time.

        Args:
            target: what code was made for.
            form: which of several codes of the recipe.
            ports: the ports of the computation.
            content: what determines the code beside the target.
        """
        key = key_of(target, content)
        if self._content is None or self._earlier.get((target, form)) == Found(ports, key):
            return
        self._earlier[target, form] = Found(ports, key)
        disk.store(key_of(target, form + self._content), _text(key, ports))
        if self.reads is None:
            return
        paths = self.reads.paths
        known = self._variants(target)
        if paths not in known:
            disk.store(self._key(target, b"paths"), json.dumps([paths, *known][:_VARIANTS_MAX]).encode())
        names: list[str | int] = list(number_paths(self._recipe.structure))
        count = len(names)
        used = [names[place] if place < count else place - count for place in ports.places]
        disk.store(self._key(target, form, paths), _text(key, ports, (ports.parameters or 0) - count, used))

    def _by_parts(self, target: Target, form: bytes) -> Found | None:
        """What was made of a structure that is the same wherever its makers looked."""
        for paths in self._variants(target):
            text = disk.load(self._key(target, form, paths))
            if text is not None:
                key, written, others, used = json.loads(text)
                places = {path: place for place, path in enumerate(number_paths(self._recipe.structure))}
                count = len(places)
                moved = tuple(places[name] if isinstance(name, str) else count + name for name in used)
                ports = Ports.read(written)
                return Found(ports._replace(places=moved, parameters=ports.parameters and count + others), key)
        return None

    def _variants(self, target: Target) -> list[list[str]]:
        """The sets of paths that makers of the quantity have read."""
        text = disk.load(self._key(target, b"paths"))
        with contextlib.suppress(ValueError):
            return json.loads(text or b"[]")
        return []

    def _key(self, target: Target, form: bytes, paths: list[str] | None = None) -> str:
        """Key of what is known of the quantity, or of the structure at some paths."""
        recipe = self._recipe
        read = () if paths is None else tuple(parts(recipe.structure, paths))
        content = replace(recipe, structure=None).content() or b""
        return key_of(target, b"parts" + form + content + repr(read).encode())


def _text(key: str, ports: Ports, *others: Any) -> bytes:
    return json.dumps([key, ports.text(), *others]).encode()
