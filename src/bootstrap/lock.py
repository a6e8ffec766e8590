"""One server per data directory: the embedded profile keeps its runs in one process."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bootstrap.configuration import SettingsInvalid

LOCK_FILE: Final = "server.lock"


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
