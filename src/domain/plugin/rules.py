"""What the parts of plugins must satisfy; raise ``PluginInvalid`` naming the field."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from domain.plugin.error import PluginInvalid
from domain.plugin.value import (
    Auth,
    AuthType,
    CommonParameter,
    Location,
    Manifest,
    McpSource,
    Parameter,
    PluginKind,
    ToolDefinition,
)
from domain.shared.limits import Limits

METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
URL_CHARS: Final = 512
EXAMPLE_BYTES: Final = 16 * 1024
"""Of an answer that is kept to show what a tool gives."""
_NAME_CHARS: Final = 64
_DESCRIPTION_CHARS: Final = 2000
_NOTE_CHARS: Final = 1024
_DEPTH: Final = 8
_PARAMETERS: Final = 2000
"""Parameters of one tool, properties included."""

_COMMON: Final = 50
_TOKEN: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}", re.ASCII)
_HOST: Final = re.compile(r"(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.ASCII)
_PROGRAM: Final = re.compile(r"[\w.-]{1,100}")
_CALL_S: Final = 3600.0
_ADDRESSLESS: Final = frozenset({PluginKind.LOCAL, PluginKind.WORKFLOW})
_PLACE: Final = re.compile(r"{([^{}]*)}")


class PluginRules:
    """Checks of what clients set."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    def name(self, text: str) -> str:
        """Return the trimmed name of a plugin."""
        return _name("name", text, self._limits.agent_name_chars)

    def description(self, text: str) -> str:
        return _text("description", text, _DESCRIPTION_CHARS)

    def note(self, text: str) -> str:
        return _text("version_desc", text, _NOTE_CHARS)

    def manifest(self, manifest: Manifest) -> Manifest:
        """Return the settings if every part of them is sound."""
        if manifest.server_url:
            is_base = manifest.kind is PluginKind.HTTP
            absolute_url("server_url", manifest.server_url, is_base=is_base)
        _source(manifest)
        if len(manifest.common_parameters) > _COMMON:
            raise PluginInvalid(f"common_params: at most {_COMMON} are possible.")
        for each in manifest.common_parameters:
            _common(each)
        self._auth(manifest.auth)
        return manifest

    def tool(self, tool: ToolDefinition) -> ToolDefinition:
        """Return the tool if every part of it is sound."""
        _name("name", tool.name, _NAME_CHARS)
        _text("description", tool.description, _DESCRIPTION_CHARS)
        if tool.method not in METHODS:
            raise PluginInvalid(f"method: use one of {', '.join(sorted(METHODS))}.")
        self._path(tool)
        count = _check_tree("parameters", tool.parameters)
        count += _check_tree("responses", tool.responses)
        if count > _PARAMETERS:
            raise PluginInvalid(f"parameters: at most {_PARAMETERS} with all properties.")
        if len(msgspec.json.encode(tool.example)) > EXAMPLE_BYTES:
            raise PluginInvalid(f"example: at most {EXAMPLE_BYTES} bytes as JSON.")
        keys = [each.key for each in tool.parameters]
        twice = {each for each in keys if keys.count(each) > 1}
        if twice:
            raise PluginInvalid(f"parameters: {min(twice)} stands there twice.")
        return tool

    def belongs(self, tool: ToolDefinition, manifest: Manifest) -> None:
        """Refuse a tool that is of another kind than its plugin."""
        if (tool.pin is not None) is not (manifest.kind is PluginKind.MCP):
            raise PluginInvalid(
                "The tools of an MCP server come from its list: inspect and accept it."
            )
        if (tool.workflow_id > 0) is not (manifest.kind is PluginKind.WORKFLOW):
            raise PluginInvalid(
                "workflow_id: tools of plugins of type workflow need it, no others have it."
            )

    def unique(self, tools: Iterable[ToolDefinition]) -> None:
        """Refuse two tools of one name."""
        seen: set[str] = set()
        for tool in tools:
            if tool.name in seen:
                raise PluginInvalid(f"name: there is a tool {tool.name} already.")
            seen.add(tool.name)

    def hosts(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return host names as they are compared; an address stands for itself."""
        if len(names) > self._limits.plugin_hosts:
            raise PluginInvalid(f"hosts: at most {self._limits.plugin_hosts} are possible.")
        found = tuple(dict.fromkeys(each.strip().lower().rstrip(".") for each in names))
        for each in found:
            if not _HOST.fullmatch(each):
                raise PluginInvalid(f"hosts: {each[:80]!r} is no host name.")
        return found

    def _path(self, tool: ToolDefinition) -> None:
        path = tool.path
        if not path.startswith("/") or path.startswith("//") or len(path) > URL_CHARS:
            raise PluginInvalid(f"path: starts with one '/', at most {URL_CHARS} characters.")
        if any(char in path for char in "?#\\") or not path.isprintable() or " " in path:
            raise PluginInvalid("path: '?', '#', '\\' and blanks are not allowed.")
        if any(part in {".", ".."} for part in path.split("/")):
            raise PluginInvalid("path: '.' and '..' are not allowed.")
        declared = {each.name for each in tool.parameters if each.location is Location.PATH}
        wanted = set(_PLACE.findall(path))
        if wanted != declared:
            odd = min(wanted ^ declared)
            raise PluginInvalid(f"path: {{{odd}}} and the path parameters do not agree.")

    def _auth(self, auth: Auth) -> None:
        match auth.type:
            case AuthType.NONE:
                return
            case AuthType.SERVICE:
                if auth.location not in {Location.HEADER, Location.QUERY}:
                    raise PluginInvalid("auth.location: use header or query.")
                if not _TOKEN.fullmatch(auth.key):
                    raise PluginInvalid("auth.key: name the header or query parameter.")
            case AuthType.CLIENT_CREDENTIALS | AuthType.AUTHORIZATION_CODE:
                if not auth.client_id:
                    raise PluginInvalid("auth.client_id: this field is required.")
                absolute_url("auth.client_url", auth.client_url)
                if auth.type is AuthType.AUTHORIZATION_CODE:
                    absolute_url("auth.authorization_url", auth.authorization_url)
                _text("auth.scope", auth.scope, _NOTE_CHARS)


def _source(manifest: Manifest) -> None:
    """Check what is behind the tools; only HTTP services and MCP servers have an address."""
    source = manifest.mcp
    if manifest.kind is not PluginKind.MCP and source != McpSource():
        raise PluginInvalid("mcp: only plugins of type mcp have an MCP server.")
    if manifest.kind in _ADDRESSLESS and manifest.server_url:
        raise PluginInvalid(f"server_url: plugins of type {manifest.kind} call no server.")
    if source.program and not _PROGRAM.fullmatch(source.program):
        raise PluginInvalid("mcp.program: give the name of a program that the operator lists.")
    if source.program and manifest.server_url:
        raise PluginInvalid("mcp.program: give either a program or server_url.")
    if not 0 <= source.call_s <= _CALL_S:
        raise PluginInvalid(f"mcp.call_timeout_s: 0 to {_CALL_S:g} seconds.")


def absolute_url(field: str, text: str, *, is_base: bool = False) -> str:
    """Return an address that could be called; whether it may be is decided when it is.

    Raises:
        PluginInvalid: no http address, one with credentials, or, of a base, with a query.
    """
    try:
        url = urlsplit(text)
        port_is_fine = url.port is None or url.port > 0
    except ValueError as exc:
        raise PluginInvalid(f"{field}: this is no address.") from exc
    plain = text.isprintable() and not any(char in text for char in ' \\"<>')
    if len(text) > URL_CHARS or url.scheme not in {"http", "https"} or not url.hostname:
        raise PluginInvalid(f"{field}: an http or https address of at most {URL_CHARS} characters.")
    if not plain or not port_is_fine or "@" in url.netloc or url.fragment:
        raise PluginInvalid(f"{field}: credentials, fragments and blanks are not allowed.")
    if is_base and url.query:
        raise PluginInvalid(f"{field}: put query parameters into the common parameters.")
    return text


def _common(each: CommonParameter) -> None:
    if each.location not in {Location.QUERY, Location.HEADER, Location.BODY}:
        raise PluginInvalid("common_params: use query, header or body.")
    if not _TOKEN.fullmatch(each.name):
        raise PluginInvalid(f"common_params: {each.name[:80]!r} is no name.")
    if len(each.value) > _DESCRIPTION_CHARS or any(char in each.value for char in "\r\n\0"):
        raise PluginInvalid(f"common_params.{each.name}: one line, {_DESCRIPTION_CHARS} at most.")


def _check_tree(field: str, parameters: Sequence[Parameter], depth: int = 0) -> int:
    if depth > _DEPTH:
        raise PluginInvalid(f"{field}: nested deeper than {_DEPTH} levels.")
    count = len(parameters)
    if count > _PARAMETERS:
        raise PluginInvalid(f"{field}: at most {_PARAMETERS} with all properties.")
    for each in parameters:
        if not 1 <= len(each.name) <= 200 or not each.name.isprintable():  # noqa: PLR2004
            raise PluginInvalid(f"{field}: a name has 1 to 200 printable characters.")
        if each.location is Location.HEADER and not _TOKEN.fullmatch(each.name) and not depth:
            raise PluginInvalid(f"{field}.{each.name}: this is no name of a header.")
        if each.is_hidden and each.is_required and each.preset is None and field == "parameters":
            raise PluginInvalid(f"{field}.{each.name}: hidden and required, so give a default.")
        count += _check_tree(field, each.sub_parameters, depth + 1)
    return count


def _name(field: str, text: str, most: int) -> str:
    name = text.strip()
    if not 1 <= len(name) <= most:
        raise PluginInvalid(f"{field}: 1 to {most} characters are needed.")
    if any(unicodedata.category(char) == "Cc" for char in name):
        raise PluginInvalid(f"{field}: control characters are not allowed.")
    return name


def _text(field: str, text: str, most: int) -> str:
    found = text.strip()
    if len(found) > most:
        raise PluginInvalid(f"{field}: at most {most} characters.")
    if any(unicodedata.category(char) == "Cc" and char not in "\n\r\t" for char in found):
        raise PluginInvalid(f"{field}: control characters are not allowed.")
    return found
