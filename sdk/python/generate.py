"""Generated part of the Python client: models, operations, and the synchronous half.

Run by ``make sdk`` with datamodel-code-generator (which brings Jinja) beside it; needs no network.
"""

import ast
import keyword
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import jinja2

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from operations import (  # noqa: E402 -- beside this folder
    DOCUMENT,
    NOTICE,
    Method,
    Paging,
    Parameter,
    Resource,
    Schema,
    named,
    pascal,
    read_document,
    read_resources,
    snake,
)

PACKAGE: Final = HERE / "src/coterie_client"
OUT: Final = PACKAGE / "_generated"
HEADER: Final = f'"""{NOTICE}"""\n'
BY_HAND: Final = (
    *("_chats", "_client", "_documents", "_pages"),
    *("_stream", "_transport", "_waits", "_workflows"),
)
"""Modules that are written asynchronously, and made synchronous here."""

_SYNC_WORDS: Final = {
    "aclose": "close",
    "aiter_bytes": "iter_bytes",
    "aread": "read",
    "asyncio": "time",
    "asynccontextmanager": "contextmanager",
    "StopAsyncIteration": "StopIteration",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "__aiter__": "__iter__",
    "__anext__": "__next__",
}
_PLAIN: Final = {"string": "str", "integer": "int", "boolean": "bool", "number": "float"}


def main() -> None:
    document = read_document()
    write_models()
    models = Models((OUT / "models.py").read_text(encoding="utf-8"))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 -- the template writes Python
        undefined=jinja2.StrictUndefined,
    )
    root = read_resources(document)
    classes = [as_class(each, models) for each in root.walk() if each.path]
    text = environment.get_template("resources.py.jinja").render(
        header=HEADER,
        classes=classes,
        tops=[(name, class_name(each)) for name, each in root.below.items()],
    )
    write("resources", text)
    write("__init__", HEADER)
    write("sync/__init__", HEADER)
    write("sync/resources", synchronous(text))
    for name in BY_HAND:
        source = (PACKAGE / f"{name}.py").read_text(encoding="utf-8")
        write(f"sync/{name}", HEADER + "\n# " + synchronous(source).removeprefix('"""'))


def write(name: str, text: str) -> None:
    path = OUT / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_models() -> None:
    """Have the structs of all schemas written."""
    command = [
        *(sys.executable, "-m", "datamodel_code_generator"),
        *("--input", str(DOCUMENT), "--input-file-type", "openapi"),
        *("--output", str(OUT / "models.py"), "--output-model-type", "msgspec.Struct"),
        *("--target-python-version", "3.11", "--use-standard-collections", "--use-union-operator"),
        *("--enum-field-as-literal", "all", "--keyword-only", "--use-schema-description"),
        *("--use-field-description", "--use-double-quotes", "--disable-timestamp"),
        *("--formatters", "builtin", "--custom-file-header", HEADER.strip()),
    ]
    subprocess.run(command, check=True)
    tree = _Brief().visit(ast.parse((OUT / "models.py").read_text(encoding="utf-8")))
    write("models", HEADER + ast.unparse(tree).partition("\n")[2] + "\n")


@dataclass(frozen=True)
class Field:
    """A field of a struct, as it is annotated."""

    name: str
    annotation: str
    default: str
    about: str


