"""HTTP: one request to a server outside."""

import asyncio
import json
import mimetypes
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

import msgspec

from domain.shared.error import AppError
from domain.workflow import graph
from domain.workflow.canvas.blank import blank, out
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader, output_field
from domain.workflow.convert import convert_fields, split_file_url
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import NodeFailed
from domain.workflow.error import InvalidValue
from domain.workflow.json_quote import open_quote
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.effect import Outside
from domain.workflow.node.needs import needed
from domain.workflow.template import Variable, parse_path, scan
from domain.workflow.text import BrokenJson, decode_json, encode_json, to_text
from domain.workflow.value import ANY, INTEGER, STRING, TypeKind, Value
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRecord,
    EgressRequest,
    EgressResponse,
)
from infra.contract.json_reader import JsonRefused

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

    name: graph.Template
    value: graph.Template


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


class HttpConfig(graph.NodeConfig, frozen=True, kw_only=True):
    """``text`` is the body of the kinds ``json`` and ``text``; ``fields`` that of forms."""

    method: Method
    url: graph.Template
    params: tuple[NamedInput | NamedText, ...] = ()
    headers: tuple[NamedInput | NamedText, ...] = ()
    auth: HttpAuth | None = None
    body: BodyKind = "empty"
    content_type: str = ""
    """Empty for the usual one of the kind of body."""
    text: graph.Template = graph.Template()
    is_lenient: bool = False
    """The text is JSON5 once values are in it; texts outside of quotes get some where needed."""
    fields: tuple[NamedInput | NamedText, ...] = ()
    file: str = ""
    """Name of the input with the file of a binary body."""
    timeout_s: float = 0.0
    """0 for the limit of the deployment."""
    retries: int = 0
    reply: ParsedReply | None = None


def _read(reader: NodeReader) -> graph.NodeConfig:
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


def _body_text(reader: NodeReader, body: BodyKind, data: Cursor) -> graph.Template:
    if body == "json":
        return _text(reader, data["json"], field="text", is_json=True)
    if body == "text":
        return _text(reader, data["rawText"], field="text")
    return graph.Template()


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


def _text(
    reader: NodeReader, cursor: Cursor, *, field: str, is_json: bool = False
) -> graph.Template:
    """Compile a text whose variables name nodes and globals; each becomes an input."""
    reader.mark(field, cursor)
    parts: list[str | graph.Slot] = []
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
            parts.append(graph.Slot(name, (), piece.raw, bool(quote)))
    return graph.Template(tuple(parts))


def _expression(reader: NodeReader, inner: str) -> graph.Expr | None:
    match = _NODE.fullmatch(inner)
    if match is not None:
        path = parse_path(match[2]) if match[2] else ()
        return None if path is None else reader.reference(match[1], path)
    match = _GLOBAL.fullmatch(inner)
    if match is None:
        return None
    rest = parse_path(match[3]) if match[3] else ()
    return (
        None
        if rest is None
        else graph.GlobalVariable(graph.GlobalKind(match[1]), (match[2], *rest))
    )


def _check(node: graph.Node, check: Check) -> None:
    config = config_of(node, HttpConfig)
    first = config.url.parts[0] if config.url.parts else ""
    if isinstance(first, str) and first.strip():
        address = first.strip().lower()
        is_open = address.startswith("{{")
        if not is_open and not address.startswith(("http://", "https://")):
            check.add("WF445", node, "The address is not http or https.", at="url")
    if config.body == "json" and not config.is_lenient and not _is_json(config.text):
        check.add("WF445", node, "The body is not JSON with sample values put in.", at="text")


def _is_json(template: graph.Template) -> bool:
    sample = "".join(
        part if isinstance(part, str) else ("x" if part.is_quoted else "0")
        for part in template.parts
    )
    try:
        decode_json(sample or "null")
    except BrokenJson:
        return False
    return True


def _outside(node: graph.Node) -> Outside:
    method = config_of(node, HttpConfig).method
    if method in {"GET", "HEAD"}:
        return Outside()
    return Outside(effect="irreversible" if method == "DELETE" else "external_write")


_SHOWN: Final = 1000
_LARGE: Final = 256 * 1024
"""Longer replies are read beside the event loop."""
_ERRORS: Final = 400
_TYPES: Final[Mapping[str, str]] = {
    "json": "application/json",
    "text": "text/plain",
    "form_urlencoded": "application/x-www-form-urlencoded",
    "binary": "application/octet-stream",
}


