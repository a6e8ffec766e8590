"""The words of our own code that are values in sentences of the server, from its source."""

import ast
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from tests.support.source.rule import source
from tests.unit.api.server_sentences import bare, text_of

_ENUMS: Final = {"Enum", "StrEnum", "IntEnum"}
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_ ]*[A-Za-z]")
_SPELT: Final = {"lower", "replace", "strip", "removesuffix"}
"""Calls that leave a word the word it is."""
_SHOWN_AS: Final = {"Type": "TypeKind"}
"""Classes of values that are shown by the member of an enumeration that they hold."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Module:
    """A module of the source, and where it takes its names from."""

    path: str
    tree: ast.Module
    imported: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Class:
    """A class of the source: its members if it is an enumeration, and what its fields are."""

    module: _Module
    members: dict[str, object] | None
    fields: dict[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where an expression stands."""

    module: _Module
    owner: str = ""
    function: _Function | None = None


class Nouns:
    """Which words a value of a sentence can be, where the source names them."""

    def __init__(self) -> None:
        self._modules: list[_Module] = []
        self._classes: dict[str, dict[str, _Class]] = {}
        for path, tree in source().items():
            self._read(path, tree)
        self._anywhere = cache(self._found_anywhere)

    def _read(self, path: PurePosixPath, tree: ast.Module) -> None:
        dotted = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        imported = {
            name.asname or name.name: line.module
            for line in tree.body
            if isinstance(line, ast.ImportFrom) and line.module
            for name in line.names
        }
        module = _Module(dotted, tree, imported)
        self._modules.append(module)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self._classes.setdefault(node.name, {})[dotted] = _class(node, module)

    def places(self, sentences: Container[str]) -> Iterator[tuple[str, int, frozenset[str]]]:
        """Each value of these sentences: its sentence, its number, and the words it can be."""
        for module in self._modules:
            for text, scope in _texts(module):
                whole = text_of(text) or ""
                sentence = bare(whole)
                if sentence not in sentences:
                    continue
                left_out = whole.count("{") - sentence.count("{")
                values = [part for part in text.values if isinstance(part, ast.FormattedValue)]
                for place, value in enumerate(values[left_out:], 1):
                    words = frozenset(filter(_WORD.fullmatch, self._words(value.value, scope)))
                    if words:
                        yield sentence, place, words

    def _class(self, name: str, module: _Module) -> _Class | None:
        """The class that a name stands for in a module."""
        known = self._classes.get(_SHOWN_AS.get(name, name), {})
        for path in (module.path, module.imported.get(name, "")):
            if path in known:
                return known[path]
        return next(iter(known.values())) if len(known) == 1 else None

    def _words(self, node: ast.AST, scope: _Scope, depth: int = 3) -> Iterator[str]:
        if not depth:
            return
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in _SPELT:
                yield from self._spelt(of, name, scope, depth)
            case ast.Attribute(value=of, attr="value"):
                yield from map(str, self._members(of, scope).values())
            case ast.Name() | ast.Attribute():
                yield from map(str, self._members(node, scope).values())
            case _:
                pass
        for value in self._parts(node, scope):
            yield from self._words(value, scope, depth - 1)

    def _spelt(self, of: ast.AST, how: str, scope: _Scope, depth: int) -> Iterator[str]:
        match of:
            case ast.Attribute(value=member, attr="name"):
                yield from (name.lower() for name in self._members(member, scope))
            case _:
                for word in self._words(of, scope, depth):
                    yield word.replace("_", " ") if how == "replace" else word

    def _parts(self, node: ast.AST, scope: _Scope) -> Iterator[ast.expr]:
        """The expressions that one comes from."""
        match node:
            case ast.IfExp(body=one, orelse=other):
                yield from (one, other)
            case ast.BoolOp(values=values):
                yield from values
            case ast.Subscript(value=ast.Name(id=name)):
                for value in _assigned(scope.module.tree, name):
                    if isinstance(value, ast.Dict):
                        yield from value.values
            case ast.Name(id=name):
                yield from self._sources(name, scope)
            case _:
                pass

    def _sources(self, name: str, scope: _Scope) -> Iterator[ast.expr]:
        """What a name of a function is, or is given by the calls in the same module."""
        function = scope.function
        if function is None:
            return
        yield from _assigned(function, name)
        for place, (argument, is_named) in enumerate(_arguments(function)):
            if argument.arg != name:
                continue
            for call in ast.walk(scope.module.tree):
                if isinstance(call, ast.Call) and _name(call.func) == function.name:
                    yield from (each.value for each in call.keywords if each.arg == name)
                    at = place - (1 if isinstance(call.func, ast.Attribute) else 0)
                    if not is_named and 0 <= at < len(call.args):
                        yield call.args[at]

    def _members(self, node: ast.AST, scope: _Scope) -> dict[str, object]:
        """The members of the enumeration that an expression is of."""
        found: dict[str, object] = {}
        for of in self._types(node, scope):
            found |= of.members or {}
        return found

    def _types(self, node: ast.AST, scope: _Scope, depth: int = 3) -> list[_Class]:
        """The classes that an expression may be of; of a list also those of its elements."""
        function, names = scope.function, frozenset[str]()
        match node:
            case ast.Name(id="self"):
                names = frozenset({scope.owner})
            case ast.Name(id=name) if function is not None and depth:
                given = [each for each, _ in _arguments(function) if each.arg == name]
                names = frozenset().union(*(_names(each.annotation) for each in given))
                if not given:
                    sources = _assigned(function, name)
                    return [of for each in sources for of in self._types(each, scope, depth - 1)]
            case ast.Call(func=func):
                names = frozenset({_name(func)})
            case ast.Await(value=value):
                return self._types(value, scope, depth)
            case ast.Attribute(value=of, attr=name):
                owners = [each for each in self._types(of, scope, depth) if name in each.fields]
                if not owners:
                    return self._anywhere(name)
                return [of for each in owners for of in self._named(each.fields[name], each.module)]
            case _:
                pass
        return self._named(names, scope.module)

    def _named(self, names: frozenset[str], module: _Module) -> list[_Class]:
        return [of for name in names if (of := self._class(name, module)) is not None]

    def _found_anywhere(self, name: str) -> list[_Class]:
        """What a field of this name is, if it is an enumeration in each class that has it."""
        found: list[_Class] = []
        for classes in self._classes.values():
            for each in classes.values():
                if name in each.fields:
                    types = self._named(each.fields[name], each.module)
                    if not any(of.members for of in types):
                        return []
                    found += types
        return found


