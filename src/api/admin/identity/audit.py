"""The audit log on the admin surface."""

from datetime import UTC, datetime
from typing import Annotated

from litestar import Controller, get, post
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream

from api.admin.download import download, downloaded
from api.admin.identity.shape import AuditItem, AuditItems, ChainReport
from api.admin.query import Paging
from api.shape import id_or_none
from api.wire import optional_id
from application.identity.audit import AuditService
from application.identity.dto import AuditFilter
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest

_LAST_SECOND = 253_402_300_799  # of the year 9999


def asked_entries(  # noqa: PLR0917 - the filters of one query
    actor: FromQuery[str | None] = None,
    action: FromQuery[str | None] = None,
    resource_type: FromQuery[str | None] = None,
    resource_id: FromQuery[str | None] = None,
    since: FromQuery[str | None] = None,
    until: FromQuery[str | None] = None,
) -> AuditFilter:
    """Read which entries a list or a download is about."""
    return AuditFilter(
        actor_id=optional_id(actor, field="actor"),
        action=action or "",
        resource_type=resource_type or "",
        resource_id=optional_id(resource_id, field="resource_id"),
        since=_instant(since, field="since"),
        until=_instant(until, field="until"),
    )


class AdminAuditController(Controller):
    """Who did what, for who administers a workspace or the deployment."""

    path = "/admin/v1/audit-log"
    dependencies = {"entries": Provide(asked_entries, sync_to_thread=False)}  # noqa: RUF012

    @get("/", operation_id="admin.audit_log.list")
    async def audit_log(
        self,
        *,
        principal: NamedDependency[Principal],
        audit: NamedDependency[AuditService],
        workspace_id: FromQuery[str | None] = None,
        entries: NamedDependency[AuditFilter],
        paging: NamedDependency[Paging],
    ) -> AuditItems:
        """List who did what in the workspaces the caller administers, newest first."""
        found = await audit.page(
            principal,
            entries,
            space_id=optional_id(workspace_id, field="workspace_id"),
            before=paging.last_id,
            limit=paging.size,
        )
        return AuditItems(
            items=AuditItem.each(found.items),
            total=found.total,
            next_cursor=id_or_none(found.next_before),
        )

    @get(
        "/export",
        operation_id="admin.audit_log.export",
        responses=downloaded("text/csv"),
    )
    async def export(
        self,
        *,
        principal: NamedDependency[Principal],
        audit: NamedDependency[AuditService],
        workspace_id: FromQuery[str | None] = None,
        entries: NamedDependency[AuditFilter],
        file_format: Annotated[str, QueryParameter(name="format")] = "csv",
    ) -> Stream:
        """Download what the list shows as csv, jsonl or xlsx, newest first."""
        return download(
            await audit.export(
                principal,
                entries,
                file_format,
                space_id=optional_id(workspace_id, field="workspace_id"),
            )
        )

    @post("/verify", operation_id="admin.audit_log.verify", status_code=200)
    async def verify(
        self,
        *,
        principal: NamedDependency[Principal],
        audit: NamedDependency[AuditService],
    ) -> ChainReport:
        """Follow the chain of the log from its oldest row, and tell whether it holds."""
        return ChainReport.of(await audit.verify(principal))


def _instant(text: str | None, *, field: str) -> datetime | None:
    """Read Unix seconds; raise ``InvalidRequest``."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or int(text[:20]) > _LAST_SECOND:
        raise InvalidRequest(f"{field}: expected Unix seconds.", field=field)
    return datetime.fromtimestamp(int(text), UTC)
