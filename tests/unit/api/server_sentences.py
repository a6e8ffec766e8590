"""The sentences that the server refuses with, read from its source."""

import ast
import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from tests.support.source.rule import children, source

_ROOT: Final = "AppError"
_TELLERS: Final = frozenset({
    "AgentWarned", "CellUnfit", "ConfigUnfit", "Finding", "ImagesUnavailable", "NoJson", "NoWorker",
    "NodeError", "PeerRefused", "ReplyTooLarge", "RunError", "SandboxBroken", "UnresolvedHost",
    "_Tally", "_Words", "_late", "fail", "finding",
})  # fmt: skip
"""Others that take a sentence which an error, a run, a document or an examination carries on."""
_WORDS: Final = frozenset({"advice", "message", "problem", "reason", "text", "why"})
"""Arguments by keyword that hold sentences; the others are context for logs."""
_SAYING: Final = frozenset({
    "api/error.py", "domain/knowledge/reading_note.py", "domain/shared/text/json_schema.py",
    "infra/impl/code_runner/runner.py",
})  # fmt: skip
"""Modules that return their sentences to others, which put them into errors."""
_RUN_TOGETHER: Final = frozenset({" ", "; ", ". "})
"""What stands between sentences that are put into one line."""
_WORD: Final = re.compile(r"[A-Za-z]{2}")
_NAMED: Final = re.compile(r"\{[a-z_]+\}")
_NUMBER: Final = re.compile(r"\{(\d)\}")
_PLACE: Final = re.compile(r"[^\s:]*: ")
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Values: TypeAlias = dict[str, list[ast.expr]]


def text_of(node: ast.AST) -> str | None:
    """A text of the source, with {1}, {2} … for its values."""
    match node:
        case ast.Constant(value=str(text)):
            parts = _NAMED.split(text)
            return parts[0] + "".join(f"{{{n}}}{part}" for n, part in enumerate(parts[1:], 1))
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


def bare(sentence: str) -> str:
    """The sentence without the field it is about, which the console says by itself."""
    while found := _PLACE.match(sentence):
        sentence = sentence[found.end() :]
        for _ in range(found[0].count("{")):
            sentence = _NUMBER.sub(lambda number: f"{{{int(number[1]) - 1}}}", sentence)
    return sentence


