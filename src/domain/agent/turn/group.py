"""Structured concurrency whose errors are those of the work, not groups of them."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def first_error() -> Iterator[None]:
    """Raise the first error of a task group inside the block instead of the group.

    The others are consequences or come at the same time; callers know the one by its type.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        error: BaseException = group
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from group