async def _work(call: Call) -> Result:
    config = config_of(call.node, HttpConfig)
    client = needed(call.ports.egress, "the outside")
    body, content_type = await _body(call, config, client)
    request = EgressRequest(
        url=_address(call, config),
        method=config.method,
        headers=_headers(call, config, content_type),
        body=body,
    )
    try:
        secrets = _secrets(call, config)
        shown = call.extra["request"] = request_record(request, secrets=secrets)
        record = EgressRecord(request=shown, reply=partial(response_record, secrets=secrets))
        response = await _send(call, config, client, replace(request, record=record))
        call.extra["response"] = response_record(response, secrets=secrets)
        text = response.body.decode("utf-8", "replace")
        if response.status >= _ERRORS:
            raise NodeFailed(f"The server answered with status {response.status}: {text[:_SHOWN]}")
    except AppError as error:
        if config.reply is None or not config.reply.keeps_failures:
            raise
        call.warn(str(error))
        failure: Value = {"errorMessage": str(error)}
        return Result({"errorBody": failure, config.reply.whole: str(error)})
    output: dict[str, Value] = {
        "body": text,
        "statusCode": response.status,
        "headers": encode_json(dict(response.headers)),
    }
    if config.reply is not None:
        output = await _parsed(call, config.reply, response.body, text)
    return Result(output)


async def _parsed(call: Call, reply: ParsedReply, body: bytes, text: str) -> dict[str, Value]:
    """Read the reply whatever it says it is; what is no JSON stays a text without parts."""
    try:
        if len(body) > _LARGE:
            whole = await asyncio.to_thread(decode_json, body)
        else:
            whole = decode_json(body)
    except BrokenJson:
        whole = text
    output: dict[str, Value] = {each.name: None for each in reply.selected}
    if reply.selected and isinstance(whole, dict | list):
        select = needed(call.ports.select_json, "parts of JSON")
        found = await select(whole, [each.path for each in reply.selected])
        for each, values in zip(reply.selected, found, strict=True):
            if isinstance(values, JsonRefused):
                call.warn(f"{each.name}: {values}")
            elif values:
                chosen: Any = values if each.is_list else values[0]
                output[each.name] = chosen
    conversion = convert_fields(output, call.node.outputs)
    for problem in conversion.problems:
        call.warn(str(problem))
    if isinstance(conversion.value, dict):
        output = conversion.value
    answer = whole.get(reply.answer) if reply.answer and isinstance(whole, dict) else None
    if isinstance(answer, str):
        call.host.say(call, answer, is_last=True)
    return {**output, reply.whole: whole}


async def _send(
    call: Call, config: HttpConfig, client: EgressClient, request: EgressRequest
) -> EgressResponse:
    """Send, and again after a failure of the transport; all attempts carry the same key."""
    limits = call.limits
    policy = EgressPolicy(
        space_id=call.context.call.space_id,
        allow_hosts=_hosts(call),
        max_bytes=limits.http_response_bytes or None,
        max_seconds=config.timeout_s or limits.remote_node_s or None,
        max_redirects=limits.http_redirects,
        allow_methods=frozenset(get_args(Method)),
    )
    for number in range(config.retries + 1):
        try:
            return await client.request(request, policy)
        except EgressFailed:
            if number >= config.retries:
                raise
    raise NodeFailed("The request was never sent.")


def _secrets(call: Call, config: HttpConfig) -> frozenset[str]:
    """Name the header or parameter that the node sends its credential as, in lower case."""
    auth = config.auth
    named = auth is not None and not auth.is_bearer
    return (
        frozenset({_given_text(call, auth.name).lower()})
        if auth is not None and named
        else frozenset()
    )


def _hosts(call: Call) -> frozenset[str]:
    """Return the only hosts that may be called; an empty set is no restriction."""
    hosts = call.context.call.egress_hosts
    if hosts is not None and not hosts:
        raise EgressDenied("The agents that called this workflow have no egress_hosts in common.")
    return hosts or frozenset()


def _address(call: Call, config: HttpConfig) -> str:
    url = _render(call, config.url).strip()
    pairs = _pairs(call, config.params)
    auth = config.auth
    if auth is not None and auth.place == "query":
        pairs.append((_given_text(call, auth.name), _given_text(call, auth.value)))
    if not pairs:
        return url
    parts = urlsplit(url)
    query = "&".join(part for part in (parts.query, urlencode(pairs, quote_via=quote)) if part)
    return urlunsplit(parts._replace(query=query))


