"""Usage on the admin surface: sums by step and group, entries, and entries as files."""

from dataclasses import replace
from typing import Annotated, Any, Final

from litestar import Controller, Response, get
from litestar.di import NamedDependency, Provide
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, QueryParameter
from litestar.status_codes import HTTP_200_OK

from api.admin.download import download
from api.admin.query import Paging
from api.wire import query_choice, query_integer
from application.usage.dto import AskUsage, EntryPage, UsageReport
from application.usage.report import UsageReports
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.usage.value import IDS, Dimension, Interval, dimension_of

_GROUPS: Final = 100
_INTERVALS: Final = {each.value: each.value for each in Interval}
_MOST_DIMENSIONS: Final = 4


def ask_usage(  # noqa: PLR0917 - parameters of the query
    workspace_id: FromQuery[str | None] = None,
    since: FromQuery[str | None] = None,
    until: FromQuery[str | None] = None,
    app_id: FromQuery[str | None] = None,
    agent_id: FromQuery[str | None] = None,
    version: FromQuery[str | None] = None,
    workflow_id: FromQuery[str | None] = None,
    dataset_id: FromQuery[str | None] = None,
    model: FromQuery[str | None] = None,
    provider: FromQuery[str | None] = None,
    kind: FromQuery[str | None] = None,
    source: FromQuery[str | None] = None,
    token_id: FromQuery[str | None] = None,
    share_link_id: FromQuery[str | None] = None,
    end_user_id: FromQuery[str | None] = None,
    member_id: FromQuery[str | None] = None,
) -> AskUsage:
    """Read what both routes take: a time, and filters, each of one value or several."""
    given = {
        Dimension.APP: ("app_id", app_id),
        Dimension.AGENT: ("agent_id", agent_id),
        Dimension.VERSION: ("version", version),
        Dimension.WORKFLOW: ("workflow_id", workflow_id),
        Dimension.BASE: ("dataset_id", dataset_id),
        Dimension.MODEL: ("model", model),
        Dimension.PROVIDER: ("provider", provider),
        Dimension.KIND: ("kind", kind),
        Dimension.SOURCE: ("source", source),
        Dimension.TOKEN: ("token_id", token_id),
        Dimension.SHARE_LINK: ("share_link_id", share_link_id),
        Dimension.END_USER: ("end_user_id", end_user_id),
        Dimension.MEMBER: ("member_id", member_id),
    }
    return AskUsage(
        space_ids=frozenset(_ids(workspace_id, field="workspace_id")),
        since=query_integer(since, field="since"),
        until=query_integer(until, field="until"),
        filters={
            dimension: _ids(text, field=name) if dimension in IDS else frozenset(text.split(","))
            for dimension, (name, text) in given.items()
            if text
        },
    )


class UsageController(Controller):
    """What models, plugins and the like were used for, and what that cost."""

    path = "/admin/v1/usage"
    dependencies = {"ask": Provide(ask_usage, sync_to_thread=False)}  # noqa: RUF012

    @get("", operation_id="admin.usage.get")
    async def get_usage(
        self,
        *,
        principal: NamedDependency[Principal],
        usage: NamedDependency[UsageReports],
        ask: NamedDependency[AskUsage],
        zone: FromQuery[str | None] = None,
        interval: FromQuery[str | None] = None,
        group_by: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> UsageReport:
        """Sum up what was used, also by step of time and by groups."""
        step = query_choice(interval, _INTERVALS, field="interval")
        ask = replace(
            ask,
            zone=zone or "UTC",
            interval=Interval(step) if step else None,
            group_by=_group_by(group_by or ""),
        )
        most = query_integer(limit, field="limit")
        return await usage.report(principal, ask, most=_GROUPS if most is None else most)

    @get(
        "/entries",
        operation_id="admin.usage.list_entries",
        responses={HTTP_200_OK: ResponseSpec(data_container=EntryPage, generate_examples=False)},
    )
    async def list_entries(
        self,
        *,
        principal: NamedDependency[Principal],
        usage: NamedDependency[UsageReports],
        ask: NamedDependency[AskUsage],
        file_format: Annotated[str | None, QueryParameter(name="format")] = None,
        paging: NamedDependency[Paging],
    ) -> Response[Any]:
        """List single calls, newest first; with a format all of them as a file, oldest first."""
        if file_format:
            return download(await usage.export(principal, ask, file_format))
        return Response(
            await usage.entries(principal, ask, cursor=paging.cursor or "", limit=paging.size)
        )


def _ids(text: str | None, *, field: str) -> frozenset[int]:
    return frozenset(parse_id(each, field=field) for each in (text or "").split(",") if each)


def _group_by(text: str) -> tuple[Dimension, ...]:
    names = [each for each in text.split(",") if each]
    wanted = [dimension_of(each) for each in names]
    if len(set(wanted)) != len(wanted) or len(wanted) > _MOST_DIMENSIONS:
        raise InvalidRequest(
            f"group_by: at most {_MOST_DIMENSIONS} dimensions, each once.", field="group_by"
        )
    return tuple(wanted)
