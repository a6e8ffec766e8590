"""What plugins and tools consist of: immutable values, stored as JSON in drafts and versions."""

from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Any, Final, NewType

import msgspec

PluginId = NewType("PluginId", int)
ToolId = NewType("ToolId", int)
PluginVersionId = NewType("PluginVersionId", int)
GrantId = NewType("GrantId", int)

BODY_KEY: Final = "body"
"""Argument that is the whole body, where the body is no object."""

DATA_KEY: Final = "data"
"""Where results that are no object are found in the output."""


class PluginKind(StrEnum):
    """What stands behind the tools of a plugin."""

    HTTP = "http"
    """A service whose operations are called over HTTP."""
    MCP = "mcp"
    """A server of the Model Context Protocol."""
    LOCAL = "local"
    """The client itself: it gets the calls and submits their outputs."""
    WORKFLOW = "workflow"
    """Published workflows of the same workspace."""


class ValueType(IntEnum):
    """Types of parameters; the numbers are those of the wire."""

    STRING = 1
    INTEGER = 2
    NUMBER = 3
    OBJECT = 4
    ARRAY = 5
    BOOLEAN = 6


class Location(StrEnum):
    """Where a parameter travels."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    BODY = "body"


class BodyMedia(StrEnum):
    """How the body is written."""

    JSON = "application/json"
    FORM = "application/x-www-form-urlencoded"
    MULTIPART = "multipart/form-data"
    BINARY = "application/octet-stream"
    """The body is a file, whatever its media type."""


class ResponseKind(StrEnum):
    """What a successful answer is; texts and lists become ``data`` of the output."""

    OBJECT = "object"
    VALUE = "value"
    TEXT = "text"


class ResponsePolicy(StrEnum):
    """What becomes of an answer."""

    DECLARED = "declared"
    """Only declared properties are kept; without a declaration everything is."""
    RAW = "raw"
    STRICT = "strict"
    """An answer that misses a required property is an error."""


class Effect(StrEnum):
    """What a call changes outside."""

    READ = "read"
    WRITE = "external_write"
    IRREVERSIBLE = "irreversible"


class Parameter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parameter, a property of one, or a property of an answer.

    ``alias`` is the name of the argument where ``name`` is taken by another location. Callers
    cannot set a hidden one; it has its default. ``local_default`` is the builder's and wins over
    the document's ``default``. Of an array ``sub_parameters`` holds the type of its items.
    """

    name: str
    description: str = ""
    type: ValueType = ValueType.STRING
    location: Location = Location.BODY
    is_required: bool = False
    default: Any = None
    local_default: Any = None
    is_hidden: bool = False
    sub_parameters: tuple["Parameter", ...] = ()
    enum: tuple[Any, ...] = ()
    assist_type: str = ""
    """What kind of file a text names: image, doc, code and so on."""
    style: str = ""
    explode: bool | None = None
    alias: str = ""

    @property
    def key(self) -> str:
        """Name of the argument."""
        return self.alias or self.name

    @property
    def preset(self) -> Any:
        """Value without an argument."""
        return self.default if self.local_default is None else self.local_default


class McpPin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool of an MCP server as somebody looked at it and accepted it.

    ``digest`` is the fingerprint of all the other fields as the server sent them.
    """

    name: str
    digest: str
    title: str = ""
    description: str = ""
    schema: dict[str, Any] = {}


class ToolDefinition(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One operation of a service.

    ``pin`` is set for tools of MCP servers, ``workflow_id`` for those that are workflows; method,
    path and body then mean nothing.
    """

    name: str
    description: str = ""
    method: str = "GET"
    path: str = "/"
    parameters: tuple[Parameter, ...] = ()
    responses: tuple[Parameter, ...] = ()
    response_kind: ResponseKind = ResponseKind.OBJECT
    response_policy: ResponsePolicy = ResponsePolicy.DECLARED
    body_media: BodyMedia = BodyMedia.JSON
    is_body_whole: bool = False
    """The argument ``body`` is the body itself."""
    is_disabled: bool = False
    effect: Effect = Effect.READ
    needs_approval: bool = False
    returns_directly: bool = False
    pin: McpPin | None = None
    workflow_id: int = 0
    example: Any = None

    @property
    def is_idempotent(self) -> bool:
        """Calling again changes nothing more."""
        return self.method in {"GET", "HEAD"}


class LastCall(msgspec.Struct, frozen=True, kw_only=True):
    """How the newest call of a plugin went; nothing of what was asked and answered is kept.

    ``status`` is what the service answered with over HTTP, 0 without such an answer.
    """

    at: datetime
    tool: str
    has_worked: bool
    status: int
    duration_ms: int


class CommonParameter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A constant sent with every call; the value of a secret one lies with the credentials."""

    name: str
    location: Location
    value: str = ""
    is_secret: bool = False

    @property
    def secret_name(self) -> str:
        """Name of its value among the credentials."""
        return f"common:{self.location}:{self.name}"


class AuthType(StrEnum):
    """How calls prove who they are."""

    NONE = "none"
    SERVICE = "service"
    CLIENT_CREDENTIALS = "oauth_client_credentials"
    AUTHORIZATION_CODE = "oauth_authorization_code"


class Auth(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Public part of the authentication.

    ``key`` names the header or query parameter of a service token. ``client_url`` is where the
    provider is asked for tokens. ``is_shared``: one grant serves the whole space.
    """

    type: AuthType = AuthType.NONE
    location: Location = Location.HEADER
    key: str = "Authorization"
    client_id: str = ""
    client_url: str = ""
    authorization_url: str = ""
    content_type: str = BodyMedia.FORM.value
    scope: str = ""
    is_shared: bool = False


SECRET_TOKEN: Final = "service_token"  # noqa: S105 - names of secrets, no secrets
SECRET_CLIENT: Final = "client_secret"  # noqa: S105


class McpTransport(StrEnum):
    """How the server at an address is talked to."""

    AUTO = "auto"
    STREAMABLE = "streamable_http"
    EVENTS = "sse"


class McpSource(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An MCP server: at the plugin's address, or a program that the operator lists.

    ``call_s`` is the longest silence of a call in seconds; 0 means the deployment's limit.
    """

    program: str = ""
    transport: McpTransport = McpTransport.AUTO
    call_s: float = 0.0


class Manifest(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What all tools of a plugin share. ``sends_identity``: who calls is told in headers."""

    kind: PluginKind = PluginKind.HTTP
    server_url: str = ""
    mcp: McpSource = McpSource()
    common_parameters: tuple[CommonParameter, ...] = ()
    auth: Auth = Auth()
    sends_identity: bool = True

    @property
    def is_complete(self) -> bool:
        """What its tools need to be called is known."""
        return bool(self.server_url or self.mcp.program) or not self.can_be_tried

    @property
    def can_be_tried(self) -> bool:
        """Tools can be called without an agent."""
        return self.kind not in {PluginKind.LOCAL, PluginKind.WORKFLOW}
