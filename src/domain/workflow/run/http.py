"""HTTP: one request through the gate to the outside."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from domain.shared.error import AppError
from domain.workflow.convert import convert_fields, split_file_url
from domain.workflow.error import InvalidValue
from domain.workflow.execution_call import Call
from domain.workflow.execution_error import NodeFailed
from domain.workflow.graph import Template
from domain.workflow.node import config_of
from domain.workflow.node.http import (
    IDEMPOTENCY_KEY,
    HttpConfig,
    NamedInput,
    NamedText,
    ParsedReply,
)
from domain.workflow.run import RUNNERS, Result, Runner
from domain.workflow.run.http_form import FormFile, FormText, encode_form
from domain.workflow.run.http_record import request_record, response_record
from domain.workflow.run.needs import needed
from domain.workflow.text import BrokenJson, decode_json, encode_json, to_text
from domain.workflow.value import TypeKind, Value
from infra.contract.egress import (
    EgressClient,
    EgressDenied,
    EgressFailed,
    EgressPolicy,
    EgressRequest,
    EgressResponse,
)
from infra.contract.json_reader import JsonRefused

_SHOWN: Final = 1000
_LARGE: Final = 256 * 1024
"""Longer replies are read beside the event loop."""
_ERRORS: Final = 400
_METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
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
        call.extra["request"] = request_record(request, secrets=secrets)
        response = await _send(call, config, client, request)
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
        reader = needed(call.ports.json, "parts of JSON")
        found = await reader.select(whole, [each.path for each in reply.selected])
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
        allow_methods=_METHODS,
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
        frozenset({_text(call, auth.name).lower()}) if auth is not None and named else frozenset()
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
        pairs.append((_text(call, auth.name), _text(call, auth.value)))
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
        given.append(("Authorization", f"Bearer {_text(call, auth.value)}"))
    elif auth is not None and auth.place == "header":
        given.append((_text(call, auth.name), _text(call, auth.value)))
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
            content, _ = await _download(call, client, _text(call, config.file))
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
            pairs.append((each.name, _text(call, each.value)))
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
        read: Any = await needed(call.ports.json, "JSON5").read(text)
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


def _render(call: Call, template: Template) -> str:
    parts: list[str] = []
    for part in template.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = call.given.get(part.name)
        text = to_text(value)
        parts.append(json.dumps(text, ensure_ascii=False)[1:-1] if part.is_quoted else text)
    return "".join(parts)


def _text(call: Call, name: str) -> str:
    value: Value = call.inputs.get(name)
    text = to_text(value)
    if "\r" in text or "\n" in text:
        binding = call.node.input(name)
        if binding is not None and binding.name.startswith(("$header", "$token", "$auth")):
            raise InvalidValue("A header must not contain line breaks.")
    return text


RUNNERS.register("http")(Runner(work=_work))
