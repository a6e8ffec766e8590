"""What the console says in Chinese covers each sentence of the server's refusals, and no other."""

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from api.share.page import CLOSED
from bootstrap.maintenance.doctor import THEMES
from domain.workflow.lint.diagnostic import RULES
from tests.support.source.rule import SRC
from tests.unit.api.server_nouns import Nouns
from tests.unit.api.server_sentences import Module, Server, bare, text_of

ROOT: Final = Path(__file__).parents[3]
WORDS: Final = ROOT / "console/src/ui/error-state"
WORKFLOW: Final = ROOT / "src/domain/workflow"
_QUOTED: Final = r"""("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+')"""
_ENTRY: Final = re.compile(rf"^  {_QUOTED}:\s+{_QUOTED},$", re.MULTILINE)
_SENTENCE: Final = re.compile(r"(?=.* )[A-Z{].*(?:\.|: \{\d\}|Bad default of \{1\})")
_PLACE: Final = re.compile(r"\{(\d)(?::(\w+))?\}")
"""Where a value comes, in Chinese perhaps with the group of its noun."""
_GROUP: Final = re.compile(r"^  (\w+): \{(.*?)\},$", re.MULTILINE | re.DOTALL)
_NOUN: Final = re.compile(rf"(?:{_QUOTED}|\b(\w+)): {_QUOTED}")
_CHECK: Final = re.compile(r'^    name, invariant = "(.+?)", ', re.MULTILINE)
_AREAS: Final = (
    "agent", "examination", "identity", "knowledge", "plugin", "request", "run", "table",
)  # fmt: skip
"""The files with the words of what is refused outside of canvases."""
_NOT_SHOWN: Final = (
    "api/channel/", "api/coze/", "api/docs/", "api/example/", "api/mcp/", "api/openai/",
    "application/operation/archive/", "application/operation/move/", "bootstrap/",
    "domain/workflow/", "infra/impl/repository/sql/operation/", "infra/impl/transfer/",
)  # fmt: skip
"""What only programs, operators at a shell or the check of canvases say."""
_SHOWN: Final = "bootstrap/maintenance/doctor.py"
"""What an examination finds, which the console shows."""
_OF_PROTOCOLS: Final = frozenset({
    "AccessDenied", "ArchiveUnreadable", "AssertionInvalid", "AuthorizationPending", "CallRefused",
    "CallUnreadable", "ExpiredToken", "InvalidClient", "InvalidGrant", "InvalidScope", "KeyUnknown",
    "SchemaTooNew", "SchemaTooOld", "SettingsInvalid", "SignatureInvalid", "SlowDown",
    "TokenRefused", "UnauthorizedClient", "UnfitEntry", "UnsupportedGrantType",
})  # fmt: skip
"""Errors that answer programs, or keep a server from starting."""
_TO_MODELS: Final = (
    "Answer ", "Classify ", "Use these passages", "Take the fields", "Which of these",
    "777777773",
)  # fmt: skip
"""Beginnings of what is said to models, or by them."""
_AS_WRITTEN: Final = frozenset({
    ("This needs the permission {1} in workspace {2}.", 1),
    ("This sandbox does not run {1}.", 1),
    ("This token lacks the permission {1}.", 1),
    ("The answer of the service lacks {1}.{2}.", 1),
    ("too long or too many, {1} of {2}.", 1),
})  # fmt: skip
"""Values that people write as they are: rights, languages of programs, names of fields."""
_PARTS: Final = frozenset({
    "{1}: {2}", "{1}. {2}", "Line {1}: ", "{1}: {2}: wrong operand type: {3}", "{1} One of: {2}",
    "{1} node {2} has settings of another kind.", "Expected {1}, got {2}.",
})  # fmt: skip
"""Put around other sentences, which stand for themselves; and what only a defect would say."""


@pytest.fixture(scope="module")
def server() -> Server:
    return Server(left_out=_OF_PROTOCOLS)


def said(name: str) -> dict[str, str]:
    """The sentences of the server and their words in one file of the console."""
    found = _ENTRY.findall((WORDS / f"{name}.zh.ts").read_text("utf-8"))
    return {ast.literal_eval(english): ast.literal_eval(chinese) for english, chinese in found}


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
    elsewhere = {sentence for area in _AREAS for sentence in said(f"{area}-sentences")}
    missing = {text for text in needed - words.keys() if bare(text) not in elsewhere}
    assert not missing, sorted(missing)
    assert words.keys() <= known, sorted(words.keys() - known)


