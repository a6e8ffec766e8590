"""What all processes of one test run have together."""

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

_FOLDER: Final = "TEST_RUN_FOLDER"
_KEPT: Final = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def begin_run(config: pytest.Config) -> None:
    """Make the folder of a run; processes that a run starts have that of their parent."""
    if not hasattr(config, "workerinput"):
        config.stash[_KEPT] = tempfile.TemporaryDirectory(prefix="coterie-run-")
        os.environ[_FOLDER] = config.stash[_KEPT].name


def end_run(config: pytest.Config) -> None:
    """Remove it."""
    if _KEPT in config.stash:
        config.stash[_KEPT].cleanup()


def made_once(name: str, make: Callable[[], bytes]) -> bytes:
    """Return what the first process of the run made under a name; the others wait for it."""
    with _alone(name) as path:
        if not path.exists():
            path.write_bytes(make())
        return path.read_bytes()


def folder_made_once(name: str, fill: Callable[[Path], None]) -> Path:
    """Return the folder that the first process of the run filled; the others wait for it."""
    with _alone(name) as path:
        if not path.exists():
            making = path.with_suffix(".making")
            fill(making)
            making.rename(path)
        return path


@contextmanager
def _alone(name: str) -> Iterator[Path]:
    """Where a thing of this name is kept, while no other process of the run asks for it."""
    path = Path(os.environ[_FOLDER]) / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield path
