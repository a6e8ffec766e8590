"""From settled arguments to a request."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, urlencode

import msgspec

from domain.plugin.error import PluginInvalid
from domain.plugin.http.body import many, text_value, write_body
from domain.plugin.value import BodyMedia, Location, Manifest, Parameter, ToolDefinition
from domain.shared.secret import MASK, Secret

_READABLE: Final = (BodyMedia.JSON.value, BodyMedia.FORM.value)
_SEPARATORS: Final = {"form": ",", "spaceDelimited": " ", "pipeDelimited": "|"}


@dataclass(slots=True)
class Draft:
    """A request in the making; ``secrets`` are the values of it that nobody may see."""

    method: str
    url: str
    query: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    cookies: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    secrets: list[str] = field(default_factory=list)

    @property
    def full_url(self) -> str:
        """Address with its query."""
        return f"{self.url}?{urlencode(self.query)}" if self.query else self.url

    def all_headers(self) -> dict[str, str]:
        """Headers with the cookies."""
        if not self.cookies:
            return dict(self.headers)
        return {**self.headers, "cookie": "; ".join(f"{n}={v}" for n, v in self.cookies)}

    def masked(self, text: str) -> str:
        """Hide the secrets of the request in a text, also where they are written for addresses."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            for spelling in {secret, quote(secret, safe=""), urlencode({"": secret})[1:]}:
                text = text.replace(spelling, MASK)
        return text

    def masked_bytes(self, data: bytes) -> bytes:
        """Hide the secrets of the request in an answer; services echo what they get."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            data = data.replace(secret.encode(), MASK.encode())
        return data

    def shown(self) -> dict[str, Any]:
        """The request as the debug view shows it."""
        return {
            "method": self.method,
            "url": self.masked(self.full_url),
            "headers": {name: self.masked(value) for name, value in self.all_headers().items()},
            "body": self._shown_body(),
        }

    def _shown_body(self) -> str:
        media = self.headers.get("content-type", "")
        if media and not media.startswith(_READABLE):
            return f"[{len(self.body)} bytes of {media}]"
        return self.masked(self.body.decode("utf-8", "replace"))[:64_000]


def compose(
    manifest: Manifest,
    tool: ToolDefinition,
    values: Mapping[str, Any],
    secrets: Mapping[str, Secret],
) -> Draft:
    """Put values and common parameters into their places.

    Raises:
        PluginInvalid: a value cannot stand where it has to.
    """
    placed = [(each, values[each.key]) for each in tool.parameters if each.key in values]
    path = tool.path
    for each, value in placed:
        if each.location is Location.PATH:
            path = path.replace(f"{{{each.name}}}", _segment(each, value))
    draft = Draft(method=tool.method, url=manifest.server_url.rstrip("/") + path)
    for each, value in placed:
        match each.location:
            case Location.QUERY:
                draft.query += _query(each, value)
            case Location.HEADER:
                draft.headers[each.name.lower()] = _header(each, value)
            case Location.COOKIE:
                draft.cookies.append((each.name, quote(text_value(value), safe="")))
            case _:
                continue
    body = {each.name: value for each, value in placed if each.location is Location.BODY}
    body |= add_common(draft, manifest, secrets)
    _write_body(draft, tool, body)
    draft.secrets = [each for each in draft.secrets if each]
    return draft


def add_common(draft: Draft, manifest: Manifest, secrets: Mapping[str, Secret]) -> dict[str, str]:
    """Put the constants of a plugin into a request; return those of the body."""
    body: dict[str, str] = {}
    for common in manifest.common_parameters:
        value = common.value
        if common.is_secret:
            value = secrets.get(common.secret_name, Secret("")).reveal()
            draft.secrets.append(value)
        match common.location:
            case Location.QUERY:
                draft.query.append((common.name, value))
            case Location.HEADER:
                draft.headers[common.name.lower()] = value
            case _:
                body[common.name] = value
    return body


def _write_body(draft: Draft, tool: ToolDefinition, body: Mapping[str, Any]) -> None:
    declares = any(each.location is Location.BODY for each in tool.parameters)
    if draft.method in {"GET", "HEAD"} or not (declares or body):
        return
    draft.body, media = write_body(tool, body)
    if media:
        draft.headers["content-type"] = media


def _segment(parameter: Parameter, value: Any) -> str:
    texts = [text_value(each) for each in many(value)]
    for text in texts:
        if not text or text in {".", ".."} or any(char in text for char in "/\\"):
            raise PluginInvalid(
                f"arguments.{parameter.key}: empty, '.', '..', '/' and '\\' cannot be in a path."
            )
    prefix = {"label": ".", "matrix": f";{parameter.name}="}.get(parameter.style, "")
    return prefix + ",".join(quote(each, safe="") for each in texts)


def _query(parameter: Parameter, value: Any) -> list[tuple[str, str]]:
    name = parameter.name
    if parameter.style == "json":
        return [(name, msgspec.json.encode(value).decode())]
    if isinstance(value, dict):
        return _query_object(parameter, value)
    if isinstance(value, list):
        style = parameter.style or "form"
        if parameter.explode is False or (parameter.explode is None and style != "form"):
            return [(name, _SEPARATORS.get(style, ",").join(text_value(each) for each in value))]
        return [(name, text_value(each)) for each in value]
    return [(name, text_value(value))]


def _query_object(parameter: Parameter, value: Mapping[str, Any]) -> list[tuple[str, str]]:
    if parameter.style == "deepObject":
        return [(f"{parameter.name}[{key}]", text_value(each)) for key, each in value.items()]
    if parameter.explode is not False:
        return [(key, text_value(each)) for key, each in value.items()]
    return [(parameter.name, ",".join(f"{key},{text_value(each)}" for key, each in value.items()))]


def _header(parameter: Parameter, value: Any) -> str:
    text = ",".join(text_value(each) for each in many(value))
    if any(ord(char) < 32 or ord(char) == 127 for char in text):  # noqa: PLR2004 - ASCII controls
        raise PluginInvalid(f"arguments.{parameter.key}: a header takes one line of plain text.")
    return text
