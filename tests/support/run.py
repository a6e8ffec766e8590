"""What all processes of one test run have together."""

import fcntl
import os
import tempfile
from collections.abc import Callable
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
    path = Path(os.environ[_FOLDER]) / name
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            path.write_bytes(make())
        return path.read_bytes()
