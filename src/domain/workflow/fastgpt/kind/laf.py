"""Calls of Laf cloud functions: a request with all inputs as its body."""

from typing import Final

from domain.workflow.fastgpt.flow import ERROR_TEXT, SYSTEM_VARIABLES
from domain.workflow.fastgpt.kind import FLOW_KINDS, FlowKind
from domain.workflow.fastgpt.kind.http import parsed_reply
from domain.workflow.fastgpt.node_reader import FlowReader
from domain.workflow.graph import Binding, NodeConfig, ObjectOf, Slot, Template
from domain.workflow.node.outside.http import HttpConfig
from domain.workflow.value import ANY

_SENT_AS_SYSTEM: Final = ("appId", "chatId", "responseChatItemId", "histories")
_BODY: Final = "$body"


def _read(reader: FlowReader) -> NodeConfig:
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
    reader.bind_expression(_BODY, ObjectOf(members), ANY, reader.node.input("system_httpReqUrl"))
    return HttpConfig(
        method="POST",
        url=url,
        body="json",
        text=Template((Slot(_BODY, (), ""),)),
        is_lenient=True,
        reply=parsed_reply(reader),
    )


def _group(reader: FlowReader, name: str, variables: tuple[str, ...]) -> Binding:
    members = tuple(
        Binding(name=each, expr=reader.flow.variable(each), type=ANY)
        for each in dict.fromkeys(variables)
    )
    return Binding(name=name, expr=ObjectOf(members), type=ANY)


FLOW_KINDS.register("lafModule")(FlowKind(kind="http", read=_read, outputs={"error": ERROR_TEXT}))
