"""HTTP: one request to a server outside."""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.graph import (
    Expr,
    GlobalKind,
    GlobalVariable,
    Node,
    NodeConfig,
    Slot,
    Template,
)
from domain.workflow.json_quote import open_quote
from domain.workflow.node import NODE_TYPES, Check, NodeType, config_of
from domain.workflow.node.outside import Outside
from domain.workflow.template import Variable, parse_path, scan
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import ANY, INTEGER, STRING

Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
BodyKind = Literal["empty", "json", "text", "form_data", "form_urlencoded", "binary"]

_METHODS: Final[Mapping[str, Method]] = {
    "GET": "GET",
    "POST": "POST",
    "PUT": "PUT",
    "PATCH": "PATCH",
    "DELETE": "DELETE",
    "HEAD": "HEAD",
}
_BODIES: Final[Mapping[str, BodyKind]] = {
    "EMPTY": "empty",
    "JSON": "json",
    "RAW_TEXT": "text",
    "FORM_DATA": "form_data",
    "FORM_URLENCODED": "form_urlencoded",
    "BINARY": "binary",
}
_NODE: Final = re.compile(r"block_output_([^.\[\]]+)(?:\.(.+))?", re.DOTALL)
_GLOBAL: Final = re.compile(r'global_variable_(app|user|system)\["([^"]*)"\]\.?(.*)', re.DOTALL)


IDEMPOTENCY_KEY: Final = "Idempotency-Key"
_SECRET_NAME: Final = re.compile(
    r"auth|cookie|token|secret|passw|signature|credential|session|(?:api|access).?key"
    r"|(?:^|[-_.])(?:key|sig|pwd)$",
    re.IGNORECASE,
)
"""Names of headers and parameters that carry credentials, as far as names tell."""


def is_secret_name(name: str) -> bool:
    """Tell whether a header or parameter of this name carries a credential."""
    return _SECRET_NAME.search(name) is not None


class NamedInput(msgspec.Struct, frozen=True, kw_only=True):
    """A header, query parameter or form field; ``value`` names an input."""

    name: str
    value: str


class NamedText(msgspec.Struct, frozen=True, kw_only=True):
    """The same where name and value are put together from inputs."""

    name: Template
    value: Template


