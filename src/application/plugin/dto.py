"""Commands and views of plugins, as the admin surface spells them; ids are decimal strings."""

from collections.abc import Iterable
from datetime import datetime
from operator import not_
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType

from application.plugin.common import CommonValues
from application.plugin.source import McpForm
from application.shared.page import Listed, Paged
from application.shared.patch import Patch
from application.shared.projection import After, At, By, Projection
from domain.plugin.value import Auth, AuthType, LastCall, Parameter, PluginKind, ToolDefinition
from domain.shared.ids import parse_id

Format = Literal["openapi", "swagger2", "postman", "curl"]


def seconds(instant: datetime) -> int:
    """Encode an instant."""
    return int(instant.timestamp())


_Text = Annotated[str, By(str)]
_Seconds = Annotated[int, By(seconds)]
_AUTH_NAMES: Final = {"content_type": "authorization_content_type", "is_shared": "shared"}
_TOOL_NAMES: Final = {"is_body_whole": "body_is_whole", "is_disabled": "disabled"}


def _forms(parameters: Iterable[Parameter]) -> tuple["ParameterForm", ...]:
    return tuple(map(ParameterForm.of, parameters))


class ParameterForm(
    Projection,
    of=Parameter,
    without=("is_hidden",),
    absent="default",
    rename={"is_required": "required"},
    omit_defaults=True,
):
    """A parameter, or a property of one or of an answer; of an array the one type of its items."""

    enum: tuple[Any, ...] = ()
    visible: Annotated[bool, At("is_hidden"), By(not_), After("local_default")] = True
    sub_parameters: Annotated[tuple["ParameterForm", ...], By(_forms)] = ()

    def parameter(self) -> Parameter:
        inner = tuple(each.parameter() for each in self.sub_parameters)
        return Parameter(**self.taken() | {"is_hidden": not self.visible, "sub_parameters": inner})


class ToolForm(
    Projection, of=ToolDefinition, without=("pin",), absent="default", rename=_TOOL_NAMES
):
    """What makes a tool; ``workflow_id`` names the workflow of one that is a workflow."""

    name: str

    parameters: Annotated[tuple[ParameterForm, ...], By(_forms)] = ()
    responses: Annotated[tuple[ParameterForm, ...], By(_forms)] = ()
    workflow_id: Annotated[str, By(lambda number: str(number or ""))] = ""

    def definition(self) -> ToolDefinition:
        return ToolDefinition(**_definition(self.taken()))


class ToolPatch(
    Projection,
    of=ToolDefinition,
    without=("pin",),
    absent="unset, never null",
    rename=_TOOL_NAMES,
):
    """Changes of a tool; absent fields stay, lists are replaced as a whole."""

    parameters: tuple[ParameterForm, ...] | UnsetType = UNSET
    responses: tuple[ParameterForm, ...] | UnsetType = UNSET
    workflow_id: str | UnsetType = UNSET

    def patch(self) -> Patch[ToolDefinition]:
        """Return the changes; raise ``InvalidRequest`` for a workflow that is no id."""
        if self.workflow_id is not UNSET:
            parse_id(self.workflow_id, field="workflow_id")
        return Patch(_definition(self.taken()))


def _definition(values: dict[str, Any]) -> dict[str, Any]:
    for name in {"parameters", "responses"} & values.keys():
        values[name] = tuple(each.parameter() for each in values[name])
    if "name" in values:
        values["name"] = values["name"].strip()
    if "method" in values:
        values["method"] = values["method"].upper()
    if wanted := values.pop("workflow_id", ""):
        values["workflow_id"] = parse_id(wanted, field="workflow_id")
    return values


class ToolView(ToolForm, frozen=True, kw_only=True):
    """A tool of the draft; ``debugged``: it worked since its last change."""

    id: str
    plugin_id: str
    debugged: bool
    input_schema: dict[str, Any]
    """What a model sees of the parameters."""
    server_tool: str
    """Name of the tool at its MCP server."""


class ToolPage(Listed[ToolView]):
    """All tools of a draft."""


class CreatePlugin(msgspec.Struct, frozen=True, kw_only=True):
    """A plugin; ``mcp`` counts for the type of that name only.

    ``tools`` are those it begins with, as a review gave them or as they were changed after it.
    """

    name: str
    description: str = ""
    type: PluginKind = PluginKind.HTTP
    server_url: str = ""
    mcp: McpForm = McpForm()
    icon_file_id: str | int | None = None
    app_id: str | int | None = None
    common_params: CommonValues = CommonValues()
    tools: tuple[ToolForm, ...] = ()


class ImportManifest(msgspec.Struct, frozen=True, kw_only=True):
    """What wins over the document."""

    name: str = ""
    description: str = ""
    server_url: str = ""


class PluginDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A document: as a text, or OpenAPI as the object it is."""

    openapi: str | dict[str, Any] | None = None
    data: str | dict[str, Any] | None = None
    format: Format = "openapi"
    manifest: ImportManifest = ImportManifest()


class ImportPlugin(PluginDocument, frozen=True, kw_only=True):
    """A document that becomes a plugin."""

    icon_file_id: str | int | None = None


class ReviewPlugin(PluginDocument, frozen=True, kw_only=True):
    """A document to be looked at; ``url`` is where it is fetched, instead of the text itself."""

    url: str = ""


class UpdatePlugin(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a draft; a new ``server_url`` takes the credentials away."""

    name: str | UnsetType = UNSET
    description: str | UnsetType | None = UNSET
    icon_file_id: str | int | UnsetType | None = UNSET
    server_url: str | UnsetType = UNSET
    mcp: McpForm | UnsetType = UNSET
    common_params: CommonValues | UnsetType | None = UNSET
    sends_identity: bool | UnsetType = UNSET
    groups: tuple[str, ...] | UnsetType = UNSET
    """Ids of the groups whose members may use the tools; none opens them to everybody."""


class SetAuth(Projection, of=Auth, absent="default", rename=_AUTH_NAMES):
    """How calls prove who they are; ``token`` and ``client_secret`` are never shown again."""

    type: AuthType
    token: Annotated[str, After("key")] = ""
    client_secret: Annotated[str, After("client_id")] = ""

    def auth(self) -> Auth:
        return Auth(**self.taken())


class AuthView(Projection, of=Auth, rename=_AUTH_NAMES):
    """The authentication without its secrets; ``credential`` is their hint, empty for none."""

    credential: str


class LastCallView(Projection, of=LastCall, only=("tool", "duration_ms")):
    """How the newest call went that reached the service, of the draft or of any version."""

    at: _Seconds
    success: Annotated[bool, At("has_worked")]
    status: int
    """Of the service's answer over HTTP; 0 without one."""


class PluginView(Projection):
    """A plugin without its tools."""

    id: _Text
    workspace_id: Annotated[str, At("space_id"), By(str)]
    creator_id: _Text
    name: str
    description: str
    type: Annotated[str, At("manifest.kind")]
    icon_file_id: Annotated[str | None, By(lambda id_: None if id_ is None else str(id_))]
    app_id: _Text
    server_url: Annotated[str, At("manifest.server_url")]
    mcp: McpForm | None
    common_params: Annotated[CommonValues, At("manifest"), By(CommonValues.of)]
    sends_identity: Annotated[bool, At("manifest.sends_identity")]
    groups: Annotated[tuple[str, ...], By(lambda ids: tuple(map(str, ids)))]
    """Ids of the groups whose members may use the tools; none: everybody."""
    auth: AuthView
    status: Literal["draft", "published"]
    published_version: Annotated[str, At("latest_version")]
    is_draft_changed: bool
    tool_count: int
    agent_count: int
    """Agents whose drafts are bound to it; 0 for who may not read agents."""
    last_call: LastCallView | None
    """A call of the last seconds may be missing; null before the first one."""
    revision: int
    created_at: _Seconds
    updated_at: _Seconds


class PluginPage(Paged[PluginView]):
    """One page of plugins, newest first."""


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


class PluginReview(msgspec.Struct, frozen=True, kw_only=True):
    """What would come of a document; nothing of it is stored.

    ``auth_hint`` is what the document says of keys.
    """

    name: str
    description: str
    server_url: str
    tools: tuple[ToolForm, ...]
    problems: tuple[ImportProblem, ...]
    auth_hint: str


class DebugReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a test call went; credentials are masked."""

    success: bool
    reason: str
    status: int
    duration_ms: int
    response: dict[str, Any] | None
    text: str
    """The answer as a model reads it, cut where it is too long."""
    raw_request: dict[str, Any]
    raw_response: str
    inferred_response_schema: dict[str, Any] | None
    authorize_url: str


class PluginVersionView(Projection):
    """One version."""

    version_name: Annotated[str, At("label")]
    version_desc: Annotated[str, At("note")]
    creator_id: _Text
    tool_count: int
    created_at: _Seconds


class PluginVersionPage(Paged[PluginVersionView]):
    """One page of versions, newest first."""


class ToolChange(msgspec.Struct, frozen=True, kw_only=True):
    """How a tool of the draft differs from the newest version."""

    tool_id: str
    name: str
    change: str


class ChangeList(Listed[ToolChange]):
    """What publishing would change."""


class GrantView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a user gave access, else where to do so."""

    authorized: bool
    authorize_url: str


class HostList(msgspec.Struct, frozen=True, kw_only=True):
    """Hosts that plugins of the workspace may call; none named means all public ones."""

    hosts: tuple[str, ...]
