"""The HTTP surfaces in process, over a run service that plays a script."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import cozepy
import httpx
from litestar import Litestar, get
from litestar.datastructures import State
from litestar.di import Provide
from litestar.types import Receive, Scope, Send

from api.admin.run import RunController
from api.body.request import ApiRequest, RequestBodies
from api.coze.conversation.chat import ChatController
from api.coze.unsupported import unsupported
from api.entry.auth import Guard, principal_of
from api.entry.gate import Gate
from api.error import EXCEPTION_HANDLERS
from api.openai.routes import OPENAI_CONTROLLERS
from application.agent.dto import AgentSummary
from application.agent.publishing import AgentPublishingService
from application.conversation.client_tool import ClientToolService, Request
from application.conversation.dto import MessageView, RunView, StartRun, SubmitOutputs
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCompleted,
    RunCreated,
    RunEvent,
    RunFailed,
    RunRecord,
    RunStarted,
)
from application.conversation.run.service import RunService
from application.identity.following import Followers
from application.model.gateway import ModelGateway, OfferedModel
from application.operation.http_metrics import HttpMetrics
from application.trace.live import SpanFollower
from crossdomain.agent.contract import Handling
from domain.agent.value import Mode
from domain.conversation.dialogue import Dialogue, HistoryDigests
from domain.conversation.error import RunNotWaiting
from domain.conversation.value import MessageKind, RunError, RunStatus
from domain.shared.access import Grant, Permission, Principal, Role
from domain.shared.chat import Usage
from domain.shared.error import NotFound, Unauthenticated
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId
from domain.shared.limits import Limits
from infra.contract.observability.metrics import Metrics

RUN_ID = 7534187701223129153
CONVERSATION_ID = 7534187650493480961
SECTION_ID = 7534187650493480962
AGENT_ID = 7528041100000000101
ANSWER_ID = 7534187701223129157
SPACE_ID = 7520000000000000001
TOKEN = "pat_" + "A" * 43
NOW = datetime(2026, 1, 5, 10, 15, tzinfo=UTC)


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(1767608100 + seconds, UTC)


def run_view(status: RunStatus = RunStatus.IN_PROGRESS, **changes: Any) -> RunView:
    values: dict[str, Any] = {
        "id": RUN_ID,
        "conversation_id": CONVERSATION_ID,
        "section_id": SECTION_ID,
        "agent_id": AGENT_ID,
        "space_id": SPACE_ID,
        "status": status,
        "created_at": at(0),
    }
    return RunView(**{**values, **changes})


def message_view(text: str, kind: MessageKind = MessageKind.ANSWER, **changes: Any) -> MessageView:
    values: dict[str, Any] = {
        "id": ANSWER_ID,
        "conversation_id": CONVERSATION_ID,
        "section_id": SECTION_ID,
        "run_id": RUN_ID,
        "agent_id": AGENT_ID,
        "role": "user" if kind is MessageKind.QUESTION else "assistant",
        "kind": kind,
        "text": text,
        "created_at": at(2),
        "updated_at": at(4),
    }
    return MessageView(**{**values, **changes})


def records(*events: RunEvent) -> list[RunRecord]:
    return [RunRecord(seq=n, at_ms=n, event=event) for n, event in enumerate(events, start=1)]


def completed(**changes: Any) -> RunCompleted:
    usage = Usage(input_tokens=614, output_tokens=19)
    values = {"completed_at": at(5), "usage": usage, "finish_reason": "stop", **changes}
    return RunCompleted(run_view(RunStatus.COMPLETED, **values))


def failed(code: int = 5001, message: str = "model provider returned 503") -> RunFailed:
    error = RunError(code=code, message=message, slug="model_call_failed")
    return RunFailed(run_view(RunStatus.FAILED, error=error, failed_at=at(1)))


def answering(*pieces: str) -> list[RunRecord]:
    deltas = [MessageDelta(message_id=ANSWER_ID, text=piece) for piece in pieces]
    return records(
        RunCreated(run_view(RunStatus.CREATED)),
        RunStarted(run_view()),
        MessageStarted(message_id=ANSWER_ID),
        *deltas,
        MessageCompleted(message_view("".join(pieces))),
        completed(),
    )


class ScriptedRuns(RunService):
    """Plays the records of one run; remembers what it was asked."""

    def __init__(self, script: Sequence[RunRecord] = (), *, batch: int = 1) -> None:
        self.script = list(script) or answering("Hello", " world")
        self.batch = batch
        self.started: list[StartRun] = []
        self.closed = asyncio.Event()
        self.stays_open = False

    async def handling(self, principal: Principal, command: StartRun) -> Handling:
        return Handling()

    async def start(self, principal: Principal, command: StartRun) -> RunView:
        self.started.append(command)
        return run_view()

    async def submit(self, principal: Principal, command: SubmitOutputs) -> RunView:
        raise RunNotWaiting(f"Chat {command.run_id} waits for no tool outputs.")

    def follow_part(
        self, principal: Principal, run_id: int, *, after: int
    ) -> AsyncGenerator[list[RunRecord], None]:
        return self.follow(principal, run_id, after=after)

    async def follow(
        self, principal: Principal, run_id: int, *, after: int = 0
    ) -> AsyncGenerator[list[RunRecord], None]:
        try:
            found = [record for record in self.script if record.seq > after]
            for start in range(0, len(found), self.batch):
                yield found[start : start + self.batch]
            if self.stays_open:
                await asyncio.Event().wait()
        finally:
            self.closed.set()

    async def get(
        self, principal: Principal, run_id: int, *, conversation_id: int | None = None
    ) -> RunView:
        if run_id != RUN_ID or conversation_id not in {None, CONVERSATION_ID}:
            raise NotFound(f"No chat {run_id}.")
        return run_view(RunStatus.COMPLETED)


class WithoutTools(ClientToolService):
    """Requests that bring outputs of no tools, for which nothing is looked up."""

    def __init__(self, runs: RunService) -> None:
        self._runs = runs

    async def _read(self, principal: Principal, command: StartRun, dialogue: Dialogue) -> Request:
        digests = HistoryDigests(agent_id=command.agent_id, end_user_id="", tools=())
        return Request(
            principal=principal, command=command, dialogue=dialogue, digests=digests, waits=()
        )

    async def _answering(self, request: Request) -> Request:
        return request


class KnownAgents(AgentPublishingService):
    """One published agent with an alias."""

    def __init__(self) -> None:
        self.summary = AgentSummary(
            id=AGENT_ID,
            space_id=SPACE_ID,
            creator_id=1,
            name="Weather",
            description="",
            icon_url="",
            mode=Mode.SINGLE,
            alias="weather",
            revision=1,
            created_at=NOW,
            updated_at=NOW,
            published_at=datetime.fromtimestamp(1767600000, UTC),
        )

    async def list_chattable(
        self, principal: Principal, *, connector_id: int = 1024
    ) -> tuple[AgentSummary, ...]:
        return (self.summary,)

    async def resolve(
        self, principal: Principal, reference: str, *, connector_id: int = 1024
    ) -> AgentSummary:
        if reference not in {"weather", str(AGENT_ID)}:
            raise AgentNotFound(f"The model `{reference}` does not exist")
        return self.summary


class AgentNotFound(NotFound):
    """Has the name, hence the slug, of the agent context's own error."""


