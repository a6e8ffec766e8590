"""Commands and views of plugins, as the admin surface spells them; ids are decimal strings."""

from datetime import datetime
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from application.plugin.common import CommonValues
from application.plugin.source import McpForm
from domain.plugin.value import (
    Auth,
    AuthType,
    BodyMedia,
    Effect,
    Location,
    Parameter,
    PluginKind,
    ResponseKind,
    ResponsePolicy,
    ToolDefinition,
    ValueType,
)
from domain.shared.ids import parse_id

Format = Literal["openapi", "swagger2", "postman", "curl"]


class ParameterForm(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parameter, or a property of one or of an answer; of an array the one type of its items."""

    name: str
    description: str = ""
    type: ValueType = ValueType.STRING
    location: Location = Location.BODY
    required: bool = False
    default: Any = None
    local_default: Any = None
    visible: bool = True
    sub_parameters: tuple["ParameterForm", ...] = ()
    enum: tuple[Any, ...] = ()
    assist_type: str = ""
    style: str = ""
    explode: bool | None = None
    alias: str = ""

    def parameter(self) -> Parameter:
        return Parameter(
            name=self.name,
            description=self.description,
            type=self.type,
            location=self.location,
            is_required=self.required,
            default=self.default,
            local_default=self.local_default,
            is_hidden=not self.visible,
            sub_parameters=tuple(each.parameter() for each in self.sub_parameters),
            enum=self.enum,
            assist_type=self.assist_type,
            style=self.style,
            explode=self.explode,
            alias=self.alias,
        )

    @classmethod
    def of(cls, parameter: Parameter) -> "ParameterForm":
        return cls(
            name=parameter.name,
            description=parameter.description,
            type=parameter.type,
            location=parameter.location,
            required=parameter.is_required,
            default=parameter.default,
            local_default=parameter.local_default,
            visible=not parameter.is_hidden,
            sub_parameters=tuple(cls.of(each) for each in parameter.sub_parameters),
            enum=parameter.enum,
            assist_type=parameter.assist_type,
            style=parameter.style,
            explode=parameter.explode,
            alias=parameter.alias,
        )


class ToolForm(msgspec.Struct, frozen=True, kw_only=True):
    """What makes a tool; ``workflow_id`` names the workflow of one that is a workflow."""

    name: str
    description: str = ""
    method: str = "GET"
    path: str = "/"
    parameters: tuple[ParameterForm, ...] = ()
    responses: tuple[ParameterForm, ...] = ()
    response_kind: ResponseKind = ResponseKind.OBJECT
    response_policy: ResponsePolicy = ResponsePolicy.DECLARED
    body_media: BodyMedia = BodyMedia.JSON
    body_is_whole: bool = False
    disabled: bool = False
    effect: Effect = Effect.READ
    needs_approval: bool = False
    returns_directly: bool = False
    workflow_id: str = ""
    example: Any = None

    def definition(self) -> ToolDefinition:
        return ToolDefinition(
            name=self.name.strip(),
            description=self.description,
            method=self.method.upper(),
            path=self.path,
            parameters=tuple(each.parameter() for each in self.parameters),
            responses=tuple(each.parameter() for each in self.responses),
            response_kind=self.response_kind,
            response_policy=self.response_policy,
            body_media=self.body_media,
            is_body_whole=self.body_is_whole,
            is_disabled=self.disabled,
            effect=self.effect,
            needs_approval=self.needs_approval,
            returns_directly=self.returns_directly,
            workflow_id=parse_id(self.workflow_id, field="workflow_id") if self.workflow_id else 0,
            example=self.example,
        )


class ToolPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a tool; absent fields stay, lists are replaced as a whole."""

    name: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    method: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    parameters: tuple[ParameterForm, ...] | UnsetType = UNSET
    responses: tuple[ParameterForm, ...] | UnsetType = UNSET
    response_kind: ResponseKind | UnsetType = UNSET
    response_policy: ResponsePolicy | UnsetType = UNSET
    body_media: BodyMedia | UnsetType = UNSET
    body_is_whole: bool | UnsetType = UNSET
    disabled: bool | UnsetType = UNSET
    effect: Effect | UnsetType = UNSET
    needs_approval: bool | UnsetType = UNSET
    returns_directly: bool | UnsetType = UNSET
    workflow_id: str | UnsetType = UNSET


class ToolView(ToolForm, frozen=True, kw_only=True):
    """A tool of the draft; ``debugged``: it worked since its last change."""

    id: str
    plugin_id: str
    debugged: bool
    input_schema: dict[str, Any]
    """What a model sees of the parameters."""
    server_tool: str
    """Name of the tool at its MCP server."""


class ToolPage(msgspec.Struct, frozen=True, kw_only=True):
    """All tools of a draft."""

    items: tuple[ToolView, ...]
    total: int


class CreatePlugin(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin without tools; ``mcp`` counts for the type of that name only."""

    name: str
    description: str = ""
    type: PluginKind = PluginKind.HTTP
    server_url: str = ""
    mcp: McpForm = McpForm()
    icon_file_id: str | int | None = None
    app_id: str | int | None = None
    common_params: CommonValues = CommonValues()


class ImportManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What wins over the document."""

    name: str = ""
    description: str = ""
    server_url: str = ""


class ImportPlugin(msgspec.Struct, frozen=True, kw_only=True):
    """A document: as a text, or OpenAPI as the object it is."""

    openapi: str | dict[str, Any] | None = None
    data: str | dict[str, Any] | None = None
    format: Format = "openapi"
    manifest: ImportManifest = ImportManifest()
    icon_file_id: str | int | None = None


class UpdatePlugin(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a draft; a new ``server_url`` takes the credentials away."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: str | int | UnsetType | None = UNSET
    server_url: str | UnsetType = UNSET
    mcp: McpForm | UnsetType = UNSET
    common_params: CommonValues | UnsetType | None = UNSET
    sends_identity: bool | UnsetType = UNSET


class SetAuth(msgspec.Struct, frozen=True, kw_only=True):
    """How calls prove who they are; ``token`` and ``client_secret`` are never shown again."""

    type: AuthType
    location: Location = Location.HEADER
    key: str = "Authorization"
    token: str = ""
    client_id: str = ""
    client_secret: str = ""
    client_url: str = ""
    authorization_url: str = ""
    authorization_content_type: str = BodyMedia.FORM.value
    scope: str = ""
    shared: bool = False

    def auth(self) -> Auth:
        return Auth(
            type=self.type,
            location=self.location,
            key=self.key,
            client_id=self.client_id,
            client_url=self.client_url,
            authorization_url=self.authorization_url,
            content_type=self.authorization_content_type,
            scope=self.scope,
            is_shared=self.shared,
        )


class AuthView(msgspec.Struct, frozen=True, kw_only=True):
    """The authentication without its secrets; ``credential`` is their hint, empty for none."""

    type: AuthType
    location: Location
    key: str
    client_id: str
    client_url: str
    authorization_url: str
    authorization_content_type: str
    scope: str
    shared: bool
    credential: str


class PluginView(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin without its tools."""

    id: str
    workspace_id: str
    creator_id: str
    name: str
    description: str
    type: str
    icon_file_id: str | None
    app_id: str
    server_url: str
    mcp: McpForm | None
    common_params: CommonValues
    sends_identity: bool
    auth: AuthView
    status: Literal["draft", "published"]
    published_version: str
    is_draft_changed: bool
    tool_count: int
    revision: int
    created_at: int
    updated_at: int


class PluginPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of plugins, newest first."""

    items: tuple[PluginView, ...]
    total: int
    next_cursor: str | None


class ImportProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a document that was left out."""

    path: str
    message: str


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """The plugin that came of a document; ``auth_hint`` is what the document says of keys."""

    plugin: PluginView
    tools: tuple[ToolView, ...]
    problems: tuple[ImportProblem, ...]
    auth_hint: str


class DebugReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a test call went; credentials are masked."""

    success: bool
    reason: str
    status: int
    duration_ms: int
    response: dict[str, Any] | None
    raw_request: dict[str, Any]
    raw_response: str
    inferred_response_schema: dict[str, Any] | None
    authorize_url: str


class PluginVersionView(msgspec.Struct, frozen=True, kw_only=True):
    """One version."""

    version_name: str
    version_desc: str
    creator_id: str
    tool_count: int
    created_at: int


class PluginVersionPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of versions, newest first."""

    items: tuple[PluginVersionView, ...]
    total: int
    next_cursor: str | None


class ToolChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a tool of the draft differs from the newest version."""

    tool_id: str
    name: str
    change: str


class ChangeList(msgspec.Struct, frozen=True, kw_only=True):
    """What publishing would change."""

    items: tuple[ToolChange, ...]
    total: int


class GrantView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a user gave access, else where to do so."""

    authorized: bool
    authorize_url: str


class HostList(msgspec.Struct, frozen=True, kw_only=True):
    """Hosts that plugins of the workspace may call; none named means all public ones."""

    hosts: tuple[str, ...]


def seconds(instant: datetime) -> int:
    """Encode an instant."""
    return int(instant.timestamp())
