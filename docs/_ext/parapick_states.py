"""What the page on the supervisor takes from the package: the diagram of its states, its guards, faults to make.

Directives: `{states}` is the diagram, drawn from the transition table. Where the states stand is chosen here; which
arrows there are, and what they are called, is read from the table. Arrows that leave every state in which the drives
are enabled are drawn once, from the frame around them. `{meanings}`, `{guards}` and `{faults}` are tables.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from parapick.operation import FAULT_KINDS
from parapick.supervision import ENERGISED, GUARDS, MEANINGS, TRANSITIONS, Event, State

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PLACES: Final = {
    State.OFF: (70.0, 110.0),
    State.ENABLING: (260.0, 110.0),
    State.HOMING: (430.0, 110.0),
    State.READY: (600.0, 110.0),
    State.RUNNING: (770.0, 110.0),
    State.STOPPING: (515.0, 260.0),
    State.FAULT: (70.0, 260.0),
}
_SIZE: Final = (880, 320)
_BOX: Final = (104.0, 40.0)
_FRAME: Final = (192.0, 62.0, 652.0, 240.0)
_BENT: Final = {(State.READY, State.OFF): 48.0, (State.STOPPING, State.FAULT): -12.0}
"""How far arrows that would cross others bend aside (pixels)."""


def arrows() -> dict[tuple[State, State], list[Event]]:
    """Events by the states that they lead from and to, without those that leave every enabled state alike."""
    found: dict[tuple[State, State], list[Event]] = defaultdict(list)
    for row in TRANSITIONS:
        if row.event not in common():
            found[row.state, row.next].append(row.event)
    return dict(found)


def common() -> dict[Event, State]:
    """Events that lead from every enabled state to one and the same."""
    ends = {event: {row.state: row.next for row in TRANSITIONS if row.event is event} for event in Event}
    return {
        event: {*row.values()}.pop()
        for event, row in ends.items()
        if set(row) == ENERGISED and len({*row.values()}) == 1
    }


def state_diagram() -> str:
    """The diagram as SVG."""
    width, height = _SIZE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" class="states">'
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>'
    )
    parts = [head, tip, *_frame(), *(part for pair, events in arrows().items() for part in _arrow(pair, events))]
    return "".join([*parts, *(_box(state) for state in State), "</svg>"])


def _frame() -> Iterator[str]:
    x, y, width, height = _FRAME
    style = 'rx="12" fill="#F2F2F2" stroke="#999" stroke-dasharray="5 4"'
    yield f'<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>'
    yield _text(x + width - 10, y + height - 10, "drives enabled", "end")
    for event, end in common().items():
        bottom = _PLACES[end][1] - 12
        path = f"M{x},{bottom} L{_PLACES[end][0] + _BOX[0] / 2 + 2},{bottom}"
        yield f'<path d="{path}" fill="none" stroke="#555" marker-end="url(#tip)"/>'
        yield _text(x - 34, bottom - 5, event.value)


def _arrow(pair: tuple[State, State], events: list[Event]) -> Iterator[str]:
    """A bent line between the edges of two boxes, with the names of its events beside its middle."""
    (x0, y0), (x1, y1) = (_PLACES[state] for state in pair)
    back = (pair[1], pair[0]) in arrows()
    bend = _BENT.get(pair, 14.0 if back else 0.0)
    length = math.hypot(x1 - x0, y1 - y0)
    aside = (-(y1 - y0) / length, (x1 - x0) / length)
    middle = ((x0 + x1) / 2 + 2 * bend * aside[0], (y0 + y1) / 2 + 2 * bend * aside[1])
    start, end = _edge((x0, y0), middle), _edge((x1, y1), middle)
    path = f"M{start[0]:.1f},{start[1]:.1f} Q{middle[0]:.1f},{middle[1]:.1f} {end[0]:.1f},{end[1]:.1f}"
    yield f'<path d="{path}" fill="none" stroke="#555" marker-end="url(#tip)"/>'
    on = ((start[0] + 2 * middle[0] + end[0]) / 4, (start[1] + 2 * middle[1] + end[1]) / 4)
    side = -6.0 if aside[1] * bend <= 0.0 and abs(y1 - y0) < 1.0 else 12.0
    yield _text(on[0], on[1] + side, ", ".join(event.value for event in events))


def _edge(box: tuple[float, float], towards: tuple[float, float]) -> tuple[float, float]:
    """Where a line from the middle of a box leaves it."""
    dx, dy = towards[0] - box[0], towards[1] - box[1]
    share = min(_BOX[0] / 2 / abs(dx) if dx else math.inf, _BOX[1] / 2 / abs(dy) if dy else math.inf)
    return box[0] + share * dx, box[1] + share * dy


def _box(state: State) -> str:
    (x, y), (width, height) = _PLACES[state], _BOX
    fill = {State.FAULT: "#F6D9C8", State.OFF: "#FFFFFF"}.get(state, "#C3E1F5")
    title = f"<title>{escape(MEANINGS[state])}</title>"
    corner = f'x="{x - width / 2}" y="{y - height / 2}"'
    rect = f'<rect {corner} width="{width}" height="{height}" rx="8" fill="{fill}" stroke="#333"/>'
    return f"<g>{title}{rect}{_text(x, y + 5, state.value, size=15)}</g>"


def _text(x: float, y: float, text: str, anchor: str = "middle", size: int = 12) -> str:
    style = f'font-family="sans-serif" font-size="{size}" text-anchor="{anchor}" fill="#222"'
    halo = 'paint-order="stroke" stroke="#fff" stroke-width="3"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style} {halo}>{escape(text)}</text>'


def meanings_table() -> str:
    """Markdown table of what every state and every event is."""
    rows = ["| state or event | what it is |", "| --- | --- |"]
    return "\n".join([*rows, *(f"| {one.value} | {MEANINGS[one]} |" for one in (*State, *Event))])


def guards_table() -> str:
    """Markdown table of the guards."""
    rows = ["| guard | what it watches | ends by | armed in |", "| --- | --- | --- | --- |"]
    for guard in GUARDS:
        armed = (
            "all enabled states" if guard.armed == ENERGISED else ", ".join(s.value for s in State if s in guard.armed)
        )
        rows.append(f"| `{guard.name}` | {guard.meaning} | {guard.stopping} | {armed} |")
    return "\n".join(rows)


def faults_table() -> str:
    """Markdown table of the faults that can be made."""
    rows = ["| fault | at | size | what goes wrong |", "| --- | --- | --- | --- |"]
    for kind in FAULT_KINDS.values():
        size = "" if kind.size is None else f"{kind.size.default:g}"
        rows.append(f"| `{kind.name}` | {kind.target} | {size} | {kind.meaning} |")
    return "\n".join(rows)


class States(SphinxDirective):
    """Directive `{states}`."""

    def run(self) -> list[nodes.Node]:
        """Put the diagram into the page."""
        return [nodes.raw("", f'<div class="states">{state_diagram()}</div>', format="html")]


class _Table(SphinxDirective):
    """A directive that is a table."""

    table: Callable[[], str]

    def run(self) -> list[nodes.Node]:
        """Put the table into the page."""
        return self.parse_text_to_nodes(type(self).table())


class Meanings(_Table):
    """Directive `{meanings}`."""

    table = staticmethod(meanings_table)


class Guards(_Table):
    """Directive `{guards}`."""

    table = staticmethod(guards_table)


class Faults(_Table):
    """Directive `{faults}`."""

    table = staticmethod(faults_table)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directives known."""
    for name, directive in {"states": States, "meanings": Meanings, "guards": Guards, "faults": Faults}.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
