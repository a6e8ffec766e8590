"""The newest lines of a process: without secrets, bounded, taken away once."""

import logging
from collections.abc import AsyncGenerator

import pytest

from domain.shared.secret import Secret
from infra.impl.logging.recent import MOST, RecentLines
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import RecordReader

SECRET = "correct-horse-battery"
_log = logging.getLogger("coterie.test.recent")


@pytest.fixture
async def recent() -> AsyncGenerator[RecentLines, None]:
    redactor = Redactor()
    redactor.register(Secret(SECRET))
    lines = RecentLines(RecordReader(redactor=redactor, context=lambda: {"log_id": "log-7"}))
    await lines.start()
    yield lines
    await lines.aclose()


async def test_warnings_and_errors_are_kept_with_their_context_and_without_secrets(
    recent: RecentLines,
) -> None:
    _log.info("nothing")
    _log.warning("refused %s", SECRET, extra={"password": "x", "part": "disk", "tries": 3})

    (line,) = recent.take()

    assert (line.level, line.logger, line.log_id) == ("warning", "coterie.test.recent", "log-7")
    assert SECRET not in line.message
    assert line.fields["part"] == "disk"
    assert line.fields["tries"] == 3
    assert line.fields["password"] != "x"
    assert recent.take() == []


async def test_too_many_lines_drop_the_oldest(recent: RecentLines) -> None:
    for number in range(MOST + 5):
        _log.warning("line %s", number)

    taken = recent.take()

    assert len(taken) == MOST
    assert taken[0].message == "line 5"


async def test_a_long_line_is_cut_and_the_end_of_a_traceback_stays(recent: RecentLines) -> None:
    error = ValueError("x" * 100_000 + "the cause")
    fields = {f"field{n}": "z" * 5000 for n in range(30)}

    _log.error("y" * 100_000, exc_info=error, extra=fields)

    (line,) = recent.take()

    assert len(line.message) == 2000
    assert str(line.fields["exception"]).endswith("the cause")
    assert sum(len(str(value)) for value in line.fields.values()) <= 6000


async def test_after_closing_nothing_is_heard(recent: RecentLines) -> None:
    await recent.aclose()

    _log.error("late")

    assert recent.take() == []
