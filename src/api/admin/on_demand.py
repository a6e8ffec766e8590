"""Controllers that the first request for one imports: see ``Room`` of ``bootstrap.server``."""

from collections.abc import Sequence
from typing import Final

from litestar.types import ControllerRouterHandler

from api.admin.trace.frame import span_frame
from api.admin.trace.rule import AdminTraceSettingsController
from api.admin.trace.statistics import AdminTraceStatisticsController
from api.admin.trace.trace import AdminTraceController
from api.admin.workflow.trace import AdminWorkflowTraceController

TRACE_CONTROLLERS: Final[Sequence[ControllerRouterHandler]] = (
    AdminTraceController,
    AdminTraceSettingsController,
    AdminTraceStatisticsController,
    AdminWorkflowTraceController,
    span_frame,
)
