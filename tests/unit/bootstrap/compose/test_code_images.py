"""Where the compiled interpreters of code nodes are kept."""

from pathlib import Path

import pytest

from bootstrap.compose.code_images import images_folder
from bootstrap.settings import CodeSettings


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    return home


def test_images_outlive_the_data_directory(tmp_path: Path, home: Path) -> None:
    first, second = (images_folder(CodeSettings(), tmp_path / name) for name in ("one", "two"))

    assert first == second
    assert first.is_relative_to(home)
    assert first.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_is_named_is_taken(tmp_path: Path, home: Path) -> None:
    assert images_folder(CodeSettings(images="~/here"), tmp_path) == home / "here"


def test_images_that_are_there_already_are_used(tmp_path: Path, home: Path) -> None:
    own = tmp_path / "code-images"
    own.mkdir()

    assert images_folder(CodeSettings(), tmp_path) == own


@pytest.mark.parametrize("trouble", ["no folder", "open to others"])
def test_a_cache_that_cannot_be_trusted_is_not_used(
    tmp_path: Path, home: Path, trouble: str
) -> None:
    cache = home / ".cache" / "coterie" / "code-images"
    cache.parent.mkdir(parents=True)
    if trouble == "no folder":
        cache.write_text("a file")
    else:
        cache.mkdir()
        cache.chmod(0o777)

    assert images_folder(CodeSettings(), tmp_path) == tmp_path / "code-images"
