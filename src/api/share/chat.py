"""Chats of visitors behind a share link."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Request, Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_202_ACCEPTED

from api.body.multipart import UploadOperation
from api.coze.conversation.incoming import ShortcutCommand
from api.coze.file import receive_file
from api.entry.link import visitor_of
from api.share.event import ShareRenderer
from api.share.message import ShareFile, ShareMessage
from api.sse import EventStreamResponse
from api.wire import (
    IdempotencyKey,
    WireId,
    optional_id,
    page,
    query_integer,
    request_key,
    required_id,
    seconds,
)
from application.conversation.conversation_service import ConversationService
from application.conversation.dto import (
    ConversationQuery,
    FlowTarget,
    GiveFeedback,
    IncomingMessage,
    MessageQuery,
    RunView,
    StartRun,
    SubmitOutputs,
)
from application.conversation.message_service import MessageService
from application.conversation.run.service import RunService
from application.file.dto import FileView
from application.file.service import FileService
from application.share.dto import OpenLink
from application.share.visit import VisitService
from domain.conversation.value import FeedbackKind
from domain.shared.chat import FilePart, ImagePart, Part, TextPart
from domain.shared.error import Forbidden, InvalidRequest
from domain.shared.ids import FileId, parse_id
from domain.shared.limits import Limits
from domain.shared.target import TargetKind

_CONVERSATIONS = 20
_MESSAGES = 50
_FILES = 20
_OUTPUTS = 128


class ShareChatBody(msgspec.Struct, frozen=True, kw_only=True):
    """A question."""

    content: str
    conversation_id: WireId | None = None
    """Absent: a new conversation."""
    file_ids: list[WireId] | None = None
    """Uploads that belong to the question."""
    shortcut_command: ShortcutCommand | None = None
    """A shortcut of the agent with what was filled in; its tool is called first."""


class ShareRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that was accepted; its events tell the rest."""

    run_id: str
    conversation_id: str
    status: str


class ShareOutput(msgspec.Struct, frozen=True, kw_only=True):
    """What one of the awaited calls gave."""

    id: str
    output: str


class ShareOutputsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Outputs of all calls that a run waits for."""

    outputs: list[ShareOutput]


class ShareConversation(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation that the visitor had here."""

    id: str
    name: str
    created_at: int
    updated_at: int


class ShareConversations(msgspec.Struct, frozen=True, kw_only=True):
    """The newest conversations of the visitor; none where the link keeps no history."""

    items: list[ShareConversation]


