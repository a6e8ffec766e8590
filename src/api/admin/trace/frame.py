"""What a step of a run took or gave, as a page in a frame of the console."""

from collections.abc import Mapping
from typing import Final

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Response

from api.console.frame import FRAME_HEADERS
from api.wire import query_choice
from application.trace.markup import page_in
from application.trace.service import TraceService
from domain.shared.access import Principal
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id

_SIDES: Final[Mapping[str, str]] = {"input": "input", "output": "output"}


@get("/console/frame/span/{run_id:str}/{span_id:str}", include_in_schema=False)
async def span_frame(
    run_id: FromPath[str],
    span_id: FromPath[str],
    principal: NamedDependency[Principal],
    trace: NamedDependency[TraceService],
    side: FromQuery[str | None] = None,
) -> Response[str]:
    """Show the first HTML or SVG in what a step gave, or with ``side`` in what it began with."""
    of_input = query_choice(side, _SIDES, field="side") == "input"
    span = (await trace.span(principal, parse_id(run_id, field="run_id"), span_id)).span
    page = page_in((span.input if of_input else span.output) or "")
    if page is None:
        raise InvalidRequest("span_id: there is no HTML or SVG in this step.", field="span_id")
    return Response(page, media_type="text/html; charset=utf-8", headers=dict(FRAME_HEADERS))
