"""Questions of workflows as people are asked them."""

from typing import Any

import msgspec

from domain.shared.asked import Asked, AskedField


def prompt_text(question: str) -> str:
    """Return what a person is asked, out of the data of a question."""
    content = _content(_data(question), question)
    if isinstance(content, dict):
        content = content.get("question", "")
    return content if isinstance(content, str) else question


def asked_of(question: str) -> Asked:
    """Return what a form shows of the data of a question."""
    data = _data(question)
    content = _content(data, question)
    if isinstance(content, dict):
        options = tuple(_named(content.get("options")))
        return Asked(text=str(content.get("question", "")), options=options)
    text = content if isinstance(content, str) else question
    if data.get("content_type") == "form_schema" and (fields := _fields(text)):
        return Asked(text="", fields=fields)
    return Asked(text=text, url=str(data.get("auth_info") or ""))


def chat_text(asked: Asked) -> str:
    """Return what a person is asked in a chat: with options and fields, which a form would show."""
    lines = [
        asked.text,
        *(f"- {name}" for name in asked.options),
        *(f"{field.name}:" for field in asked.fields),
        asked.url,
    ]
    return "\n".join(line for line in lines if line)


def _data(question: str) -> dict[str, Any]:
    try:
        data = msgspec.json.decode(question)
    except msgspec.DecodeError:
        return {}
    if not isinstance(data, dict):
        return {}
    messages = data.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[-1], dict):
        return messages[-1]
    return data


def _content(data: dict[str, Any], question: str) -> Any:
    if "url" in data and "content" not in data:
        return "\n".join(str(data[key]) for key in ("message", "url") if data.get(key))
    return data.get("content", data.get("message", question))


def _fields(schema: str) -> tuple[AskedField, ...]:
    try:
        items = msgspec.json.decode(schema)
    except msgspec.DecodeError:
        return ()
    return tuple(
        AskedField(
            name=str(item["name"]),
            type=str(item.get("type") or "string"),
            is_required=item.get("required") is True,
            description=str(item.get("description") or ""),
        )
        for item in _records(items)
        if item.get("name")
    )


def _named(items: object) -> list[str]:
    return [str(item["name"]) for item in _records(items) if item.get("name")]


def _records(items: object) -> list[dict[str, Any]]:
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
