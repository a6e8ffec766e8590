"""Figures of the source tree, read from its syntax; nothing of the product is imported.

Counted are the files below ``src`` without built bundles (``src/api/console/bundle``).

*Lines* are physical lines. *Import lines* are those of import statements, wherever they stand.
*Field lines* are the lines on which fields are declared or carried from one shape to another, each
counted once:

- annotated names in the body of a class (dataclasses, structs, settings, properties of Protocols);
- calls of ``Column``;
- arguments of constructors and the lines that keep them (``self._clock = clock``);
- copies: keyword arguments whose value is an attribute or the variable of the same name
  (``name=row.name``, ``name=name``), also through one call or subscript of the same name
  (``id=str(row.id)``, ``name=row["name"]``), entries of a dictionary whose value is an attribute,
  and assignments between attributes of the same name;
- mapping functions as a whole, signature included: functions of whose lines, docstring aside, two
  fifths or more are copies, two at the least.

A *splinter* is a file that exactly one other file imports, which stands in the same folder. A
*single implementation* is a Protocol whose methods exactly one class has, inherited ones included;
repositories are left out, by the name of their module or their own, since theirs are one per store
by intent. *Flat* is what stands in a folder itself, migrations aside. *Comments* are whole lines of
them, without those that address a tool.
"""