class ShareMessages(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of a conversation, oldest first; `next_cursor` asks for those before."""

    items: list[ShareMessage]
    next_cursor: str | None


class ShareFeedbackBody(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict of the visitor on an answer; null takes it back."""

    conversation_id: WireId
    verdict: Literal["like", "unlike"] | None
    reason_types: list[str] = []
    """Words for why, of those that the page offers."""
    comment: str | None = None


class ShareUpload(ShareFile, frozen=True, kw_only=True):
    """A file that was taken."""

    id: str


class ShareChatController(Controller):
    """What visitors do behind a link."""

    path = "/s/{link_code:str}/api"

    @post("/chats", operation_id="share.create_chat", status_code=HTTP_202_ACCEPTED)
    async def create_chat(
        self,
        *,
        request: Request[Any, Any, Any],
        data: JSONBody[ShareChatBody],
        visits: NamedDependency[VisitService],
        runs: NamedDependency[RunService],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        link_code: FromPath[str],
        idempotency_key: IdempotencyKey = None,
    ) -> ShareRun:
        """Ask what the link leads to; the answer comes with the events of the run."""
        visitor = visitor_of(request)
        shortcut = data.shortcut_command.call() if data.shortcut_command else None
        # A hook that looks at what is asked sees what goes to the tool of a shortcut, too.
        said = "\n".join([data.content, *(shortcut.values.values() if shortcut else ())])
        link = await visits.ask(link_code, visitor, said)
        given = data.file_ids or []
        if given and not link.settings.allows_files:
            raise Forbidden("This link takes no files.")
        if len(given) > _FILES:
            raise InvalidRequest(f"file_ids: at most {_FILES} files.", field="file_ids")
        ids = [FileId(required_id(each, field="file_ids")) for each in given]
        found = [await files.get(visitor.principal, each) for each in ids]
        parts: tuple[Part, ...] = (TextPart(text=data.content),) if data.content else ()
        message = IncomingMessage(
            role="user", parts=(*parts, *map(_part, found)), is_text=not found
        )
        is_agent = link.target_kind is TargetKind.AGENT
        expected = await visits.expect(link, visitor)
        run = await runs.start(
            visitor.principal,
            StartRun(
                run_id=expected,
                agent_id=link.target_id if is_agent else 0,
                flow=None if is_agent else FlowTarget(workflow_id=link.target_id),
                end_user_id=visitor.principal.end_user_id,
                messages=(message,),
                conversation_id=optional_id(data.conversation_id, field="conversation_id"),
                connector_id=link.connector_id,
                takes_outputs=True,
                shortcut=shortcut,
                stream=True,
                idempotency_key=request_key(idempotency_key, limits=limits),
            ),
        )
        if run.id != expected:  # the request was repeated, and its first run was noted then
            await visits.forget_expected(expected)
        return _shown(run)

    @get("/runs/{run_id:str}/events", operation_id="share.follow_run")
    async def follow(
        self,
        *,
        request: Request[Any, Any, Any],
        visits: NamedDependency[VisitService],
        runs: NamedDependency[RunService],
        limits: NamedDependency[Limits],
        link_code: FromPath[str],
        run_id: FromPath[str],
        after: FromQuery[str | None] = None,
        last_event_id: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
    ) -> Response[None]:
        """Follow a run from any event on, live or after its end."""
        visitor = visitor_of(request)
        link = await visits.look(link_code)
        run = await runs.get(visitor.principal, parse_id(run_id, field="run_id"))
        number = query_integer(after or last_event_id, field="after") or 0
        if number < 0:
            raise InvalidRequest("after: the number of an event, at least 0.", field="after")
        events = runs.follow(visitor.principal, run.id, after=number)
        return EventStreamResponse(
            events, ShareRenderer(link.settings), limits=limits, space_id=run.space_id
        )

    @post("/runs/{run_id:str}/cancel", operation_id="share.cancel_run", status_code=HTTP_200_OK)
    async def cancel(
        self,
        *,
        request: Request[Any, Any, Any],
        runs: NamedDependency[RunService],
        link_code: FromPath[str],
        run_id: FromPath[str],
    ) -> ShareRun:
        """Stop a run; what was said so far stays."""
        principal = visitor_of(request).principal
        return _shown(await runs.cancel(principal, parse_id(run_id, field="run_id")))

    @post(
        "/runs/{run_id:str}/tool-outputs",
        operation_id="share.submit_outputs",
        status_code=HTTP_202_ACCEPTED,
    )
    async def submit_outputs(
        self,
        *,
        request: Request[Any, Any, Any],
        data: JSONBody[ShareOutputsBody],
        visits: NamedDependency[VisitService],
        runs: NamedDependency[RunService],
        link_code: FromPath[str],
        run_id: FromPath[str],
    ) -> ShareRun:
        """Give what the calls gave that a run waits for; it goes on."""
        visitor = visitor_of(request)
        await visits.look(link_code)
        if len(data.outputs) > _OUTPUTS:
            raise InvalidRequest(f"outputs: at most {_OUTPUTS} of them.", field="outputs")
        run = await runs.get(visitor.principal, parse_id(run_id, field="run_id"))
        given = tuple((each.id, each.output) for each in data.outputs)
        resumed = await runs.submit(
            visitor.principal,
            SubmitOutputs(run_id=run.id, conversation_id=run.conversation_id, outputs=given),
        )
        return _shown(resumed)

    @get("/conversations", operation_id="share.list_conversations")
    async def list_conversations(
        self,
        *,
        request: Request[Any, Any, Any],
        visits: NamedDependency[VisitService],
        conversations: NamedDependency[ConversationService],
        link_code: FromPath[str],
    ) -> ShareConversations:
        """List what the visitor talked about here, newest first."""
        visitor = visitor_of(request)
        link = await visits.look(link_code)
        if not link.settings.keeps_history:
            return ShareConversations(items=[])
        found = await conversations.list(
            visitor.principal,
            ConversationQuery(
                agent_id=_agent(link),
                connector_id=link.connector_id,
                end_user_id=visitor.principal.end_user_id,
                page_size=_CONVERSATIONS,
            ),
        )
        return ShareConversations(
            items=[
                ShareConversation(
                    id=str(each.id),
                    name=each.name,
                    created_at=seconds(each.created_at),
                    updated_at=seconds(each.updated_at),
                )
                for each in visits.remembered(found.items)
            ]
        )

    @get("/conversations/{conversation_id:str}/messages", operation_id="share.list_messages")
    async def list_messages(
        self,
        *,
        request: Request[Any, Any, Any],
        visits: NamedDependency[VisitService],
        messages: NamedDependency[MessageService],
        limits: NamedDependency[Limits],
        link_code: FromPath[str],
        conversation_id: FromPath[str],
        cursor: FromQuery[str | None] = None,
        limit: FromQuery[str | None] = None,
    ) -> ShareMessages:
        """List the newest messages of a conversation, oldest of them first."""
        visitor = visitor_of(request)
        link = await visits.look(link_code)
        size = page(None, limit, default=_MESSAGES, maximum=limits.page_size).size
        found = await messages.list(
            visitor.principal,
            parse_id(conversation_id, field="conversation_id"),
            MessageQuery(
                after_id=optional_id(cursor, field="cursor"),
                limit=size,
                is_rated=link.settings.takes_feedback,
            ),
        )
        shown = [
            ShareMessage.of(each, link.settings, found.verdicts.get(each.id))
            for each in reversed(found.items)
        ]
        return ShareMessages(
            items=shown, next_cursor=shown[0].id if found.has_more and shown else None
        )

    @put("/messages/{message_id:str}/feedback", operation_id="share.give_feedback")
    async def give_feedback(
        self,
        *,
        request: Request[Any, Any, Any],
        data: JSONBody[ShareFeedbackBody],
        visits: NamedDependency[VisitService],
        messages: NamedDependency[MessageService],
        link_code: FromPath[str],
        message_id: FromPath[str],
    ) -> None:
        """Say whether an answer helped."""
        visitor = visitor_of(request)
        link = await visits.look(link_code)
        if not link.settings.takes_feedback:
            raise Forbidden("This link takes no feedback.")
        conversation = required_id(data.conversation_id, field="conversation_id")
        message = parse_id(message_id, field="message_id")
        if data.verdict is None:
            await messages.withdraw_feedback(visitor.principal, conversation, message)
            return
        await messages.give_feedback(
            visitor.principal,
            GiveFeedback(
                conversation_id=conversation,
                message_id=message,
                kind=FeedbackKind(data.verdict),
                reasons=tuple(data.reason_types),
                comment=data.comment or "",
            ),
        )

    @post(
        "/files",
        operation_id="share.upload_file",
        operation_class=UploadOperation,
    )
    async def upload(
        self,
        *,
        request: Request[Any, Any, Any],
        visits: NamedDependency[VisitService],
        files: NamedDependency[FileService],
        limits: NamedDependency[Limits],
        link_code: FromPath[str],
        idempotency_key: IdempotencyKey = None,
    ) -> ShareUpload:
        """Store the file of a multipart form for a question, where the link takes files."""
        visitor = visitor_of(request)
        link = await visits.look(link_code)
        if not link.settings.allows_files:
            raise Forbidden("This link takes no files.")
        stored = await receive_file(
            request,
            visitor.principal,
            files,
            limits=limits,
            space_id=link.space_id,
            idempotency_key=idempotency_key,
        )
        return ShareUpload(
            id=str(stored.id),
            name=stored.name,
            media_type=stored.media_type,
            size=stored.size,
            url=stored.url,
        )


def _agent(link: OpenLink) -> int:
    return link.target_id if link.target_kind is TargetKind.AGENT else 0


def _part(file: FileView) -> Part:
    kind = ImagePart if file.media_type.startswith("image/") else FilePart
    return kind(file_id=file.id, name=file.name)


def _shown(run: RunView) -> ShareRun:
    return ShareRun(
        run_id=str(run.id), conversation_id=str(run.conversation_id), status=run.status.value
    )
