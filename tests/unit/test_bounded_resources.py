"""Every bounded resource is shared by workspace in turn, or is listed here with the reason."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.support.source.rule import nodes, source_with

ROOT: Final = Path(__file__).parents[2]
SHARE: Final = "FairShare"
MAKERS: Final = frozenset(
    {
        "BoundedSemaphore",
        "CapacityLimiter",
        "LifoQueue",
        "PriorityQueue",
        "ProcessPoolExecutor",
        "Queue",
        "Semaphore",
        "TCPConnector",
        "GuardedConnector",
        "ThreadPoolExecutor",
        "create_async_engine",
        "create_pool",
        SHARE,
    }
)
COUNTED: Final = "counted by hand"
"""A length that is compared before something is refused."""

OF_ONE: Final = "bounds what one request, run or client does; nobody else waits for it"
BEHIND: Final = "more than enough for those who get a turn before they come here"

REASONS: Final = {
    ("api/mcp/events.py", "Queue"): OF_ONE,
    ("application/knowledge/retrieval/recall_store.py", "Semaphore"): OF_ONE,
    ("application/knowledge/table/answers.py", "Semaphore"): OF_ONE,
    ("api/renderer/tag_parser.py", COUNTED): OF_ONE,
    (
        "application/share/hook.py",
        "Semaphore",
    ): "tells hooks of runs that ended, for seconds at most each; nobody waits for it",
    ("domain/agent/tools/dispatch.py", "Semaphore"): OF_ONE,
    ("domain/model/vision.py", "Semaphore"): OF_ONE,
    ("infra/impl/mcp/program.py", COUNTED): OF_ONE,
    (
        "infra/impl/event_bus/jetstream.py",
        "Queue",
    ): "replies to the broker, no tenant's work",
    (
        "infra/impl/password_hasher/argon2id.py",
        "Semaphore",
    ): "whoever signs in is of no workspace yet; attempts are limited by account and address",
    (
        "infra/impl/telemetry/otel.py",
        "ThreadPoolExecutor",
    ): "passes on runs that ended; what is too much is dropped and counted",
    ("infra/impl/logging/setup.py", "Queue"): "lines of the log; none waits",
    (
        "infra/impl/http/transport.py",
        "TCPConnector",
    ): "without a bound: callers have turns at a model",
    ("infra/impl/http/transport.py", "GuardedConnector"): BEHIND,
    ("infra/impl/http/gateway.py", "ThreadPoolExecutor"): BEHIND,
    ("infra/impl/repository/sql/engine/sqlite.py", "create_async_engine"): BEHIND,
    ("infra/impl/repository/sql/engine/postgres.py", "create_async_engine"): BEHIND,
    ("infra/impl/search_index/milvus/calls.py", "Semaphore"): BEHIND,
    ("infra/impl/search_index/milvus/calls.py", "ThreadPoolExecutor"): BEHIND,
    ("infra/impl/table_store/postgres.py", "create_pool"): BEHIND,
}


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _counts(test: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.GtE | ast.Gt)
        and isinstance(node.left, ast.Call)
        and _name(node.left) == "len"
        and ast.unparse(node.left).startswith("len(self._")
        for node in ast.walk(test)
    )


def _bounded(tree: ast.AST) -> Iterator[str]:
    yield from (name for call in nodes(tree, ast.Call) if (name := _name(call)) in MAKERS)
    for node in nodes(tree, ast.If):
        match node:
            case ast.If(test=test, body=[*_, ast.Raise()]) if _counts(test):
                yield COUNTED
            case _:
                pass


@cache
def _found() -> set[tuple[str, str]]:
    files = source_with(*MAKERS, "len(self._")
    return {(str(path), kind) for path, tree in files.items() for kind in _bounded(tree)}


def test_what_is_bounded_is_shared_by_workspace_or_says_why_not() -> None:
    unshared = {(path, kind) for path, kind in _found() if kind != SHARE}

    assert unshared - REASONS.keys() == set()
    assert REASONS.keys() - unshared == set()


def test_every_share_stands_in_the_page_about_sharing() -> None:
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    section = page.partition("\n## Sharing\n")[2].partition("\n## ")[0]
    rows = Counter(line.split("`")[-2] for line in section.splitlines() if line.endswith("` |"))
    shares = Counter(path for path, kind in _found() if kind == SHARE)

    assert rows.keys() == shares.keys()


@pytest.mark.parametrize(
    "source",
    [
        "gate = asyncio.Semaphore(4)",
        "pool = ThreadPoolExecutor(2)",
        "def enter(self):\n    if len(self._open) >= limits.most:\n        raise TooMany",
    ],
)
def test_a_new_bound_is_found(source: str) -> None:
    assert list(_bounded(ast.parse(source)))
