"""What every room gives a person: one value with requirements, tables with named columns, notes and data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.answer.answer import (
        Answer as Answer,
        UnknownTableError as UnknownTableError,
    )
    from parapick.answer.page import (
        findings_table as findings_table,
        notes_list as notes_list,
        plain_table as plain_table,
        table_element as table_element,
    )
    from parapick.answer.plain import (
        FORMAT as FORMAT,
        finite as finite,
    )
    from parapick.answer.requirement import (
        Requirement as Requirement,
        against as against,
        keeps as keeps,
        tolerance as tolerance,
    )
    from parapick.answer.table import (
        Table as Table,
        UnknownColumnError as UnknownColumnError,
        columns as columns,
        lines as lines,
    )
    from parapick.answer.texts import (
        Cell as Cell,
        Column as Column,
    )
    from parapick.answer.values import (
        Place as Place,
        Series as Series,
    )
    from parapick.answer.words import (
        amount as amount,
        at_least as at_least,
        at_most as at_most,
        display_unit as display_unit,
        exact as exact,
        fixed as fixed,
        part_text as part_text,
        percent as percent,
        pose_text as pose_text,
        power_text as power_text,
        unit_text as unit_text,
        without_sign_of_zero as without_sign_of_zero,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "answer": "Answer UnknownTableError",
        "page": "findings_table notes_list plain_table table_element",
        "plain": "FORMAT finite",
        "requirement": "Requirement against keeps tolerance",
        "table": "Table UnknownColumnError columns lines",
        "texts": "Cell Column",
        "values": "Place Series",
        "words": (
            "amount at_least at_most display_unit exact fixed part_text percent pose_text power_text "
            "unit_text without_sign_of_zero"
        ),
    },
)
