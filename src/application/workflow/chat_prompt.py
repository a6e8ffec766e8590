"""Questions of workflows as texts for people."""

from typing import Any

import msgspec


def prompt_text(question: str) -> str:
    """Return what a person is asked, out of the data of a question."""
    content = _content(question)
    if isinstance(content, dict):
        content = content.get("question", "")
    return content if isinstance(content, str) else question


def chat_text(question: str) -> str:
    """Return what a person is asked in a chat: with options and fields, which a form would show."""
    content = _content(question)
    if isinstance(content, dict):
        lines = [str(content.get("question", ""))]
        lines += [f"- {name}" for name in _names(content.get("options"))]
        return "\n".join(line for line in lines if line)
    try:
        fields = _names(msgspec.json.decode(content)) if isinstance(content, str) else []
    except msgspec.DecodeError:
        fields = []
    if fields:
        return "\n".join(f"{name}:" for name in fields)
    return content if isinstance(content, str) else question


def _content(question: str) -> Any:
    try:
        data = msgspec.json.decode(question)
    except msgspec.DecodeError:
        return question
    if not isinstance(data, dict):
        return question
    messages = data.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[-1], dict):
        data = messages[-1]
    if "url" in data and "content" not in data:
        return "\n".join(str(data[key]) for key in ("message", "url") if data.get(key))
    return data.get("content", data.get("message", question))


def _names(items: object) -> list[str]:
    if not isinstance(items, list):
        return []
    return [str(each["name"]) for each in items if isinstance(each, dict) and each.get("name")]
