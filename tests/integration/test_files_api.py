"""Uploads and downloads over HTTP, in process, with the real layers below."""

import io
import re
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import Receive, Scope, Send
from PIL import Image

from api.admin.file import AdminFileController
from api.body.request import ApiRequest, RequestBodies
from api.coze.file import FileController, PublicFileController
from api.entry.auth import Guard, principal_of
from api.entry.gate import Gate
from api.error import EXCEPTION_HANDLERS
from api.openai.files import OpenAIFileController
from application.file.icon import IconService
from application.file.service import FileService
from application.identity.following import Followers
from application.operation.http_metrics import HttpMetrics
from domain.file.signature import FileLinks, LinkSigner
from domain.shared.access import Principal, Role
from domain.shared.error import Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.observability.metrics import Metrics
from infra.impl.object_store.local import LocalObjectStore
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.file.repository import SqlFileStore
from tests.support.clock import FrozenClock

LIMITS = Limits(upload_bytes=3_000_000, multipart_overhead_bytes=100_000, json_body_bytes=1000)
SERVER = "http://server.example"
SPACES = {"alice": SpaceId(1), "bob": SpaceId(2)}
ALICE = {"authorization": "Bearer alice"}
BOB = {"authorization": "Bearer bob"}
DATA = bytes(range(256)) * 10


