"""Audit rows of a transaction: who changed what, and of each thing what it was and what it is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import uuid4

import msgspec
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from domain.shared.act import Act
from domain.shared.aggregate import DomainEvent
from domain.shared.id_generator import IdGenerator
from domain.shared.tracing.correlation import current_log_id
from infra.contract.clock import Clock
from infra.impl.repository.sql.mapping.column import metadata
from infra.impl.repository.sql.mapping.personal import PERSONAL

_NAMES: Final[Mapping[str, str]] = {
    "api_token": "token",
    "knowledge_dataset": "dataset",
    "knowledge_document": "document",
    "knowledge_preview": "preview",
    "knowledge_slice": "slice",
    "memory_database": "database",
    "model_entry": "model",
    "resource_grant": "grant",
    "user_account": "user",
    "user_group": "group",
}
"""What tables hold, where they are not called so."""

_TABLES: Final[Mapping[str, str]] = {name: table for table, name in _NAMES.items()}
_BESIDE: Final = frozenset(
    {"conversation", "knowledge_job", "message", "run", "workflow_run", "request_key", "upload_key"}
)
"""Tables whose rows come along: what is changed says it for them."""

_SILENT: Final = frozenset({"created_at", "id", "name_key", "revision", "updated_at"})
_ENVELOPE: Final = frozenset(
    {"type", "occurred_at", "space_id", "aggregate_id", "actor_id", "log_id", "event_id"}
)
_MOST_CHARS: Final = 1000
"""Of one value; whoever changed a long text is found by its beginning."""

_MOST_FIELDS: Final = 100
_DEPTH: Final = 4

_HIDDEN: Final = "(not shown)"
"""Stands for bytes: all secrets are sealed, and nothing else there says anything to people. It also
stands for what is somebody's: they may have it removed, and a row of the chain stays as it is."""

_OF_PEOPLE: Final = frozenset({("budget", "subject_id")})
"""Columns that may name an end user, in rows that are the workspace's otherwise."""

Row = Mapping[str, Any]


@dataclass(slots=True, kw_only=True)
class Changed:
    """One thing that a transaction changes; without a table only its events tell of it."""

    table: sa.Table | None = None
    id: int = 0
    before: Row | None = None
    after: Row | None = None
    facts: Sequence[DomainEvent] = field(default_factory=tuple)


