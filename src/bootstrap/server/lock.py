"""What processes on one data directory must not share: the server's place, and node numbers."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from domain.shared.error import SettingsInvalid

LOCK_FILE: Final = "server.lock"
NODE_FOLDER: Final = "nodes"
LAST_NODE: Final = 1023


@contextmanager
def exclusive(data: Path) -> Iterator[None]:
    """Hold the directory's lock; the system drops it when the process dies, however that happens.

    Raises:
        SettingsInvalid: another server holds it.
    """
    if os.name != "posix":
        yield
        return
    import fcntl

    descriptor = os.open(data / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            raise SettingsInvalid(
                f"Another server uses {data}. Stop it, choose another --data-dir, or use "
                "PostgreSQL for several processes."
            ) from exc
        yield
    finally:
        os.close(descriptor)


@contextmanager
def free_node(data: Path, *, first: int) -> Iterator[int]:
    """Hold the first node number from ``first`` on that no living process here has.

    Ids hold the number, so that two processes never make the same one. Machines that share a
    database but no data directory are told apart by what ``first`` is.

    Raises:
        SettingsInvalid: all numbers are taken.
    """
    if os.name != "posix":
        yield first
        return
    import fcntl

    folder = data / NODE_FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    for number in range(first, LAST_NODE + 1):
        descriptor = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            yield number
            return
        finally:
            os.close(descriptor)
    raise SettingsInvalid(f"All node numbers from {first} to {LAST_NODE} are taken on {data}.")


@contextmanager
def quiet(data: Path) -> Iterator[None]:
    """Hold the place of the server, and see that no other process works on the directory.

    Raises:
        SettingsInvalid: one does.
    """
    with exclusive(data):
        if os.name == "posix" and _has_processes(data / NODE_FOLDER):
            raise SettingsInvalid(f"A process still works on {data}. Stop all workers first.")
        yield


def _has_processes(folder: Path) -> bool:
    """Tell whether a living process has a node number here."""
    import fcntl

    for path in folder.glob("*"):
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(descriptor)
    return False
