"""What clients send to make, import and publish workflows."""

import asyncio
import sys
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Request
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from msgspec import UNSET, UnsetType

from api.body.multipart import open_upload
from api.body.shape import BodyShape
from api.shape import Fields, IdOrNone, Shape
from api.wire import WireId, optional_id
from application.shared.projection import After
from application.workflow.definition.dto import (
    ChatflowRole,
    IdMapping,
    RoleOnboarding,
    RoleSuggestions,
    WorkflowLimits,
    WorkflowMode,
)
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.limits import Limits
from domain.shared.settlement import TraceLevel
from domain.shared.text.json_scan import JsonBounds, check_json

_WRAPPER_LEVELS: Final = 8
"""Nesting that a request may put around a canvas."""

_ROLE_NAMES: Final = {"suggestions": "suggest_reply"}
_ANY_JSON: Final = BodyShape(msgspec.Raw)
"""Checks the spelling and makes no objects."""

Mode = Literal[0, 3]


class CreateWorkflowBody(msgspec.Struct, frozen=True, kw_only=True):
    """A new draft; ``mode`` 0 is a workflow, 3 a chat flow."""

    name: str
    description: str = ""
    icon_file_id: WireId | None = None
    mode: Mode = 0
    app_id: WireId | None = None


class UpdateWorkflowBody(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON merge patch."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: WireId | UnsetType | None = UNSET
    trace_capture: TraceLevel | UnsetType | None = UNSET


class ImportWorkflowBody(msgspec.Struct, frozen=True, kw_only=True):
    """What a request for an import says beside the canvas; the rest comes from the export."""

    name: str | None = None
    description: str | None = None
    icon_file_id: WireId | None = None
    mode: Mode | None = None
    app_id: WireId | None = None
    mapping: IdMapping | None = None


class ReviewedFileBody(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may be imported: its name, and what is in it."""

    name: str = ""
    text: str


class ReviewWorkflowsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Files to look at together, with what is to stand for ids in them."""

    canvases: list[ReviewedFileBody]
    mapping: IdMapping | None = None
    app_id: WireId | None = None


class CopyWorkflowBody(msgspec.Struct, frozen=True, kw_only=True):
    """Name and workspace of the copy; both may be left to the original."""

    name: str | None = None
    workspace_id: WireId | None = None


class DeleteWorkflowsBody(msgspec.Struct, frozen=True, kw_only=True):
    """Workflows to delete, all or none; ``force`` also those that others call."""

    workflow_ids: list[WireId]
    force: bool = False


class PublishWorkflowBody(msgspec.Struct, frozen=True, kw_only=True):
    """A version like ``v1.2.0``, by default the next one; ``force`` needs no test run."""

    version: str | None = None
    description: str | None = None
    force: bool = False
    commit_id: str | None = None


class OnboardingFields(
    Fields, of=RoleOnboarding, rename={"shows_all_suggestions": "display_all_suggestions"}
):
    """What a new conversation begins with."""

    suggested_questions: tuple[str, ...] = ()


class ChatflowSuggestFields(Fields, of=RoleSuggestions):
    """Whether questions are suggested after an answer, and by which instruction."""


class RoleBody(Fields, of=ChatflowRole, rename=_ROLE_NAMES):
    """The whole role of a chat flow; what is left out becomes empty."""

    avatar_file_id: WireId | None = None
    onboarding: OnboardingFields = OnboardingFields()
    suggestions: ChatflowSuggestFields = ChatflowSuggestFields()

    def role(self) -> ChatflowRole:
        """Translate; raise ``InvalidRequest`` for what is no file."""
        avatar = optional_id(self.avatar_file_id, field="avatar_file_id")
        role: ChatflowRole = self.value("")
        return msgspec.structs.replace(role, avatar_file_id=avatar)


class AdminRole(Shape, of=ChatflowRole, rename=_ROLE_NAMES):
    """The role of a chat flow; everything is empty if it has none."""

    avatar_file_id: IdOrNone
    avatar_url: Annotated[str, After("avatar_file_id")]
    onboarding: OnboardingFields
    suggestions: ChatflowSuggestFields


@dataclass
class CanvasOperation(Operation):
    """Describes a body that is, or holds, a canvas."""

    def __post_init__(self) -> None:
        self.request_body = _canvas_body({}, is_required=True)


@dataclass
class OptionalCanvasOperation(Operation):
    """The same, where the stored draft stands in for a missing one."""

    def __post_init__(self) -> None:
        self.request_body = _canvas_body({}, is_required=False)


@dataclass
class ImportOperation(Operation):
    """Describes the body of an import: JSON, or a form with a file."""

    def __post_init__(self) -> None:
        text = Schema(type=OpenAPIType.STRING)
        ids = Schema(type=OpenAPIType.OBJECT, additional_properties=text)
        tables = Schema(type=OpenAPIType.OBJECT, additional_properties=ids)
        extra = {
            "name": text,
            "description": text,
            "icon_file_id": text,
            "mode": Schema(type=OpenAPIType.INTEGER, enum=[0, 3]),
            "app_id": text,
            "mapping": tables,
        }
        self.request_body = _canvas_body(extra, is_required=True)


def mode_of(mode: Mode) -> WorkflowMode:
    """Translate the number of the wire."""
    return WorkflowMode(mode)


async def json_text(request: Request[Any, Any, Any], limits: WorkflowLimits) -> str:
    """Read a JSON body to the character; empty if there is none.

    Raises:
        InvalidRequest: malformed, not UTF-8, or nested beyond any canvas.
    """
    body = await request.body()
    if not body or body.isspace():
        return ""
    bounds = JsonBounds(limits.json_depth + _WRAPPER_LEVELS, sys.maxsize)  # values are counted
    return await asyncio.to_thread(_checked_text, body, bounds)


def _checked_text(body: bytes, bounds: JsonBounds) -> str:
    check_json(body, bounds)
    try:
        text = body.decode()
    except UnicodeDecodeError as exc:
        raise InvalidRequest("The body is not valid UTF-8.") from exc
    _ANY_JSON.decode(body)
    return text


async def file_text(
    request: Request[Any, Any, Any], *, limits: Limits, workflow_limits: WorkflowLimits
) -> tuple[str, str]:
    """Read the file of a form; return its text and its name.

    Raises:
        RequestTooLarge: longer than a canvas may be.
        InvalidRequest: the form is broken, or the file is no UTF-8 text.
    """
    upload = await open_upload(request, limits=limits)
    limit = workflow_limits.canvas_bytes or limits.upload_bytes
    received = bytearray()
    async for chunk in upload:
        received += chunk
        if len(received) > limit:
            raise RequestTooLarge(f"file: a canvas may have {limit} bytes at most.", field="file")
    try:
        return received.decode("utf-8-sig"), upload.name
    except UnicodeDecodeError as exc:
        raise InvalidRequest("file: a UTF-8 text with JSON is needed.", field="file") from exc


def _canvas_body(extra: dict[str, Schema], *, is_required: bool) -> RequestBody:
    canvas = Schema(
        description="The canvas as exported: an object, or its text.",
        one_of=[Schema(type=OpenAPIType.OBJECT), Schema(type=OpenAPIType.STRING)],
    )
    schema = Schema(
        type=OpenAPIType.OBJECT,
        description="A canvas, bare or under ``schema``.",
        properties={"schema": canvas, **extra},
    )
    return RequestBody(
        content={"application/json": OpenAPIMediaType(schema=schema)}, required=is_required
    )
