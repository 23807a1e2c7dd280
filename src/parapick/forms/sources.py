"""The table of sources: where each number of a file comes from, by its path or the path of its table."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, final

from parapick.errors import FileProblem
from parapick.fields import Label, statement_of
from parapick.forms.place import FilePlace
from parapick.names import TEXT_MAX, text_objection
from parapick.toml import in_words


@final
@dataclass(frozen=True)
class Sources:
    """Texts by dotted path: `"limb.arm" = ...` and `limb.arm = ...` are the same."""

    def read(self, value: object, place: FilePlace) -> Any:
        """The texts by path; those that cannot be read are left out."""
        if not isinstance(value, Mapping):
            return place.refuse(f"is {in_words(value)}; it must be a table")
        texts: dict[str, str] = {}
        for key, text in value.items():
            if isinstance(text, Mapping):
                texts |= {f"{key}.{inner}": source for inner, source in self.read(text, place.at(key)).items()}
            elif not isinstance(text, str):
                place.at(key).refuse(f"is {in_words(text)}; it must be text that says where the number is from")
            elif objection := text_objection(text, TEXT_MAX, lines=True):
                place.at(key).refuse(objection)
            else:
                texts[key] = text
        return texts

    def schema(self, defs: dict[str, Any]) -> dict[str, Any]:
        """An object with texts, or objects of them."""
        return {"type": "object", "additionalProperties": True}


def source_problems(sources: Mapping[str, str], known: Iterable[str]) -> tuple[FileProblem, ...]:
    """What is wrong with the paths of sources: there is no field of that name.

    Args:
        sources: texts by path.
        known: paths for which a source may be given.
    """
    paths_known = tuple(known)
    unknown = [path for path in sources if path not in paths_known]
    return tuple(FileProblem(f"sources.{path}", _unknown(path, paths_known)) for path in unknown)


def _unknown(path: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(path, known, n=2)
    hint = f"did you mean {' or '.join(close)}?" if close else f"name the path of a field, such as {known[0]}"
    return f"is not a field of this file; {hint}"


def paths(node: Any, prefix: str = "") -> Iterator[str]:
    """Every path of a file for which a source may be given.

    Args:
        node: a description, or a part of it.
        prefix: path of the part, with a dot behind it.
    """
    if isinstance(node, tuple):
        for index, item in enumerate(node, start=1):
            yield f"{prefix}{index}"
            yield from paths(item, f"{prefix}{index}.")
    elif dataclasses.is_dataclass(node) and not isinstance(node, type):
        for field in dataclasses.fields(node):
            stated, value = statement_of(field), getattr(node, field.name)
            if isinstance(stated, Label) and stated.inline:
                yield from paths(value, prefix)
            elif stated is not None:
                yield f"{prefix}{field.name}"
                yield from paths(value, f"{prefix}{field.name}.")
