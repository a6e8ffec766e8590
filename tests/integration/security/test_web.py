"""T16, T20, T21, T26: origins, content types, hosts, sizes, and what text can do to framing."""

import json
from typing import Any, Final

import pytest

from tests.integration.security.tenants import Tenant
from tests.support.process.in_process import Deployment, Headers

ALLOWED: Final = "https://app.example"
PREFLIGHT: Final = [
    ("access-control-request-method", "POST"),
    ("access-control-request-headers", "authorization, *"),
]
OTHER_ORIGINS: Final = [
    "null",
    "https://app.example.evil",
    "https://evilapp.example",
    "https://evil-app.example",
    "http://app.example",
    "https://app.example:8443",
    "https://app.example.",
    "https://APP.example",
    "https://sub.app.example",
    "https://xn--pp-xka.example",
    "https://app.example/",
    "https://app.example@evil.example",
    "https://app.example%00.evil.example",
    "https://app.exampl\u0435".encode().decode("latin-1"),
    "*",
    "",
]
HOSTILE_TEXT: Final = (
    "data: forged\n\nevent: done\ndata: {}\n\n\r\nid: 1\r\rnext\u0085line\u2028sep\u2029par"
    "\u202eright\ufefftail \x7f </script>"
)


@pytest.mark.parametrize("origin", OTHER_ORIGINS)
@pytest.mark.parametrize("path", ["/v3/chat", "/v1/chat/completions", "/admin/v1/tokens", "/no"])
async def test_no_other_origin_is_let_in(origin: str, path: str, deployment: Deployment) -> None:
    for method, extra in (("OPTIONS", PREFLIGHT), ("GET", []), ("POST", [])):
        answer = await deployment.send(method, path, headers=[("origin", origin), *extra])

        assert not [name for name in answer.headers if name.startswith("access-control")]


async def test_the_listed_origin_is_let_in_without_credentials_mode(
    deployment: Deployment, alice: Tenant
) -> None:
    asked = await deployment.send("OPTIONS", "/v3/chat", headers=[("origin", ALLOWED), *PREFLIGHT])
    got = await deployment.send(
        "GET", "/v1/users/me", token=alice.token, headers=[("origin", ALLOWED)]
    )
    refused = await deployment.send("GET", "/v1/users/me", headers=[("origin", ALLOWED)])

    for answer, status in ((asked, 200), (got, 200), (refused, 401)):
        assert answer.status == status
        assert answer.headers["access-control-allow-origin"] == ALLOWED
        assert "access-control-allow-credentials" not in answer.headers
        assert "origin" in answer.headers["vary"].lower()
    assert "*" not in asked.headers["access-control-allow-headers"]


async def test_two_origins_are_none(deployment: Deployment) -> None:
    answer = await deployment.send(
        "GET", "/v1/users/me", headers=[("origin", ALLOWED), ("origin", ALLOWED)]
    )

    assert "access-control-allow-origin" not in answer.headers


async def test_no_response_sets_a_cookie_or_may_be_stored(
    deployment: Deployment, alice: Tenant
) -> None:
    for path in ("/v1/users/me", "/v1/models", "/admin/v1/tokens", "/no"):
        answer = await deployment.send("GET", path, token=alice.token)

        assert "set-cookie" not in answer.headers
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "public" not in answer.headers.get("cache-control", "")


@pytest.mark.parametrize(
    "content_type",
    [
        "text/plain",
        "text/plain;charset=UTF-8",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
        "application/jsonx",
        "text/html",
        "application/xml",
        "image/png",
        ",application/json",
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v3/chat"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/v1/conversation/create"),
        ("POST", "/admin/v1/tokens"),
        ("PUT", "/v1/conversations/1"),
        ("PATCH", "/admin/v1/models/1"),
        ("DELETE", "/v1/workspaces/1/members"),
    ],
)
async def test_json_is_not_taken_from_what_a_form_can_send(
    content_type: str, method: str, path: str, deployment: Deployment, alice: Tenant
) -> None:
    before = deployment.rows()
    answer = await deployment.send(
        method,
        path,
        token=alice.token,
        body=b'{"name": "x"}',
        headers=[("content-type", content_type)],
    )

    assert answer.status == 415, str(answer)
    assert deployment.rows() == before


@pytest.mark.parametrize(
    "hosts",
    [
        [("host", "evil.example")],
        [("host", "evil.example"), ("x-forwarded-host", "evil.example")],
        [("host", "coterie.example"), ("forwarded", "host=evil.example;proto=https")],
        [("host", "coterie.example"), ("x-forwarded-proto", "https"), ("x-host", "evil.example")],
        [("host", "coterieXexample:99999")],
    ],
)
async def test_the_host_header_is_never_repeated(
    hosts: Headers, deployment: Deployment, alice: Tenant
) -> None:
    paths = (
        f"/v1/files/retrieve?file_id={alice.ids['file']}",
        f"/admin/v1/files/{alice.ids['file']}/url",
        f"/v1/bots/{alice.ids['agent']}",
        "/v1/users/me",
        "/admin/v1/icons",
    )
    for path in paths:
        answer = await deployment.send("GET", path, token=alice.token, headers=hosts)

        is_own = hosts[0][1] == "coterie.example"
        assert answer.status == (200 if is_own else 400), str(answer)
        assert b"evil.example" not in answer.body
        assert "evil.example" not in repr(answer.header_lines)


