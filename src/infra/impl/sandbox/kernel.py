"""The kernel's own locks, through libc: Landlock, seccomp, capabilities, limits, namespaces."""

import ctypes
import os
import resource
import stat
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from infra.impl.sandbox.syscalls import filter_program

_LANDLOCK_CREATE_RULESET: Final = 444
_LANDLOCK_ADD_RULE: Final = 445
_LANDLOCK_RESTRICT_SELF: Final = 446
_LANDLOCK_VERSION: Final = 1
_LANDLOCK_PATH_BENEATH: Final = 1

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_TRUNCATE: Final = 1 << 14
_DEVICES: Final = 1 << 6 | 1 << 11 | 1 << 15
"""Making character and block devices, and giving devices commands."""
# linux/landlock.h: rights that exist since each version of the interface.
_FILE_RIGHTS: Final = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NET_RIGHTS: Final = {4: 0b11}
_SCOPES: Final = {6: 0b11}

_PR_SET_PDEATHSIG: Final = 1
_PR_CAPBSET_DROP: Final = 24
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_PR_CAP_AMBIENT_CLEAR_ALL: Final = 4
_SECCOMP: Final = {"x86_64": 317, "aarch64": 277, "arm64": 277}
_SECCOMP_SET_MODE_FILTER: Final = 1
_SECCOMP_ALL_THREADS: Final = 1
_CAPABILITY_VERSION_3: Final = 0x20080522
_CAPSET: Final = {"x86_64": 126, "aarch64": 91, "arm64": 91}
_LAST_CAPABILITY: Final = 63
_SIGKILL: Final = 9

_CLONE_NEWUTS: Final = 0x04000000
_CLONE_NEWIPC: Final = 0x08000000
_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWNET: Final = 0x40000000


class LockFailed(Exception):
    """The kernel refused a lock; the process must not go on."""


def landlock_version() -> int:
    """Version of the kernel's Landlock interface; 0 without it."""
    version = _libc().syscall(
        _LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(_LANDLOCK_VERSION)
    )
    return max(0, int(version))


def die_with_parent(parent: int) -> None:
    """Ask for SIGKILL when the parent ends; leave at once if it already has."""
    _prctl("die with the parent", _PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def change_user(uid: int) -> None:
    """Become a user who owns nothing; needs root."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def leave_namespaces() -> bool:
    """Take empty network, IPC, host name and user namespaces, where the kernel allows it.

    An extra layer only: the seccomp filter refuses sockets either way.
    """
    flags = _CLONE_NEWUSER | _CLONE_NEWNET | _CLONE_NEWIPC | _CLONE_NEWUTS
    return int(_libc().unshare(ctypes.c_int(flags))) == 0


def drop_capabilities() -> None:
    """Give up every capability, also for later, and gaining any by exec."""
    _prctl("no new privileges", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc = _libc()
    libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    for capability in range(_LAST_CAPABILITY + 1):
        # Refused without CAP_SETPCAP: then the set cannot be used to gain anything either.
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    if libc.syscall(_CAPSET[os.uname().machine], header, bytes(24)) != 0:
        raise LockFailed(f"capabilities stay: {os.strerror(ctypes.get_errno())}")


def limit_resources(*, cpu_s: int, open_files: int) -> None:
    """Bound processor time and descriptors; forbid files, cores, locked memory and processes."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    for kind in (
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_CORE,
        resource.RLIMIT_NPROC,
        resource.RLIMIT_MEMLOCK,
    ):
        resource.setrlimit(kind, (0, 0))


def limit_address_space(limit_bytes: int) -> None:
    """Bound the address space of the whole process."""
    resource.setrlimit(resource.RLIMIT_AS, (limit_bytes, limit_bytes))


def mapped_bytes() -> int:
    """Address space in use by this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return pages * resource.getpagesize()


def open_ruleset(
    readable: Iterable[str], *, writable: Iterable[str] = (), has_network: bool = False
) -> int:
    """Collect rules that allow these paths, and what is below them, and no other file.

    Ports, and sockets and signals of outer processes, are covered where the kernel can. Paths are
    opened here, so this comes before the change of user.

    Raises:
        LockFailed: the kernel has no Landlock, or refuses the rules.
    """
    version = landlock_version()
    if version == 0:
        raise LockFailed("the kernel has no Landlock")
    files = sum(rights for since, rights in _FILE_RIGHTS.items() if since <= version)
    net = sum(rights for since, rights in _NET_RIGHTS.items() if since <= version)
    net = 0 if has_network else net
    scopes = sum(rights for since, rights in _SCOPES.items() if since <= version)
    attributes = struct.pack("=QQQ", files, net, scopes)
    # Older kernels know a shorter structure and accept only that.
    size = 8 if version < min(_NET_RIGHTS) else 16 if version < min(_SCOPES) else 24
    ruleset = int(
        _libc().syscall(
            _LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(size), ctypes.c_uint(0)
        )
    )
    if ruleset < 0:
        raise LockFailed(f"no Landlock rules: {os.strerror(ctypes.get_errno())}")
    for path in readable:
        _allow(ruleset, path, _EXECUTE | _READ_FILE | _READ_DIR)
    for path in writable:
        _allow(ruleset, path, files & ~_DEVICES)
    return ruleset


def restrict_files(ruleset: int) -> None:
    """Put the rules into force and close them."""
    _prctl("no new privileges", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    held = _libc().syscall(_LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)
    if held != 0:
        raise LockFailed(f"Landlock does not hold: {os.strerror(ctypes.get_errno())}")


def restrict_calls(program: bytes | None = None) -> None:
    """Install a system call filter, the jail's unless given, on all threads, present and later."""
    program = filter_program(pid=os.getpid()) if program is None else program
    steps = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: a short, then an aligned pointer.
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
    _prctl("no new privileges", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call = ctypes.c_long(_SECCOMP[os.uname().machine])
    mode, flags = ctypes.c_uint(_SECCOMP_SET_MODE_FILTER), ctypes.c_ulong(_SECCOMP_ALL_THREADS)
    if _libc().syscall(call, mode, flags, header) != 0:
        raise LockFailed(f"the system call filter is refused: {os.strerror(ctypes.get_errno())}")


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _EXECUTE | _READ_FILE | _WRITE_FILE | _TRUNCATE
        rule = struct.pack("=Qi", rights, descriptor)
        added = _libc().syscall(
            _LANDLOCK_ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(_LANDLOCK_PATH_BENEATH),
            rule,
            ctypes.c_uint(0),
        )
        if added != 0:
            raise LockFailed(f"no Landlock rule: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(descriptor)


def _prctl(purpose: str, option: int, *arguments: int) -> None:
    converted = [ctypes.c_ulong(argument) for argument in arguments]
    if _libc().prctl(ctypes.c_int(option), *converted) != 0:
        raise LockFailed(f"{purpose} is refused: {os.strerror(ctypes.get_errno())}")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
