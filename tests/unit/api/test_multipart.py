"""Multipart bodies: however they are cut, the same file or the same refusal."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar import Request

from api.body.multipart import open_upload
from domain.shared.error import AppError, InvalidRequest, RequestTooLarge
from domain.shared.limits import Limits

LIMITS = Limits(
    upload_bytes=10_000, multipart_overhead_bytes=5_000, multipart_parts=5, upload_idle_s=0.2
)
FORM = "multipart/form-data; boundary=bound"


def part(name: str, data: bytes, *, filename: str | None = None, kind: str = "") -> bytes:
    head = f'--bound\r\nContent-Disposition: form-data; name="{name}"'
    head += f'; filename="{filename}"' if filename is not None else ""
    head += f"\r\nContent-Type: {kind}" if kind else ""
    return head.encode() + b"\r\n\r\n" + data + b"\r\n"


END = b"--bound--\r\n"
FILE = part("file", b"data", filename="a.txt", kind="text/plain")


def request(
    chunks: Sequence[bytes], *, content_type: str | None = FORM, **headers: str
) -> Request[Any, Any, Any]:
    messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> Any:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop(0)

    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    if content_type is not None:
        raw.append((b"content-type", content_type.encode()))
    scope: Any = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "query_string": b"",
        "headers": raw,
        "litestar_app": None,
        "state": {},
    }
    return Request(scope, receive)


async def read(chunks: Sequence[bytes], **options: Any) -> tuple[str, str, bytes]:
    upload = await open_upload(request(chunks, **options), limits=LIMITS)
    data = b"".join([chunk async for chunk in upload])
    return upload.name, upload.declared_type, data


async def test_a_form_with_one_file_is_read() -> None:
    assert await read([FILE + END]) == ("a.txt", "text/plain", b"data")


async def test_other_fields_around_the_file_are_ignored() -> None:
    body = part("purpose", b"x") + FILE + part("more", b"y") + END

    assert await read([body]) == ("a.txt", "text/plain", b"data")


async def test_a_file_without_a_type_is_read() -> None:
    assert (await read([part("file", b"", filename="a") + END]))[1:] == ("", b"")


BROKEN = [
    (b"", "broken"),
    (END, "no part of this name"),
    (part("other", b"x") + END, "no part of this name"),
    (part("file", b"x") + END, "no file name"),
    (part("file", b"x", filename="") + END, "no file name"),
    (part("image", b"x", filename="a") + END, "in the part named file"),
    (FILE + FILE + END, "exactly one file"),
    (FILE + part("file", b"x") + END, "exactly one file"),
    (FILE + part("other", b"x", filename="b") + END, "exactly one file"),
    (FILE, "broken"),
    (FILE[:-2], "broken"),
    (FILE + b"--bound", "broken"),
    (FILE.replace(b"\r\n", b"\n") + END, "broken"),
    (b"--other\r\n\r\n\r\n--other--", "broken"),
    (b"{}", "broken"),
    (b"--bound\r\n\r\nx\r\n" + END, "broken"),
    (b"--bound\r\nContent-Disposition: attachment\r\n\r\nx\r\n" + END, "broken"),
    (b"--bound\r\n" + b"a: b\r\n" * 20 + b"\r\nx\r\n" + END, "broken"),
    (b"--bound\r\na: " + b"b" * 5000 + b"\r\n\r\nx\r\n" + END, "broken"),
    (part("a", b"x") * 6 + FILE + END, "broken"),
    (FILE + part("a", b"x") * 6 + END, "broken"),
    (b'--bound\r\nContent-Disposition: form-data; name="\xff"\r\n\r\nx\r\n' + END, "broken"),
]


@pytest.mark.parametrize(("body", "message"), BROKEN)
async def test_a_form_out_of_order_is_refused_by_name(body: bytes, message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        await read([body])


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=" + "a" * 71,
        'multipart/form-data; boundary="a\nb"',
        "multipart/mixed; boundary=bound",
        "multipart/form-datax; boundary=bound",
        "text/plain, multipart/form-data; boundary=bound",
        "application/x-www-form-urlencoded",
    ],
)
async def test_another_content_type_is_refused(content_type: str | None) -> None:
    with pytest.raises(InvalidRequest, match="Content-Type"):
        await read([FILE + END], content_type=content_type)


@pytest.mark.parametrize("content_type", ['Multipart/Form-Data; BOUNDARY="bound"', FORM + "; x=y"])
async def test_equal_spellings_of_the_content_type_pass(content_type: str) -> None:
    assert (await read([FILE + END], content_type=content_type))[2] == b"data"


async def test_an_announced_size_over_the_limit_is_refused_at_once() -> None:
    with pytest.raises(RequestTooLarge):
        await open_upload(request([], content_length="15001"), limits=LIMITS)


async def test_bytes_are_counted_whatever_was_announced() -> None:
    with pytest.raises(RequestTooLarge):
        await read([part("file", b"x" * 15_001, filename="a") + END], content_length="100")
    with pytest.raises(RequestTooLarge):
        await read([FILE + END, b"x" * 15_001])


async def test_a_client_that_stalls_is_given_up() -> None:
    upload = request([FILE])
    messages = [{"type": "http.request", "body": FILE, "more_body": True}]

    async def receive() -> Any:
        if not messages:
            await asyncio.Event().wait()
        return messages.pop(0)

    stalled: Request[Any, Any, Any] = Request(upload.scope, receive)
    with pytest.raises(InvalidRequest, match="stalled"):
        async for _ in await open_upload(stalled, limits=LIMITS):
            pass


async def test_a_client_that_leaves_is_noticed() -> None:
    messages = [
        {"type": "http.request", "body": FILE, "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Any:
        return messages.pop(0)

    left: Request[Any, Any, Any] = Request(request([]).scope, receive)
    with pytest.raises(InvalidRequest, match="broke off"):
        async for _ in await open_upload(left, limits=LIMITS):
            pass


def cut(body: bytes, positions: Sequence[int]) -> list[bytes]:
    bounds = [0, *sorted(p % (len(body) + 1) for p in positions), len(body)]
    return [body[a:b] for a, b in pairwise(bounds)]


async def outcome(chunks: Sequence[bytes]) -> object:
    try:
        return await read(chunks)
    except AppError as exc:
        return type(exc)


TRICKY = [
    b"",
    b"\r\n",
    b"\r\n--boun",
    b"\r\n--boun\r\n--bound",
    b"--bound--",
    b"\r\n--",
    b"\n--bound\r\n",
    b"a\r" * 20,
]
DATA = st.one_of(st.binary(max_size=200), st.sampled_from(TRICKY))


@given(data=DATA, positions=st.lists(st.integers(0, 2000), max_size=30))
async def test_the_cuts_of_the_network_change_nothing(data: bytes, positions: list[int]) -> None:
    body = part("before", b"x") + part("file", data, filename="a") + part("after", data) + END

    assert await outcome(cut(body, positions)) == await outcome([body])


@given(data=st.binary(max_size=300).filter(lambda data: b"\r\n--bound" not in data + b"\r\n--boun"))
async def test_the_file_comes_out_as_it_went_in(data: bytes) -> None:
    body = part("file", data, filename="a") + END

    assert (await read([body[i : i + 1] for i in range(len(body))]))[2] == data


@pytest.mark.parametrize(("body", "_"), BROKEN)
async def test_every_single_cut_of_a_broken_form_is_refused(body: bytes, _: str) -> None:
    for position in range(0, len(body), max(1, len(body) // 60)):
        with pytest.raises(AppError):
            await read([body[:position], body[position:]])


@given(st.binary(max_size=300))
async def test_garbage_is_refused(garbage: bytes) -> None:
    with pytest.raises(AppError):
        await read([garbage])
