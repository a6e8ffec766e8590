"""The system calls of a jailed process, as a seccomp filter built without a library."""

import os
import platform
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# Numbers from the kernel's uapi headers: x86-64 (asm/unistd_64.h), arm64 (asm-generic/unistd.h).
PLAIN: Final[Mapping[str, tuple[int | None, int | None]]] = {
    "read": (0, 63),
    "write": (1, 64),
    "futex": (202, 98),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "brk": (12, 214),
    "madvise": (28, 233),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "mincore": (27, 232),
    "membarrier": (324, 283),
    "get_mempolicy": (239, 236),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "preadv": (295, 69),
    "open": (2, None),
    "openat": (257, 56),
    "close": (3, 57),
    "close_range": (436, 436),
    "fstat": (5, 80),
    "newfstatat": (262, 79),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    "lseek": (8, 62),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "fadvise64": (221, 223),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "sigaltstack": (131, 132),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "getgroups": (115, 158),
    "getrandom": (318, 278),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "setrlimit": (160, 164),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "rseq": (334, 293),
    "set_tid_address": (218, 96),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120),
    "getcpu": (309, 168),
    "sysinfo": (99, 179),
    "uname": (63, 160),
    "umask": (95, 166),
    "arch_prctl": (158, None),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
"""Allowed whatever their arguments; a null number means that the machine lacks the call."""

REFUSED: Final[Mapping[str, tuple[int, int]]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
}
"""What a confined program may not call: other processes, mounts, namespaces, the kernel.

``io_uring`` would open sockets that no filter sees.
"""

# Audit architecture (linux/audit.h) and column in the tables above.
_MACHINES: Final = {
    "x86_64": (0xC000003E, 0),
    "aarch64": (0xC00000B7, 1),
    "arm64": (0xC00000B7, 1),
}
_CLONE: Final = (56, 220)
_CLONE3: Final = 435
_PRLIMIT64: Final = (302, 261)
_TGKILL: Final = (234, 131)
_KILL: Final = (62, 129)
_IOCTL: Final = (16, 29)
_FCNTL: Final = (72, 25)
_PRCTL: Final = (157, 167)
_SOCKET: Final = (41, 198)
_TKILL: Final = (200, 130)
_SIGQUEUE: Final = ((129, 138), (297, 240))

_CLONE_THREAD: Final = 0x00010000
_CLONE_NAMESPACES: Final = 0x7E020000
_FAMILIES: Final = (2, 10, 16)
"""Of sockets with which a program reaches the network: IPv4, IPv6, netlink to ask for addresses."""
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: asked by libc of files and pipes.
_IOCTL_REQUESTS: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ; not F_SETOWN and
# F_SETSIG, by which a pipe signals other processes.
_FCNTL_COMMANDS: Final = (0, 1, 2, 3, 4, 1030, 1032)
_PRCTL_OPTIONS: Final = (15, 16)  # PR_SET_NAME, PR_GET_NAME: thread libraries name their threads
_X32_CALLS: Final = 0x40000000

_EPERM: Final = 1
_ENOSYS: Final = 38
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_KILL_PROCESS: Final = 0x80000000

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_JUMP_EQUAL: Final = 0x15
_JUMP_AT_LEAST: Final = 0x35
_JUMP_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06


class UnknownMachine(Exception):
    """No system call table for this processor, so no filter and no jail."""


@dataclass(frozen=True)
class _Instruction:
    """One step of classic BPF; jumps count from the next instruction."""

    code: int
    value: int
    when_true: int = 0
    when_false: int = 0

    def pack(self) -> bytes:
        return struct.pack("=HBBI", self.code, self.when_true, self.when_false, self.value)


def is_known_machine() -> bool:
    """Whether a filter can be built for this processor."""
    return platform.machine() in _MACHINES


