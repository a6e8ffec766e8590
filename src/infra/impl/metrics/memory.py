"""How much of the memory that the kernel grants is used: control groups, version 1 and 2."""

import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")
SELF: Final = Path("/proc/self")
OWN_SHARE: Final = 0.1
"""A process that has less than this of the limit cannot be the one that fills it."""

_UNLIMITED: Final = 1 << 60
"""Version 1 writes a number of about this size where nothing is limited."""

_PAGE: Final = resource.getpagesize()


@dataclass(frozen=True, slots=True)
class _Version:
    """Names of files; ``idle`` is a line of ``memory.stat``: what the kernel takes back at once."""

    limit: str
    used: str
    idle: str


_V1: Final = _Version("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2: Final = _Version("memory.max", "memory.current", "inactive_file")


class CgroupMemory:
    """Asks the groups that this process is in, from its own to the outermost."""

    def __init__(self, *, root: Path = ROOT, proc: Path = SELF) -> None:
        self._proc = proc
        self._groups = [
            (path, version)
            for directory, version in self._directories(root)
            for path in (directory, *directory.parents)
            if path.is_relative_to(root) and (path / version.limit).is_file()
        ]

    def share(self) -> float:
        """Return the used share of the tightest limit.

        0 if there is none, or if others than this process use it up.
        """
        own = self._resident()
        return max((self._share(path, version, own) for path, version in self._groups), default=0.0)

    def _directories(self, root: Path) -> list[tuple[Path, _Version]]:
        try:
            lines = (self._proc / "cgroup").read_text().splitlines()
        except OSError:  # not Linux
            return []
        found = []
        for line in lines:
            _, controllers, path = line.split(":", 2)
            inside = path.lstrip("/")
            if not controllers:
                found.append((root / inside, _V2))
            elif "memory" in controllers.split(","):
                found.append((root / "memory" / inside, _V1))
        return found

    def _resident(self) -> int:
        try:
            return int((self._proc / "statm").read_text().split()[1]) * _PAGE
        except OSError:
            return 0

    def _share(self, path: Path, version: _Version, own: int) -> float:
        try:
            limit = (path / version.limit).read_text().strip()
            if not limit.isdecimal() or int(limit) >= _UNLIMITED or own < OWN_SHARE * int(limit):
                return 0.0
            used = int((path / version.used).read_text())
            return (used - self._idle(path, version)) / int(limit)
        except (OSError, ValueError, ZeroDivisionError):  # a group that went away
            return 0.0

    def _idle(self, path: Path, version: _Version) -> int:
        for line in (path / "memory.stat").read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == version.idle:
                return int(value)
        return 0
