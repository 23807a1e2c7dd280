"""How far a robot as it was built is from where its controller means it to be.

`tolerance` goes from tolerances of parts and joints to the error of the plate over the workspace; `as_built` gives the
pose of one robot with given errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import fetching

if TYPE_CHECKING:
    from parapick.accuracy.built import as_built
    from parapick.accuracy.sources import Source, sources_of
    from parapick.accuracy.tolerance_answer import tolerance

__all__ = ["Source", "as_built", "sources_of", "tolerance"]

# Each is imported at its first use.
__getattr__ = fetching(
    __name__,
    {"built": ("as_built",), "sources": ("Source", "sources_of"), "tolerance_answer": ("tolerance",)},
)
