"""Where tests keep their files: in memory, where there is enough of it.

Thousands of databases are made and thrown away. On a disk most of the time of a run goes into
finding room for their files: ext4 looks past every inode that was freed in the last seconds.
"""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/dev/shm")
_ENOUGH_BYTES: Final = 6 * 1024**3


def use_memory() -> None:
    """Have temporary files of this process and its children in memory, unless ``TMPDIR`` is set."""
    if "TMPDIR" in os.environ or not os.access(_MEMORY, os.W_OK):
        return
    if min(shutil.disk_usage(_MEMORY).free, _available_bytes()) >= _ENOUGH_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _available_bytes() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, amount = line.partition(":")
        if name == "MemAvailable":
            return int(amount.split()[0]) * 1024
    return 0