class AuditRows:
    """Turns changes into rows of the audit log; ``topics`` are the events that it tells of."""

    def __init__(
        self,
        table: sa.Table,
        *,
        topics: frozenset[str],
        ids: Callable[[], IdGenerator],
        clock: Callable[[], Clock],
    ) -> None:
        self.table = table
        self.topics = topics
        self._ids = ids
        self._clock = clock

    def of(self, act: Act | None, changed: Sequence[Changed]) -> list[dict[str, Any]]:
        """Return a row for each event that people answer for, and each thing that an act changes.

        Without an act, in a command or a background job, only events are told of.
        """
        rows = []
        for each in changed:
            if each.facts:
                rows += [self._row(act, each, fact) for fact in each.facts]
            elif act is not None and each.table is not None and each.table.name not in _BESIDE:
                rows.append(self._row(act, each, None))
        return rows

    async def of_act(self, connection: AsyncConnection, act: Act) -> dict[str, Any]:
        """Return the row of an act by what its path names, where nothing else tells of it."""
        space_id, name = act.space_id, ""
        table = metadata.tables.get(_TABLES.get(act.resource_type, act.resource_type))
        if table is not None and {"id", "space_id"} <= set(table.c.keys()):
            is_shown = "name" in table.c and not PERSONAL.hides(table.name)
            label = table.c.name if is_shown else sa.literal("")
            query = sa.select(table.c.space_id, label).where(table.c.id == act.resource_id)
            if found := (await connection.execute(query)).one_or_none():
                space_id, name = space_id or found[0], found[1]
        return self._entry(
            act,
            space_id=space_id,
            resource=f"{act.resource_type}:{act.resource_id}" if act.resource_type else "",
            name=name,
            detail={"reason": act.reason} if act.reason else None,
            at=self._clock().now(),
        )

    def _row(self, act: Act | None, each: Changed, fact: DomainEvent | None) -> dict[str, Any]:
        shown = each.after or each.before or {}
        space_id, kind, number = int(shown.get("space_id") or 0), "", each.id
        name = shown.get("name")
        if each.table is not None:
            if PERSONAL.hides(each.table.name):
                name = None
            kind = _NAMES.get(each.table.name, each.table.name)
            space_id = each.id if kind == "space" else space_id
        if fact is None:
            return self._entry(
                act,
                space_id=space_id,
                resource=f"{kind}:{number}",
                name=name,
                changes=_difference(each),
                at=self._clock().now(),
            )
        topic = str(fact.__struct_config__.tag)
        told = {k: v for k, v in msgspec.to_builtins(fact).items() if k not in _ENVELOPE}
        if act is not None:
            told["event"] = topic
        return self._entry(
            act,
            event_id=fact.event_id,
            space_id=fact.space_id,
            actor_id=fact.actor_id,
            action=topic,
            resource=f"{topic.partition('.')[0]}:{fact.aggregate_id}",
            name=shown.get("name"),
            detail=told,
            changes=_difference(each),
            log_id=fact.log_id,
            at=fact.occurred_at,
        )

    def _entry(
        self,
        act: Act | None,
        *,
        space_id: int,
        resource: str,
        at: datetime,
        event_id: str = "",
        actor_id: int = 0,
        action: str = "",
        name: object = None,
        detail: Mapping[str, object] | None = None,
        changes: Mapping[str, object] | None = None,
        log_id: str = "",
    ) -> dict[str, Any]:
        return {
            "id": self._ids().next_id(),
            "event_id": event_id or uuid4().hex,
            "space_id": space_id,
            "actor_id": act.user_id if act else actor_id,
            "action": act.action if act else action,
            "resource": resource,
            "result": "done",
            "detail": _text(detail or {}),
            "log_id": log_id or current_log_id(),
            "at": at,
            "token_id": act.token_id or None if act else None,
            "session_id": act.session_id or None if act else None,
            "address": act.address if act else None,
            "resource_name": str(name)[:_MOST_CHARS] if name else None,
            "changes": _text(changes) if changes else None,
            "position": None,
            "digest": None,
        }


def _difference(each: Changed) -> dict[str, object]:
    """Return, field by field, what it was and what it is."""
    before, after = _plain(each.before), _plain(each.after)
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    table = "" if each.table is None else each.table.name
    is_hidden = PERSONAL.hides(table)
    return {
        name: {
            when: _HIDDEN if value and (is_hidden or (table, name) in _OF_PEOPLE) else _shown(value)
            for when, value in (("before", before.get(name)), ("after", after.get(name)))
        }
        for name in names[:_MOST_FIELDS]
    }


@dataclass(frozen=True, slots=True)
class _Hidden:
    """Bytes, which are compared and never shown."""

    value: bytes


def _shown(value: object) -> object:
    if isinstance(value, _Hidden):
        return _HIDDEN if value.value else ""
    return value


def _plain(row: Row | None) -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in (row or {}).items():
        if name not in _SILENT and value is not None:
            _flatten(flat, name, value, depth=_DEPTH)
    return flat


def _flatten(flat: dict[str, object], name: str, value: object, *, depth: int) -> None:
    """Take a document apart, so that only what differs in it is told."""
    if isinstance(value, bytes | bytearray | memoryview):
        flat[name] = _Hidden(bytes(value))
        return
    plain = msgspec.to_builtins(value, enc_hook=str)
    if isinstance(plain, dict) and depth:
        for key, part in plain.items():
            _flatten(flat, f"{name}.{key}", part, depth=depth - 1)
    elif isinstance(plain, str):
        flat[name] = plain if len(plain) <= _MOST_CHARS else f"{plain[:_MOST_CHARS]}…"
    elif isinstance(plain, list | dict):
        text = _text(plain)
        flat[name] = plain if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
    else:
        flat[name] = plain


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
