"""OpenAPI 3.0 and 3.1 documents as plugins: one tool per operation."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from domain.plugin.error import DocumentUnreadable, PluginInvalid
from domain.plugin.openapi_import.document import Document, Node, mapping, objects, text_of
from domain.plugin.openapi_import.openapi_schema import SchemaReader, with_place
from domain.plugin.rules import PluginRules
from domain.plugin.value import (
    BODY_KEY,
    DATA_KEY,
    BodyMedia,
    Effect,
    Location,
    Parameter,
    ResponseKind,
    ToolDefinition,
    ValueType,
)

_METHODS: Final = ("get", "post", "put", "patch", "delete", "head")
_REFUSED: Final = frozenset({"options", "trace"})
_NAME: Final = re.compile(r"[^A-Za-z0-9_-]+", re.ASCII)
_NAME_CHARS: Final = 64
_DESCRIPTION_CHARS: Final = 1024
_IGNORED_HEADERS: Final = frozenset({"accept", "content-type", "authorization"})
"""The specification says that parameters of these names count for nothing."""

_LOCATIONS: Final = {each.value: each for each in Location if each is not Location.BODY}
_MEDIA: Final = {each.value: each for each in (BodyMedia.FORM, BodyMedia.MULTIPART)}
_FILES: Final = frozenset({BodyMedia.BINARY.value, "application/pdf", "application/zip"})
_EFFECTS: Final = {"DELETE": Effect.IRREVERSIBLE, "GET": Effect.READ, "HEAD": Effect.READ}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something of a document that was left out, and where it stands."""

    path: str
    message: str


@dataclass(slots=True)
class ImportedPlugin:
    """What a document gives; ``auth_hint`` names the way it wants calls to authenticate."""

    name: str
    description: str
    server_url: str
    tools: list[ToolDefinition] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    auth_hint: str = ""


class OpenApiReader:
    """Reads documents; what cannot be used of one is a problem, the rest is imported."""

    def __init__(self, rules: PluginRules, *, max_tools: int) -> None:
        self._rules = rules
        self._max_tools = max_tools

    def read(self, root: Any, *, server_url: str = "", document_url: str = "") -> ImportedPlugin:
        """Turn a document into a plugin.

        Raises:
            DocumentUnreadable: it is none of OpenAPI 3, or nothing of it can be used.
        """
        document = Document(root)
        version = document.root.get("openapi")
        if not str(version).startswith("3."):
            raise DocumentUnreadable("openapi: a document of version 3.0 or 3.1 is needed.")
        info = mapping(document.root, "info")
        imported = ImportedPlugin(
            name=text_of(info, "title"),
            description=text_of(info, "description") or text_of(info, "summary"),
            server_url=server_url or _server(document.root, document_url),
            auth_hint=_auth_hint(document),
        )
        names: set[str] = set()
        paths = mapping(document.root, "paths")
        if not paths:
            raise DocumentUnreadable("paths: there is none.")
        for path, item in paths.items():
            self._read_path(document, str(path), item, imported, names)
        if not imported.tools:
            told = (f"{each.path}: {each.message}" for each in imported.problems[:20])
            raise DocumentUnreadable("\n".join(["No operation can be used.", *told]))
        return imported

    def _read_path(
        self, document: Document, path: str, item: Any, imported: ImportedPlugin, names: set[str]
    ) -> None:
        try:
            node = document.resolve(item, path)
        except DocumentUnreadable as exc:
            imported.problems.append(Problem(path, exc.message.removeprefix(f"{path}: ")))
            return
        for method in _REFUSED & node.keys():
            imported.problems.append(Problem(f"{method.upper()} {path}", "Not a method of tools."))
        for method in _METHODS:
            if method not in node:
                continue
            where = f"{method.upper()} {path}"
            if len(imported.tools) >= self._max_tools:
                imported.problems.append(
                    Problem(where, f"A plugin has at most {self._max_tools} tools.")
                )
                continue
            try:
                operation = document.resolve(node[method], where)
                reading = _Operation(document, node, operation, method.upper(), path)
                tool = reading.tool(names)
                imported.tools.append(self._rules.tool(tool))
                names.add(tool.name)
                imported.problems += [Problem(where, each) for each in reading.remarks]
            except (DocumentUnreadable, PluginInvalid) as exc:
                said = exc.message.removeprefix(f"{where}: ")
                imported.problems.append(Problem(where, said))


