"""Operations: liveness, readiness, version and metrics; no credential needed."""

from typing import Any, Final

import msgspec
from litestar import Request, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.response import Response

from api.operations import operations_only, shows_operations
from application.operation.about import About
from application.operation.health import HealthService


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """``ok``, ``degraded`` or ``unavailable``; for operators with the state of each part."""

    status: str
    parts: dict[str, str] = {}


class Version(msgspec.Struct, frozen=True):
    """What is running."""

    name: str
    version: str


_NOT_NOW: Final = {503: ResponseSpec(Health, description="Not now; the body says what is missing.")}


@get("/healthz", operation_id="operations.get_health")
async def healthz() -> Health:
    """Tell that the process answers; nothing else is asked."""
    return Health(status="ok")


@get("/livez", operation_id="operations.get_liveness", responses=_NOT_NOW)
async def livez(health: NamedDependency[HealthService]) -> Response[Health]:
    """Tell whether the event loop turns; 503 asks for a restart."""
    return _answer(Health(status="ok" if health.is_live else "unavailable"))


@get("/readyz", operation_id="operations.get_readiness", responses=_NOT_NOW)
async def readyz(
    request: Request[Any, Any, Any], health: NamedDependency[HealthService]
) -> Response[Health]:
    """Tell whether the process can take work; 503 while it starts, drains or lacks a part.

    ``degraded`` means that it takes work although a part it can do without is missing.
    """
    readiness = await health.readiness()
    parts = dict(readiness.parts) if shows_operations(request) else {}
    return _answer(Health(status=readiness.status, parts=parts))


@get("/startupz", operation_id="operations.get_startup", responses=_NOT_NOW)
async def startupz(health: NamedDependency[HealthService]) -> Response[Health]:
    """Tell whether the process was ever ready; 503 until then."""
    return _answer(Health(status="ok" if await health.has_started() else "unavailable"))


@get("/version", operation_id="operations.get_version")
async def version(about: NamedDependency[About]) -> Version:
    """Name and version of the product."""
    return Version(name="coterie", version=about.version)


@get(
    "/metrics",
    operation_id="operations.get_metrics",
    include_in_schema=False,
    guards=[operations_only],
)
async def metrics(about: NamedDependency[About]) -> Response[bytes]:
    """Everything measured, as Prometheus text."""
    return Response(about.render_metrics(), media_type=about.metrics_content_type)


def _answer(health: Health) -> Response[Health]:
    return Response(health, status_code=503 if health.status == "unavailable" else 200)
