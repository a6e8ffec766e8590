"""Time slices of processes and threads: who has the shorter one interrupts others as it wakes up.

Priorities alone do not: since Linux 6.6 a process that wakes up waits until the one that runs has
had its slice, for up to a tick (4 ms), however low its priority is; a request that wakes the server
ten times waits so ten times. Slices of single processes exist since 6.12, older kernels take no
notice of them.
"""

import ctypes
import os
import struct
from functools import cache
from typing import Final

USUAL_NS: Final = 5_000_000
"""More than the kernel's own 0.7 to 3 ms, which the loop has: it interrupts all that computes."""
LONG_NS: Final = 20_000_000
"""For what nobody waits for, and what others need not wait for."""

_CALL: Final = {"x86_64": 314, "aarch64": 274}
_ATTRIBUTES: Final = struct.Struct("=IIQiIQQQ")
_SCHED_OTHER: Final = 0


def set_slice(pid: int, slice_ns: int, *, nice: int) -> bool:
    """Have a thread (a process's first, or the caller for 0) run so long at a time.

    Its priority must be told, too; a higher one than it has is refused. False if the kernel
    refuses.
    """
    call = _CALL.get(os.uname().machine)
    if call is None:
        return False
    wanted = _ATTRIBUTES.pack(
        _ATTRIBUTES.size, _SCHED_OTHER, 0, nice, 0, slice_ns, 0, 0
    )  # size, policy, flags, nice, priority, runtime, deadline, period
    return int(_libc().syscall(call, pid, wanted, 0)) == 0


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def let_the_loop_interrupt() -> None:
    """Give the calling thread, which computes for a request, longer slices than its event loop."""
    set_slice(0, USUAL_NS, nice=os.getpriority(os.PRIO_PROCESS, 0))
