"""What the kernel tests share: a cache of their own, and the targets every computation is tried on."""

from __future__ import annotations

import platform
from collections.abc import Iterator

import pytest

from parapick.kernel.target import Target, host_target


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the user's cache, and free of the user's choices."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PARAPICK_CPU", "PARAPICK_VECTOR_MATH", "PARAPICK_THREADS"):
            patch.delenv(name, raising=False)
        patch.setenv("PARAPICK_CACHE", str(tmp_path_factory.mktemp("kernels")))
        yield


def _targets() -> dict[str, Target]:
    targets = {
        "one row": host_target(width=1),
        "four rows": host_target(),
        "four rows, scalar mathematics": host_target(vector_math="scalar"),
    }
    if platform.machine() in ("x86_64", "AMD64"):
        targets["four rows, AVX2 masked"] = host_target(cpu="x86-64")
        targets["four rows, AVX2 masked, scalar mathematics"] = host_target(cpu="x86-64", vector_math="scalar")
    return targets


@pytest.fixture(params=_targets().values(), ids=_targets().keys())
def target(request: pytest.FixtureRequest) -> Target:
    """Each way in which code is made on this machine."""
    return request.param