def test_a_new_refusal_is_found_in_the_source() -> None:
    source = """
_GONE: Final = "It is gone."
class Missing(AppError): ...
def _late(name: str) -> Missing:
    return Missing(f"{name}: too late.")
def find(name: str, size: int) -> None:
    _logger.warning("Not for people.")
    why = "small" if size < 2 else "too large for it"
    raise Missing(_GONE) if size else _late(f"name: {name} is {why}")
"""
    module = Module(ast.parse(source))
    errors = frozenset({"Missing"})
    assert set(module.makers(errors)) == {"_late"}
    found = {bare(text) for text in module.sentences(errors | {"_late"})}
    assert found >= {"It is gone.", "too late.", "{1} is {2}", "too large for it"}
    assert not any("people" in text for text in found)


def test_each_refusal_is_said_once_and_nothing_else(server: Server) -> None:
    files = {name: said(f"{name}-sentences").keys() for name in ("canvas", "type", *_AREAS)}
    everything = {sentence for sentences in files.values() for sentence in sentences}
    missing = {
        sentence: path
        for path in server.modules
        if path == _SHOWN or not path.startswith(_NOT_SHOWN)
        for sentence in server.refusals(path)
        if sentence not in everything
    }
    assert not missing, missing
    known = {bare(text) for module in server.modules.values() for text in module.texts}
    for one, other in combinations(files, 2):
        assert not files[one] & files[other], (one, other, files[one] & files[other])
    for name in _AREAS:
        assert files[name] <= known, (name, sorted(files[name] - known))


def test_each_advice_is_said_and_nothing_else() -> None:
    assert said("canvas-advice").keys() == {rule.hint for rule in RULES.values()}


@pytest.mark.parametrize(
    "name", ["canvas-advice", *(f"{area}-sentences" for area in ("canvas", "type", *_AREAS))]
)
def test_words_have_the_values_of_the_sentence_and_end_as_it_does(name: str) -> None:
    for english, chinese in said(name).items():
        places = [sorted(n for n, _ in _PLACE.findall(text)) for text in (english, chinese)]
        assert places[0] == places[1], english
        assert english.endswith(".") <= chinese.endswith(("。", "}")), english


def test_sentences_of_a_list_have_a_line_each(server: Server) -> None:
    run_together = {path: found for path in server.modules if (found := server.run_together(path))}
    assert not run_together, run_together


def test_each_check_of_an_examination_has_a_name() -> None:
    files = [*(SRC / "application/operation/examination").glob("*.py"), SRC / _SHOWN]
    named = {
        name
        for path in files
        for name in re.findall(
            r'^    name, invariant = "(.+?)", ', path.read_text("utf-8"), re.MULTILINE
        )
    }
    assert "audit log" in named
    assert nouns()["check"] == named | {name for _, name, _ in THEMES}


def test_why_a_link_is_closed_is_said_as_in_the_console(server: Server) -> None:
    words = said("identity-sentences")
    told = {
        text
        for path in ("application/share/visit.py", "domain/share/link.py")
        for text in server.modules[path].sentences(frozenset({"ShareLinkClosed"}))
    }
    assert CLOSED["zh"] == {text: words[text] for text in told}


def nouns() -> dict[str, set[str]]:
    """The words of each group of nouns that the console knows."""
    groups = _GROUP.findall((WORDS / "nouns.zh.ts").read_text("utf-8"))
    return {
        name: {ast.literal_eval(quoted) if quoted else word for quoted, word, _ in found}
        for name, found in ((name, _NOUN.findall(body)) for name, body in groups)
    }


def test_each_noun_of_the_source_is_said() -> None:
    words = {
        english: chinese
        for area in ("canvas", "type", *_AREAS)
        for english, chinese in said(f"{area}-sentences").items()
    }
    known = nouns()
    groups = {
        (english, int(place)): group
        for english, chinese in words.items()
        for place, group in _PLACE.findall(chinese)
        if group
    }
    assert {*groups.values(), "check"} == known.keys(), set(groups.values()) ^ known.keys()
    missing: dict[tuple[str, int], set[str]] = {}
    for sentence, place, found in Nouns().places(words):
        at = sentence, place
        if at not in _AS_WRITTEN:
            left = found - words.keys() - known.get(groups.get(at, ""), set())
            missing.setdefault(at, set()).update(left)
    missing = {at: left for at, left in missing.items() if left}
    assert not missing, missing
