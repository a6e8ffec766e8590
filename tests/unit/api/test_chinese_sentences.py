"""What the console says in Chinese covers each sentence of the check of canvases, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from domain.workflow.lint.diagnostic import RULES

ROOT: Final = Path(__file__).parents[3]
WORDS: Final = ROOT / "console/src/ui/error-state"
WORKFLOW: Final = ROOT / "src/domain/workflow"
_ENTRY: Final = re.compile(r'^  ("(?:[^"\\]|\\.)+"):\s+("(?:[^"\\]|\\.)+"),$', re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?=.* )[A-Z{].*(?:\.|: \{\d\}|Bad default of \{1\})")
_PLACE: Final = re.compile(r"\{\d\}")
_TO_MODELS: Final = (
    "Answer ", "Classify ", "Use these passages", "Take the fields", "Which of these",
    "777777773",
)  # fmt: skip
"""Beginnings of what is said to models, or by them."""
_PARTS: Final = frozenset({
    "{1}: {2}", "{1}. {2}", "Line {1}: ", "{1}: {2}: wrong operand type: {3}", "{1} One of: {2}",
    "{1} node {2} has settings of another kind.", "Expected {1}, got {2}.",
})  # fmt: skip
"""Put around other sentences, which stand for themselves; and what only a defect would say."""


def said(name: str) -> dict[str, str]:
    """The sentences of the server and their words in one file of the console."""
    found = _ENTRY.findall((WORDS / f"{name}.zh.ts").read_text("utf-8"))
    return {ast.literal_eval(english): ast.literal_eval(chinese) for english, chinese in found}


def text_of(node: ast.AST) -> str | None:
    """A text of the source, with {1}, {2} … for its values."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            text, place = "", 0
            for part in parts:
                if isinstance(part, ast.Constant):
                    text += str(part.value)
                else:
                    place += 1
                    text += f"{{{place}}}"
            return text
        case _:
            return None


def texts(source: str) -> Iterator[str]:
    """All texts of a module, its docstrings left out."""
    tree = ast.parse(source)
    inner = {
        id(part)
        for node in ast.walk(tree)
        for part in (
            [node.value] if isinstance(node, ast.Expr)
            else node.values if isinstance(node, ast.JoinedStr)
            else []
        )
    }  # fmt: skip
    for node in ast.walk(tree):
        text = text_of(node) if id(node) not in inner else None
        if text is not None:
            yield text


def of_canvases() -> Iterator[str]:
    """Every text of what reads, checks and runs canvases."""
    for path in sorted(WORKFLOW.rglob("*.py")):
        if path.parent.name != "engine" and path.name not in {"diagnostic.py", "schema.py"}:
            yield from texts(path.read_text("utf-8"))


def test_a_new_sentence_is_found_in_the_source() -> None:
    source = '"""A docstring."""\nadd("WF1", f"The port {port[:80]!r} is {1 + 1}.", at="x")'
    assert [text for text in texts(source) if _SENTENCE.fullmatch(text)] == ["The port {1} is {2}."]


def test_each_sentence_about_a_canvas_is_said_and_nothing_else() -> None:
    known = set(of_canvases())
    needed = {
        text
        for text in known
        if _SENTENCE.fullmatch(text) and not text.startswith(_TO_MODELS) and text not in _PARTS
    }
    words = said("canvas-sentences")
    assert needed <= words.keys(), sorted(needed - words.keys())
    assert words.keys() <= known, sorted(words.keys() - known)


def test_each_advice_is_said_and_nothing_else() -> None:
    assert said("canvas-advice").keys() == {rule.hint for rule in RULES.values()}


@pytest.mark.parametrize("name", ["canvas-advice", "canvas-sentences"])
def test_words_have_the_values_of_the_sentence_and_end_as_it_does(name: str) -> None:
    for english, chinese in said(name).items():
        assert sorted(_PLACE.findall(english)) == sorted(_PLACE.findall(chinese)), english
        assert english.endswith(".") <= chinese.endswith(("。", "}")), english