def filter_program(*, pid: int) -> bytes:
    """Assemble the filter for the process ``pid``: an array of ``struct sock_filter``.

    Rules look at numbers and scalar arguments only, never at descriptors: those can be renumbered.
    Anything not listed fails with EPERM: sockets, exec, fork, ptrace, mount, unshare, bpf,
    io_uring, memfd, keyctl, open_by_handle_at and whatever later kernels add.

    Raises:
        UnknownMachine: the processor has no table here.
    """
    column, steps = _opening()
    for numbers in PLAIN.values():
        if (number := numbers[column]) is not None:
            steps += [
                _Instruction(_JUMP_EQUAL, number, when_false=1),
                _Instruction(_RETURN, _ALLOW),
            ]
    steps += _on(
        _CLONE[column],
        [
            _Instruction(_LOAD, _argument(0)),
            _Instruction(_JUMP_ANY_BIT, _CLONE_THREAD, when_false=1),
            _Instruction(_RETURN, _ALLOW),
            _Instruction(_RETURN, _ERRNO | _EPERM),
        ],
    )
    # ENOSYS makes libc fall back to clone, whose flags a filter can see.
    steps += _on(_CLONE3, [_Instruction(_RETURN, _ERRNO | _ENOSYS)])
    # 0 is the caller itself.
    steps += _only(_PRLIMIT64[column], argument=0, values=(0, pid))
    steps += _only(_TGKILL[column], argument=0, values=(pid,))
    steps += _only(_KILL[column], argument=0, values=(pid,))
    steps += _only(_IOCTL[column], argument=1, values=_IOCTL_REQUESTS)
    steps += _only(_FCNTL[column], argument=1, values=_FCNTL_COMMANDS)
    steps += _only(_PRCTL[column], argument=0, values=_PRCTL_OPTIONS)
    steps.append(_Instruction(_RETURN, _ERRNO | _EPERM))
    return b"".join(step.pack() for step in steps)


def confined_filter(*, parent: int, has_network: bool) -> bytes:
    """Assemble the filter of a program that may start others of its own and threads.

    All is allowed but ``REFUSED``, namespaces, sockets (without a network, or of other families
    than those of networks), and signals and limits for the process ``parent``.

    Raises:
        UnknownMachine: the processor has no table here.
    """
    column, steps = _opening()
    for numbers in REFUSED.values():
        steps += _on(numbers[column], [_Instruction(_RETURN, _ERRNO | _EPERM)])
    steps += _on(
        _CLONE[column],
        [
            _Instruction(_LOAD, _argument(0)),
            _Instruction(_JUMP_ANY_BIT, _CLONE_NAMESPACES, when_true=1),
            _Instruction(_RETURN, _ALLOW),
            _Instruction(_RETURN, _ERRNO | _EPERM),
        ],
    )
    # ENOSYS makes libc fall back to clone, whose flags a filter can see.
    steps += _on(_CLONE3, [_Instruction(_RETURN, _ERRNO | _ENOSYS)])
    steps += _only(_SOCKET[column], argument=0, values=_FAMILIES if has_network else ())
    steps += _only(_PRLIMIT64[column], argument=0, values=(0,))
    # Everybody (-1) and the groups of others are out of reach as well.
    others = (parent, 0xFFFFFFFF, -parent & 0xFFFFFFFF, -os.getpgid(parent) & 0xFFFFFFFF)
    for call in (_KILL, _TKILL, _TGKILL, *_SIGQUEUE):
        body = [_Instruction(_LOAD, _argument(0))]
        for value in others:
            body += [
                _Instruction(_JUMP_EQUAL, value, when_false=1),
                _Instruction(_RETURN, _ERRNO | _EPERM),
            ]
        steps += _on(call[column], [*body, _Instruction(_RETURN, _ALLOW)])
    steps.append(_Instruction(_RETURN, _ALLOW))
    return b"".join(step.pack() for step in steps)


def _opening() -> tuple[int, list[_Instruction]]:
    """The column of this processor, and steps that end processes of any other architecture."""
    if (machine := _MACHINES.get(platform.machine())) is None:
        raise UnknownMachine(f"The jail does not know the system calls of {platform.machine()}.")
    architecture, column = machine
    return column, [
        _Instruction(_LOAD, 4),
        _Instruction(_JUMP_EQUAL, architecture, when_true=1),
        _Instruction(_RETURN, _KILL_PROCESS),
        _Instruction(_LOAD, 0),
        # x32 has the same architecture, but calls of its own behind this bit.
        _Instruction(_JUMP_AT_LEAST, _X32_CALLS, when_false=1),
        _Instruction(_RETURN, _KILL_PROCESS),
    ]


def _only(number: int, *, argument: int, values: Sequence[int]) -> list[_Instruction]:
    """Allow the call for these values of one 32-bit argument."""
    body = [_Instruction(_LOAD, _argument(argument))]
    for value in values:
        body += [_Instruction(_JUMP_EQUAL, value, when_false=1), _Instruction(_RETURN, _ALLOW)]
    body.append(_Instruction(_RETURN, _ERRNO | _EPERM))
    return _on(number, body)


def _on(number: int, body: list[_Instruction]) -> list[_Instruction]:
    """Run ``body``, which must return, for this call; go on behind it for others."""
    return [_Instruction(_JUMP_EQUAL, number, when_false=len(body)), *body]


def _argument(index: int) -> int:
    """Offset of the low half of an argument in ``struct seccomp_data`` (little endian)."""
    return 16 + 8 * index
