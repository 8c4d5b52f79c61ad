"""The folders of a user, on every platform, and what is kept in them."""

from pathlib import Path

import pytest

from errkb.folders import CACHED_FILES, cache_folder, user_data_folder
from errkb.index.cache import clear_cache


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without any settings."""
    for name in ("ERRKB_CACHE_DIR", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("platform", "cache", "data"),
    [
        ("linux", ".cache/errkb", ".local/share/errkb"),
        ("darwin", "Library/Caches/errkb", "Library/Application Support/errkb"),
        ("win32", "AppData/Local/errkb", "AppData/Local/errkb"),
    ],
)
def test_folders_of_platforms(
    home: Path, platform: str, cache: str, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each platform has its usual places."""
    monkeypatch.setattr("sys.platform", platform)
    assert cache_folder() == home / cache
    assert user_data_folder() == home / data


def test_settings_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ERRKB_CACHE_DIR is the folder itself; the platform's variables name the folder around it."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert cache_folder() == tmp_path / "cache" / "errkb"
    assert user_data_folder() == tmp_path / "data" / "errkb"
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


def test_clearing_follows_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Indexes and harvested sites go; environments, which are slow to make again, and files of others stay."""
    monkeypatch.setenv("ERRKB_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("a.index", "b.index", "sites/shop-1.jsonl", "environments/1/pyvenv.cfg", "notes.txt"):
        path = cache_folder() / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert clear_cache() == 2
    left = sorted(path.relative_to(cache_folder()).as_posix() for path in cache_folder().rglob("*") if path.is_file())
    assert left == ["environments/1/pyvenv.cfg", "notes.txt"]
    assert [files.pattern for files in CACHED_FILES if not files.cleared] == ["environments/*"]