class Models:
    """Structs and aliases of the generated module, for annotations elsewhere."""

    def __init__(self, source: str) -> None:
        tree = ast.parse(source)
        self._structs = {
            node.name: list(_fields(node)) for node in tree.body if isinstance(node, ast.ClassDef)
        }
        aliases = [each for each in tree.body if isinstance(each, ast.AnnAssign)]
        self._names = {*self._structs, *(ast.unparse(each.target) for each in aliases)}

    def fields(self, name: str) -> Sequence[Field] | None:
        """Return the fields of a struct; None if it is none."""
        return self._structs.get(name)

    def annotation(self, given: str) -> str:
        """Spell an annotation for another module, without what only decoders need."""
        bare = ast.unparse(_Bare().visit(ast.parse(given, mode="eval").body))
        return re.sub(r"\b\w+\b", lambda found: self._elsewhere(found[0]), bare)

    def of(self, schema: Schema) -> str:
        """Return the annotation for a schema."""
        if name := named(schema):
            return self._elsewhere(name)
        if "enum" in schema:
            values = [value for value in schema["enum"] if value is not None]
            return f"Literal[{', '.join(map(repr, values))}]"
        kinds = schema.get("type", ())
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if "array" in kinds:
            return f"builtins.list[{self.of(schema['items'])}]"
        known = [_PLAIN.get(kind, "Any") for kind in kinds if kind != "null"]
        return " | ".join(dict.fromkeys(known)) or "Any"

    def _elsewhere(self, name: str) -> str:
        if name == "list":
            return "builtins.list"  # some classes have a method of this name
        return f"models.{name}" if name in self._names else name


def _fields(struct: ast.ClassDef) -> "list[Field]":
    pairs = zip(struct.body, [*struct.body[1:], None], strict=True)
    return [
        Field(
            name=ast.unparse(item.target),
            annotation=ast.unparse(item.annotation),
            default=ast.unparse(item.value) if item.value else "",
            about=_text_of(after),
        )
        for item, after in pairs
        if isinstance(item, ast.AnnAssign)
    ]


def _text_of(node: ast.stmt | None) -> str:
    match node:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(text.split())
        case _:
            return ""


class _Bare(ast.NodeTransformer):
    """``Annotated[X, ...]`` becomes ``X``."""

    def visit_Subscript(self, given: ast.Subscript) -> ast.AST:
        self.generic_visit(given)
        match given:
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[bare, *_])):
                return bare
            case _:
                return given


class _Brief(ast.NodeTransformer):
    """Descriptions stand below the fields, on one line; a second copy would cost at each import."""

    def visit_Subscript(self, given: ast.Subscript) -> ast.AST:
        self.generic_visit(given)
        match given:
            case ast.Subscript(
                value=ast.Name(id="Annotated"),
                slice=ast.Tuple(elts=[bare, ast.Call(func=ast.Name(id="Meta")) as meta]),
            ):
                meta.keywords = [each for each in meta.keywords if each.arg != "description"]
                return given if meta.keywords else bare
            case _:
                return given

    def visit_Expr(self, given: ast.Expr) -> ast.AST:
        if text := _text_of(given):
            given.value = ast.Constant(text)
        return given


@dataclass
class Argument:
    """An argument of a method, and its name on the wire."""

    name: str
    wire: str
    annotation: str
    default: str = ""
    about: str = ""

    @property
    def declared(self) -> str:
        return f"{self.name}: {self.annotation}" + (f" = {self.default}" if self.default else "")


@dataclass
class PythonMethod:
    """A method as the template writes it."""

    name: str
    of: Method
    docstring: list[str]
    in_path: list[Argument]
    query: list[Argument]
    body: list[Argument]
    struct: str
    result: str
    decodes: str
    paging: Paging | None
    events: str

    @property
    def named(self) -> list[Argument]:
        revision = [Argument("if_match", "If-Match", "str | None", "None")]
        given = [*self.query, *self.body, *(revision if self.of.takes_revision else [])]
        return sorted(given, key=lambda argument: bool(argument.default))

    @property
    def path(self) -> str:
        """Return the path as a literal."""
        text = self.of.path
        for argument in self.in_path:
            text = text.replace(f"{{{argument.wire}}}", f"{{quote({argument.name}, safe='')}}")
        return ("f" if self.in_path else "") + f'"{text}"'


@dataclass
class PythonClass:
    """A class as the template writes it."""

    name: str
    about: str
    methods: list[PythonMethod]
    below: list[tuple[str, str]] = field(default_factory=list)


