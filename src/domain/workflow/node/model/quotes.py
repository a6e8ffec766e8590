"""Passages in the messages of a model, as templates of FastGPT's flows want them."""

import re
from typing import Final

import msgspec

from domain.workflow.engine.call import Call
from domain.workflow.graph import Template
from domain.workflow.node.knowledge.passage_merge import text_of_passage
from domain.workflow.template import render
from domain.workflow.text import to_text
from domain.workflow.value import Value

_EACH: Final = "[{{index}}] {{source}}\n{{q}}\n{{a}}"
_AROUND: Final = "Use these passages where they help to answer:\n{{quote}}"
_ASKED: Final = _AROUND + "\n\nThe question: {{question}}"
_BETWEEN: Final = "\n------\n"
_NAME: Final = re.compile(r"\{\{(\w+)\}\}", re.ASCII)


class QuoteSetting(msgspec.Struct, frozen=True, kw_only=True):
    """Passages that the model is shown, as FastGPT puts them into its messages.

    ``passages``: input with them. ``each``: the text of one, with ``{{q}}``, ``{{a}}``, ``{{id}}``,
    ``{{source}}``, ``{{sourceId}}``, ``{{index}}`` in it. ``around``: the text of all, with
    ``{{quote}}`` and for a question ``{{question}}``. Empty ones have a default.
    """

    passages: str
    each: Template = Template()
    around: Template = Template()
    is_question: bool = False
    """They become a part of the question and not of the system prompt."""


def quoted(call: Call, setting: QuoteSetting, question: str) -> str:
    """Put the passages into a text; empty where nothing is to be quoted.

    A text of the user's own is used even if nothing was found: it may say what to do then.
    """
    given = call.inputs.get(setting.passages)
    if given is None:  # the search was skipped
        return ""
    passages = given if isinstance(given, list) else [given] if given else []
    around = render(setting.around, call.given)
    if not passages and not around:
        return ""
    each = render(setting.each, call.given) or _EACH
    texts = [
        _filled(each, _names(passage, number)).strip() for number, passage in enumerate(passages, 1)
    ]
    around = around or (_ASKED if setting.is_question else _AROUND)
    return _filled(around, {"quote": _BETWEEN.join(texts), "question": question})


def _names(passage: Value, number: int) -> dict[str, str]:
    """Say what the names in the text of a passage stand for."""
    known = passage if isinstance(passage, dict) else {}
    question = known["q"] if "q" in known else text_of_passage(passage)
    return {
        "id": to_text(known.get("id")),
        "q": to_text(question),
        "a": to_text(known.get("a")),
        "source": to_text(known.get("sourceName")),
        "sourceId": to_text(known.get("sourceId")),
        "updateTime": to_text(known.get("updateTime")),
        "index": str(number),
    }


def _filled(text: str, names: dict[str, str]) -> str:
    """Replace names once: what takes their place is not looked through again."""
    return _NAME.sub(lambda found: names.get(found[1], found[0]), text)
