"""Rows of the comparison of deployments: speed, cost, storage, and ratios of them."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Speed:
    """What a deployment delivered; times in milliseconds."""

    deployment: str
    load_average: float
    """Of the machine when the row began: what others were doing."""
    errors: int
    streams_on_time: float
    """Share of tokens, of 200 streams with 10 ms between tokens, younger than 100 ms."""
    age_p50_ms: float
    age_p99_ms: float
    first_token_p50_ms: float
    chats_per_s: float
    chat_p50_ms: float
    chat_p99_ms: float
    workflows_per_s: float
    workflow_p50_ms: float


@dataclass(frozen=True)
class Cost:
    """What it took; processor times of all processes of a kind together."""

    deployment: str
    errors: int
    idle_mib: float
    kib_per_stream: float
    api_ms_per_chat: float
    postgres_ms_per_chat: float
    worker_ms_per_chat: float
    nats_ms_per_chat: float
    api_ms_per_1000_tokens: float
    api_idle_share: float
    """Of a core, by a process that nobody asks for anything; so the next one."""
    worker_idle_share: float
    api_ms_per_workflow: float
    postgres_ms_per_workflow: float
    upstream_ms_per_chat: float
    generator_ms_per_chat: float
    database_connections: int
    """Most sessions at once under load, of all processes."""
    bus_connections: int


@dataclass(frozen=True)
class Stored:
    """What one chat leaves in PostgreSQL; two messages of a few words and its events."""

    deployment: str
    errors: int
    statements_per_chat: float
    """``BEGIN`` and ``COMMIT`` included, those of an idle deployment taken off."""
    commits_per_chat: float
    wal_kib_per_chat: float
    kib_per_chat: float
    """Growth of the database, indexes included, before old events are removed."""
    wal_kib_per_workflow: float


@dataclass(frozen=True)
class Ratio:
    """A deployment against the embedded process of the same round."""

    compared: str
    chats: float
    chats_least: float
    chats_most: float
    workflows: float
    api_ms_per_chat: float


def middle(rows: Sequence[Any]) -> dict[str, Any]:
    """One row with the median of every number, and all errors."""
    merged = {}
    for each in fields(rows[0]):
        values = [getattr(row, each.name) for row in rows]
        merged[each.name] = values[0] if isinstance(values[0], str) else median(values)
    merged["errors"] = sum(row.errors for row in rows)
    return merged


def ratio(name: str, speeds: Sequence[Speed], costs: Sequence[Cost], to: str) -> Ratio:
    """Relate a deployment to the baseline of each round; the middle of the rounds counts."""

    def between(rows: Sequence[Any], figure: str) -> list[float]:
        own = [getattr(row, figure) for row in rows if row.deployment == name]
        base = [getattr(row, figure) for row in rows if row.deployment == to]
        return [mine / theirs for mine, theirs in zip(own, base, strict=True)]

    chats = between(speeds, "chats_per_s")
    return Ratio(
        compared=f"{name} / {to}",
        chats=median(chats),
        chats_least=min(chats),
        chats_most=max(chats),
        workflows=median(between(speeds, "workflows_per_s")),
        api_ms_per_chat=median(between(costs, "api_ms_per_chat")),
    )