class Module:
    """One module of the server: its texts, and which of them become sentences of refusals."""

    def __init__(self, tree: ast.Module) -> None:
        self.texts: set[str] = set()
        """Every text of the module, its docstrings among them."""
        self.imported: set[str] = set()
        """The names that this module takes from others."""
        self._classes: list[ast.ClassDef] = []
        self._functions: dict[str, list[_Function]] = {}
        self._calls: list[tuple[str, ast.Call, _Values]] = []
        self._ready: _Values = {}
        self._read(tree, self._ready)

    def _read(self, scope: ast.AST, known: _Values) -> None:
        for node in children(scope):
            inner = known
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._functions.setdefault(node.name, []).append(node)
                    inner = {}
                case ast.ClassDef():
                    self._classes.append(node)
                case ast.ImportFrom(names=names):
                    self.imported |= {each.asname or each.name for each in names}
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    known.setdefault(name, []).append(value)
                case ast.Call(func=func):
                    self._calls.append((_name(func), node, known))
                case ast.Constant() | ast.JoinedStr() if text := text_of(node):
                    self.texts.add(text)
                case _:
                    pass
            self._read(node, inner)

    def classes(self) -> Iterator[tuple[str, set[str], str]]:
        """Each class, those it is made from, and the kind of error that it declares."""
        for node in self._classes:
            kinds = (
                part.attr
                for line in node.body
                if isinstance(line, ast.Assign)
                for part in ast.walk(line)
                if isinstance(part, ast.Attribute) and _name(part.value) == "ErrorKind"
            )
            yield node.name, {_name(base) for base in node.bases}, next(kinds, "")

    def makers(self, errors: frozenset[str]) -> Iterator[str]:
        """Functions that return errors, or do nothing but raise them."""
        for name, found in self._functions.items():
            for function in found:
                result = _last(function.returns)
                raises = result in {"NoReturn", "Never"} and any(
                    isinstance(part, ast.Call) and _name(part.func) in errors
                    for part in ast.walk(function)
                )
                if raises or result in errors:
                    yield name

    def sentences(self, tellers: frozenset[str]) -> Iterator[str]:
        """What is given to those who tell it to people."""
        for name, call, known in self._calls:
            if name in tellers:
                keywords = (each.value for each in call.keywords if each.arg in _WORDS)
                for argument in (*call.args, *keywords):
                    yield from self._texts(argument, {**self._ready, **known})

    def run_together(self, tellers: frozenset[str]) -> Iterator[str]:
        """Where several sentences are told in one line, which nobody could take apart again."""
        for name, call, known in self._calls:
            if name in tellers or _is_of_parent(call):
                values = [part for part in ast.walk(call) if isinstance(part, ast.Name)]
                given = [call, *(each for value in values for each in known.get(value.id, ()))]
                for part in (inner for each in given for inner in ast.walk(each)):
                    match part:
                        case ast.Call(
                            func=ast.Attribute(value=ast.Constant(value=sep), attr="join")
                        ):
                            if sep in _RUN_TOGETHER:
                                yield ast.unparse(part)
                        case _:
                            pass

    def said(self) -> Iterator[str]:
        """The sentences that functions return, and those that stand ready for it."""
        ready = (value for values in self._ready.values() for value in values)
        for node in (*ready, *self._returned(*self._functions)):
            yield from (text for text in self._texts(node, {}, 0) if text.endswith("."))

    def _returned(self, *names: str) -> list[ast.AST]:
        return [
            part.value
            for name in names
            for function in self._functions.get(name, ())
            if "str" in {_last(function.returns), *_choices(function.returns)}
            for part in ast.walk(function)
            if isinstance(part, ast.Return) and part.value
        ]

    def _texts(self, node: ast.AST, known: _Values, depth: int = 2) -> Iterator[str]:
        """The texts of an expression, also by the names and functions of this module."""
        text = text_of(node)
        if text is not None:
            yield text
        inner: list[ast.AST] = []
        match node:
            case ast.JoinedStr(values=parts):
                inner = [part.value for part in parts if isinstance(part, ast.FormattedValue)]
            case ast.Name() | ast.Attribute() if depth:
                depth -= 1
                inner = [*known.get(_name(node), ())]
            case ast.Call(func=func) if depth and _name(func) in self._functions:
                depth -= 1
                inner = self._returned(_name(func))
            case ast.IfExp(body=body, orelse=orelse):
                inner = [body, orelse]
            case ast.Subscript(value=value):
                inner = [value]
            case ast.Call(func=ast.Attribute(value=value), args=args):
                inner = [value, *args]
            case ast.BinOp() | ast.BoolOp() | ast.Dict() | ast.Tuple() | ast.List() | ast.Starred():
                inner = [*ast.iter_child_nodes(node)]
            case _:
                pass
        for part in inner:
            yield from self._texts(part, known, depth)


def _name(node: ast.AST | None) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _name(value)
        case _:
            return ""


def _is_of_parent(call: ast.Call) -> bool:
    """Whether an error makes itself: ``super().__init__(…)``."""
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"):
            return True
        case _:
            return False


def _choices(annotation: ast.expr | None) -> Iterator[str]:
    """What stands in an annotation like ``str | None``."""
    if isinstance(annotation, ast.BinOp):
        yield _last(annotation.left)
        yield _last(annotation.right)


def _last(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Constant):
        return str(annotation.value).rpartition(".")[2]
    return _name(annotation)


class Server:
    """All modules of the server, and the errors of theirs that are shown to people."""

    def __init__(self, *, left_out: frozenset[str]) -> None:
        self.modules = {path.as_posix(): Module(tree) for path, tree in source().items()}
        self._errors = self._shown() - left_out
        self._makers = {
            name for each in self.modules.values() for name in each.makers(self._errors)
        }

    def _shown(self) -> frozenset[str]:
        """The errors that are no defects, which the console says in words of its own."""
        classes = [each for module in self.modules.values() for each in module.classes()]
        kinds = {_ROOT: ""}
        while found := {
            name: kind or next(kinds[base] for base in bases if base in kinds)
            for name, bases, kind in classes
            if name not in kinds and bases & kinds.keys()
        }:
            kinds |= found
        return frozenset(name for name, kind in kinds.items() if kind != "INTERNAL")

    def run_together(self, path: str) -> list[str]:
        """The lists of sentences that one module tells in one line."""
        return list(self.modules[path].run_together(self._tellers(path)))

    def _tellers(self, path: str) -> frozenset[str]:
        module = self.modules[path]
        return (
            self._errors
            | {*module.makers(self._errors)}
            | (module.imported & self._makers)
            | _TELLERS
        )

    def refusals(self, path: str) -> Iterator[str]:
        """The sentences of one module that are shown to people, without their fields."""
        module = self.modules[path]
        given = {
            *module.sentences(self._tellers(path)),
            *(module.said() if path in _SAYING else ()),
        }
        for sentence in map(bare, given):
            if _WORD.search(_NUMBER.sub("", sentence)) and (
                " " in sentence or sentence.endswith(".")
            ):
                yield sentence
