"""What the scripted servers of vendors' own wires have in common.

The name of the model chooses a plan, the same for every vendor; each vendor's file turns the plan
into the bytes of its wire. Known names: ``echo`` and names that say nothing, ``reasoning``,
``tool-call`` (also with ``-parallel``; answers once a result is last), ``tool-think`` (thoughts
before the call), ``recalls`` (a call with the question, then an
answer that cites), ``tokens-<n>-<ms>``, ``half-utf8`` (three bytes per write), ``length``,
``filter``, ``stall``, ``stall-after-<n>``, ``hang``, ``reset``, ``reset-after-<n>``,
``truncated``, ``error-later``, ``error-stream``, ``silent``, ``html``, ``only-garbage`` and
``error-<status>``.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.upstream.behaviour import CHINESE, PAGE, words
from tests.upstream.steps import Answer, Reset, Send, Stall, Step, Wait

ARGUMENTS = {"city": "Paris", "note": "x"}


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a vendor's file found in a request."""

    model: str
    question: str
    tool: str = ""
    is_told: bool = False
    """The last message is the result of a call."""


@dataclass(kw_only=True)
class Plan:
    """The pieces of a reply in order: text, reasoning and calls, and how it ends."""

    texts: Sequence[str] = ()
    thoughts: Sequence[str] = ()
    calls: int = 0
    tool: str = ""
    arguments: dict[str, str] = field(default_factory=lambda: dict(ARGUMENTS))
    finish: str = "stop"
    pause_s: float = 0.0
    end: Sequence[Step] = ()
    is_complete: bool = True
    error: str = ""
    chops: int = 0
    counts: dict[str, int] = field(default_factory=lambda: {"input": 7, "output": 5})


def answer(
    asked: Asked,
    render: Callable[[Plan], list[bytes]],
    fail: Callable[[int], Answer],
    *,
    media_type: str,
) -> Answer:
    """Return the answer of a model; ``render`` gives the writes of a plan."""
    headers = {"content-type": media_type}
    name = asked.model
    if match := re.fullmatch(r"error-(\d{3})(?:-retry-after-(\d+))?", name):
        failed = fail(int(match[1]))
        extra = {"retry-after": match[2]} if match[2] else {}
        return Answer(
            status=failed.status, headers=dict(failed.headers) | extra, steps=failed.steps
        )
    if (silent := _wordless(name, headers)) is not None:
        return silent
    plan = _plan(asked)
    writes = render(plan)
    steps: list[Step] = []
    if plan.chops:
        whole = b"".join(writes)
        for at in range(0, len(whole), plan.chops):
            steps += [Send(whole[at : at + plan.chops]), Wait(0)]
    else:
        for data in writes:
            steps += [Send(data), *([Wait(plan.pause_s)] if plan.pause_s else [])]
    return Answer(headers=headers, steps=[*steps, *plan.end])


def _wordless(name: str, headers: dict[str, str]) -> Answer | None:
    """Return the answers that are the same on every wire."""
    answers = {
        "hang": Answer(before=[Stall()]),
        "reset": Answer(before=[Reset()]),
        "silent": Answer(headers=headers),
        "html": Answer(headers={"content-type": "text/html"}, steps=[Send(PAGE)]),
        "only-garbage": Answer(headers=headers, steps=[Send(b"data: {broken\n\nnonsense\n\n")]),
        "stall": Answer(headers=headers, steps=[Stall()]),
    }
    return answers.get(name)


def _plan(asked: Asked) -> Plan:
    name = asked.model
    if match := re.fullmatch(r"tokens-(\d+)-(\d+)", name):
        texts = [f"t{number} " for number in range(int(match[1]))]
        return Plan(texts=texts, pause_s=int(match[2]) / 1000)
    if match := re.fullmatch(r"(stall|reset)-after-(\d+)", name):
        end: list[Step] = [Stall()] if match[1] == "stall" else [Wait(0.02), Reset()]
        texts = [f"t{number} " for number in range(int(match[2]))]
        return Plan(texts=texts, end=end, is_complete=False)
    if name.startswith("tool-") and asked.tool and not asked.is_told:
        return Plan(
            texts=["Let me look. "],
            thoughts=["Hm, ", "a call."] if name == "tool-think" else (),
            calls=2 if name == "tool-call-parallel" else 1,
            tool=asked.tool,
            finish="tool_calls",
        )
    if name == "recalls" and asked.tool and not asked.is_told:
        query = {"query": asked.question}
        return Plan(calls=1, tool=asked.tool, arguments=query, finish="tool_calls")
    plans = {
        "recalls": Plan(texts=["It ", "says so [", "1]."]),
        "reasoning": Plan(texts=["The ", "answer."], thoughts=["Let me ", "see."]),
        "half-utf8": Plan(texts=CHINESE, chops=3),
        "length": Plan(texts=["Cut"], finish="length"),
        "filter": Plan(texts=["No"], finish="content_filter"),
        "truncated": Plan(texts=["Once ", "upon "], is_complete=False),
        "error-later": Plan(texts=["Once ", "upon "], is_complete=False, error="overloaded"),
        "error-stream": Plan(is_complete=False, error="overloaded"),
    }
    return plans.get(name) or Plan(texts=words(asked.question))


def text_of(parts: object, *, key: str = "text") -> str:
    """Join the texts of content given as text or as a list of blocks."""
    if isinstance(parts, list):
        return " ".join(str(part[key]) for part in parts if isinstance(part, dict) and key in part)
    return str(parts or "")


def last(items: object) -> dict[str, Any]:
    """Return the last object of a list, or an empty one."""
    return items[-1] if isinstance(items, list) and items else {}
