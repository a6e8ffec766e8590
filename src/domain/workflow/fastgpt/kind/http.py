"""Requests to servers outside, and to Laf cloud functions, which get all inputs as their body."""

import re
from typing import Final

from domain.workflow.fastgpt.flow import ANY_INPUT, ERROR_TEXT, SYSTEM_VARIABLES, type_named
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import Binding, Expr, NodeConfig, ObjectOf, Slot, Template
from domain.workflow.node.outside.http import (
    BodyKind,
    HttpConfig,
    Method,
    NamedText,
    ParsedReply,
    SelectedOutput,
)
from domain.workflow.value import ANY, Field

RAW: Final = "httpRawResponse"
_TIMEOUT_S: Final = 60.0
_METHODS: Final[dict[str, Method]] = {
    "GET": "GET",
    "POST": "POST",
    "PUT": "PUT",
    "PATCH": "PATCH",
    "DELETE": "DELETE",
    "HEAD": "HEAD",
}
_SENT_AS_SYSTEM: Final = ("appId", "chatId", "responseChatItemId", "histories")
_LAF_BODY: Final = "$body"
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
_BODIES: Final[dict[str, BodyKind]] = {
    "none": "empty",
    "json": "json",
    "raw-text": "text",
    "xml": "text",
    "form-data": "form_data",
    "x-www-form-urlencoded": "form_urlencoded",
}
_NO_PARTS: Final = frozenset({"error", RAW, "system_addOutputParam", "system_error_text"})
_MANY: Final = re.compile(r"\*|\[[:?]|\.\.|,")
"""Paths whose result is a list in FastGPT, even of one value."""
_SECRETS: Final = {"Bearer": "Bearer ", "Basic": "Basic "}


def _read(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    reader.special[ANY_INPUT] = lambda: everything(reader)
    method = reader.value("system_httpMethod").text("POST").upper()
    if method not in _METHODS:
        reader.report("WF402", reader.value("system_httpMethod"), f"Unknown {method[:20]!r}.")
    named = reader.value("system_httpContentType")
    content = named.text() or "json"
    if content not in _BODIES:
        reader.report("WF402", named, f"Unknown body {content[:20]!r}.")
    body = _BODIES.get(content, "empty") if method in _WITH_BODY else "empty"
    url = reader.template("system_httpReqUrl")
    if not url.parts:
        reader.report("WF445", reader.value("system_httpReqUrl"), "The address is missing.")
    timeout = reader.value("system_httpTimeout").number()
    return HttpConfig(
        method=_METHODS.get(method, "POST"),
        url=url,
        params=_pairs(reader, "system_httpParams"),
        headers=(*_secrets(reader), *_pairs(reader, "system_httpHeader")),
        body=body,
        content_type="application/xml" if content == "xml" else "",
        text=_text(reader, body),
        is_lenient=body == "json",
        fields=_pairs(reader, "system_httpFormBody") if body.startswith("form_") else (),
        timeout_s=float(timeout) if timeout and timeout > 0 else _TIMEOUT_S,
        reply=parsed_reply(reader),
    )


def parsed_reply(reader: FlowReader) -> ParsedReply:
    """Read which parts of the reply are outputs; declares them."""
    selected: list[SelectedOutput] = []
    fields: list[Field] = []
    for item in reader.node.cursor["outputs"]:
        key = item["key"].text()
        if not key or {key, item["id"].text()} & _NO_PARTS:
            continue
        path = key if key.startswith("$") else f"$.{key}"
        is_list = _MANY.search(path) is not None
        selected.append(SelectedOutput(name=key, path=path, is_list=is_list))
        fields.append(Field(name=key, type=type_named(item["valueType"].text())))
    keeps, failure = reader.kept_failure()
    reader.outputs = (*fields, Field(name=RAW, type=ANY), *failure)
    reader.told = tuple(each.name for each in selected) or (RAW,)
    return ParsedReply(
        whole=RAW, selected=tuple(selected), answer="answerText", keeps_failures=keeps
    )


def everything(reader: FlowReader) -> Expr:
    """Put all variables and own inputs into one object, as ``{{system_addInputParam}}`` means."""
    members: dict[str, Binding] = {}
    for name in (*reader.flow.globals, *SYSTEM_VARIABLES):
        members[name] = Binding(name=name, expr=reader.flow.variable(name), type=ANY)
    for each in reader.bindings:
        if each.is_parameter and each.name not in SYSTEM_VARIABLES:
            members[each.name] = each
    return ObjectOf(tuple(members.values()))


def _text(reader: FlowReader, body: BodyKind) -> Template:
    if body not in {"json", "text"}:
        return Template()
    written = reader.template("system_httpJsonBody", is_json=body == "json")
    return written if written.parts or body == "text" else Template(("{}",))


def _pairs(reader: FlowReader, key: str) -> tuple[NamedText, ...]:
    return tuple(
        NamedText(name=name, value=reader.written(key, item["value"]))
        for item in reader.value(key)
        if (name := reader.written(key, item["key"])).parts
    )


def _secrets(reader: FlowReader) -> tuple[NamedText, ...]:
    """Read the credential; an export of FastGPT has its name and not the secret."""
    found = []
    place = reader.value("system_header_secret")
    for name in place.value if isinstance(place.value, dict) else ():
        secret = place[name]["value"].text()
        if not secret:
            what = f"The export does not contain the credential {name[:40]!r}; enter it again."
            reader.report("WF401", place[name], what)
            continue
        header = "Authorization" if name in _SECRETS else name
        value = f"{_SECRETS.get(name, '')}{secret}"
        found.append(NamedText(name=Template((header,)), value=Template((value,))))
    return tuple(found)


FLOW_KINDS.register("httpRequest468")(
    FlowKind(kind="http", read=_read, outputs={"error": ERROR_TEXT})
)


def _laf(reader: FlowReader) -> NodeConfig:
    reader.parameters()
    url = reader.template("system_httpReqUrl")
    if not url.parts:
        reader.report("WF445", reader.value("system_httpReqUrl"), "The address is missing.")
    own = tuple(each for each in reader.bindings if each.is_parameter)
    members = (
        _group(reader, "systemParams", _SENT_AS_SYSTEM),
        _group(reader, "variables", (*reader.flow.globals, *SYSTEM_VARIABLES)),
        *own,
    )
    reader.bind_expression(
        _LAF_BODY, ObjectOf(members), ANY, reader.node.input("system_httpReqUrl")
    )
    return HttpConfig(
        method="POST",
        url=url,
        body="json",
        text=Template((Slot(_LAF_BODY, (), ""),)),
        is_lenient=True,
        reply=parsed_reply(reader),
    )


def _group(reader: FlowReader, name: str, variables: tuple[str, ...]) -> Binding:
    members = tuple(
        Binding(name=each, expr=reader.flow.variable(each), type=ANY)
        for each in dict.fromkeys(variables)
    )
    return Binding(name=name, expr=ObjectOf(members), type=ANY)


FLOW_KINDS.register("lafModule")(FlowKind(kind="http", read=_laf, outputs={"error": ERROR_TEXT}))
