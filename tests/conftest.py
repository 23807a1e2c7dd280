"""Settings of the whole suite: how hypothesis searches, and where kernels are cached while tests run."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# No deadline and no "too slow": the first example of a test may compile a kernel. Failures must come back on every
# machine, so the examples are fixed unless HYPOTHESIS_PROFILE=explore asks for new ones.
_COMPILING = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fixed", derandomize=True, database=None, **_COMPILING)
settings.register_profile("explore", max_examples=1000, print_blob=True, **_COMPILING)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

# Workers share the cores already: threads of BLAS, which is read when NumPy is first imported, wait for each other, and
# tests of tuning take twice as long. Processes that tests start inherit it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Ten thousand tests are half a million objects that stay: nobody looks through them again and again for garbage.
gc.disable()

_CACHE = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a kernel cache of its own: no test may pass because of what an earlier run left behind.

    The workers of pytest-xdist inherit the variable, so they share one cache, as processes of a user would. With
    PARAPICK_TESTS_CACHE it is this folder, emptied first, and stays for what is built after the tests. With
    PARAPICK_TESTS_WARM it is that folder as it is: quicker while one works, and no proof.
    """
    if hasattr(config, "workerinput"):
        return
    warm = os.environ.get("PARAPICK_TESTS_WARM")
    if warm:
        os.environ["PARAPICK_CACHE"] = warm
        return
    kept = os.environ.get("PARAPICK_TESTS_CACHE")
    if kept:
        shutil.rmtree(kept, ignore_errors=True)
        Path(kept).mkdir(parents=True)
        os.environ["PARAPICK_CACHE"] = kept
        return
    cache = Path(tempfile.mkdtemp(prefix="parapick-tests-"))
    config.stash[_CACHE] = cache
    os.environ["PARAPICK_CACHE"] = str(cache)


def pytest_collection_finish() -> None:
    """Leave what was collected out of all later searches for garbage, and search less often than Python does.

    Tests keep models and motions for those behind them, which a search for old garbage looks through each time.
    """
    gc.freeze()
    gc.set_threshold(5_000, 20, 20)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the run's kernel cache."""
    if _CACHE in config.stash:
        shutil.rmtree(config.stash[_CACHE], ignore_errors=True)