class NamesAsTokens:
    """Takes the name of a person for a token."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        name = (header_value or "").removeprefix("Bearer ")
        if name not in SPACES:
            raise Unauthenticated("No such token.")
        return Principal(
            user_id=UserId(SPACES[name]),
            token_id=TokenId(1),
            roles={SPACES[name]: Role.OWNER},
            personal_space_id=SPACES[name],
        )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
def store(sqlite_database: Database, clock: FrozenClock) -> SqlFileStore:
    return SqlFileStore(sqlite_database, clock)


@pytest.fixture
async def app(root: Path, store: SqlFileStore, clock: FrozenClock, ids: IdGenerator) -> Gate:
    objects = LocalObjectStore(root)
    await objects.start()
    files = FileService(
        store=store,
        objects=objects,
        links=FileLinks(signer=LinkSigner([Secret("k" * 32)]), public_url=SERVER),
        clock=clock,
        ids=ids,
        limits=LIMITS,
    )
    icons = IconService(public_url=SERVER)
    litestar = Litestar(
        [
            FileController,
            OpenAIFileController,
            PublicFileController,
            AdminFileController,
        ],
        dependencies={
            "principal": Provide(principal_of, sync_to_thread=False),
            "limits": Provide(lambda: LIMITS, sync_to_thread=False),
            "files": Provide(lambda: files, sync_to_thread=False),
            "icons": Provide(lambda: icons, sync_to_thread=False),
        },
        exception_handlers=dict(EXCEPTION_HANDLERS),
        guards=[Guard(NamesAsTokens())],
        request_class=ApiRequest,
        request_max_body_size=None,
        state=State(
            {
                "limits": LIMITS,
                "http_metrics": HttpMetrics(Metrics()),
                "bodies": RequestBodies(LIMITS),
                "followers": Followers(),
            }
        ),
        logging_config=None,
    )
    return Gate(litestar, limits=LIMITS)


@pytest.fixture
async def client(app: Gate) -> AsyncGenerator[httpx.AsyncClient, None]:
    served: Any = app  # httpx and Litestar spell the types of ASGI differently
    transport = httpx.ASGITransport(app=served)
    async with httpx.AsyncClient(transport=transport, base_url=SERVER) as client:
        yield client


async def upload(
    client: httpx.AsyncClient, data: bytes = DATA, name: str = "a.bin", **options: Any
) -> dict[str, Any]:
    response = await client.post(
        "/v1/files/upload", files={"file": (name, data)}, headers=ALICE, **options
    )
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    assert body["code"] == 0
    result: dict[str, Any] = body["data"]
    return result


def stored_files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


async def rows(store: SqlFileStore, clock: FrozenClock) -> int:
    clock.advance(days=400)
    async with store.snapshot() as uow:
        dead = await uow.janitor.find_dead(
            deleted_before=clock.now(), begun_before=clock.now(), limit=100
        )
    return len(dead)


async def test_an_upload_answers_with_the_file(
    client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    file = await upload(client, b"\x89PNG\r\n\x1a\n" + DATA, "sky.txt")

    assert re.fullmatch(r"[0-9]{19}", file["id"])
    assert file["bytes"] == len(DATA) + 8
    assert file["created_at"] == int(clock.now().timestamp())
    assert (file["file_name"], file["content_type"]) == ("sky.txt", "image/png")
    assert file["url"].startswith(f"{SERVER}/files/")
    found = await client.get("/v1/files/retrieve", params={"file_id": file["id"]}, headers=ALICE)
    assert found.json()["data"] == file


async def test_a_large_upload_passes_the_limit_for_other_bodies(
    client: httpx.AsyncClient,
) -> None:
    data = b"x" * LIMITS.upload_bytes

    assert (await upload(client, data))["bytes"] == len(data)


async def test_asking_for_the_headers_reads_no_byte(client: httpx.AsyncClient, root: Path) -> None:
    file = await upload(client)
    path = f"/v1/files/{file['id']}/content"
    whole = await client.get(path, headers=ALICE)
    for stored in stored_files(root):
        stored.unlink()

    head = await client.head(path, headers=ALICE)

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    assert head.headers["etag"] == whole.headers["etag"]


async def test_the_host_header_never_reaches_an_address(client: httpx.AsyncClient) -> None:
    response = await client.post(
        "/v1/files/upload",
        files={"file": ("a", b"x")},
        headers={**ALICE, "host": "evil.example", "x-forwarded-host": "evil.example"},
    )

    assert "evil" not in response.text


BOUNDARY = {"content-type": "multipart/form-data; boundary=b"}
HEAD = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
REFUSALS = ("file:", "'image':", "Content-Type:", "The multipart")
IMPERSONATION = b'{"file": {"filename": "x", "path": "/etc/passwd", "size": 1}}'


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        (BOUNDARY, b"", 400),
        (BOUNDARY, HEAD + b"data", 400),
        (BOUNDARY, HEAD + b"data\r\n--b", 400),
        (BOUNDARY, HEAD + b"data\r\n" + HEAD + b"data\r\n--b--\r\n", 400),
        (BOUNDARY, HEAD + b"\r\n--b--\r\n", 400),
        (BOUNDARY, HEAD.replace(b'"file"', b'"image"') + b"data\r\n--b--\r\n", 400),
        (BOUNDARY, HEAD.replace(b"; filename", b"; x") + b"data\r\n--b--\r\n", 400),
        (BOUNDARY, HEAD + b"x" * 3_000_001 + b"\r\n--b--\r\n", 413),
        (BOUNDARY, HEAD + b"x" * 4_000_000 + b"\r\n--b--\r\n", 413),
        ({"content-type": "application/json"}, IMPERSONATION, 400),
        ({"content-type": "multipart/form-data"}, HEAD + b"data\r\n--b--\r\n", 400),
        ({}, HEAD + b"data\r\n--b--\r\n", 400),
    ],
)
async def test_a_refused_upload_leaves_nothing(
    *,
    client: httpx.AsyncClient,
    root: Path,
    store: SqlFileStore,
    clock: FrozenClock,
    headers: dict[str, str],
    body: bytes,
    status: int,
) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65_536):
            yield body[start : start + 65_536]

    for path in ("/v1/files/upload", "/admin/v1/files"):
        response = await client.post(path, content=chunks(), headers={**ALICE, **headers})

        assert response.status_code == status, response.text
        assert response.json()["code"] == 4000
        assert response.json()["msg"].startswith(REFUSALS)
    assert stored_files(root) == []
    assert await rows(store, clock) == 0


async def test_an_upload_needs_a_token_before_its_body(app: Gate) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        raise AssertionError("the body was read")

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"localhost")]
    await call(app, "POST", "/v1/files/upload", receive, send, headers=headers)

    assert sent[0]["status"] == 401


async def call(
    app: Gate, method: str, path: str, receive: Receive, send: Send, *, headers: list[Any]
) -> None:
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    checked: Scope = scope
    await app(checked, receive, send)


async def test_the_same_idempotency_key_is_the_same_file(client: httpx.AsyncClient) -> None:
    async def send(data: bytes) -> httpx.Response:
        return await client.post(
            "/v1/files/upload",
            files={"file": ("a", data)},
            headers={**ALICE, "idempotency-key": "k1"},
        )

    first, again, other = await send(b"x"), await send(b"x"), await send(b"y")

    assert first.json()["data"]["id"] == again.json()["data"]["id"]
    assert (other.status_code, other.json()["code"]) == (400, 4000)


def _code(answer: httpx.Response) -> int | str:
    """Return the code of a refusal in the shape of its surface, which knows no other file."""
    body = answer.json()
    code: int | str = body["error"]["code"] if "code" not in body else body["code"]
    assert code in {4200, "file_not_found"}
    return code


def _message(answer: httpx.Response) -> str:
    body = answer.json()
    message: str = body["msg"] if "msg" in body else body["error"]["message"]
    return message


async def test_a_foreign_file_looks_like_none(client: httpx.AsyncClient) -> None:
    file = await upload(client)
    missing = str(int(file["id"]) + 1)
    for template in ("/v1/files/retrieve?file_id={}", "/v1/files/{}/content", "/admin/v1/files/{}"):
        foreign = await client.get(template.format(file["id"]), headers=BOB)
        absent = await client.get(template.format(missing), headers=BOB)

        assert foreign.status_code == absent.status_code == 404
        assert _code(foreign) == _code(absent)
        assert _message(foreign).replace(file["id"], missing) == _message(absent)


@pytest.mark.parametrize("file_id", ["", "0", "-1", "abc", "9" * 30, "\uff11"])
async def test_a_bad_id_names_its_field(client: httpx.AsyncClient, file_id: str) -> None:
    response = await client.get("/v1/files/retrieve", params={"file_id": file_id}, headers=ALICE)

    assert (response.status_code, response.json()["code"]) == (400, 4000)
    assert "file_id" in response.json()["msg"]


async def test_content_is_streamed_to_members(client: httpx.AsyncClient) -> None:
    data = DATA * 1000
    file = await upload(client, data)

    response = await client.get(f"/v1/files/{file['id']}/content", headers=ALICE)

    assert response.content == data
    assert response.headers["content-length"] == str(len(data))
    assert (await client.get(f"/v1/files/{file['id']}/content")).status_code == 401


async def test_a_signed_link_needs_no_token_and_expires(
    client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    file = await upload(client)

    assert (await client.get(file["url"])).content == DATA
    forged = await client.get(file["url"][:-2] + "xx")
    assert (forged.status_code, forged.json()["code"]) == (403, 4101)
    clock.advance(hours=1)
    assert (await client.get(file["url"])).status_code == 403
    assert (await client.get(f"/files/{file['id']}")).status_code == 403


async def test_a_deleted_file_ends_its_links(client: httpx.AsyncClient) -> None:
    file = await upload(client)

    deleted = await client.delete(f"/admin/v1/files/{file['id']}", headers=ALICE)

    assert deleted.status_code == 204
    assert (await client.get(file["url"])).status_code == 404


@pytest.mark.parametrize(
    ("asked", "status", "expected", "content_range"),
    [
        ("bytes=0-9", 206, DATA[:10], "bytes 0-9/2560"),
        ("bytes=2550-", 206, DATA[2550:], "bytes 2550-2559/2560"),
        ("bytes=-5", 206, DATA[-5:], "bytes 2555-2559/2560"),
        ("bytes=-9999", 206, DATA, "bytes 0-2559/2560"),
        ("bytes=2559-9999", 206, DATA[-1:], "bytes 2559-2559/2560"),
        ("bytes=2560-", 416, b"", "bytes */2560"),
        ("bytes=-0", 416, b"", "bytes */2560"),
        ("bytes=9-2", 200, DATA, None),
        ("bytes=0-1,5-6", 200, DATA, None),
        ("items=0-1", 200, DATA, None),
        ("bytes=-", 200, DATA, None),
        ("bytes=a-b", 200, DATA, None),
        ("bytes=" + "9" * 30 + "-", 200, DATA, None),
    ],
)
async def test_ranges_are_answered(
    *,
    client: httpx.AsyncClient,
    asked: str,
    status: int,
    expected: bytes,
    content_range: str | None,
) -> None:
    file = await upload(client)

    response = await client.get(file["url"], headers={"range": asked})

    assert response.status_code == status
    assert response.content == expected
    assert response.headers.get("content-range") == content_range


async def test_what_the_client_has_is_not_sent_again(client: httpx.AsyncClient) -> None:
    file = await upload(client)
    etag = (await client.get(file["url"])).headers["etag"]

    for tags in (etag, f'"x", W/{etag}', "*"):
        response = await client.get(file["url"], headers={"if-none-match": tags})
        assert (response.status_code, response.content) == (304, b"")
    changed = await client.get(file["url"], headers={"range": "bytes=0-1", "if-range": '"x"'})
    assert changed.status_code == 200
    current = await client.get(file["url"], headers={"range": "bytes=0-1", "if-range": etag})
    assert current.status_code == 206


ACTIVE = {
    "page.html": b"<html><script>alert(1)</script>",
    "page.png": b"<!doctype html><script>alert(1)</script>",
    "image.svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "feed.xml": b'<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><a/>',
    "x.xhtml": b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
    "x.mhtml": b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<html>",
    "x.js": b"alert(1)",
    "x.css": b"body{}",
    "x.pdf": b"%PDF-1.7 /JavaScript",
    "x.html.jpg": b"<script>alert(1)</script>",
    "x.swf": b"CWS\x09\0\0\0\0",
    "x.bmp": b"BM",
    "x.ico": b"\0\0\1\0",
    "x.zip": b"PK\3\4",
    "x.exe": b"MZ\x90\0",
    "x": b"\0\1\2",
}


@pytest.mark.parametrize("name", ACTIVE)
async def test_active_content_is_only_ever_saved(client: httpx.AsyncClient, name: str) -> None:
    file = await upload(client, ACTIVE[name], name)
    for url, headers in ((file["url"], {}), (f"/v1/files/{file['id']}/content", ALICE)):
        response = await client.get(url, headers=headers)

        assert response.headers["content-disposition"].startswith("attachment;")
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["content-security-policy"] == "sandbox; default-src 'none'"
        assert response.headers["content-type"] == file["content_type"]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
async def test_harmless_images_are_shown(client: httpx.AsyncClient, kind: str) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (2, 2)).save(buffer, kind)
    file = await upload(client, buffer.getvalue(), "x.html")

    response = await client.get(file["url"])

    assert response.headers["content-disposition"].startswith("inline;")
    assert response.headers["content-type"] == f"image/{kind.lower()}"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


async def test_an_image_can_be_linked_as_a_download(client: httpx.AsyncClient) -> None:
    file = await upload(client, b"GIF89a" + DATA)

    link = await client.get(f"/admin/v1/files/{file['id']}/url?attachment=true", headers=ALICE)

    response = await client.get(link.json()["url"])
    assert response.headers["content-disposition"].startswith("attachment;")


NAMES = [
    "../../etc/passwd",
    "..\\..\\x",
    "%2e%2e%2f",
    "/etc/passwd",
    "C:\\x",
    "CON",
    "a;b.txt",
    "报告.pdf",
    "cod\u202etxt.exe",
    "汉" * 100,
    ".env",
    "~",
    "a'b.txt",
    "100%.txt",
]


@pytest.mark.parametrize("name", NAMES)
async def test_no_name_breaks_storage_or_headers(
    client: httpx.AsyncClient, root: Path, name: str
) -> None:
    file = await upload(client, b"data", name)

    response = await client.get(file["url"])

    disposition = response.headers["content-disposition"]
    assert disposition.isascii()
    assert disposition.isprintable()
    assert re.fullmatch(r'attachment; filename="[^"\\%]*"(; filename\*=\S+)?', disposition)
    shown = file["file_name"]
    assert (
        f'"{shown}"' in disposition or f"UTF-8''{quote(shown, safe='!#$&+-.^_`|~')}" in disposition
    )
    (path,) = stored_files(root)
    assert re.fullmatch(r"space/1/2030/05/[0-9a-f]{32}", str(path.relative_to(root)))


async def test_a_client_that_leaves_ends_the_download(app: Gate, client: httpx.AsyncClient) -> None:
    file = await upload(client, b"x" * 3_000_000)
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    path = file["url"].removeprefix(SERVER)
    await call(app, "GET", path, receive, send, headers=[])

    assert sum(len(message.get("body", b"")) for message in sent) < 3_000_000


async def test_a_missing_object_is_an_error_and_no_empty_file(
    client: httpx.AsyncClient, root: Path
) -> None:
    file = await upload(client)
    stored_files(root)[0].unlink()

    for asked in ({}, {"range": "bytes=5-9"}):
        response = await client.get(file["url"], headers=asked)

        assert (response.status_code, response.json()["code"]) == (404, 4200)
        assert "not where this server keeps files" in _message(response)


async def test_the_admin_surface_stores_and_describes(client: httpx.AsyncClient) -> None:
    created = await client.post(
        "/admin/v1/files?space_id=1", files={"file": ("a.md", b"# x")}, headers=ALICE
    )

    assert created.status_code == 201
    body = created.json()
    assert (body["space_id"], body["media_type"], body["size"]) == ("1", "text/markdown", 3)
    found = await client.get(f"/admin/v1/files/{body['id']}", headers=ALICE)
    assert found.json() == body
    foreign = await client.post(
        "/admin/v1/files?space_id=2", files={"file": ("a", b"x")}, headers=ALICE
    )
    assert foreign.status_code == 404


async def test_icons_are_listed_and_public(client: httpx.AsyncClient) -> None:
    listed = (await client.get("/admin/v1/icons", headers=ALICE)).json()

    assert listed["total"] == len(listed["items"]) > 0
    for icon in listed["items"]:
        response = await client.get(icon["url"])
        assert response.headers["content-type"] == "image/png"
        with Image.open(io.BytesIO(response.content)) as image:
            image.verify()
    one = (await client.get("/admin/v1/icons?kind=agent", headers=ALICE)).json()
    assert [icon["kind"] for icon in one["items"]] == ["agent"]
    assert (await client.get("/icons/..%2fx.png")).status_code == 404