def class_name(resource: Resource) -> str:
    return "Async" + "".join(map(pascal, resource.path))


def as_class(resource: Resource, models: Models) -> PythonClass:
    return PythonClass(
        name=class_name(resource),
        about=_escaped(resource.about or " ".join(resource.path).capitalize() + "."),
        methods=[as_method(each, models) for each in resource.methods],
        below=[(name, class_name(each)) for name, each in resource.below.items()],
    )


def as_method(method: Method, models: Models) -> PythonMethod:
    in_path = [_argument(each, models) for each in method.in_path]
    query = [_argument(each, models) for each in method.query]
    body, struct = _body(method, models)
    taken = {argument.name for argument in in_path}
    for argument in [*query, *body]:
        if argument.name in taken:
            argument.name += "_"
        taken.add(argument.name)
    decodes = models.of(method.result) if method.result else ""
    result = "bytes" if method.returns_bytes else decodes or "None"
    events = models.of(method.events) if method.events else ""
    if events:
        result = f"AsyncEvents[{events} | UnknownEvent]"
    if method.data is not None:
        result = models.of(method.data) if method.data.get("type") != "null" else "None"
    if method.paging:
        result = f"AsyncPage[{models.of(method.paging.item)}]"
    return PythonMethod(
        name=_name(method.name),
        of=method,
        docstring=_docstring(method, [*in_path, *query, *body]),
        in_path=in_path,
        query=query,
        body=body,
        struct=struct,
        result=result,
        decodes=decodes,
        paging=method.paging,
        events=events,
    )


def _argument(parameter: Parameter, models: Models) -> Argument:
    annotation = models.of(parameter.schema)
    if not parameter.is_required and "None" not in annotation:
        annotation += " | None"
    return Argument(
        name=_name(snake(parameter.name)),
        wire=parameter.name,
        annotation=annotation,
        default="" if parameter.is_required else "None",
        about=parameter.about,
    )


def _body(method: Method, models: Models) -> tuple[list[Argument], str]:
    """Return the arguments that make the body, and the struct that they are the fields of."""
    if method.body is None:
        return [], ""
    struct = named(method.body)
    fields = models.fields(struct)
    if fields is None:
        return [Argument(name="body", wire="", annotation="Mapping[str, Any]")], ""
    return [_member(each, models) for each in fields], struct


def _member(given: Field, models: Models) -> Argument:
    annotation = models.annotation(given.annotation)
    is_optional = bool(given.default) and not re.fullmatch(r"field\(name=[^,]*\)", given.default)
    if is_optional and "UnsetType" not in annotation:
        annotation += " | UnsetType"
    default = "UNSET" if is_optional else ""
    return Argument(given.name, given.name, annotation, default, given.about)


def _docstring(method: Method, arguments: Sequence[Argument]) -> list[str]:
    lines = [method.summary]
    if method.description.rstrip(".") not in {"", method.summary.rstrip(".")}:
        lines += ["", *method.description.splitlines()]
    told = [f"    {each.name}: {each.about}" for each in arguments if each.about]
    if told:
        lines += ["", "Args:", *told]
    return list(map(_escaped, lines))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def _name(word: str) -> str:
    return f"{word}_" if keyword.iskeyword(word) else word


def synchronous(source: str) -> str:
    """Return a module without its waiting: the same text for the synchronous client."""
    for name in [*BY_HAND, "_generated.resources"]:
        there = f"coterie_client._generated.sync.{name.rpartition('.')[2]}"
        source = re.sub(rf"coterie_client\.{name}\b", there, source)
    source = re.sub(r"\b(async|await) ", "", source)
    source = re.sub(r"\bAwaitable\[(\w+\[\w+\])\]", r"\1", source)
    source = re.sub(r"\bAsync(?=[A-Z])", "", source)
    return re.sub(r"\b\w+\b", lambda found: _SYNC_WORDS.get(found[0], found[0]), source)


if __name__ == "__main__":
    main()
