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


@dataclass(frozen=True, slots=True)
class _Group:
    """Files of a control group: they are read each second."""

    limit: Path
    used: Path
    details: Path
    idle: str

    def share(self, own: int) -> float:
        """Return the used share of the limit, or 0 if others than ``own`` bytes use it up."""
        try:
            limit = self.limit.read_text().strip()
            if not limit.isdecimal() or int(limit) >= _UNLIMITED or own < OWN_SHARE * int(limit):
                return 0.0
            return (int(self.used.read_text()) - self._idle()) / int(limit)
        except (OSError, ValueError, ZeroDivisionError):  # a group that went away
            return 0.0

    def _idle(self) -> int:
        for line in self.details.read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == self.idle:
                return int(value)
        return 0


class CgroupMemory:
    """Asks the groups that this process is in, from its own to the outermost."""

    def __init__(self, *, root: Path = ROOT, proc: Path = SELF) -> None:
        self._proc = proc
        self._proc = proc
        self._own = proc / "statm"
        self._groups = [
            _Group(path / version.limit, path / version.used, path / "memory.stat", version.idle)
            for directory, version in self._directories(root)
            for path in (directory, *directory.parents)
            if path.is_relative_to(root) and (path / version.limit).is_file()
        ]

    def share(self) -> float:
        """Return the used share of the tightest limit.

        0 if there is none, or if others than this process use it up.
        """
        own = self._resident()
        return max((group.share(own) for group in self._groups), default=0.0)

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
            return int(self._own.read_text().split()[1]) * _PAGE
        except OSError:
            return 0