class _Operation:
    """One operation on its way to a tool."""

    def __init__(
        self, document: Document, item: Node, operation: Node, method: str, path: str
    ) -> None:
        self._document = document
        self._item = item
        self._operation = operation
        self._method = method
        self._path = path
        self._reader = SchemaReader(document)
        self.remarks: list[str] = []
        """What was left out without losing the tool."""

    def tool(self, names: set[str]) -> ToolDefinition:
        operation = self._operation
        parameters = list(self._parameters())
        media, body, is_whole = self._body()
        taken = {each.name for each in parameters}
        for each in body:
            alias = f"body_{each.name}" if each.name in taken else ""
            parameters.append(with_place(each, alias=alias))
        try:
            kind, responses = self._responses()
        except DocumentUnreadable as exc:
            kind, responses = ResponseKind.OBJECT, ()
            self.remarks.append(f"{exc.message} Results are given as they come.")
        summary, description = text_of(operation, "summary"), text_of(operation, "description")
        told = description if description.startswith(summary) else f"{summary}\n{description}"
        return ToolDefinition(
            name=_unique(text_of(operation, "operationId"), self._method, self._path, names),
            description=told.strip()[:_DESCRIPTION_CHARS],
            method=self._method,
            path=self._path,
            parameters=tuple(parameters),
            responses=responses,
            response_kind=kind,
            body_media=media,
            is_body_whole=is_whole,
            is_disabled=operation.get("x-global-disable") is True,
            effect=_EFFECTS.get(self._method, Effect.WRITE),
            needs_approval=self._method == "DELETE",
        )

    def _parameters(self) -> Iterator[Parameter]:
        found: dict[tuple[str, str], tuple[Node, str]] = {}
        for node in (*objects(self._item, "parameters"), *objects(self._operation, "parameters")):
            resolved = self._document.resolve(node, "parameters")
            name, place = text_of(resolved, "name"), text_of(resolved, "in")
            if not name or place not in _LOCATIONS:
                raise DocumentUnreadable(f"parameters: {name or place or '?'} is incomplete.")
            found[name, place] = (resolved, f"parameters.{name}")
        keys: set[str] = set()
        for (name, place), (node, where) in found.items():
            location = _LOCATIONS[place]
            if location is Location.HEADER and name.lower() in _IGNORED_HEADERS:
                continue
            parameter = self._parameter(name, location, node, where)
            alias = f"{location}_{name}" if name in keys else ""
            keys.add(name)
            yield with_place(parameter, alias=alias)

    def _parameter(self, name: str, location: Location, node: Node, where: str) -> Parameter:
        schema = node.get("schema")
        style = text_of(node, "style")
        if schema is None:
            media: Any = next(iter(mapping(node, "content").values()), {})
            schema = mapping(media, "schema") if isinstance(media, Mapping) else {}
            style = "json"
        read = self._reader.read(
            name,
            schema,
            where,
            location=location,
            is_required=node.get("required") is True or location is Location.PATH,
        )
        if read.type is ValueType.OBJECT and style not in {"deepObject", "json"}:
            if location is not Location.QUERY:
                raise DocumentUnreadable(f"{where}: objects travel in the query or the body only.")
            style = style or "form"
        explode = node.get("explode")
        hidden = any(node.get(each) is True for each in ("x-global-disable", "x-local-disable"))
        return with_place(
            read,
            description=text_of(node, "description")[:_DESCRIPTION_CHARS] or read.description,
            style=style,
            explode=explode if isinstance(explode, bool) else None,
            is_hidden=read.is_hidden or hidden,
        )

    def _body(self) -> tuple[BodyMedia, tuple[Parameter, ...], bool]:
        if "requestBody" not in self._operation:
            return BodyMedia.JSON, (), False
        node = self._document.resolve(self._operation["requestBody"], "requestBody")
        content = mapping(node, "content")
        if not content:
            return BodyMedia.JSON, (), False
        usable: list[tuple[str, Any]] = [
            (kind, found)
            for name, found in content.items()
            if (kind := _media_type(name)) == BodyMedia.FORM or _is_json(kind)
        ] or [
            (kind, found)
            for name, found in content.items()
            if (kind := _media_type(name)) == BodyMedia.MULTIPART or _is_file(kind)
        ]
        if not usable:
            raise DocumentUnreadable(
                f"requestBody: {', '.join(map(str, content))} is not supported; use JSON, a form "
                "or a file."
            )
        kind, media = usable[0]
        if _is_file(kind):
            return BodyMedia.BINARY, (self._file_body(node),), True
        chosen = _MEDIA.get(kind, BodyMedia.JSON)
        schema = media.get("schema", {}) if isinstance(media, Mapping) else {}
        is_required = node.get("required") is True
        merged = self._reader.merged(schema, "requestBody")
        whole = self._reader.read(BODY_KEY, merged, "requestBody", is_required=is_required)
        if whole.type is ValueType.OBJECT and whole.sub_parameters:
            fields = self._reader.properties(merged, "requestBody")
            if not is_required:  # without a body nothing of it is needed
                fields = tuple(with_place(each, is_required=False) for each in fields)
            return chosen, fields, False
        if chosen is not BodyMedia.JSON:
            raise DocumentUnreadable("requestBody: a form needs declared fields.")
        return chosen, (whole,), True

    def _file_body(self, node: Node) -> Parameter:
        """The one argument of an operation whose body is a file."""
        told = text_of(node, "description")[:_DESCRIPTION_CHARS]
        return Parameter(
            name=BODY_KEY,
            description=told or "Id of an uploaded file, or its address.",
            is_required=node.get("required") is True,
            assist_type="default",
        )

    def _responses(self) -> tuple[ResponseKind, tuple[Parameter, ...]]:
        responses = {
            str(code): each for code, each in mapping(self._operation, "responses").items()
        }
        codes = sorted(code for code in responses if code.startswith("2"))
        for code in [*codes, "default"]:
            if code not in responses:
                continue
            node = self._document.resolve(responses[code], f"responses.{code}")
            content = mapping(node, "content")
            for name, media in content.items():
                if _is_json(_media_type(name)):
                    schema = media.get("schema", {}) if isinstance(media, Mapping) else {}
                    return self._response(schema, f"responses.{code}")
            if content:
                return ResponseKind.TEXT, (Parameter(name=DATA_KEY),)
        return ResponseKind.OBJECT, ()

    def _response(self, schema: Any, where: str) -> tuple[ResponseKind, tuple[Parameter, ...]]:
        reader = SchemaReader(self._document)
        whole = reader.read(DATA_KEY, schema, where)
        if whole.type is ValueType.OBJECT:
            return ResponseKind.OBJECT, whole.sub_parameters
        if not schema:
            return ResponseKind.OBJECT, ()
        return ResponseKind.VALUE, (whole,)


