"""Log lines: their shape, and what never appears in them."""

import io
import json
import logging
from collections.abc import Callable, Generator, Mapping
from urllib.parse import quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shared.secret import Secret
from infra.impl.logging.redaction import Redactor
from infra.impl.logging.setup import QUIET, BackgroundHandler, install
from tests.support.effort import LINEAR, growth

Lines = Callable[[], list[str]]


@pytest.fixture
def redactor() -> Redactor:
    return Redactor()


@pytest.fixture
def restored() -> Generator[None, None, None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    quiet = {name: logging.getLogger(name).level for name in QUIET}
    yield
    for handler in list(root.handlers):
        root.removeHandler(handler)
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    for name, old in quiet.items():
        logging.getLogger(name).setLevel(old)
    logging.captureWarnings(capture=False)


@pytest.fixture
def lines(restored: None, redactor: Redactor) -> Generator[Lines, None, None]:
    stream = io.StringIO()
    handler = install(
        level="info",
        style="json",
        redactor=redactor,
        context=lambda: {"log_id": "L1", "run": ""},
        stream=stream,
    )

    def written() -> list[str]:
        handler.close()
        return stream.getvalue().splitlines()

    yield written
    handler.close()


def test_a_line_is_one_json_document_with_the_context(lines: Lines) -> None:
    logging.getLogger("a.b").info("first\nsecond %s", "\x1b[31m\u2028", extra={"ms": 3})

    (line,) = lines()

    record = json.loads(line)
    assert record["message"] == "first\nsecond \x1b[31m\u2028"
    assert (record["level"], record["logger"], record["ms"]) == ("info", "a.b", 3)
    assert record["log_id"] == "L1"
    assert "run" not in record


@pytest.mark.parametrize("key", ["api_key", "Authorization", "password", "access_token", "cookie"])
def test_a_field_named_like_a_secret_is_masked(lines: Lines, key: str) -> None:
    logging.getLogger("x").info("m", extra={key: "canary-value"})

    assert "canary" not in "".join(lines())


def test_counts_of_tokens_are_not_secrets(lines: Lines) -> None:
    logging.getLogger("x").info("m", extra={"input_tokens": 12})

    assert json.loads(lines()[0])["input_tokens"] == 12


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer canary.canary-canary",
        "token pat_canarycanary was used",
        "sk-canarycanary",
        "postgresql+asyncpg://user:canary@host/db",
        "registered canary-secret here",
    ],
)
def test_secrets_inside_messages_and_tracebacks_are_masked(
    lines: Lines, redactor: Redactor, text: str
) -> None:
    redactor.register(Secret("canary-secret"))
    try:
        int(text)
    except ValueError:
        logging.getLogger("x").exception(text)

    (line,) = lines()
    assert "canary" not in line
    assert "******" in line


def test_libraries_that_log_addresses_stay_quiet(lines: Lines) -> None:
    for name in ("httpx", "httpcore", "aiohttp", "sqlalchemy", "aiosqlite"):
        logging.getLogger(name).info("https://host/?key=canary")

    assert lines() == []


def test_text_lines_cannot_be_forged(restored: None, redactor: Redactor) -> None:
    stream = io.StringIO()
    handler = install(level="info", style="text", redactor=redactor, stream=stream)

    logging.getLogger("x").info("a\n12:00:00 error forged", extra={"name_": "b\r\x1b[2J"})
    handler.close()

    (line,) = stream.getvalue().splitlines()
    assert "\\n12:00:00" in line
    assert "\x1b" not in line


class _Blocked(io.StringIO):
    def write(self, _: str) -> int:
        raise OSError("the pipe is closed")


def test_a_reader_that_went_away_is_survived_and_counted() -> None:
    handler = BackgroundHandler(_Blocked())

    handler.emit(logging.makeLogRecord({"msg": "m"}))
    handler.close()

    assert handler.dropped == 1


def test_short_registered_values_do_not_mask_words(redactor: Redactor) -> None:
    redactor.register(Secret("a"), Secret(""))

    assert redactor.clean("banana") == "banana"


@given(
    known=st.lists(st.text("abé", min_size=8, max_size=20), min_size=1, max_size=20),
    around=st.text("abé ", max_size=12),
    others=st.sampled_from([0, 200]),
)
def test_a_secret_is_masked_wherever_it_stands_and_whatever_others_there_are(
    known: list[str], around: str, others: int
) -> None:
    redactor = Redactor()
    redactor.register(*map(Secret, known))
    redactor.register(*(Secret(f"{number:06}-canary") for number in range(others)))

    for secret in known:
        assert secret not in redactor.clean(f"{around}{secret}{around}")


def test_the_longest_of_secrets_that_begin_alike_is_masked(redactor: Redactor) -> None:
    redactor.register(Secret("canary-secret"), Secret("canary-secret-of-old"))

    assert redactor.clean("a canary-secret-of-old, a canary-secret") == "a ******, a ******"


def test_the_work_for_secrets_that_come_one_by_one_is_linear() -> None:
    def come(count: int) -> None:
        redactor = Redactor()
        for number in range(count):
            redactor.register(Secret(f"{number:06}-canary"))
            redactor.clean("who asked, from where, and what came of it")

    assert growth(come, small=100) < LINEAR


def test_secrets_of_any_key_are_masked_by_type(redactor: Redactor) -> None:
    fields: Mapping[str, object] = {"plain": Secret("canary-canary")}

    assert "canary" not in str(redactor.value("plain", fields["plain"]))


@pytest.mark.parametrize(
    "key", ["canary key/with%0d%0a", "canary\nline two\n" + "x" * 4096, " canary-key "]
)
@pytest.mark.parametrize("spelling", ["{0}", "{0!r}", "at /?key={1}&x", "{2}"])
def test_a_secret_is_masked_however_it_is_spelled(key: str, spelling: str) -> None:
    redactor = Redactor()
    redactor.register(Secret(key))

    text = spelling.format(key, quote_plus(key.strip()), json.dumps(key))

    assert "canary" not in redactor.clean(text)


def test_a_secret_is_not_cut_into_an_unknown_one(lines: Lines, redactor: Redactor) -> None:
    redactor.register(Secret("canary-secret-of-some-length"))
    for length in range(8 * 1024 - 30, 8 * 1024 + 1):
        logging.getLogger("a").info("%scanary-secret-of-some-length", "." * length)

    assert not [line for line in lines() if "canary" in line]
