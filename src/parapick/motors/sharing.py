"""The rules by which more motors than freedoms share a force."""

from __future__ import annotations

from typing import Final

from parapick.errors import ParameterError

LEAST_NORM: Final = "least-norm"
LEAST_PEAK: Final = "least-peak"
SHARINGS: Final = (LEAST_NORM, LEAST_PEAK)
"""Names of the sharing rules."""

JUDGED: Final = LEAST_PEAK
"""How motors share where a motion or a capability is judged and nothing else is asked for: so that the largest torque
is as small as it can be, which is what limits of motors ask for."""


def check_sharing(rule: str) -> None:
    """Raise `ParameterError` if there is no such sharing rule.

    Args:
        rule: its name.
    """
    if rule not in SHARINGS:
        raise ParameterError("sharing", f"{rule!r} is not a sharing rule; valid are {', '.join(SHARINGS)}")
