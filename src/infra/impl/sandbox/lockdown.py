"""Locks the running process for good; runs inside the child, with the standard library alone."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final, Self

from infra.impl.sandbox import kernel
from infra.impl.sandbox.syscalls import is_known_machine

LOCK_FAILED: Final = 71
"""Exit status: a lock did not hold, and nothing else ran."""
OUT_OF_MEMORY: Final = 72
"""Exit status: the address space was used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockSettings:
    """What the process keeps after it is locked."""

    readable: tuple[str, ...]
    cpu_s: int
    open_files: int
    address_space_bytes: int | None
    """On top of what is mapped when the lock falls; null leaves it to the process."""
    uid: int | None
    """User to become, for a process that starts as root."""

    def to_text(self) -> str:
        """Write for a command line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read back what ``to_text`` wrote."""
        values = json.loads(text)
        return cls(**{**values, "readable": tuple(values["readable"])})


def _nothing() -> None:
    """Threads to start: none."""


def lock(settings: LockSettings, *, start_threads: Callable[[], None] = _nothing) -> None:
    """Give up everything but what is open, memory, and reading the listed paths.

    ``start_threads`` runs when files and privileges are gone and threads may still start.

    Raises:
        LockFailed: some lock does not hold on this machine; the process must exit.
    """
    if not is_known_machine():
        raise kernel.LockFailed("no system call table for this processor")
    os.chdir("/")
    parent = os.getppid()
    base = kernel.mapped_bytes()
    ruleset = kernel.open_ruleset(settings.readable)
    if settings.uid is not None:
        kernel.change_user(settings.uid)
    kernel.leave_namespaces()
    kernel.drop_capabilities()
    # Changing the user took back what the entry asked for.
    kernel.die_with_parent(parent)
    kernel.restrict_files(ruleset)
    start_threads()
    kernel.limit_resources(cpu_s=settings.cpu_s, open_files=settings.open_files)
    if settings.address_space_bytes is not None:
        kernel.limit_address_space(base + settings.address_space_bytes)
    # Last: the filter refuses the very calls by which all of the above is set.
    kernel.restrict_calls()
