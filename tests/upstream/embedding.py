"""Embeddings of the scripted provider: deterministic, and wrong on demand."""

import base64
import re
import struct
import zlib
from typing import Any

import msgspec

from tests.upstream.steps import JSON, Answer, Send, error_answer, json_answer

_NAME = re.compile(r"embed-([a-z]+)?-?(\d+)?")


def answer_embeddings(request: dict[str, Any]) -> Answer:
    raw = request.get("input", [])
    texts = [raw] if isinstance(raw, str) else list(raw)
    match = _NAME.fullmatch(str(request.get("model", "")))
    variant, number = (match[1] or "", int(match[2] or 0)) if match else ("", 0)
    if variant == "max" and len(texts) > number:
        return error_answer(400, f"Input array too large: the maximum batch size is {number}.")
    if variant == "chars" and any(len(text) > number for text in texts):
        return error_answer(413, "The input is too long: reduce the length.")
    if variant == "flaky" and request["_seen"] < number:
        return error_answer(429, "Slow down.", headers={"retry-after": "0"})
    width = number if not variant and number else int(request.get("dimensions") or 8)
    rows = [_row(position, text, width, variant) for position, text in enumerate(texts)]
    if variant == "shuffled":
        rows.reverse()
    tokens = sum(max(1, len(text) // 4) for text in texts)
    body = {
        "object": "list",
        "data": rows,
        "model": request.get("model"),
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }
    if variant == "nan":
        data = msgspec.json.encode(body).replace(b"12345.5", b"NaN")
        return Answer(headers=JSON, steps=[Send(data)])
    return json_answer(body)


def vector(text: str, width: int) -> list[float]:
    """The vector of a text, not normalised."""
    return [(zlib.crc32(f"{place}:{text}".encode()) % 2001 - 1000) / 500 for place in range(width)]


def _row(position: int, text: str, width: int, variant: str) -> dict[str, Any]:
    values = vector(text, width)
    if variant == "zero":
        values = [0.0] * width
    if variant == "short" and position:
        values = values[:-1]
    if variant == "nan":
        values[0] = 12345.5
    embedding: object = values
    if variant == "base":
        embedding = base64.b64encode(struct.pack(f"<{len(values)}f", *values)).decode()
    return {"object": "embedding", "index": position, "embedding": embedding}
