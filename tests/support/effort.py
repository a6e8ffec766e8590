"""What a piece of code costs, said in a way that no slow or busy machine can change."""

import gc
import math
import sys
import time
from collections.abc import Callable
from types import FrameType

ROUNDS = 3
MOST_CALLS = 500_000
"""For what must be refused before it costs anything: usual are a tenth to a fifth."""
LINEAR = 1.6
"""Nearer to 1 (twice the input, twice the work) than to 2 (four times the work)."""


def calls(work: Callable[[], object]) -> int:
    """Count the functions that a piece of code calls."""
    count = 0

    def see(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


def growth(work: Callable[[int], object], *, small: int, times: int = 8) -> float:
    """Return the power of its input's size with which work grows: about 1 if it is linear.

    Compares this thread's processor time for both sizes: regular expressions and other native code
    make no calls that could be counted. The best of some rounds counts, so that what the first one
    makes for all is no part of the growth. Another round with the large input can only tell of less
    work, so there is none once the growth is ``LINEAR``.
    """

    def cost(size: int) -> float:
        began = time.thread_time()
        work(size)
        return time.thread_time() - began

    # A collection costs what other tests left in the memory, and only the larger work causes one.
    gc.disable()
    try:
        few = max(min(cost(small) for _ in range(ROUNDS)), 1e-6)
        many = found = math.inf
        for _ in range(ROUNDS):
            many = min(many, cost(times * small))
            found = math.log(many / few) / math.log(times)
            if found < LINEAR:
                break
    finally:
        gc.enable()
    return found