def _texts(module: _Module) -> Iterator[tuple[ast.JoinedStr, _Scope]]:
    """All texts with values of a module, and where they stand."""
    waiting: list[tuple[ast.AST, _Scope]] = [(module.tree, _Scope(module))]
    while waiting:
        node, scope = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            yield node, scope
        elif isinstance(node, ast.ClassDef):
            scope = _Scope(module, node.name)
        elif isinstance(node, _Function):
            scope = _Scope(module, scope.owner, node)
        waiting.extend((child, scope) for child in ast.iter_child_nodes(node))


def _class(node: ast.ClassDef, module: _Module) -> _Class:
    is_enum = bool({_name(base) for base in node.bases} & _ENUMS)
    members: dict[str, object] = {
        line.targets[0].id: line.value.value
        for line in node.body
        if isinstance(line, ast.Assign)
        and isinstance(line.targets[0], ast.Name)
        and isinstance(line.value, ast.Constant)
    }
    fields = {
        line.target.id: _names(line.annotation)
        for line in node.body
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
    } | {line.name: _names(line.returns) for line in node.body if isinstance(line, ast.FunctionDef)}
    return _Class(module, members if is_enum else None, fields)


def _arguments(function: _Function) -> list[tuple[ast.arg, bool]]:
    """The arguments of a function, each with whether it is given by its name alone."""
    given = function.args
    return [(each, False) for each in (*given.posonlyargs, *given.args)] + [
        (each, True) for each in given.kwonlyargs
    ]


def _assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """What a name is set to, also as a part of a tuple or an element of what is gone through."""
    for node in ast.walk(scope):
        match node:
            case (
                ast.Assign(targets=[target], value=value)
                | ast.AnnAssign(target=target, value=ast.expr() as value)
            ):
                pass
            case (
                ast.For(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
            ):
                pass
            case _:
                continue
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        yield from (each for to, each in pairs if isinstance(to, ast.Name) and to.id == name)


def _names(annotation: ast.AST | None) -> frozenset[str]:
    if annotation is None:
        return frozenset()
    return frozenset(node.id for node in ast.walk(annotation) if isinstance(node, ast.Name))


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
