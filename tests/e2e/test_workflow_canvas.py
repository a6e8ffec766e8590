"""Hostile and broken canvases over HTTP: explained precisely, and in bounded time."""

from collections.abc import Iterator
from itertools import pairwise

import httpx
import pytest

from tests.support.client.seed import Seed
from tests.support.workflow.canvas import canvas, edge, loop, selector, text


@pytest.fixture
def workflow(seed: Seed) -> str:
    """Path of a fresh draft."""
    made = seed.call("POST", f"/workspaces/{seed.workspace_id}/workflows", {"name": "Fresh"})
    return f"/admin/v1/workflows/{made['id']}"


def _hostile() -> Iterator[tuple[str, object, tuple[str, str]]]:
    """Canvases that must not run, and one finding that each must have."""
    yield (
        "cycle",
        canvas(
            text("2"),
            text("3"),
            edges=[edge("100001", "2"), edge("2", "3"), edge("3", "2"), edge("3", "900001")],
        ),
        ("WF110", "3"),
    )
    yield "edge to nothing", canvas(text("2"), edges=[edge("100001", "404")]), ("WF105", "100001")
    yield "unknown type", canvas({"id": "2", "type": "666", "data": {}}), ("WF104", "2")
    yield (
        "wrong port",
        canvas(
            selector("2"),
            text("3"),
            edges=[edge("100001", "2"), edge("2", "3", "true_7"), edge("3", "900001")],
        ),
        ("WF109", "2"),
    )
    many = [text(str(number)) for number in range(10_000)]
    yield "ten thousand nodes", canvas(*many), ("WF501", "")
    wide = [str(number) for number in range(2_000)]
    dense = [edge(a, b) for a, b in pairwise(wide)] + [edge("100001", each) for each in wide]
    yield "dense edges", canvas(*map(text, wide), edges=dense), ("WF501", "")
    deep = text("9")
    for number in range(30):
        deep = loop(str(100 + number), deep)
    yield "loops in loops", canvas(deep), ("WF501", "109")


@pytest.mark.parametrize(
    ("made", "expected"), [pytest.param(made, code, id=name) for name, made, code in _hostile()]
)
def test_bad_canvases_are_stored_and_explained_in_bounded_time(
    made: object,
    expected: tuple[str, str],
    client: httpx.Client,
    workflow: str,
) -> None:
    saved = client.put(f"{workflow}/canvas", json={"schema": made})

    assert saved.status_code == 200, saved.text
    findings = saved.json()["findings"]
    codes = [(each["code"], each["node_id"]) for each in findings["diagnostics"]]
    assert expected in codes
    assert not findings["can_run"]
    first = findings["diagnostics"][codes.index(expected)]
    assert first["message"]
    assert first["hint"]
    refused = client.post(f"{workflow}/publish", json={"force": True})
    assert (refused.status_code, refused.json()["code"]) == (400, 4000)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"schema": 1}',
        b'{"schema": "{"}',
        b"{" + b'"a":{' * 5000,
        b'{"schema":' + b'{"nodes":[' * 100 + b"]}" * 100 + b"}",
    ],
)
def test_what_is_no_canvas_is_refused_and_changes_nothing(
    body: bytes, client: httpx.Client, workflow: str
) -> None:
    answer = client.put(
        f"{workflow}/canvas",
        content=body,
        headers={"content-type": "application/json"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, 4000)
    assert client.get(workflow).json()["revision"] == 1
