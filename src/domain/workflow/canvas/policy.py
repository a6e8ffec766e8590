"""What a Coze canvas says about failures of a node."""

from typing import Literal

from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert_fields, zero_of
from domain.workflow.graph import Policy
from domain.workflow.node import TimeLimit
from domain.workflow.text import BrokenJson, decode_json
from domain.workflow.value import Schema, TypeKind, Value

ERROR_FIELDS = frozenset({"errorBody", "isSuccess"})
"""Outputs that tell about a handled failure; the engine fills them in."""


def read_policy(reader: NodeReader, outputs: Schema, time_limit: TimeLimit) -> Policy:
    """Read ``settingOnError``; older exports keep it next to the inputs."""
    cursor = reader.inputs["settingOnError"] or reader.data["settingOnError"]
    on_error = _on_error(reader, cursor)
    text = cursor["dataOnErr"].text()
    default: Value = None
    if on_error != "throw":
        default = _default(reader, cursor["dataOnErr"], outputs)
    return Policy(
        on_error=on_error,
        timeout_ms=max(cursor["timeoutMs"].integer(), 0),
        time_limit=time_limit,
        attempts=1 + max(cursor["retryTimes"].integer(), 0),
        backoff_ms=max(cursor["ext"]["retryBackoffMs"].integer(), 0),
        has_default=on_error != "throw" and bool(text),
        default=default,
    )


def _on_error(reader: NodeReader, cursor: Cursor) -> Literal["throw", "default", "branch"]:
    text = cursor["dataOnErr"].text()
    kind = cursor["processType"].integer()
    match kind:
        case 0:
            return "default" if text and cursor["switch"].flag() else "throw"
        case 1:
            return "throw"
        case 2:
            if not text:
                reader.stop("WF430", cursor, "There is no default output.")
            return "default"
        case 3:
            return "branch"
        case _:
            reader.report("WF402", cursor["processType"], f"Unknown handling {kind}.")
            return "throw"


def _default(reader: NodeReader, cursor: Cursor, outputs: Schema) -> Value:
    """Convert the default output; a text that is no object goes into every text output."""
    declared = tuple(field for field in outputs if field.name not in ERROR_FIELDS)
    text = cursor.text()
    if not text:
        return {field.name: None for field in declared}
    try:
        parsed = decode_json(text)
    except BrokenJson:
        parsed = None
    if not isinstance(parsed, dict):
        reader.report("WF430", cursor, "The default output is not a JSON object.")
        return {
            field.name: text if field.type.kind is TypeKind.STRING else zero_of(field.type)
            for field in declared
        }
    conversion = convert_fields(parsed, declared)
    for problem in conversion.problems:
        if problem.cause == "invalid":
            reader.report("WF430", cursor, f"The default output does not match: {problem}")
    return {field.name: None for field in declared} | _as_dict(conversion.value)


def _as_dict(value: Value) -> dict[str, Value]:
    return value if isinstance(value, dict) else {}
