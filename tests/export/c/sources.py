"""What a folder of exported C says, read without a compiler: structs, constants, declarations, definitions, costs."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_FUNCTION = r"^((?:static )?(?:inline )?(?:int|void|\w+_real) (\w+)\(([^;{}]*)\))\s*"


def plain(text: str) -> str:
    """C without comments and without what only the preprocessor reads.

    Args:
        text: the source.
    """
    lines = [line for line in _COMMENT.sub(" ", text).splitlines() if not line.startswith("#")]
    return "\n".join(lines)


def fields(header: str, struct: str) -> dict[str, tuple[str, str]]:
    """Path and unit of every number of a struct, by its field.

    Args:
        header: the header.
        struct: name of the type.
    """
    (body,) = re.findall(rf"typedef struct {{\n((?:(?!typedef).)*?)\n}} {struct};", header, re.DOTALL)
    rows = [re.fullmatch(r"    \w+_real (\w+); /\* ([^,]+?)(?:, (.+))? \*/", line) for line in body.splitlines()]
    return {row[1]: (row[2], row[3] or "") for row in rows if row is not None}


def initialised(source: str, constant: str) -> dict[str, float]:
    """Numbers of a constant with named fields.

    Args:
        source: where it is defined.
        constant: its name.
    """
    (body,) = re.findall(rf"^const \w+ {constant} = {{\n(.*?)\n}};", source, re.DOTALL | re.MULTILINE)
    named = re.findall(r"^    \.(\w+) = (\S+),$", body, re.MULTILINE)
    assert len(named) == len(body.splitlines())
    return {field: float(number.removesuffix("f").replace("INFINITY", "inf")) for field, number in named}


def declared(header: str) -> dict[str, str]:
    """Declarations of functions in a header, by their names, blanks alone apart.

    Args:
        header: the header.
    """
    found = re.findall(_FUNCTION + ";", plain(header), re.MULTILINE)
    assert len({name for _, name, _ in found}) == len(found), "declared twice"
    return {name: " ".join(text.split()) for text, name, _ in found}


def defined(*sources: str) -> dict[str, str]:
    """Heads of the functions that sources define, by their names.

    Args:
        sources: the sources.
    """
    found = [each for source in sources for each in re.findall(_FUNCTION + r"\{", plain(source), re.MULTILINE)]
    return {name: " ".join(text.split()) for text, name, _ in found}


def constants(text: str) -> set[str]:
    """Names of constants that a text declares or defines outside functions.

    Args:
        text: a header or a source.
    """
    return set(re.findall(r"^(?:extern )?const \w+ (\w+)(?:\[\d+\])?(?: =|;)", plain(text), re.MULTILINE))


def costs(text: str) -> dict[str, tuple[int, dict[str, int], int]]:
    """What a call costs by function: operations, those by kind, bytes of stack.

    Args:
        text: a header or a README.
    """
    lines = re.findall(r"^(?: \*   |- )`?(\w+)`?: (\d+) operations(?:: (.*))?; at most (\d+) bytes", text, re.MULTILINE)
    kinds = {name: re.sub(r"\(.*\)", "", told) for name, _, told, _ in lines}
    counted = {name: {kind: int(n) for n, kind in re.findall(r"(\d+) ([a-z ]+)", told)} for name, told in kinds.items()}
    return {
        name: (int(operations), {kind.strip(): n for kind, n in counted[name].items()}, int(stack))
        for name, operations, _, stack in lines
    }