def _headers(call: Call, config: HttpConfig, content_type: str) -> dict[str, str]:
    headers = {IDEMPOTENCY_KEY: call.key}
    if content_type:
        headers["Content-Type"] = content_type
    given = _pairs(call, config.headers, are_lines=True)
    auth = config.auth
    if auth is not None and auth.is_bearer:
        given.append(("Authorization", f"Bearer {_given_text(call, auth.value)}"))
    elif auth is not None and auth.place == "header":
        given.append((_given_text(call, auth.name), _given_text(call, auth.value)))
    for name, value in given:
        if not value.isascii():
            raise InvalidValue(
                f"The header {name[:64]} has characters that HTTP does not carry: "
                f"encode its value, for example in percent or Base64 form."
            )
        for known in [each for each in headers if each.lower() == name.lower()]:
            del headers[known]
        headers[name] = value
    return headers


async def _body(call: Call, config: HttpConfig, client: EgressClient) -> tuple[bytes, str]:
    match config.body:
        case "empty":
            return b"", ""
        case "json" | "text":
            text = await _lenient(call, config) if config.is_lenient else _render(call, config.text)
            return text.encode(), config.content_type or _TYPES[config.body]
        case "form_urlencoded":
            return urlencode(_pairs(call, config.fields)).encode(), _TYPES[config.body]
        case "binary":
            content, _ = await _download(call, client, _given_text(call, config.file))
            return content, _TYPES[config.body]
        case "form_data":
            return await _form(call, config.fields, client)


async def _form(
    call: Call, fields: tuple[NamedInput | NamedText, ...], client: EgressClient
) -> tuple[bytes, str]:
    parts: list[FormText | FormFile] = []
    for each in fields:
        if isinstance(each, NamedText):
            parts += [FormText(*pair) for pair in _pairs(call, (each,))]
            continue
        binding = call.node.input(each.value)
        value = call.inputs.get(each.value)
        wanted = None if binding is None else binding.type
        item = None if wanted is None else wanted.item
        is_file = wanted is not None and TypeKind.FILE in {wanted.kind, item and item.kind}
        if not is_file:
            parts.append(FormText(each.name, to_text(value)))
            continue
        for number, url in enumerate(value if isinstance(value, list) else [value]):
            if not url:
                continue
            content, name = await _download(call, client, to_text(url))
            names = () if binding is None else binding.file_names
            shown = names[number] if number < len(names) else name
            parts.append(FormFile(each.name, shown, content))
    return encode_form(parts, boundary=f"form-{call.key[:32]}")


async def _download(call: Call, client: EgressClient, url: str) -> tuple[bytes, str]:
    address, name = split_file_url(url)
    limits = call.limits
    response = await client.request(
        EgressRequest(url=address),
        EgressPolicy(
            space_id=call.context.call.space_id,
            allow_hosts=_hosts(call),
            max_bytes=limits.http_file_bytes or None,
            max_seconds=limits.http_file_s or None,
        ),
    )
    if response.status >= _ERRORS:
        raise NodeFailed(f"The file to send cannot be read: status {response.status}.")
    return response.body, name or urlsplit(address).path.rpartition("/")[2] or "file"


def _pairs(
    call: Call, items: Sequence[NamedInput | NamedText], *, are_lines: bool = False
) -> list[tuple[str, str]]:
    """Put names and values together; ``are_lines``: they must not break lines."""
    pairs = []
    for each in items:
        if isinstance(each, NamedInput):
            pairs.append((each.name, _given_text(call, each.value)))
            continue
        name, value = _render(call, each.name).strip(), _render(call, each.value)
        if are_lines and set(name + value) & {"\r", "\n"}:
            raise InvalidValue("A header must not contain line breaks.")
        if name:
            pairs.append((name, value))
    return pairs


async def _lenient(call: Call, config: HttpConfig) -> str:
    """Write a body of JSON5 as JSON: what stands in quotes is escaped, what does not is a value."""
    parts: list[str] = []
    for part in config.text.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = call.given.get(part.name)
        if part.is_quoted:
            text = "null" if value is None else to_text(value)
            parts.append(json.dumps(text, ensure_ascii=False)[1:-1].replace("'", "\\'"))
        else:
            parts.append(_value_text(value))
    text = "".join(parts)
    try:
        decode_json(text)
    except BrokenJson:
        read: Any = await needed(call.ports.read_json5, "JSON5")(text)
        return encode_json(read)
    return text


