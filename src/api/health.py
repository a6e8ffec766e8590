"""Operations: liveness, readiness, version and metrics; no credential needed."""

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response

from application.operation.about import About
from application.operation.health import HealthService


class Health(msgspec.Struct, frozen=True, omit_defaults=True):
    """``ok``, or ``unavailable`` with the state of each part."""

    status: str
    parts: dict[str, str] = {}


class Version(msgspec.Struct, frozen=True):
    """What is running."""

    name: str
    version: str


@get("/healthz", operation_id="operations.live", tags=["operations"])
async def healthz() -> Health:
    """Tell that the process answers; nothing else is asked."""
    return Health(status="ok")


@get("/readyz", operation_id="operations.ready", tags=["operations"])
async def readyz(health: NamedDependency[HealthService]) -> Response[Health]:
    """Tell whether the process can take work; 503 while it starts, drains or lacks a part."""
    readiness = await health.readiness()
    body = Health(status="ok" if readiness.ready else "unavailable", parts=dict(readiness.parts))
    return Response(body, status_code=200 if readiness.ready else 503)


@get("/version", operation_id="operations.version", tags=["operations"])
async def version(about: NamedDependency[About]) -> Version:
    """Name and version of the product."""
    return Version(name="coterie", version=about.version)


@get(
    "/metrics",
    operation_id="operations.metrics",
    tags=["operations"],
    include_in_schema=False,
)
async def metrics(about: NamedDependency[About]) -> Response[bytes]:
    """Everything measured, as Prometheus text."""
    return Response(about.render_metrics(), media_type=about.metrics_content_type)
