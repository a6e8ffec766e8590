"""What the machine gives this process: processor time, memory, and room on a disk."""

import os
import resource
import shutil
from functools import partial
from pathlib import Path
from typing import Final

from infra.impl.shared_thread import SharedThread

_PAGE: Final = resource.getpagesize()
_STATM: Final = Path("/proc/self/statm")


def processor_s() -> float:
    """Return the processor time that this process has used, without its children."""
    used = os.times()
    return used.user + used.system


def resident_bytes() -> int:
    """Return the memory that this process holds; 0 where the system does not tell."""
    try:
        return int(_STATM.read_text().split()[1]) * _PAGE
    except OSError:
        return 0


class DiskUse:
    """How full a file system is, asked in a thread: disks may hang."""

    def __init__(self, path: Path) -> None:
        self._ask = SharedThread(partial(shutil.disk_usage, path))

    async def __call__(self) -> float:
        """Return the used share of what this process may use."""
        usage = await self._ask()
        return usage.used / (usage.used + usage.free)
