"""Many callers, one thread: also when those before gave up."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from infra.impl.shared_thread import SharedThread


class Disk:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.asked = 0
        self.answers = threading.Event()

    def __call__(self) -> int:
        self.asked += 1
        if not self.answers.wait(60):
            raise TimeoutError
        return self.asked


@pytest.fixture
def disk() -> Iterator[Disk]:
    disk = Disk()
    yield disk
    disk.answers.set()


async def test_who_comes_while_a_disk_hangs_waits_for_the_same_thread(disk: Disk) -> None:
    shared = SharedThread(disk)
    for _ in range(5):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.001):
                await shared()

    disk.answers.set()

    assert await shared() == 1
    assert await shared() == 2


async def test_a_failure_reaches_the_caller_and_is_not_kept() -> None:
    answers = iter([OSError("gone"), None])

    def ask() -> str:
        if error := next(answers):
            raise error
        return "fine"

    shared = SharedThread(ask)
    with pytest.raises(OSError, match="gone"):
        await shared()

    assert await shared() == "fine"
