"""Slices of processor time that threads and processes are given."""

import ctypes
import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from infra.impl.time_slice import LONG_NS, USUAL_NS, let_the_loop_interrupt, set_slice

_READ: Final = {"x86_64": 315, "aarch64": 275}
_ATTRIBUTES: Final = struct.Struct("=IIQiIQQQ")


def attributes(pid: int) -> tuple[int, int]:
    """Niceness and slice (ns) of a thread, as the kernel has them."""
    into = ctypes.create_string_buffer(_ATTRIBUTES.size)
    call = _READ[os.uname().machine]
    assert ctypes.CDLL(None).syscall(call, pid, into, _ATTRIBUTES.size, 0) == 0
    _, _, _, nice, _, slice_ns, _, _ = _ATTRIBUTES.unpack(into.raw)
    return nice, slice_ns


def in_thread(work: Callable[[], tuple[int, int]]) -> tuple[int, int]:
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


@contextmanager
def idle_process() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid


@pytest.fixture(autouse=True)
def knows_slices() -> None:
    """Ask the kernel in a thread of its own; before 6.12 it reads as if none was set."""
    if os.uname().machine not in _READ:
        pytest.skip("The numbers of the calls are known for x86-64 and arm64.")

    def tried() -> tuple[int, int]:
        set_slice(0, LONG_NS, nice=0)
        return attributes(0)

    if in_thread(tried)[1] != LONG_NS:
        pytest.skip("Linux knows slices of single threads from 6.12 on.")


@pytest.mark.parametrize("slice_ns", [USUAL_NS, LONG_NS])
@pytest.mark.parametrize("nice", [0, 5, 19])
def test_a_process_gets_its_slice_and_priority(nice: int, slice_ns: int) -> None:
    with idle_process() as pid:
        assert set_slice(pid, slice_ns, nice=nice)
        assert attributes(pid) == (nice, slice_ns)


def test_a_process_that_is_gone_is_no_error() -> None:
    with idle_process() as pid:
        pass
    assert not set_slice(pid, USUAL_NS, nice=0)


def test_only_the_thread_that_asks_is_interrupted_by_the_others() -> None:
    def asked() -> tuple[int, int]:
        let_the_loop_interrupt()
        return attributes(0)

    before = attributes(0)

    assert in_thread(asked) == (before[0], USUAL_NS)
    assert attributes(0) == before