class TokenList:
    """Accepts one token."""

    def __init__(self, permissions: frozenset[Permission] | None = None) -> None:
        self.permissions = permissions
        self.end_user_id = ""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        if header_value != f"Bearer {TOKEN}":
            raise Unauthenticated("The token is missing, unknown, expired or revoked.")
        space = SpaceId(SPACE_ID)
        return Principal(
            user_id=UserId(1),
            token_id=TokenId(77),
            roles={space: Role.OWNER},
            personal_space_id=space,
            grant=Grant(
                permissions=self.permissions,
                agent_ids=frozenset({AgentId(AGENT_ID)}),
                end_user_id=self.end_user_id,
            ),
        )


class NotCalled:
    """Stands for a service of routes that are tested elsewhere."""


class NoSpans(SpanFollower):
    """Stands for the traces of runs, which are tested elsewhere."""

    def __init__(self) -> None:
        pass


class NoModels(ModelGateway):
    """A deployment whose models nobody may name."""

    def __init__(self) -> None:
        pass

    async def offered(self, principal: Principal, space_id: SpaceId) -> tuple[OfferedModel, ...]:
        return ()


@get("/v1/defect")
async def defect() -> None:
    raise RuntimeError("the cause stays inside")


_SURFACE: ContextVar["Surface"] = ContextVar("surface")
"""Whose request it is: applications are shared, for making one costs more than most tests do."""


