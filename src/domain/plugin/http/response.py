"""From the answer of a service to a result that fits its declaration and its reader."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from domain.plugin.error import ToolCallFailed
from domain.plugin.value import (
    DATA_KEY,
    Parameter,
    ResponseKind,
    ResponsePolicy,
    ToolDefinition,
    ValueType,
)

_TEXT_TYPES: Final = ("text/", "application/xml", "application/xhtml", "application/javascript")
_DEPTH: Final = 64
_ROUNDS: Final = 12
_LEFT_OUT: Final = "… ({} more left out)"


def output_of(tool: ToolDefinition, body: bytes, media_type: str) -> dict[str, Any]:
    """Decode a successful answer and keep what the tool declares.

    Raises:
        ToolCallFailed: it is neither text nor JSON, or lacks what a strict tool promises.
    """
    value = _decoded(tool, body, media_type)
    output = value if isinstance(value, dict) else {DATA_KEY: value}
    if tool.response_policy is ResponsePolicy.STRICT:
        _require(output, tool.responses, "response")
    if tool.response_policy is ResponsePolicy.RAW or not tool.responses:
        return output
    kept = _kept(output, tool.responses, 0)
    return kept if isinstance(kept, dict) and (kept or not output) else output


def _decoded(tool: ToolDefinition, body: bytes, media_type: str) -> Any:
    kind = media_type.partition(";")[0].strip().lower()
    if not body.strip():
        return {}
    if kind.endswith("json") or not kind or tool.response_kind is not ResponseKind.TEXT:
        try:
            return msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
            if kind.endswith("json"):
                raise ToolCallFailed(
                    "The service answered with something that is no JSON."
                ) from exc
    if kind and not kind.startswith(_TEXT_TYPES):
        raise ToolCallFailed(
            f"The service answered with {kind[:80]}, which is neither text nor JSON."
        )
    return body.decode("utf-8", "replace")


def _kept(value: Any, declared: Sequence[Parameter], depth: int) -> Any:
    if not isinstance(value, dict) or not declared or depth > _DEPTH:
        return value
    return {
        each.name: _kept_in(value[each.name], each, depth)
        for each in declared
        if each.name in value and not each.is_hidden
    }


def _kept_in(value: Any, declared: Parameter, depth: int) -> Any:
    if declared.type is ValueType.ARRAY and isinstance(value, list) and declared.sub_parameters:
        return [_kept_in(each, declared.sub_parameters[0], depth + 1) for each in value]
    if declared.type is ValueType.OBJECT:
        return _kept(value, declared.sub_parameters, depth + 1)
    return value


def _require(value: Mapping[str, Any], declared: Sequence[Parameter], where: str) -> None:
    for each in declared:
        found = value.get(each.name)
        if found is None:
            if each.is_required:
                raise ToolCallFailed(f"The answer of the service lacks {where}.{each.name}.")
        elif each.type is ValueType.OBJECT and isinstance(found, Mapping):
            _require(found, each.sub_parameters, f"{where}.{each.name}")


def text_of(output: Mapping[str, Any], most: int) -> str:
    """Write a result for a model, as JSON or as the text it is, in at most so many characters.

    Long lists lose their ends, then long texts their middles; the syntax stays whole.
    """
    value: Any = output
    if set(output) == {DATA_KEY} and isinstance(output[DATA_KEY], str):
        text: str = output[DATA_KEY]
        return text if len(text) <= most else _middle_out(text, most)
    text = msgspec.json.encode(value).decode()
    items, chars = 64, 4000
    for _ in range(_ROUNDS):
        if len(text) <= most:
            return text
        value = _shortened(value, items, chars, 0)
        text = msgspec.json.encode(value).decode()
        items, chars = max(items // 2, 1), max(chars // 2, 40)
    keys = list(output)[:20]
    return msgspec.json.encode({"too_long": True, "keys": [key[:80] for key in keys]}).decode()


def _shortened(value: Any, items: int, chars: int, depth: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= chars else _middle_out(value, chars)
    if isinstance(value, list):
        kept = [_shortened(each, items, chars, depth + 1) for each in value[:items]]
        return [*kept, _LEFT_OUT.format(len(value) - items)] if len(value) > items else kept
    if isinstance(value, dict):
        return {key: _shortened(each, items, chars, depth + 1) for key, each in value.items()}
    return value


def _middle_out(text: str, most: int) -> str:
    half = max(most // 2 - 20, 1)
    return f"{text[:half]}{_LEFT_OUT.format(f'{len(text) - 2 * half} characters')}{text[-half:]}"
