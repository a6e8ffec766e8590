"""Swagger 2, Postman collections and curl commands, as OpenAPI documents."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec

from domain.plugin.error import DocumentUnreadable
from domain.plugin.openapi_import.document import Document, Node, mapping, objects, text_of
from domain.plugin.schema import schema_of

_VARIABLE: Final = re.compile(r"{{\s*([^{}]+?)\s*}}")
_SEGMENT: Final = re.compile(r"[^A-Za-z0-9_]+", re.ASCII)
_STYLES: Final = {
    "csv": ("form", False),
    "ssv": ("spaceDelimited", False),
    "pipes": ("pipeDelimited", False),
    "multi": ("form", True),
}
_BARE: Final = frozenset({"-s", "--silent", "-S", "-k", "--insecure", "-L", "--location", "-v"}) | {
    "--compressed",
    "-i",
    "-g",
    "-f",
    "--fail",
    "--globoff",
    "--show-error",
    "--verbose",
    "--include",
}
_DATA: Final = frozenset({"-d", "--data", "--data-raw", "--data-binary", "--data-ascii"})
_BUNDLE: Final = re.compile("-[sSkLvigf]+", re.ASCII)
_LEFT_OUT: Final = frozenset(
    {"-u", "--user", "-b", "--cookie", "-A", "--user-agent", "-e", "--referer"}
)
_SECRET_HEADERS: Final = frozenset({"authorization", "cookie", "proxy-authorization"})


def from_swagger(root: Any) -> dict[str, Any]:
    """Rewrite a Swagger 2 document; raise ``DocumentUnreadable``."""
    document = Document(root)
    node = document.root
    if str(node.get("swagger")) != "2.0":
        raise DocumentUnreadable("swagger: a document of version 2.0 is needed.")
    schemes = [each for each in objects(node, "schemes") if each in {"https", "http"}]
    scheme = "https" if "https" in schemes or not schemes else "http"
    base = text_of(node, "basePath").rstrip("/")
    host = text_of(node, "host")
    consumes = objects(node, "consumes")
    paths: dict[str, Any] = {}
    for path, item in mapping(node, "paths").items():
        if isinstance(item, Mapping):
            paths[str(path)] = {
                method: _swagger_operation(document, each, consumes, objects(node, "produces"))
                if isinstance(each, Mapping) and method != "parameters"
                else _swagger_parameters(document, each)
                for method, each in item.items()
            }
    return {
        "openapi": "3.0.3",
        "info": mapping(node, "info"),
        "servers": [{"url": f"{scheme}://{host}{base}"}] if host else [],
        "paths": paths,
        "definitions": mapping(node, "definitions"),
        "components": {"securitySchemes": mapping(node, "securityDefinitions")},
        "parameters": mapping(node, "parameters"),
        "responses": mapping(node, "responses"),
    }


def _swagger_operation(
    document: Document, node: Node, consumes: list[Any], produces: list[Any]
) -> dict[str, Any]:
    given = [document.resolve(each, "parameters") for each in objects(node, "parameters")]
    operation = {key: each for key, each in node.items() if key not in {"parameters", "responses"}}
    operation["parameters"] = _swagger_parameters(document, given)
    media = [*objects(node, "consumes"), *consumes]
    fields = [each for each in given if text_of(each, "in") == "formData"]
    for each in given:
        if text_of(each, "in") == "body":
            content = {_json_of(media): {"schema": each.get("schema", {})}}
            operation["requestBody"] = {
                "content": content,
                "required": each.get("required") is True,
            }
    if fields:
        is_file = any(text_of(each, "type") == "file" for each in fields)
        kind = "multipart/form-data" if is_file else "application/x-www-form-urlencoded"
        schema = {
            "type": "object",
            "properties": {text_of(each, "name"): _swagger_schema(each) for each in fields},
            "required": [text_of(each, "name") for each in fields if each.get("required") is True],
        }
        operation["requestBody"] = {"content": {kind: {"schema": schema}}, "required": True}
    responses: dict[str, Any] = {}
    for code, each in mapping(node, "responses").items():
        found = document.resolve(each, f"responses.{code}")
        kind = _json_of([*objects(node, "produces"), *produces])
        content = {kind: {"schema": found["schema"]}} if "schema" in found else {}
        responses[str(code)] = {"description": text_of(found, "description"), "content": content}
    operation["responses"] = responses
    return operation


def _swagger_parameters(document: Document, given: Any) -> list[dict[str, Any]]:
    found = []
    for node in given if isinstance(given, list) else []:
        each = document.resolve(node, "parameters")
        if text_of(each, "in") in {"body", "formData"}:
            continue
        style, explode = _STYLES.get(text_of(each, "collectionFormat") or "csv", ("form", False))
        parameter = {
            key: each[key] for key in ("name", "in", "description", "required") if key in each
        }
        parameter["schema"] = _swagger_schema(each)
        if text_of(each, "type") == "array" and text_of(each, "in") == "query":
            parameter |= {"style": style, "explode": explode}
        found.append(parameter)
    return found


def _swagger_schema(node: Node) -> dict[str, Any]:
    kept = ("type", "items", "enum", "default", "format", "description")
    schema = {key: node[key] for key in kept if key in node}
    if schema.get("type") == "file":
        schema |= {"type": "string", "format": "binary"}
    return schema


def _json_of(media: list[Any]) -> str:
    kinds = [str(each) for each in media] or ["application/json"]
    return next((each for each in kinds if "json" in each), kinds[0])


def from_postman(root: Any) -> dict[str, Any]:
    """Rewrite a Postman collection (2.0, 2.1); secrets in it stay behind."""
    document = Document(root)
    info = mapping(document.root, "info")
    if "_postman_id" not in info and "collection" not in text_of(info, "schema"):
        raise DocumentUnreadable("info.schema: a Postman collection of version 2 is needed.")
    variables = {
        text_of(each, "key"): str(each.get("value", ""))
        for each in objects(document.root, "variable")
        if isinstance(each, Mapping)
    }
    paths: dict[str, dict[str, Any]] = {}
    servers: dict[str, int] = {}
    for item in _postman_items(document.root):
        server, path, method, operation = _postman_operation(item, variables)
        paths.setdefault(path, {}).setdefault(method, operation)
        servers[server] = servers.get(server, 0) + 1
    server = max(servers, key=lambda each: servers[each]) if servers else ""
    return _document(text_of(info, "name"), _plain(info.get("description")), server, paths)


def _postman_items(node: Node) -> Iterator[Node]:
    for each in objects(node, "item"):
        if isinstance(each, Mapping):
            if isinstance(each.get("request"), Mapping):
                yield each
            yield from _postman_items(each)


def _postman_operation(
    item: Node, variables: Mapping[str, str]
) -> tuple[str, str, str, dict[str, Any]]:
    request = item["request"]
    url = request.get("url", "")
    raw = text_of(url, "raw") if isinstance(url, Mapping) else str(url)
    text = _VARIABLE.sub(lambda found: variables.get(found[1]) or f"{{{found[1]}}}", raw)
    server, path, query = _parts(text)
    path = "/".join(f"{{{each[1:]}}}" if each.startswith(":") else each for each in path.split("/"))
    body = mapping(request, "body")
    headers = [
        (text_of(each, "key"), text_of(each, "value"))
        for each in objects(request, "header")
        if isinstance(each, Mapping) and each.get("disabled") is not True
    ]
    content: Any = None
    is_form = text_of(body, "mode") == "urlencoded"
    if is_form:
        content = {
            text_of(each, "key"): text_of(each, "value")
            for each in objects(body, "urlencoded")
            if isinstance(each, Mapping)
        }
    elif text_of(body, "mode") == "raw":
        content = _decoded(text_of(body, "raw"))
    operation = _operation(
        text_of(item, "name"),
        _plain(request.get("description")) or text_of(item, "name"),
        path,
        query=query,
        headers=headers,
        content=content,
        is_form=is_form,
    )
    if text_of(body, "mode") == "formdata":
        fields = [each for each in objects(body, "formdata") if isinstance(each, Mapping)]
        operation["requestBody"] = _file_form(
            {text_of(each, "key"): text_of(each, "type") == "file" for each in fields}
        )
    return server, path, (text_of(request, "method") or "GET").lower(), operation


def from_curl(text: str) -> dict[str, Any]:
    """Read a curl command; credentials in it stay behind.

    Raises:
        DocumentUnreadable: it is no curl command, or has an option that changes its meaning.
    """
    try:
        words = shlex.split(text.replace("\\\r\n", " ").replace("\\\n", " "))
    except ValueError as exc:
        raise DocumentUnreadable("The command has quotes that do not end.") from exc
    if not words or words[0] != "curl":
        raise DocumentUnreadable("A command that starts with curl is needed.")
    command = _Curl()
    command.read(words[1:])
    url, data, headers = command.url, command.data, command.headers
    if not url:
        raise DocumentUnreadable("The command names no address.")
    server, path, query = _parts(url if "://" in url else f"https://{url}")
    kind = next((each for key, each in headers if key.lower() == "content-type"), "")
    content: Any = _decoded(data) if data else None
    is_form = bool(data) and "json" not in kind and not isinstance(content, dict | list)
    if is_form:
        content = dict(parse_qsl(data, keep_blank_values=True))
    method = command.method or ("POST" if data or command.form else "GET")
    name = "_".join(filter(None, [method.lower(), *_SEGMENT.split(path)]))
    operation = _operation(
        name, name, path, query=query, headers=headers, content=content, is_form=is_form
    )
    if command.form:
        operation["requestBody"] = _file_form(command.form)
    host = urlsplit(server).hostname or "service"
    return _document(host, f"Operations of {host}.", server, {path: {method.lower(): operation}})


@dataclass(slots=True)
class _Curl:
    """What the words of a command say."""

    method: str = ""
    url: str = ""
    data: str = ""
    form: dict[str, bool] = field(default_factory=dict)
    """Fields of a form with files, and whether they are files."""
    headers: list[tuple[str, str]] = field(default_factory=list)

    def read(self, words: Sequence[str]) -> None:
        rest = iter(words)
        for word in rest:
            if not word.startswith("-"):
                self.url = word
                continue
            name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
            if name not in _BARE and not _BUNDLE.fullmatch(name):
                self._option(name, value if equals else next(rest, ""))

    def _option(self, name: str, value: str) -> None:
        if name in {"-X", "--request"}:
            self.method = value.upper()
        elif name in {"-H", "--header"}:
            key, _, told = value.partition(":")
            self.headers.append((key.strip(), told.strip()))
        elif name in _DATA:
            self.data = f"{self.data}&{value}" if self.data else value
        elif name in {"-F", "--form", "--form-string"}:
            key, _, told = value.partition("=")
            self.form[key.strip()] = told.startswith(("@", "<")) and name != "--form-string"
        elif name == "--url":
            self.url = value
        elif name not in _LEFT_OUT:
            raise DocumentUnreadable(f"The option {name[:40]} of curl is not understood.")


def _operation(
    name: str,
    summary: str,
    path: str,
    *,
    query: Mapping[str, str],
    headers: list[tuple[str, str]],
    content: Any,
    is_form: bool,
) -> dict[str, Any]:
    """An operation as one sample request shows it; nothing of it is known to be required."""
    parameters: list[dict[str, Any]] = [
        {"name": each, "in": "path", "required": True, "schema": {"type": "string"}}
        for each in re.findall(r"{([^{}]+)}", path)
    ]
    for key, value in query.items():
        schema = {"type": "string", **({"default": value} if value and "{" not in value else {})}
        parameters.append({"name": key, "in": "query", "schema": schema})
    for key, value in headers:
        lower = key.lower()
        if key and lower not in _SECRET_HEADERS and not _looks_secret(lower):
            schema = {"type": "string", "default": value}
            parameters.append({"name": key, "in": "header", "schema": schema})
    operation: dict[str, Any] = {
        "operationId": _SEGMENT.sub("_", name).strip("_"),
        "summary": summary,
        "parameters": parameters,
        "responses": {},
    }
    if content is not None:
        kind = "application/x-www-form-urlencoded" if is_form else "application/json"
        operation["requestBody"] = {"content": {kind: {"schema": schema_of(content)}}}
    return operation


def _file_form(fields: Mapping[str, bool]) -> dict[str, Any]:
    """A form with files; names of files on somebody's disk stay behind."""
    properties = {
        name: {"type": "string", **({"format": "binary"} if is_file else {})}
        for name, is_file in fields.items()
        if name
    }
    schema = {"type": "object", "properties": properties}
    return {"content": {"multipart/form-data": {"schema": schema}}}


def _looks_secret(header: str) -> bool:
    return any(word in header for word in ("key", "token", "secret", "auth"))


def _document(name: str, description: str, server: str, paths: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": name, "description": description},
        "servers": [{"url": server}],
        "paths": paths,
    }


def _parts(text: str) -> tuple[str, str, dict[str, str]]:
    try:
        url = urlsplit(text)
    except ValueError as exc:
        raise DocumentUnreadable("An address cannot be read.") from exc
    server = f"{url.scheme}://{url.netloc.rpartition('@')[2]}" if url.scheme else ""
    return server, url.path or "/", dict(parse_qsl(url.query, keep_blank_values=True))


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def _plain(text: Any) -> str:
    if isinstance(text, Mapping):
        return text_of(text, "content")
    return text.strip() if isinstance(text, str) else ""
