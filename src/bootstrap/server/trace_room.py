"""The room of traces: imported by the first request for one, see ``bootstrap.server.app``."""

from collections.abc import Iterable, Sequence
from typing import Final

from litestar.types import ControllerRouterHandler

from api.admin.trace.rule import AdminTraceSettingsController
from api.admin.trace.statistics import AdminTraceStatisticsController
from api.admin.trace.trace import AdminTraceController
from api.admin.workflow.trace import AdminWorkflowTraceController
from bootstrap.compose.archive import archive_of, trace_replay
from bootstrap.compose.container import Container

TRACE_CONTROLLERS: Final[Sequence[ControllerRouterHandler]] = (
    AdminTraceController,
    AdminTraceSettingsController,
    AdminTraceStatisticsController,
    AdminWorkflowTraceController,
)


def services(container: Container) -> Iterable[object]:
    """Return what these controllers ask for, besides what all may."""
    yield from vars(archive_of(container)).values()
    yield trace_replay(container)