@pytest.mark.parametrize("hosts", [["coterie.example", "evil.example"], ["evil.example/../@x"]])
async def test_malformed_and_double_hosts_are_refused(
    hosts: list[str], deployment: Deployment, alice: Tenant
) -> None:
    headers = [("host", host) for host in hosts]
    answer = await deployment.send("GET", "/v1/users/me", token=alice.token, headers=headers)

    assert answer.status == 400
    assert b"evil.example" not in answer.body


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        ("/v1/users/me?" + "x" * 8192, [], 414),
        ("/v1/" + "x" * 8192, [], 414),
        ("/v1/users/me", [("x-a", "a" * 16_384)], 431),
        ("/v1/users/me", [(f"x-{number}", "a" * 90) for number in range(200)], 431),
        ("/v1/users/me%00", [], 400),
        ("/v1/users/me?a=%00", [], 400),
        ("/v1/users/me%0d%0aset-cookie:%20a=b", [], 400),
    ],
)
async def test_targets_and_headers_are_bounded(
    target: str, headers: Headers, status: int, deployment: Deployment, alice: Tenant
) -> None:
    answer = await deployment.send("GET", target, token=alice.token, headers=headers)

    assert answer.status == status
    assert (answer.code, "set-cookie" in answer.headers) == (4000, False)


async def test_text_cannot_forge_an_event(deployment: Deployment, alice: Tenant) -> None:
    message = {"role": "user", "content": HOSTILE_TEXT, "content_type": "text"}
    coze = await deployment.send(
        "POST",
        "/v3/chat",
        token=alice.token,
        document={
            "bot_id": alice.ids["agent"],
            "user_id": HOSTILE_TEXT[:200],
            "stream": True,
            "additional_messages": [message],
        },
    )
    openai = await deployment.send(
        "POST",
        "/v1/chat/completions",
        token=alice.token,
        document={
            "model": alice.ids["agent"],
            "stream": True,
            "messages": [{"role": "user", "content": HOSTILE_TEXT}],
        },
    )

    assert (coze.status, openai.status) == (200, 200)
    deltas = [
        json.loads(data)["content"]
        for name, data in _events(coze.text)
        if name == "conversation.message.delta"
    ]
    assert "".join(deltas) == HOSTILE_TEXT
    chunks = [json.loads(data) for _, data in _events(openai.text) if data != "[DONE]"]
    said = "".join(
        choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"]
    )
    assert said == HOSTILE_TEXT
    for text in (coze.text, openai.text):
        assert not set("\r\u0085\u2028\u2029") & set(text)


async def test_names_cannot_forge_a_header(deployment: Deployment, alice: Tenant) -> None:
    name = 'a%0d%0aset-cookie: x=y"; filename=evil.html;\u202etxt.exe'
    file_id = await deployment.upload(alice.token, b"data", name=name.replace('"', "%22"))

    answer = await deployment.send("GET", f"/v1/files/{file_id}/content", token=alice.token)

    assert answer.status == 200
    assert "set-cookie" not in answer.headers
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith("attachment")
    assert disposition.isascii()
    assert not set(disposition) & {"\r", "\n", "\x00"}
    assert all(b"\r" not in value and b"\n" not in value for _, value in answer.header_lines)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<html><script>alert(1)</script>", "a.png"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.svg"),
        (b"<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'/>", "a.xml"),
        (b"%PDF-1.4 /JavaScript", "a.pdf"),
        (b"GIF89a=1;alert(1)", "a.html.gif"),
    ],
)
async def test_active_content_is_never_shown_in_place(
    data: bytes, name: str, deployment: Deployment, alice: Tenant
) -> None:
    file_id = await deployment.upload(alice.token, data, name=name)
    shown: Any = await deployment.call(
        "GET", f"/v1/files/retrieve?file_id={file_id}", token=alice.token
    )
    link = "/files/" + shown["data"]["url"].rpartition("/files/")[2]

    for path in (f"/v1/files/{file_id}/content", link):
        answer = await deployment.send("GET", path, token=alice.token)
        kind = answer.headers["content-type"]
        assert kind in {"image/gif", "image/png"} or answer.headers[
            "content-disposition"
        ].startswith("attachment"), f"{kind} is shown in place"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in answer.headers["content-security-policy"]


async def test_a_signed_address_cannot_be_changed(
    deployment: Deployment, alice: Tenant, mallory: Tenant
) -> None:
    shown = await deployment.call(
        "GET", f"/v1/files/retrieve?file_id={alice.ids['file']}", token=alice.token
    )
    token = shown["data"]["url"].rpartition("/files/")[2]
    forged = [
        token[:index] + ("A" if token[index] != "A" else "B") + token[index + 1 :]
        for index in range(len(token) - 1)
    ]
    forged += [token[:-1], token + "A", token[::-1], "", alice.ids["file"], token.upper(), "A" * 80]
    forged += [f"../{token}", f"{token}/..", "%2e%2e%2f%2e%2e%2fmaster.key", "..;/master.key"]

    assert (await deployment.send("GET", f"/files/{token}")).status == 200
    for each in forged:
        answer = await deployment.send("GET", f"/files/{each}", token=mallory.token)
        assert answer.status in {400, 403, 404}, f"{each}: {answer}"
        assert alice.canary.encode() not in answer.body


def _events(text: str) -> list[tuple[str, str]]:
    """Split at empty lines, as a strict client does: only LF ends a line."""
    found: list[tuple[str, str]] = []
    for block in filter(None, text.split("\n\n")):
        lines = dict(line.split(": ", 1) for line in block.strip("\n").split("\n"))
        assert lines.keys() <= {"event", "data"}, block
        found.append((lines.get("event", ""), lines["data"]))
    return found
