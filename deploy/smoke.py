"""Talks to a server: ready, a streamed answer, a code node, an indexed document.

``python3 deploy/smoke.py URL TOKEN``; needs nothing but Python. Exits with 1 and the
reason. What it makes it removes again, but for the conversation of a user named ``smoke``.
"""

import base64
import json
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from secrets import token_hex
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

READY_S = 120
WORK_S = 180  # the first code node compiles its interpreter
GUIDE = "# Returns\n\nParcels can be returned within 45 days. Ask for the label by telephone.\n"


class Client:
    """JSON over HTTP with a token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def open(
        self, method: str, path: str, body: object = None, *, timeout_s: float = WORK_S
    ) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.url + path, data, self.headers, method=method)  # noqa: S310 - operator's address
        return urlopen(request, timeout=timeout_s)  # noqa: S310

    def call(self, method: str, path: str, body: object = None) -> Any:
        with self.open(method, path, body) as answer:
            text = answer.read()
        return json.loads(text) if text else None


def until(what: str, limit_s: float, found: Callable[[], Any]) -> Any:
    """Ask until there is something, or exit."""
    deadline = time.monotonic() + limit_s
    reason = "nothing"
    while time.monotonic() < deadline:
        try:
            if (value := found()) is not None:
                return value
        except OSError as exc:  # not there yet
            reason = str(exc)
        time.sleep(0.2)
    sys.exit(f"{what}: not within {limit_s} s, last: {reason}")


def chat(client: Client, workspace: str) -> None:
    """A streamed answer of the first agent."""
    agents = client.call("GET", f"/admin/v1/workspaces/{workspace}/agents")["items"]
    body = {
        "bot_id": agents[0]["id"],
        "user_id": "smoke",
        "stream": True,
        "additional_messages": [
            {"role": "user", "content": "Hello!", "content_type": "text"},
        ],
    }
    with client.open("POST", "/v3/chat", body) as stream:
        text = stream.read().decode()
    if "conversation.chat.completed" not in text:
        sys.exit(f"chat: {text[-500:]}")


def code(client: Client, workspace: str) -> None:
    """A workflow whose code node runs in the sandbox."""
    reference = {"type": "ref", "content": {"source": "block-output", "blockID": "2", "name": "o"}}
    returned = {"name": "o", "input": {"type": "string", "value": reference}}
    program = "async def main(args):\n    return {'o': 'sand' + 'box'}"
    nodes: list[dict[str, Any]] = [
        {"id": "100001", "type": "1", "data": {"nodeMeta": {"title": "in"}, "outputs": []}},
        {
            "id": "2",
            "type": "5",
            "data": {
                "nodeMeta": {"title": "code"},
                "inputs": {"inputParameters": [], "code": program, "language": 3},
                "outputs": [{"name": "o", "type": "string"}],
            },
        },
        {
            "id": "900001",
            "type": "2",
            "data": {
                "nodeMeta": {"title": "out"},
                "inputs": {"terminatePlan": "returnVariables", "inputParameters": [returned]},
            },
        },
    ]
    edges = [
        {"sourceNodeID": "100001", "targetNodeID": "2"},
        {"sourceNodeID": "2", "targetNodeID": "900001"},
    ]
    path = f"/admin/v1/workspaces/{workspace}/workflows"
    body = {"name": f"smoke_{token_hex(8)}", "description": "Smoke.", "mode": 0}
    made = client.call("POST", path, body)
    canvas = {"schema": json.dumps({"nodes": nodes, "edges": edges})}
    client.call("PUT", f"/admin/v1/workflows/{made['id']}/canvas", canvas)
    release = {"version": "v0.0.1", "description": "first", "force": True}
    client.call("POST", f"/admin/v1/workflows/{made['id']}/publish", release)
    run = {"workflow_id": made["id"], "parameters": {}}
    # On a slow machine the first run ends while its interpreter is still being compiled.
    answer = until("code node", WORK_S, lambda: client.call("POST", "/v1/workflow/run", run))
    if answer["code"] != 0 or json.loads(answer["data"])["o"] != "sandbox":
        sys.exit(f"code node: {answer}")
    client.call("DELETE", f"/admin/v1/workflows/{made['id']}")


def document(client: Client, workspace: str) -> None:
    """A document, parsed by a process of its own, that can be found."""
    body = {"name": f"smoke {token_hex(8)}", "space_id": workspace, "format_type": 0}
    dataset = client.call("POST", "/v1/datasets", body)["data"]["dataset_id"]
    source = {"file_base64": base64.b64encode(GUIDE.encode()).decode(), "file_type": "md"}
    upload = {
        "dataset_id": dataset,
        "document_bases": [{"name": "guide.md", "source_info": source}],
        "chunk_strategy": {"chunk_type": 0},
        "format_type": 0,
    }
    client.headers["Agw-Js-Conv"] = "str"
    client.call("POST", "/open_api/knowledge/document/create", upload)

    def indexed() -> Any:
        listing = {"dataset_id": dataset, "page": 1, "size": 1}
        found = client.call("POST", "/open_api/knowledge/document/list", listing)
        status = found["document_infos"][0]["status"]
        if status == 9:  # noqa: PLR2004 - Coze's number of a failed document
            sys.exit(f"document: {found}")
        return True if status == 1 else None

    until("document", WORK_S, indexed)
    client.call("DELETE", f"/v1/datasets/{dataset}")


def readiness(client: Client) -> Any:
    """What the server says of itself; a proxy hides it, and then an answer has to do."""
    try:
        return client.call("GET", "/readyz")
    except HTTPError as exc:
        if exc.code != HTTPStatus.NOT_FOUND:
            raise
    return client.call("GET", "/healthz")


HIDDEN = ("/docs", "/metrics", "/schema/openapi.json", "/readyz")
SPELLINGS = ("{}", "{}/", "{}//", "{}%2f", "{}%2F%2f", "/{}", "{}?x", "/.{}", "/x/..{}")


def hidden(url: str) -> None:
    """Pages for operators, which nobody else may see by any spelling of their paths."""
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    for target in (spelling.format(path) for path in HIDDEN for spelling in SPELLINGS):
        connection = kind(parts.netloc, timeout=READY_S)
        connection.request("GET", target)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if (answer.status == HTTPStatus.OK and b'{"status":' not in body) or b'"parts"' in body:
            sys.exit(f"hidden: {target} is shown to everybody")


def main(url: str, token: str) -> None:
    """Take the steps one after the other."""
    client = Client(url, token)
    ready = until("readiness", READY_S, lambda: readiness(client))
    if ready["status"] != "ok":
        sys.exit(f"readiness: {ready}")
    if "parts" not in ready:  # else it is one that this machine alone can reach
        hidden(url)
    workspace = client.call("GET", "/admin/v1/workspaces")["items"][0]["id"]
    for step in (chat, code, document):
        since = time.monotonic()
        step(client, workspace)
        sys.stdout.write(f"ok: {step.__name__} ({time.monotonic() - since:.1f} s)\n")


if __name__ == "__main__":
    main(*sys.argv[1:3])
