"""The ASGI application around an already configured container."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from dependency_injector.providers import Provider
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp, ControllerRouterHandler

from api.auth import Guard, principal_of
from api.docs import docs_page, openapi_config
from api.docs.contract import refine
from api.error import EXCEPTION_HANDLERS
from api.gate import Gate
from api.health import healthz, livez, metrics, readyz, startupz, version
from api.host import Hosts
from api.operations import OperationsListener
from api.request import ApiRequest, RequestBodies
from bootstrap import agent, conversation, knowledge, library, mcp, memory, models, plugin, workflow
from bootstrap.container import Container
from bootstrap.routes import routes
from bootstrap.settings import Settings
from bootstrap.supply import supplied


def create_app(container: Container) -> Litestar:
    """Routes, dependencies and error mapping; opens nothing."""
    settings: Settings = container.settings()
    return _application(container, has_docs=settings.docs != "off")


def _application(container: Container, *, has_docs: bool) -> Litestar:
    settings: Settings = container.settings()
    handlers: list[ControllerRouterHandler] = [*routes(), *_operations(settings)]
    if has_docs:
        handlers.append(docs_page)
    return Litestar(
        route_handlers=supplied(handlers, _dependencies(container)),
        exception_handlers=dict(EXCEPTION_HANDLERS),
        guards=[Guard(container.authentication())],
        request_class=ApiRequest,
        request_max_body_size=None,  # the request class knows the limit of each route
        state=State(
            {
                "limits": settings.limits,
                "edge": container.edge(),
                "has_local_operations": settings.has_local_operations,
                "followers": container.followers(),
                "bodies": RequestBodies(settings.limits),
            }
        ),
        openapi_config=openapi_config(container.version()) if has_docs else None,
        logging_config=None,
        debug=False,  # error bodies are ours; settings.debug only widens the log
    )


def _describe(container: Container) -> Mapping[str, Any]:
    """The interface description, also where it is not shown."""
    return refine(_application(container, has_docs=True).openapi_schema.to_schema())


def create_asgi(container: Container, app: Litestar | None = None) -> ASGIApp:
    """The application inside its gate: what a server runs."""
    settings: Settings = container.settings()
    drain = container.drain()
    return Gate(
        app or create_app(container),
        limits=settings.limits,
        hosts=Hosts(settings.host_names),
        cors_origins=settings.cors.origins,
        is_leaving=lambda: drain.is_leaving,
        is_draining=lambda: drain.is_on,
        admission=container.admission(),
        on_response=container.access(),
    )


def create_operations(container: Container, app: Litestar | None = None) -> ASGIApp:
    """What operators ask: of the application, or of a process without an API."""
    settings: Settings = container.settings()
    names = frozenset({*settings.host_names, settings.operations.host.lower()})
    return Gate(
        OperationsListener(app or _health_app(container)),
        limits=settings.limits,
        hosts=Hosts(names),
        on_response=container.access(),
    )


def _health_app(container: Container) -> Litestar:
    return Litestar(
        route_handlers=supplied(
            _operations(container.settings()),
            {"about": _provide(container.about), "health": _provide(container.health)},
        ),
        exception_handlers=dict(EXCEPTION_HANDLERS),
        state=State({"edge": container.edge()}),
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def _operations(settings: Settings) -> Sequence[ControllerRouterHandler]:
    always = [healthz, livez, readyz, startupz, version]
    return [*always, metrics] if settings.metrics != "off" else always


def _dependencies(container: Container) -> dict[str, Provide]:
    """What handlers ask for by name."""
    provided: dict[str, Provider[Any]] = {
        "about": container.about,
        "audit": container.audit,
        "dataset_details": container.dataset_details,
        "dataset_references": container.dataset_references,
        "files": container.files,
        "health": container.health,
        "icons": container.icons,
        "limits": container.limits,
        "members": container.members,
        "spaces": container.spaces,
        "tokens": container.tokens,
        "users": container.users,
        **agent.dependencies(container.agent),
        **conversation.dependencies(container.conversation),
        **knowledge.dependencies(container.knowledge),
        **plugin.dependencies(container.plugin),
        "plugin_tools": container.plugin_tools,
        **library.dependencies(container.library),
        **memory.dependencies(container.memory),
        **workflow.dependencies(container.workflow),
        **models.dependencies(container.model),
        **mcp.dependencies(container.mcp, partial(_describe, container)),
    }
    return {
        "principal": Provide(principal_of, sync_to_thread=False),
        **{name: _provide(provider) for name, provider in provided.items()},
    }


def _provide(provider: Provider[Any]) -> Provide:
    instance = provider()  # singletons: resolved once instead of on every request

    def resolve() -> Any:
        return instance

    return Provide(resolve, sync_to_thread=False, use_cache=True)
