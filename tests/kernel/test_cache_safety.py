"""Doors of the cache on disk: whose code is run, what is thrown away, and how much is kept."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from casadi import SX

from parapick.errors import CacheWarning, KernelError
from parapick.kernel import build, cache as disk, compilations
from parapick.kernel.compiled import shared_functions
from parapick.kernel.llvm.target import host_target
from parapick.kernel.ownership import exposure

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="files have no owners here")

KEY, OTHER = "a" * 64, "b" * 64
SOMEBODY = 12345


@pytest.fixture(autouse=True)
def heard_anew() -> None:
    """A warning is given once per process; here, once per test."""
    disk._warn.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own with an entry in it."""
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))
    disk.store(KEY, b"payload")
    return tmp_path / "kernels"


@pytest.fixture
def give_away(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Make a file or folder somebody else's: really where we may, otherwise by being somebody else ourselves."""

    def give(path: Path) -> None:
        if os.geteuid() == 0:
            os.chown(path, SOMEBODY, -1)
        else:
            monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)

    return give


def refused(match: str) -> None:
    """The cache gives nothing, takes nothing and says why, once."""
    with pytest.warns(CacheWarning, match=match):
        assert disk.load(KEY) is None
    # Every further warning would be an error.
    disk.store(OTHER, b"new")
    assert disk.load(OTHER) is None


def test_what_we_stored_ourselves_is_taken(folder: Path) -> None:
    assert disk.load(KEY) == b"payload"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / KEY).stat().st_mode & 0o777 == 0o600


def test_code_that_somebody_else_planted_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, give_away: Callable[[Path], None]
) -> None:
    def kernel(factor: float) -> float:
        x = SX.sym("x", 2)
        return float(build("planted", {"x": x}, None, {"y": factor * x[0] + x[1]})([2.0, 1.0])[0])

    def entry() -> Path:
        (path,) = (tmp_path / "kernels").iterdir()
        return path

    shared_functions(host_target())
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))
    kernel(5.0)
    payload = disk.load(entry().name)
    assert payload is not None
    entry().unlink()
    kernel(3.0)
    disk.store(entry().name, payload)
    # A digest does not tell who wrote an entry: with the right owner the forgery is run.
    assert kernel(3.0) == 11.0
    give_away(tmp_path / "kernels")
    with pytest.warns(CacheWarning, match="another user"):
        assert kernel(3.0) == 7.0


def test_a_folder_of_somebody_else(folder: Path, give_away: Callable[[Path], None]) -> None:
    give_away(folder)
    refused("another user")
    assert [path.name for path in folder.iterdir()] == [KEY]


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_can_write(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    refused("others can write")


def test_a_folder_that_others_can_read_is_fine(folder: Path) -> None:
    folder.chmod(0o755)
    assert disk.load(KEY) == b"payload"


def test_a_link_in_the_place_of_the_folder(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))
    refused("a link")


def test_folders_above_that_others_can_exchange(folder: Path) -> None:
    folder.parent.chmod(0o777)
    refused("exchange")
    # As in a common folder for temporary files: others may add, and move only what is theirs.
    folder.parent.chmod(0o1777)
    assert disk.load(KEY) == b"payload"
    # A user's own folder made with umask 002, where the group is the user's own.
    folder.parent.chmod(0o775)
    assert disk.load(KEY) == b"payload"


def test_a_folder_above_of_somebody_else(folder: Path, give_away: Callable[[Path], None]) -> None:
    give_away(folder.parent)
    refused("another user")


def test_a_link_of_ours_on_the_path_is_followed_and_looked_behind(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind = tmp_path / "behind"
    behind.mkdir()
    folder.rename(behind / "kernels")
    (tmp_path / "link").symlink_to(behind)
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "link" / "kernels"))
    assert disk.load(KEY) == b"payload"
    behind.chmod(0o777)
    refused("exchange")