def _media_type(name: object) -> str:
    return str(name).partition(";")[0].strip().lower()


def _is_file(kind: str) -> bool:
    return kind in _FILES or kind.startswith(("image/", "audio/", "video/"))


def _is_json(kind: str) -> bool:
    return kind in {"application/json", "*/*"} or kind.endswith("+json")


def _server(root: Node, document_url: str) -> str:
    """Return the first address; its variables get their defaults.

    A relative one counts from where the document lies, and no one at all means the root there.
    """
    servers = objects(root, "servers")
    first = servers[0] if servers and isinstance(servers[0], Mapping) else {}
    url = text_of(first, "url")
    for name, variable in mapping(first, "variables").items():
        default = text_of(variable, "default") if isinstance(variable, Mapping) else ""
        url = url.replace(f"{{{name}}}", default)
    if document_url:
        url = urljoin(document_url, url or "/")
    return url.rstrip("/") if urlsplit(url).scheme in {"http", "https"} else ""


def _auth_hint(document: Document) -> str:
    schemes = mapping(mapping(document.root, "components"), "securitySchemes")
    for name, node in schemes.items():
        try:
            scheme = document.resolve(node, f"securitySchemes.{name}")
        except DocumentUnreadable:
            continue
        match text_of(scheme, "type"):
            case "apiKey":
                return f"service: {text_of(scheme, 'in')} {text_of(scheme, 'name')}"
            case "http":
                return f"service: header Authorization ({text_of(scheme, 'scheme')})"
            case "oauth2":
                return f"oauth: {', '.join(mapping(scheme, 'flows'))}"
            case _:
                continue
    return ""


def _unique(wanted: str, method: str, path: str, names: set[str]) -> str:
    """Return the operation's name in letters that every model takes; made where it has none."""
    source = wanted or f"{method.lower()}{path}"
    name = _NAME.sub("_", source).strip("_")[:_NAME_CHARS] or "tool"
    if name in names:
        mark = sha256(f"{method} {path}".encode()).hexdigest()[:6]
        name = f"{name[: _NAME_CHARS - 7]}_{mark}"
    return name