class SelectedOutput(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the reply as an output; ``path`` is a JSONPath.

    ``is_list``: the path can lead to many values, so the output is all of them.
    """

    name: str
    path: str
    is_list: bool = False


class ParsedReply(msgspec.Struct, frozen=True, kw_only=True):
    """A reply that is read as JSON; ``whole`` names the output with all of it."""

    whole: str
    selected: tuple[SelectedOutput, ...] = ()
    answer: str = ""
    """Member of the reply that is a message, if it is a text."""
    keeps_failures: bool = False
    """A request that fails leaves its reason in the outputs, and the node is done."""


class HttpAuth(msgspec.Struct, frozen=True, kw_only=True):
    """A credential sent along; a bearer token is a header ``Authorization``."""

    place: Literal["header", "query"]
    name: str
    """Name of the input with the key; empty for ``Authorization``."""
    value: str
    is_bearer: bool = False


class HttpConfig(NodeConfig, frozen=True, kw_only=True):
    """``text`` is the body of the kinds ``json`` and ``text``; ``fields`` that of forms."""

    method: Method
    url: Template
    params: tuple[NamedInput | NamedText, ...] = ()
    headers: tuple[NamedInput | NamedText, ...] = ()
    auth: HttpAuth | None = None
    body: BodyKind = "empty"
    content_type: str = ""
    """Empty for the usual one of the kind of body."""
    text: Template = Template()
    is_lenient: bool = False
    """The text is JSON5 once values are in it; texts outside of quotes get some where needed."""
    fields: tuple[NamedInput | NamedText, ...] = ()
    file: str = ""
    """Name of the input with the file of a binary body."""
    timeout_s: float = 0.0
    """0 for the limit of the deployment."""
    retries: int = 0
    reply: ParsedReply | None = None


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    inputs = reader.inputs
    method = inputs["apiInfo"]["method"].text("GET").upper()
    if method not in _METHODS:
        reader.report("WF402", inputs["apiInfo"]["method"], f"Unknown method {method[:20]!r}.")
    reader.require(inputs["apiInfo"]["url"], "The address", code="WF445")
    kind = inputs["body"]["bodyType"].text("EMPTY") or "EMPTY"
    if kind not in _BODIES:
        reader.report("WF402", inputs["body"]["bodyType"], f"Unknown body {kind[:20]!r}.")
    body = _BODIES.get(kind, "empty")
    timeout = inputs["setting"]["timeout"].number()
    params = _named(reader, inputs["params"], "param")
    headers = _named(reader, inputs["headers"], "header")
    auth = _auth(reader, inputs["auth"])
    fields = _body_fields(reader, body, inputs["body"]["bodyData"])
    named = [each.value for each in (*params, *headers, *fields) if is_secret_name(each.name)]
    reader.secrets = (*named, *((auth.value,) if auth is not None else ()))
    reader.effects = "read" if method in {"GET", "HEAD"} else "write"
    return HttpConfig(
        method=_METHODS.get(method, "GET"),
        url=_text(reader, inputs["apiInfo"]["url"], field="url"),
        params=params,
        headers=headers,
        auth=auth,
        body=body,
        text=_body_text(reader, body, inputs["body"]["bodyData"]),
        fields=fields,
        file=_body_file(reader, body, inputs["body"]["bodyData"]),
        timeout_s=max(float(timeout or 0), 0.0),
        retries=max(inputs["setting"]["retryTimes"].integer(), 0),
    )


def _named(reader: NodeReader, cursor: Cursor, prefix: str) -> tuple[NamedInput, ...]:
    found = []
    for number, parameter in enumerate(cursor):
        name = parameter["name"].text().strip()
        value = reader.bind(f"${prefix}.{number}", parameter["input"]) if name else ""
        if value:
            found.append(NamedInput(name=name, value=value))
    return tuple(found)


def _auth(reader: NodeReader, cursor: Cursor) -> HttpAuth | None:
    if not cursor["authOpen"].flag():
        return None
    data = cursor["authData"]
    if cursor["authType"].text() == "BEARER_AUTH":
        tokens = _named(reader, data["bearerTokenData"], "token")
        if not tokens:
            reader.report("WF401", data["bearerTokenData"], "The token is missing.")
            return None
        return HttpAuth(place="header", name="", value=tokens[0].value, is_bearer=True)
    custom = data["customData"]
    bound = {
        parameter["name"].text(): reader.bind(f"$auth.{number}", parameter["input"])
        for number, parameter in enumerate(custom["data"])
    }
    if not bound.get("Key") or not bound.get("Value"):
        reader.report("WF401", custom["data"], "Key or value of the credential is missing.")
        return None
    place = "query" if custom["addTo"].text() == "query" else "header"
    return HttpAuth(
        place="query" if place == "query" else "header", name=bound["Key"], value=bound["Value"]
    )


def _body_text(reader: NodeReader, body: BodyKind, data: Cursor) -> Template:
    if body == "json":
        return _text(reader, data["json"], field="text", is_json=True)
    if body == "text":
        return _text(reader, data["rawText"], field="text")
    return Template()


def _body_fields(reader: NodeReader, body: BodyKind, data: Cursor) -> tuple[NamedInput, ...]:
    if body == "form_data":
        return _named(reader, data["formData"]["data"], "field")
    if body == "form_urlencoded":
        return _named(reader, data["formURLEncoded"], "field")
    return ()


def _body_file(reader: NodeReader, body: BodyKind, data: Cursor) -> str:
    if body != "binary":
        return ""
    file = reader.bind("$file", data["binary"]["fileURL"], is_optional=True)
    if not file:
        reader.report("WF401", data["binary"]["fileURL"], "The file to send is missing.")
    return file


def _text(reader: NodeReader, cursor: Cursor, *, field: str, is_json: bool = False) -> Template:
    """Compile a text whose variables name nodes and globals; each becomes an input."""
    reader.mark(field, cursor)
    parts: list[str | Slot] = []
    quote = ""
    for piece in scan(cursor.text()):
        expr = _expression(reader, piece.inner) if isinstance(piece, Variable) else None
        if isinstance(piece, str) or expr is None:
            text = piece if isinstance(piece, str) else piece.raw
            quote = open_quote(text, quote) if is_json else ""
            parts.append(text)
            if isinstance(piece, Variable):
                reader.report("WF207", cursor, f"The text names {piece.inner[:80]!r}.")
        else:
            name = reader.bind_expression("text", expr, ANY, cursor)
            parts.append(Slot(name, (), piece.raw, bool(quote)))
    return Template(tuple(parts))


def _expression(reader: NodeReader, inner: str) -> Expr | None:
    match = _NODE.fullmatch(inner)
    if match is not None:
        path = parse_path(match[2]) if match[2] else ()
        return None if path is None else reader.reference(match[1], path)
    match = _GLOBAL.fullmatch(inner)
    if match is None:
        return None
    rest = parse_path(match[3]) if match[3] else ()
    return None if rest is None else GlobalVariable(GlobalKind(match[1]), (match[2], *rest))


def _check(node: Node, check: Check) -> None:
    config = config_of(node, HttpConfig)
    first = config.url.parts[0] if config.url.parts else ""
    if isinstance(first, str) and first.strip():
        address = first.strip().lower()
        is_open = address.startswith("{{")
        if not is_open and not address.startswith(("http://", "https://")):
            check.add("WF445", node, "The address is not http or https.", at="url")
    if config.body == "json" and not config.is_lenient and not _is_json(config.text):
        check.add("WF445", node, "The body is not JSON with sample values put in.", at="text")


def _is_json(template: Template) -> bool:
    sample = "".join(
        part if isinstance(part, str) else ("x" if part.is_quoted else "0")
        for part in template.parts
    )
    try:
        decode_json(sample or "null")
    except BrokenJson:
        return False
    return True


def _outside(node: Node) -> Outside:
    method = config_of(node, HttpConfig).method
    if method in {"GET", "HEAD"}:
        return Outside()
    return Outside(effect="irreversible" if method == "DELETE" else "external_write")


NODE_TYPES.register("http")(
    NodeType(
        kind="http",
        type_id="45",
        key="Http",
        names={"en": "HTTP request", "zh": "HTTP 请求"},
        group="component",
        read=_read,
        check=_check,
        config=HttpConfig,
        outputs=(
            output_field("body", STRING),
            output_field("statusCode", INTEGER),
            output_field("headers", STRING),
        ),
        zero_fill=True,
        null_fill=True,
        effects="write",
        outside=_outside,
        time_limit="remote",
    )
)