class CurrentTokens:
    """The tokens of the surface that is called."""

    async def authenticate(self, header_value: str | None, *, peer: str) -> Principal:
        return await _SURFACE.get().tokens.authenticate(header_value, peer=peer)


@cache
def _application(limits: Limits) -> Litestar:
    return Litestar(
        route_handlers=[ChatController, RunController, unsupported, defect, *OPENAI_CONTROLLERS],
        dependencies={
            "principal": Provide(principal_of, sync_to_thread=False),
            "limits": Provide(lambda: limits, sync_to_thread=False),
            "runs": Provide(lambda: _SURFACE.get().runs, sync_to_thread=False),
            "client_tools": Provide(
                lambda: WithoutTools(_SURFACE.get().runs), sync_to_thread=False
            ),
            "publishing": Provide(KnownAgents, sync_to_thread=False),
            "gateway": Provide(NoModels, sync_to_thread=False),
            **{
                name: Provide(partial(NotCalled), sync_to_thread=False)
                for name in ("files", "responses", "compactions", "file_searches")
            },
            "trace_spans": Provide(NoSpans, sync_to_thread=False),
        },
        exception_handlers=dict(EXCEPTION_HANDLERS),
        guards=[Guard(CurrentTokens())],
        request_class=ApiRequest,
        request_max_body_size=None,
        state=State(
            {
                "limits": limits,
                "http_metrics": HttpMetrics(Metrics()),
                "bodies": RequestBodies(limits),
                "followers": Followers(),
            }
        ),
        logging_config=None,
    )


class Surface:
    """The application and its doubles."""

    def __init__(self, runs: ScriptedRuns | None = None, *, limits: Limits | None = None) -> None:
        self.runs = runs or ScriptedRuns()
        self.tokens = TokenList()
        self.is_draining = False
        self.limits = limits or Limits()
        self.litestar = _application(self.limits)
        self.app = Gate(
            self._called,
            limits=self.limits,
            version="1.2.3",
            cors_origins=["https://good.example"],
            is_draining=lambda: self.is_draining,
        )

    async def _called(self, scope: Scope, receive: Receive, send: Send) -> None:
        _SURFACE.set(self)
        await self.litestar(scope, receive, send)

    def client(self, *, token: str | None = TOKEN) -> httpx.AsyncClient:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        transport = httpx.ASGITransport(self.app)  # type: ignore[arg-type]
        return httpx.AsyncClient(transport=transport, base_url="http://coterie", headers=headers)

    def coze(self) -> cozepy.AsyncCoze:
        transport = httpx.ASGITransport(self.app)  # type: ignore[arg-type]
        return cozepy.AsyncCoze(
            auth=cozepy.AsyncTokenAuth(TOKEN),
            base_url="http://coterie",
            http_client=cozepy.AsyncHTTPClient(transport=transport),  # type: ignore[no-untyped-call]
        )
