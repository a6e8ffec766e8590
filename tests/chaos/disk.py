"""A disk of some megabytes for one process, which can be filled and emptied at any moment."""

import errno
import resource
import subprocess
from pathlib import Path

from tests.support.process.server import RunningServer

SIZE_MIB = 48
PIECE = bytes(256 * 1024)
_NAMESPACE = ("unshare", "--map-root-user", "--mount", "sh", "-c")
_MOUNT = 'mount -t tmpfs -o size={size}m,mode=700 none "$0" && exec "$@"'


class SmallDisk:
    """A file system in memory that only the server sees; start it with ``within``."""

    is_told = True
    """The server can see how much room is left."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self.within = (*_NAMESPACE, _MOUNT.format(size=SIZE_MIB), str(data))

    def fill(self, server: RunningServer) -> None:
        with self._filler(server).open("wb", buffering=0) as filler:
            size = len(PIECE)
            while size:
                try:
                    filler.write(PIECE[:size])
                except OSError as exc:
                    if exc.errno != errno.ENOSPC:
                        raise
                    size //= 2

    def free(self, server: RunningServer) -> None:
        self._filler(server).unlink()

    def _filler(self, server: RunningServer) -> Path:
        return Path(f"/proc/{server.process.pid}/root{self._data}/filler")


class ShortFiles:
    """Where a file system cannot be had: no file of the server may grow."""

    is_told = False
    within: tuple[str, ...] = ()

    def fill(self, server: RunningServer) -> None:
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, most))

    def free(self, server: RunningServer) -> None:
        _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))


Disk = SmallDisk | ShortFiles


def small_disk(data: Path) -> Disk:
    """The best that this machine can do."""
    trial = [*_NAMESPACE, _MOUNT.format(size=1), str(data), "true"]
    try:
        done = subprocess.run(trial, capture_output=True, check=False)
    except FileNotFoundError:
        return ShortFiles()
    return SmallDisk(data) if done.returncode == 0 else ShortFiles()