import ast
import io
import re
import subprocess
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
_BUNDLES: Final = Path("src/api/console/bundle")
_BORDERS: Final = ("crossdomain.", "infra.contract.")
"""Where contexts meet each other and technology: the contracts of import-linter guard both."""
_COPIES: Final = 0.4
"""Share of copies in the lines of a function that makes it a mapping."""
_FEWEST_COPIES: Final = 2
_ADDRESSED: Final = re.compile(r"#\s*(noqa|type:|pragma|ruff)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Class:
    """What a class offers by itself."""

    module: str
    name: str
    methods: frozenset[str]
    fields: frozenset[str]
    bases: tuple[str, ...]

    @property
    def is_protocol(self) -> bool:
        return "Protocol" in self.bases


class File:
    """A module and the lines of it that figures are made of."""

    def __init__(self, path: Path, module: str) -> None:
        self.path = path
        self.module = module
        self.text = path.read_text("utf-8")
        self.nodes = list(ast.walk(ast.parse(self.text)))

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @cached_property
    def imports(self) -> set[int]:
        return {
            line
            for node in self.nodes
            if isinstance(node, ast.Import | ast.ImportFrom)
            for line in _lines(node)
        }

    @cached_property
    def field_lines(self) -> set[int]:
        declared: set[int] = set()
        copied: set[int] = set()
        for node in self.nodes:
            for each in _declarations(node):
                declared |= _lines(each)
            for each in _copies(node):
                copied |= _lines(each)
        mapping = [
            _lines(node)
            for node in self.nodes
            if isinstance(node, Function) and _is_mapping(node, copied)
        ]
        return declared.union(copied, *mapping)

    @cached_property
    def comments(self) -> int:
        """Whole lines of comments."""
        if not any(line.lstrip().startswith("#") for line in self.text.splitlines()):
            return 0  # as in most files: taking one apart costs more than all else here
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return sum(
            token.type == tokenize.COMMENT
            and token.line.lstrip().startswith("#")
            and not _ADDRESSED.match(token.string)
            for token in tokens
        )

    def classes(self) -> Iterator[Class]:
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                body = node.body
                names = [each.target for each in body if isinstance(each, ast.AnnAssign)]
                yield Class(
                    module=self.module,
                    name=node.name,
                    methods=frozenset(each.name for each in body if isinstance(each, Function)),
                    fields=frozenset(each.id for each in names if isinstance(each, ast.Name)),
                    bases=tuple(_name(each) for each in node.bases),
                )


class House:
    """All files of the product."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        source = root / "src"
        self.files = {
            (file := _file(path, source)).module: file
            for path in sorted(source.rglob("*.py"))
            if not path.is_relative_to(root / _BUNDLES)
        }

    @cached_property
    def lines(self) -> int:
        return sum(file.lines for file in self.files.values())

    def field_share(self) -> float:
        """In percent of all lines."""
        return self._share(sum(len(file.field_lines) for file in self.files.values()))

    def import_share(self) -> float:
        """In percent of all lines."""
        return self._share(sum(len(file.imports) for file in self.files.values()))

    def comment_share(self) -> float:
        """In percent of all lines."""
        return self._share(sum(file.comments for file in self.files.values()))

    def splinters(self) -> list[str]:
        """Modules that one neighbour alone imports."""
        importers = self._importers()
        return [
            module
            for module, file in self.files.items()
            if file.path.name != "__init__.py"
            and len(found := importers[module]) == 1
            and self.files[next(iter(found))].path.parent == file.path.parent
        ]

    def single_implementations(self) -> list[str]:
        """Protocols that one class implements, as ``module.Name``."""
        classes = [each for file in self.files.values() for each in file.classes()]
        by_name: dict[str, list[Class]] = defaultdict(list)
        for each in classes:
            by_name[each.name].append(each)
        offered = [
            _methods(each, by_name) | each.fields for each in classes if not each.is_protocol
        ]
        return [
            f"{port.module}.{port.name}"
            for port in classes
            if port.is_protocol
            and not port.module.endswith("repository")
            and not port.name.endswith("Repository")
            and (wanted := _methods(port, by_name))
            and sum(wanted <= each for each in offered) == 1
        ]

    def at_borders(self) -> list[str]:
        """Those of them that stand where no import may cross: without them, nothing is called."""
        return [each for each in self.single_implementations() if each.startswith(_BORDERS)]

    def untyped_dependencies(self) -> int:
        return sum(file.text.count("Dependency[Any]") for file in self.files.values())

    def largest_folder(self) -> tuple[int, str]:
        """The most files that stand in one folder, and which."""
        folders = Counter(
            str(file.path.parent.relative_to(self.root))
            for file in self.files.values()
            if "migrations" not in file.path.parts and file.path.name != "__init__.py"
        )
        folder, count = folders.most_common(1)[0]
        return count, folder

    def test_lines_per_line(self) -> float:
        tests = (self.root / "tests").rglob("*.py")
        return sum(len(path.read_text("utf-8").splitlines()) for path in tests) / self.lines

    def deleted_share(self, since: str) -> float | None:
        """Lines deleted since a commit, in percent of those added; none without its history."""
        command = ["git", "log", "--numstat", "--format=", "--find-renames", f"{since}..HEAD"]
        told = subprocess.run(
            [*command, "--", "src"], cwd=self.root, capture_output=True, text=True, check=False
        )
        rows = [line.split("\t") for line in told.stdout.splitlines() if line[:1].isdigit()]
        added = sum(int(row[0]) for row in rows)
        return 100 * sum(int(row[1]) for row in rows) / added if added else None

    def _share(self, lines: int) -> float:
        return 100 * lines / self.lines

    def _importers(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for module, file in self.files.items():
            for node in file.nodes:
                if isinstance(node, ast.Import):
                    names = [each.name for each in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module:
                    inside = [f"{node.module}.{each.name}" for each in node.names]
                    names = [each if each in self.files else node.module for each in inside]
                else:
                    continue
                for name in names:
                    found[name].add(module)
        return found


def _file(path: Path, source: Path) -> File:
    parts = path.relative_to(source).with_suffix("").parts
    return File(path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts))


def _lines(node: ast.AST) -> set[int]:
    first = getattr(node, "lineno", 0)
    decorators = getattr(node, "decorator_list", [])
    return set(range(min([first, *(each.lineno for each in decorators)]), _last(node) + 1))


def _last(node: ast.AST) -> int:
    return int(getattr(node, "end_lineno", 0))


def _name(node: ast.AST) -> str:
    match node:
        case ast.Attribute():
            return node.attr
        case ast.Name():
            return node.id
        case ast.Subscript():
            return _name(node.value)
        case _:
            return ""


def _declarations(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.ClassDef():
            yield from (each for each in node.body if isinstance(each, ast.AnnAssign))
        case ast.Call() if _name(node.func) == "Column":
            yield node
        case ast.FunctionDef(name="__init__"):
            yield from (*node.args.args[1:], *node.args.kwonlyargs)
        case ast.Assign(targets=[ast.Attribute() as kept], value=ast.Name() as given):
            if kept.attr.lstrip("_") == given.id:
                yield node
        case _:
            pass


def _copies(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call():
            for each in node.keywords:
                if each.arg and (
                    isinstance(each.value, ast.Attribute) or _source(each.value) == each.arg
                ):
                    yield each
        case ast.Dict():
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Attribute):
                    yield key
                    yield value
        case ast.Assign(targets=[ast.Attribute() as to], value=ast.Attribute() as from_):
            if to.attr == from_.attr:
                yield node
        case _:
            pass


def _source(value: ast.expr) -> str:
    """The name of what is copied, through conversions of one argument."""
    while True:
        match value:
            case ast.Await():
                value = value.value
            case ast.Call(args=[only], keywords=[]):
                value = only
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                return key
            case ast.Attribute() | ast.Name():
                return _name(value)
            case _:
                return ""


def _is_mapping(node: Function, copied: set[int]) -> bool:
    if node.name == "__init__":
        return False
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if not body:
        return False
    lines = set(range(body[0].lineno, _last(node) + 1))
    found = len(lines & copied)
    return found >= _FEWEST_COPIES and found >= _COPIES * len(lines)


def _methods(
    each: Class, by_name: Mapping[str, list[Class]], seen: frozenset[str] = frozenset()
) -> frozenset[str]:
    """Methods with those of all bases; bases are found by name."""
    found = set(each.methods)
    for base in each.bases:
        if base != "Protocol" and base not in seen:
            for parent in by_name.get(base, ()):
                found |= _methods(parent, by_name, seen | {base})
    return frozenset(found)
