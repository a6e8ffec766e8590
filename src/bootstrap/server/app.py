"""The ASGI application around an already configured container."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import ASGIApp, ControllerRouterHandler

from api.admin.query import asked_page
from api.body.request import ApiRequest, RequestBodies
from api.console import ConsoleAddress, console_routes
from api.console.bundle import ConsoleBundle
from api.coze.oauth import OAuthAddresses
from api.docs import InterfaceDocument, docs_page, openapi_config, openapi_document
from api.entry.auth import Guard, SessionEntry, principal_of
from api.entry.gate import Gate
from api.entry.host import Hosts
from api.entry.link import LinkEntry
from api.entry.route import table
from api.entry.session import BrowserSessions
from api.error import EXCEPTION_HANDLERS
from api.health import healthz, livez, metrics, readyz, startupz, version
from api.mcp.admin import AdminOperations
from api.operations import OperationsListener
from api.sign_in.auth import SessionAnswers
from api.sign_in.consent import CONSENT_PAGES
from api.sign_in.url import SignInPages
from bootstrap.compose.container import Container
from bootstrap.server.on_demand import OnDemandLitestar, Room
from bootstrap.server.routes import routes
from bootstrap.server.service import with_services
from bootstrap.settings import Settings


def create_app(container: Container) -> Litestar:
    """All routes, dependencies and error mapping; opens nothing."""
    app = create_served(container)
    app.open_rooms()
    table(app)
    return app


def create_served(container: Container) -> OnDemandLitestar:
    """What a server begins with: the same, but for rooms, which open when somebody asks."""
    return OnDemandLitestar(
        **_configuration(container), rooms=_rooms(container), openapi_config=None
    )


def describe(container: Container) -> dict[str, Any]:
    """Return the interface description, also where it is not shown."""
    from api.docs.contract import refine  # a megabyte that most processes never need

    return refine(described_app(container).openapi_schema.to_schema())


def described_app(container: Container) -> Litestar:
    """The application that the framework can describe; it is made for that and not served."""
    configuration = _configuration(container, is_described=True)
    for room in _rooms(container):
        configuration["route_handlers"] += room.load()()
    return Litestar(**configuration, openapi_config=openapi_config(container.version()))


def _rooms(container: Container) -> Sequence[Room]:
    return [Room(marks=("/trace", "/frame/span/"), load=partial(_load_traces, container))]


def _load_traces(container: Container) -> Callable[[], Sequence[ControllerRouterHandler]]:
    # Where nothing is captured, nobody asks for traces.
    from api.admin.on_demand import TRACE_CONTROLLERS
    from bootstrap.compose.archive import trace_services

    def handlers() -> Sequence[ControllerRouterHandler]:
        found = [*_services(container), *trace_services(container)]
        return with_services(TRACE_CONTROLLERS, found)

    return handlers


def _configuration(container: Container, *, is_described: bool = False) -> dict[str, Any]:
    settings = container.settings()
    authentication, browsers = container.identity().authentication, _browsers(settings)
    handlers: list[ControllerRouterHandler] = [
        *routes(),
        *_operations(settings),
        *console_routes(with_pages=settings.console.enabled),
        *CONSENT_PAGES,
    ]
    if settings.docs != "off" and not is_described:  # then the framework has routes too
        handlers += [docs_page, openapi_document]
    return {
        "route_handlers": [*with_services(handlers, _services(container))],
        "dependencies": {
            "principal": Provide(principal_of, sync_to_thread=False),
            "paging": Provide(asked_page, sync_to_thread=False),
        },
        "exception_handlers": dict(EXCEPTION_HANDLERS),
        "guards": [
            Guard(
                authentication,
                SessionEntry(authentication, browsers),
                LinkEntry(container.share().visits, browsers, authentication),
                admit_stranger=authentication.admit_stranger,
            )
        ],
        "request_class": ApiRequest,
        "request_max_body_size": None,  # the request class knows the limit of each route
        "state": State(
            {
                "limits": settings.limits,
                "http_metrics": container.http_metrics(),
                "has_local_operations": settings.has_local_operations,
                "followers": container.identity().followers,
                "bodies": RequestBodies(settings.limits),
            }
        ),
        "logging_config": None,
        "debug": False,  # error bodies are ours; settings.debug only widens the log
    }


def create_asgi(container: Container, app: Litestar | None = None) -> ASGIApp:
    """The application inside its gate: what a server runs."""
    settings = container.settings()
    drain = container.drain()
    return Gate(
        app or create_served(container),
        limits=settings.limits,
        version=container.version(),
        hosts=Hosts(settings.host_names),
        cors_origins=settings.cors.origins,
        is_leaving=lambda: drain.is_leaving,
        is_draining=lambda: drain.is_on,
        admission=container.admission(),
        processor=container.processor(),
        on_response=container.access(),
        on_act=container.identity().audit.tell,
    )


def create_operations(container: Container, app: Litestar | None = None) -> ASGIApp:
    """What operators ask: of the application, or of a process without an API."""
    settings = container.settings()
    names = frozenset({*settings.host_names, settings.operations.host.lower()})
    return Gate(
        OperationsListener(app or _health_app(container)),
        limits=settings.limits,
        version=container.version(),
        hosts=Hosts(names),
        on_response=container.access(),
    )


def _health_app(container: Container) -> Litestar:
    return OnDemandLitestar(
        route_handlers=with_services(
            _operations(container.settings()), [container.about(), container.health()]
        ),
        exception_handlers=dict(EXCEPTION_HANDLERS),
        state=State({"http_metrics": container.http_metrics()}),
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


def _operations(settings: Settings) -> Sequence[ControllerRouterHandler]:
    always = [healthz, livez, readyz, startupz, version]
    return [*always, metrics] if settings.metrics != "off" else always


def _console_address(container: Container) -> ConsoleAddress:
    settings = container.settings()
    shows_docs = settings.docs != "off" and settings.has_local_operations
    return ConsoleAddress(
        version=container.version(),
        console=settings.console_url,
        docs=f"{settings.external_url}/docs" if shows_docs else "",
    )


def _browsers(settings: Settings) -> BrowserSessions:
    return BrowserSessions(
        port=settings.port,
        public_url=settings.public_url,
        allow_http=settings.console.allow_http,
    )


def _session_answers(container: Container, browsers: BrowserSessions) -> SessionAnswers:
    identity, public = container.identity(), urlsplit(container.settings().public_url)
    return SessionAnswers(
        deployment=public.hostname or "Coterie",
        version=container.version(),
        browsers=browsers,
        sign_in=identity.sign_in,
        account=identity.account,
        providers=container.oidc().known,
    )


def _services(container: Container) -> Iterable[object]:
    """What handlers may ask for."""
    settings = container.settings()
    browsers = _browsers(settings)
    yield from (
        browsers,
        _session_answers(container, browsers),
        SignInPages(settings.external_url, has_console=settings.console.enabled),
        AdminOperations(partial(describe, container)),
        ConsoleBundle(),
        _console_address(container),
        InterfaceDocument(partial(describe, container)),
        OAuthAddresses(settings.external_url),
        container.about(),
        container.avatars(),
        container.dataset_details(),
        container.dataset_references(),
        container.dead_letter_admin(),
        container.health(),
        container.operations(),
        container.plugin_tools(),
        container.reconciliation(),
        container.space_defaults(),
        container.tokens(),
        settings.limits,
        settings.workflow,
    )
    for parts in (
        container.agent(),
        container.clients(),
        container.conversation(),
        container.directory(),
        container.file(),
        container.identity(),
        container.knowledge(),
        container.library(),
        container.mcp(),
        container.memory(),
        container.model(),
        container.oidc(),
        container.plugin(),
        container.privacy(),
        container.share(),
        container.channel(),
        container.trace(),
        container.usage(),
        container.workflow(),
        container.workflow_runs(),
    ):
        yield from vars(parts).values()
