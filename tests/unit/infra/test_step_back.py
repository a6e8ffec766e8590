"""Work of a starting process that goes behind others."""

import os
import threading

import pytest

from infra.impl.sandbox.step_back import stepped_back


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)


def test_the_work_has_a_lower_priority_and_the_process_keeps_its_own() -> None:
    before = priority()

    assert stepped_back(priority) == min(19, before + 5)
    assert priority() == before


def test_no_thread_is_left_when_it_returns() -> None:
    number = stepped_back(threading.get_native_id)

    assert number != threading.get_native_id()
    assert str(number) not in os.listdir("/proc/self/task")  # noqa: PTH208 - names suffice


def test_what_goes_wrong_is_told_where_it_was_waited_for() -> None:
    def fails() -> None:
        raise SystemExit(7)

    with pytest.raises(SystemExit, match="7"):
        stepped_back(fails)
