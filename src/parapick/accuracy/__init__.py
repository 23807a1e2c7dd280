"""How far a robot as it was built is from where its controller means it to be.

`tolerance` goes from tolerances of parts and joints to the error of the plate over the workspace, and from a target for
that error to the cheapest tolerances; `as_built` gives the pose of one robot with given errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.accuracy.built_robot import (
        as_built as as_built,
    )
    from parapick.accuracy.cost import (
        Cost as Cost,
    )
    from parapick.accuracy.error_norms import (
        NORMS as NORMS,
    )
    from parapick.accuracy.sources import (
        Source as Source,
        sources_of as sources_of,
    )
    from parapick.accuracy.tolerance_answer import (
        tolerance as tolerance,
    )
    from parapick.accuracy.tolerance_target import (
        ToleranceTarget as ToleranceTarget,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "built_robot": "as_built",
        "cost": "Cost",
        "error_norms": "NORMS",
        "sources": "Source sources_of",
        "tolerance_answer": "tolerance",
        "tolerance_target": "ToleranceTarget",
    },
)
