"""Conversations of whole workspaces in SQL, for those who look after them."""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from domain.conversation.conversation import Conversation
from domain.conversation.error import ConversationNotFound
from domain.conversation.message import Feedback
from domain.conversation.support import ConversationDigest
from domain.conversation.value import FeedbackKind, RunStatus, Scene, SupportQuery
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId, MessageId
from infra.impl.repository.sql.conversation.table import (
    CONVERSATIONS,
    FEEDBACKS,
    conversations,
    feedbacks,
    runs,
)
from infra.impl.repository.sql.engine.unit_of_work import SqlUnitOfWork
from infra.impl.repository.sql.identity.query import LIKE_ESCAPE, escaped
from infra.impl.repository.sql.mapping.tenant_rows import TenantRows
from infra.impl.repository.sql.trace.table import traces

_LATER: Final = runs.alias("later_run")
_WAITING: Final = runs.alias("waiting_run")
_WAITS: Final = (
    sa.exists()
    .where(
        _WAITING.c.conversation_id == conversations.c.id,
        _WAITING.c.status == RunStatus.REQUIRES_ACTION,
    )
    .label("waits")
)


class SqlSupportRepository:
    """Implements ``SupportRepository``.

    Lists walk down the runs of a workspace, which an index has in order, and stop at the newest
    of each conversation: no column that every message writes needs an index for them.
    """

    def __init__(self, uow: SqlUnitOfWork) -> None:
        self._connection = uow.connection
        self._conversations = TenantRows(uow, CONVERSATIONS, missing=_not_found, visible=_visible)
        self._feedback = TenantRows(uow, FEEDBACKS, missing=_not_found)

    async def page(self, scope: TenantScope, query: SupportQuery) -> Sequence[ConversationDigest]:
        statement = (
            sa.select(
                conversations,
                runs.c.id.label("run_id"),
                runs.c.status.label("run_status"),
                runs.c.created_at.label("run_at"),
                traces.c.source.label("source"),
                _WAITS,
                _count(FeedbackKind.LIKE).label("likes"),
                _count(FeedbackKind.UNLIKE).label("dislikes"),
            )
            .select_from(
                runs.join(conversations, conversations.c.id == runs.c.conversation_id).outerjoin(
                    traces, traces.c.run_id == runs.c.id
                )
            )
            .where(
                runs.c.space_id == query.space_id,
                _visible(scope),
                conversations.c.scene != Scene.EPHEMERAL,
                ~sa.exists().where(
                    _LATER.c.conversation_id == runs.c.conversation_id, _LATER.c.id > runs.c.id
                ),
                *_filters(scope, query),
            )
            .order_by(runs.c.id.desc())
            .limit(query.limit)
        )
        return [
            ConversationDigest(
                conversation=CONVERSATIONS.read(row),
                run_id=row.run_id,
                run_status=row.run_status,
                run_at=row.run_at,
                source=row.source,
                waits=bool(row.waits),
                likes=row.likes,
                dislikes=row.dislikes,
            )
            for row in await self._connection.execute(statement)
        ]

    async def get(self, scope: TenantScope, conversation_id: ConversationId) -> Conversation:
        return await self._conversations.get(scope, conversation_id)

    async def verdicts(
        self, scope: TenantScope, message_ids: Sequence[MessageId]
    ) -> Sequence[Feedback]:
        if not message_ids:
            return []
        return await self._feedback.all(
            scope, feedbacks.c.message_id.in_(message_ids), order=[feedbacks.c.updated_at]
        )


def _visible(scope: TenantScope) -> sa.ColumnElement[bool]:
    wanted: list[sa.ColumnElement[bool]] = [
        conversations.c.space_id.in_(scope.space_ids),
        conversations.c.deleted_at.is_(None),
    ]
    if scope.end_user_id:
        wanted.append(conversations.c.end_user_id == scope.end_user_id)
    if scope.agent_ids is not None:
        wanted.append(conversations.c.agent_id.in_(scope.agent_ids))
    return sa.and_(*wanted)


def _filters(scope: TenantScope, query: SupportQuery) -> list[sa.ColumnElement[bool]]:
    equal: dict[sa.ColumnElement[Any], Any] = {
        conversations.c.agent_id: query.agent_id,
        conversations.c.connector_id: query.connector_id,
        conversations.c.end_user_id: query.end_user_id,
        conversations.c.creator_id: scope.principal_id if query.is_own else None,
        traces.c.source: query.source,
    }
    wanted = [column == value for column, value in equal.items() if value is not None]
    if query.text:
        pattern = f"%{escaped(query.text.lower())}%"
        name = sa.func.lower(conversations.c.name)
        wanted.append(name.like(pattern, escape=LIKE_ESCAPE))
    if query.verdict is not None:
        wanted.append(
            sa.exists().where(
                feedbacks.c.conversation_id == conversations.c.id,
                feedbacks.c.kind == query.verdict,
            )
        )
    if query.waits:
        wanted.append(_WAITS.element)
    if query.since is not None:
        wanted.append(runs.c.created_at >= query.since)
    if query.until is not None:
        wanted.append(runs.c.created_at < query.until)
    if query.before_id is not None:
        wanted.append(runs.c.id < query.before_id)
    return wanted


def _count(kind: FeedbackKind) -> sa.ScalarSelect[Any]:
    return (
        sa.select(sa.func.count())
        .where(feedbacks.c.conversation_id == conversations.c.id, feedbacks.c.kind == kind)
        .scalar_subquery()
    )


def _not_found(conversation_id: int) -> ConversationNotFound:
    return ConversationNotFound(
        f"No conversation {conversation_id}.", conversation_id=conversation_id
    )
