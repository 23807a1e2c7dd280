"""Looking for the best numbers: free numbers within bounds, starts that lie apart, and the ways from them to the best.

What is looked for is not known here: a study gives exact slopes, a tuning differences, an excitation a determinant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parapick.deferred import front

if TYPE_CHECKING:
    from parapick.search.bounds import (
        Bound as Bound,
        missing as missing,
    )
    from parapick.search.ends import (
        CONVERGED as CONVERGED,
        MISSED_AGAIN as MISSED_AGAIN,
        NO_VALUE as NO_VALUE,
        NOT_KEPT as NOT_KEPT,
        End as End,
    )
    from parapick.search.linear_steps import (
        Descent as Descent,
        Pieces as Pieces,
        SearchPlace as SearchPlace,
        SmoothProblem as SmoothProblem,
        StepRule as StepRule,
        descended as descended,
        magnitudes as magnitudes,
    )
    from parapick.search.polls import (
        Objective as Objective,
        PollRule as PollRule,
        polled as polled,
    )
    from parapick.search.random_steps import (
        RandomRule as RandomRule,
        best_drawn as best_drawn,
    )
    from parapick.search.space import (
        Choose as Choose,
        Free as Free,
        Space as Space,
    )
    from parapick.search.starts import (
        APART as APART,
        distance as distance,
        first_apart as first_apart,
        sobol_shares as sobol_shares,
        starts_apart as starts_apart,
    )

__getattr__, __dir__, __all__ = front(
    __name__,
    {
        "bounds": "Bound missing",
        "ends": "CONVERGED End MISSED_AGAIN NOT_KEPT NO_VALUE",
        "linear_steps": "Descent Pieces SearchPlace SmoothProblem StepRule descended magnitudes",
        "polls": "Objective PollRule polled",
        "random_steps": "RandomRule best_drawn",
        "space": "Choose Free Space",
        "starts": "APART distance first_apart sobol_shares starts_apart",
    },
)
