"""Work beside the event loop: only what is longer than having a thread do it."""

from threading import get_ident

from application.shared.aside import aside


async def test_short_work_is_done_at_once_and_long_work_in_a_thread() -> None:
    assert await aside(100, get_ident, most=100) == get_ident()
    assert await aside(101, get_ident, most=100) != get_ident()
