"""Tokens of JavaScript: names and signs apart from comments, texts, templates and patterns."""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple


class TokenKind(Enum):
    """What a token is; signs are single characters, but for arrows and ``++`` and ``--``."""

    NAME = "name"
    SIGN = "sign"
    TEXT = "text"
    PATTERN = "pattern"
    NUMBER = "number"


class Token(NamedTuple):
    """``text`` of a text is what stands between its quotes."""

    kind: TokenKind
    text: str


_TOKEN: Final = re.compile(
    r"(?P<skip>[\s\ufeff]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))"
    r"|(?P<name>[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*)"
    r"|(?P<number>\.?\d[\w.]*)"
    r"|\"(?P<double>(?:\\.|[^\"\\\n])*)\"?|'(?P<single>(?:\\.|[^'\\\n])*)'?"
    r"|(?P<sign>=>|\+\+|--|.)",
    re.DOTALL,
)
_VALUE: Final = "${"
"""What begins a value in a template."""
_TEMPLATE: Final = re.compile(r"(?:\\.|[^`\\$]|\$(?!\{))*", re.DOTALL)
_BEFORE_VALUES: Final = frozenset(
    {
        *("await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return"),
        *("throw", "typeof", "void", "yield"),
    }
)
"""Keywords after which a slash begins a pattern."""
_BEFORE_PARENTHESES: Final = frozenset({"if", "while", "for", "with"})
_BEFORE_BLOCKS: Final = frozenset({")", ";", "{", "}", "=>"})
_BEFORE_BLOCK_NAMES: Final = frozenset({"do", "else", "try", "finally"})


def tokens(source: str) -> Iterator[Token]:
    """Yield the tokens of a program, in linear time; what is no program gives some tokens, too."""
    return _Scanner(source).tokens()


class _Scanner:
    """Whether a slash divides or begins a pattern depends on the token before it.

    After a value it divides. A closing bracket ends a value unless its opening one belongs to a
    statement.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._last: Token | None = None
        self._open: list[tuple[str, bool]] = []
        """Brackets: the opening one, and whether a value may follow the closing one."""
        self._takes_value = True
        self._divides_until = 0
        """A pattern that is not closed on its line is none, nor are later ones on that line."""

    def tokens(self) -> Iterator[Token]:
        while self._at < len(self._source):
            token = self._template() or self._pattern() or self._plain()
            if token is not None:
                self._last = token
                yield token

    def _template(self) -> Token | None:
        """Read a piece of a template, up to its end or to the next value in it."""
        first = self._source[self._at]
        resumes = first == "}" and bool(self._open) and self._open[-1][0] == _VALUE
        if first != "`" and not resumes:
            return None
        if resumes:
            self._open.pop()
        begin = self._at + 1
        match = _TEMPLATE.match(self._source, begin)
        end = begin if match is None else match.end()
        self._takes_value = self._source.startswith(_VALUE, end)
        if self._takes_value:
            self._open.append((_VALUE, False))
        self._at = end + (2 if self._takes_value else 1)
        return Token(TokenKind.TEXT, self._source[begin:end])

    def _pattern(self) -> Token | None:
        begin = self._at
        if not self._takes_value or begin < self._divides_until or self._source[begin] != "/":
            return None
        if self._source[begin + 1 : begin + 2] in {"/", "*"}:
            return None  # a comment
        end = _pattern_end(self._source, begin)
        if not end:
            line = self._source.find("\n", begin)
            self._divides_until = len(self._source) if line < 0 else line
            return None
        self._at, self._takes_value = end, False
        return Token(TokenKind.PATTERN, self._source[begin:end])

    def _plain(self) -> Token | None:
        match = _TOKEN.match(self._source, self._at)
        if match is None:  # every character is a sign at least
            self._at = len(self._source)
            return None
        self._at = match.end()
        if match["skip"] is not None:
            return None
        token = _token(match)
        if token.kind is TokenKind.SIGN:
            self._takes_value = self._after_sign(token.text)
        else:
            self._takes_value = token.kind is TokenKind.NAME and token.text in _BEFORE_VALUES
        return token

    def _after_sign(self, sign: str) -> bool:
        match sign:
            case "(":
                is_statement = self._last is not None and self._last.text in _BEFORE_PARENTHESES
                self._open.append((sign, is_statement))
            case "{":
                self._open.append((sign, _opens_block(self._last)))
            case ")" | "}":
                return self._open.pop()[1] if self._open else False
            case "]" | "++" | "--":
                return False
            case _:
                pass
        return True


def _token(match: re.Match[str]) -> Token:
    if match["name"] is not None:
        return Token(TokenKind.NAME, match["name"])
    if match["number"] is not None:
        return Token(TokenKind.NUMBER, match["number"])
    if match["sign"] is not None:
        return Token(TokenKind.SIGN, match["sign"])
    return Token(TokenKind.TEXT, match["double"] or match["single"] or "")


def _opens_block(last: Token | None) -> bool:
    """Tell whether a brace after this token opens statements rather than an object."""
    if last is None:
        return True
    if last.kind is TokenKind.NAME:
        return last.text in _BEFORE_BLOCK_NAMES
    return last.kind is TokenKind.SIGN and last.text in _BEFORE_BLOCKS


def _pattern_end(source: str, at: int) -> int:
    """Return the place after a pattern that begins here, 0 if it is not closed on its line."""
    in_class = False
    place = at + 1
    while place < len(source):
        match source[place]:
            case "\n":
                return 0
            case "\\":
                place += 1
            case "[":
                in_class = True
            case "]":
                in_class = False
            case "/" if not in_class:
                place += 1
                while place < len(source) and source[place].isalpha():
                    place += 1
                return place
            case _:
                pass
        place += 1
    return 0