def _value_text(value: Value) -> str:
    if not isinstance(value, str):
        return encode_json(value)
    try:
        decode_json(value)
    except BrokenJson:
        return encode_json(value)
    return value


def _render(call: Call, template: graph.Template) -> str:
    parts: list[str] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = call.given.get(part.name)
        text = to_text(value)
        parts.append(json.dumps(text, ensure_ascii=False)[1:-1] if part.is_quoted else text)
    return "".join(parts)


def _given_text(call: Call, name: str) -> str:
    value: Value = call.inputs.get(name)
    text = to_text(value)
    if "\r" in text or "\n" in text:
        binding = call.node.input(name)
        if binding is not None and binding.name.startswith(("$header", "$token", "$auth")):
            raise InvalidValue("A header must not contain line breaks.")
    return text


HIDDEN: Final = "***"
"""Stands for a credential in the record of a request."""


def request_record(request: EgressRequest, *, secrets: Collection[str]) -> dict[str, Value]:
    """Describe a request; ``secrets``: names of more headers and parameters, in lower case."""
    return {
        "method": request.method,
        "url": _shown_url(request.url, secrets),
        "headers": _shown_headers(request.headers, secrets),
        "body": request.body[:_SHOWN].decode("utf-8", "replace"),
        "body_bytes": len(request.body),
    }


def response_record(response: EgressResponse, *, secrets: Collection[str]) -> dict[str, Value]:
    """Describe the head of a response."""
    return {
        "status": response.status,
        "headers": _shown_headers(response.headers, secrets),
        "url": _shown_url(response.url, secrets),
    }


def _shown_headers(headers: Mapping[str, str], secrets: Collection[str]) -> dict[str, Value]:
    return {
        name: HIDDEN if _is_secret(name, secrets) else value[:_SHOWN]
        for name, value in headers.items()
    }


def _shown_url(url: str, secrets: Collection[str]) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url[:_SHOWN]
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if any(_is_secret(name, secrets) for name, _ in pairs):
        shown = [(name, HIDDEN if _is_secret(name, secrets) else value) for name, value in pairs]
        parts = parts._replace(query=urlencode(shown, quote_via=quote, safe="*"))
    if "@" in parts.netloc:
        parts = parts._replace(netloc=f"{HIDDEN}@{parts.netloc.rpartition('@')[2]}")
    return urlunsplit(parts)[:_SHOWN]


def _is_secret(name: str, secrets: Collection[str]) -> bool:
    return name.lower() in secrets or (name != IDEMPOTENCY_KEY and is_secret_name(name))


NodeType(
    kind="http",
    type_id="45",
    key="Http",
    names={"en": "HTTP request", "zh": "HTTP 请求"},
    blank=blank(
        inputs={
            "apiInfo": {"method": "GET", "url": ""},
            "params": [],
            "headers": [],
            "auth": {
                "authOpen": False,
                "authType": "BEARER_AUTH",
                "authData": {"customData": {"addTo": "header"}},
            },
            "body": {"bodyType": "EMPTY", "bodyData": {}},
            "setting": {"timeout": 120, "retryTimes": 0},
        },
        outputs=[out("body"), out("statusCode", "integer"), out("headers")],
    ),
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
    runner=Runner(work=_work),
).register()


class FormText(NamedTuple):
    """A field with a text."""

    name: str
    text: str


class FormFile(NamedTuple):
    """A field with a file."""

    name: str
    file_name: str
    content: bytes


def encode_form(parts: Sequence[FormText | FormFile], *, boundary: str) -> tuple[bytes, str]:
    """Write a form; return the body and its content type.

    ``boundary`` must not occur in the parts; one made of a hash is safe.
    """
    chunks: list[bytes] = []
    for part in parts:
        disposition = f'form-data; name="{_escaped(part.name)}"'
        if isinstance(part, FormText):
            head, content = "", part.text.encode()
        else:
            disposition += f'; filename="{_escaped(part.file_name)}"'
            kind = mimetypes.guess_type(part.file_name)[0] or "application/octet-stream"
            head, content = f"Content-Type: {kind}\r\n", part.content
        chunks.append(
            f"--{boundary}\r\nContent-Disposition: {disposition}\r\n{head}\r\n".encode()
            + content
            + b"\r\n"
        )
    chunks.append(f"--{boundary}--\r\n".encode())
    return b"".join(chunks), f"multipart/form-data; boundary={boundary}"


def _escaped(text: str) -> str:
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