def test_nothing_above_the_home_folder_is_asked(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "homes" / "me"
    home.mkdir(parents=True)
    folder.rename(home / "kernels")
    home.parent.chmod(0o777)
    assert "exchange" in exposure(home / "kernels")
    monkeypatch.setenv("HOME", str(home))
    assert exposure(home / "kernels") == ""


def test_an_entry_of_somebody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:
        os.chown(folder / KEY, SOMEBODY, -1)
    else:
        seen = os.fstat

        def theirs(handle: int) -> os.stat_result:
            values = list(seen(handle))
            values[4] = SOMEBODY
            return os.stat_result(values)

        monkeypatch.setattr(os, "fstat", theirs)
    assert disk.load(KEY) is None


@pytest.mark.parametrize("mode", [0o660, 0o602, 0o666])
def test_an_entry_that_others_can_write_is_replaced(folder: Path, mode: int) -> None:
    (folder / KEY).chmod(mode)
    assert disk.load(KEY) is None
    disk.store(KEY, b"payload")
    assert disk.load(KEY) == b"payload"


def test_a_link_in_the_place_of_an_entry_is_replaced(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    (folder / KEY).rename(target)
    (folder / KEY).symlink_to(target)
    whole = target.read_bytes()
    assert disk.load(KEY) is None
    disk.store(KEY, b"payload of ours")
    assert not (folder / KEY).is_symlink()
    assert disk.load(KEY) == b"payload of ours"
    assert target.read_bytes() == whole


def test_a_pipe_in_the_place_of_an_entry_does_not_wait(folder: Path) -> None:
    (folder / KEY).unlink()
    os.mkfifo(folder / KEY, 0o600)
    assert disk.load(KEY) is None


def test_a_right_digest_over_garbage_is_rebuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shared_functions(host_target())
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "kernels"))

    def make() -> tuple[object, ...]:
        x = SX.sym("x", 2)
        return build("garbled", {"x": x}, None, {"y": 3.0 * x[0] + x[1]})([2.0, 1.0])

    make()
    (entry,) = (tmp_path / "kernels").iterdir()
    disk.store(entry.name, b"not an object" * 100)
    before = compilations().built
    assert make() == (7.0,)
    assert compilations().built == before + 1
    assert make() == (7.0,)
    assert compilations().built == before + 1


def test_a_relative_cache_home_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARAPICK_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/cache")
    assert disk.directory() == tmp_path / ".cache" / "parapick" / "kernels"


def age(path: Path, seconds: float) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def test_leftovers_of_killed_processes_go(folder: Path) -> None:
    old, young, foreign = folder / f"{OTHER}.old", folder / f"{OTHER}.young", folder / "README"
    for path in (old, young, foreign):
        path.write_bytes(b"half of an entry")
    age(old, 2 * disk._UNFINISHED_MAX)
    age(foreign, 2 * disk._UNFINISHED_MAX)
    disk._seen.clear()  # as in another process
    disk.store(OTHER, b"payload")
    assert sorted(path.name for path in folder.iterdir()) == sorted(["README", KEY, OTHER, young.name])


def test_what_was_used_least_recently_goes_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CACHE_SIZE", "1")
    (folder / KEY).unlink()
    keys = [f"{number:064x}" for number in range(5)]
    for seconds, key in zip((500, 400, 300, 200), keys, strict=False):
        disk.store(key, bytes(300_000))
        age(folder / key, seconds)
        # Three fit. The first stays because it is used before the fourth comes.
        if key == keys[2]:
            assert disk.load(keys[0]) is not None
    kept = {path.name for path in folder.iterdir()}
    assert kept == {keys[0], keys[2], keys[3]}
    disk.store(keys[4], bytes(2_000_000))
    assert disk.load(keys[4]) is None


def test_the_size_may_be_chosen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CACHE_SIZE", "lots")
    with pytest.raises(KernelError, match="PARAPICK_CACHE_SIZE is 'lots'; it should be a whole number of megabytes"):
        disk.load(KEY)
    monkeypatch.setenv("PARAPICK_CACHE_SIZE", "0")
    assert disk.load(KEY) is None
    disk.store(OTHER, b"payload")
    assert not (folder / OTHER).exists()
    monkeypatch.setenv("PARAPICK_CACHE_SIZE", "")
    assert disk.size_max() == disk.SIZE_MAX
    assert disk.load(KEY) == b"payload"


def test_a_cache_that_is_not_there_yet_is_no_reason_to_warn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAPICK_CACHE", str(tmp_path / "a" / "b"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert disk.load(KEY) is None
        disk.store(KEY, b"payload")
    assert disk.load(KEY) == b"payload"


def test_a_process_looks_again_after_some_entries(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Others store too: their entries count before long."""
    monkeypatch.setenv("PARAPICK_CACHE_SIZE", "1")
    monkeypatch.setattr(disk, "_UNSEEN_MAX", 3)
    disk._seen.clear()
    disk.store(OTHER, b"payload")
    (folder / f"{1:064x}").write_bytes(bytes(2_000_000))
    age(folder / f"{1:064x}", 500)
    keys = [f"{number:064x}" for number in range(2, 6)]
    kept = []
    for key in keys:
        disk.store(key, b"payload")
        kept.append((folder / f"{1:064x}").exists())
    assert kept == [True, True, True, False]
