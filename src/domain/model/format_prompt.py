"""The form of an answer in words, for models that cannot be told it by a field of their wire."""

import msgspec

from domain.shared.chat import Capabilities, ChatMessage, ChatRequest, OutputFormat


def told_format(request: ChatRequest, capabilities: Capabilities) -> ChatRequest:
    """Return a request that tells the JSON it wants in words, unless the wire says it all.

    Beside tools it is told as well: some vendors take either tools or a format, and leave the
    format out. Models that are told their tools in words mark calls and answers in their text, so
    the wire must not force that text to be JSON.
    """
    if request.output is not OutputFormat.JSON:
        return request
    schema = request.json_schema
    in_words = bool(request.tools) and capabilities.tools not in {"native", "none"}
    is_told = capabilities.json_object if schema is None else capabilities.json_schema
    if is_told and not request.tools:
        return request
    if in_words or not (is_told or _is_object(request)):
        request = msgspec.structs.replace(request, output=OutputFormat.TEXT, json_schema=None)
    if schema is None:
        rule = "The answer is one JSON object, with no words around it and no fence."
    else:
        text = msgspec.json.encode(schema).decode()
        rule = (
            "The answer is JSON, with no words around it and no fence. It follows this JSON "
            f"schema: {text}"
        )
    at = next((n for n, m in enumerate(request.messages) if m.role != "system"), 0)
    told = ChatMessage.of_text("system", rule)
    messages = (*request.messages[:at], told, *request.messages[at:])
    return msgspec.structs.replace(request, messages=messages)


def _is_object(request: ChatRequest) -> bool:
    """Tell whether an object is wanted, which is all that modes without a schema know."""
    return request.json_schema is None or request.json_schema.get("type", "object") == "object"
