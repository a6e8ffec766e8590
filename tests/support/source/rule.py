"""Structural rules of the source tree as functions over syntax trees."""

import ast
import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeVar

Finding = tuple[int, str]
Check = Callable[[PurePosixPath, ast.Module], Iterator[Finding]]
NodeT = TypeVar("NodeT", bound=ast.AST)

SRC: Final = Path(__file__).parents[3] / "src"
HTTP_CLIENTS: Final = ("httpx", "aiohttp", "requests", "urllib3", "urllib.request", "http.client")
PARSERS: Final = (
    "PIL",
    "pdfplumber",
    "pypdfium2",
    "openpyxl",
    "python_calamine",
    "docx",
    "lxml",
    "xml",
    "selectolax",
    "markdown_it",
)
UNSAFE_MODULES: Final = ("pickle", "marshal", "shelve", "dill", "cloudpickle", "code", "codeop")
MUTATORS: Final = frozenset(
    {"append", "extend", "insert", "add", "update", "setdefault", "pop", "clear", "remove"}
)
SYSTEM_PORTS: Final[Mapping[str, str]] = {
    "PendingGrantRepository": "who comes back from a provider is known by the state alone",
    "GroupMembershipRepository": "models and plugins name groups; only who is in them is told",
    "RecollectionCleanup": "what a deleted conversation taught may live in its agent's space",
    "ModelRepository": "models belong to the deployment; only its administrators reach them",
}
"""Repository protocols that look across tenants, each with the reason."""

COMPILED_SQL: Final[Mapping[str, str]] = {
    "infra/impl/repository/sql/fastpath/postgres_write.py": "joins what SQLAlchemy compiled",
}
"""Modules whose SQL is not a literal, each with the reason."""


@dataclass(frozen=True)
class Rule:
    """A check with its number, or a name."""

    name: str
    check: Check


@cache
def source() -> Mapping[PurePosixPath, ast.Module]:
    """Syntax trees of all modules of the product, by path below ``src``."""
    gc.disable()  # it would look through all nodes again and again, and they all stay
    try:
        return {path: _parsed(path) for path in _texts()}
    finally:
        gc.enable()


def source_with(*words: str) -> Mapping[PurePosixPath, ast.Module]:
    """Syntax trees of the modules whose text has one of these words: most are not parsed."""
    return {
        path: _parsed(path)
        for path, text in _texts().items()
        if any(word in text for word in words)
    }


@cache
def _texts() -> Mapping[PurePosixPath, str]:
    return {
        PurePosixPath(path.relative_to(SRC).as_posix()): path.read_text("utf-8")
        for path in sorted(SRC.rglob("*.py"))
    }


@cache
def _parsed(path: PurePosixPath) -> ast.Module:
    return ast.parse(_texts()[path])


def unsafe_evaluation(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """ST-3: input is data."""
    for line, module in _imports(tree):
        if _is_in(module, UNSAFE_MODULES):
            yield line, f"imports {module}"
    for call in _calls(tree):
        name = _dotted(call.func)
        if name in {"eval", "exec", "compile", "__import__", "os.system", "os.popen"}:
            yield call.lineno, f"calls {name}"
        if name.endswith("yaml.load"):
            yield call.lineno, "yaml.load builds objects; use safe_load"
        if any(k.arg == "shell" and not _is_false(k.value) for k in call.keywords):
            yield call.lineno, "runs a shell"
        if name in {"getattr", "setattr"} and len(call.args) > 1 and not _is_text(call.args[1]):
            yield call.lineno, f"{name} with a computed name"
        if name.endswith("import_module") and not str(path).endswith("shared/registry.py"):
            yield call.lineno, "imports a computed module"
        if name.endswith("format_map"):
            yield call.lineno, "formats a computed template"


def outgoing_http(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """ST-4: one door out."""
    if str(path).startswith(("infra/impl/http/", "infra/impl/syslog/")):  # the operator's own
        return
    for line, module in _imports(tree):
        if _is_in(module, HTTP_CLIENTS):
            yield line, f"imports {module}"
        if _is_in(module, ("socket",)) and path.parts[0] != "bootstrap":
            yield line, "imports socket"
    for call in _calls(tree):
        if _dotted(call.func) in {"asyncio.open_connection", "asyncio.open_unix_connection"}:
            yield call.lineno, "opens a connection"


WRITERS = {
    "infra/impl/table_file/workbook.py": {
        "openpyxl",
        "openpyxl.Workbook",
        "openpyxl.cell",
        "openpyxl.cell.WriteOnlyCell",
    }
}
"""What of a parser's library only writes, by the modules that do: nothing of it reads bytes."""


def hostile_bytes(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """ST-5: uploaded bytes are parsed in jailed child processes, under these packages."""
    if "document_parser" in path.parts or (path.name == "worker.py" and "ocr" in path.parts):
        return
    for line, module in _imports(tree):
        if _is_in(module, PARSERS) and module not in WRITERS.get(str(path), ()):
            yield line, f"imports {module}"


def literal_sql(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """ST-6: SQL text is written in the source, never put together."""
    if str(path) in COMPILED_SQL:
        return
    for call in _calls(tree):
        name = _dotted(call.func)
        is_sql = name in {"text", "sa.text", "sqlalchemy.text"} or name.endswith("exec_driver_sql")
        if is_sql and not (call.args and _is_text(call.args[0])):
            yield call.lineno, f"{name} with computed SQL"


def tenant_scope(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """ST-2: no repository method without a scope."""
    if not path.name.endswith("repository.py") or path.parts[0] != "domain":
        return
    for node in tree.body:
        if not isinstance(node, ast.ClassDef) or not node.name.endswith("Repository"):
            continue
        if node.name in SYSTEM_PORTS:
            continue
        for method in node.body:
            if not isinstance(method, ast.AsyncFunctionDef | ast.FunctionDef):
                continue
            arguments = [*method.args.args, *method.args.kwonlyargs]
            scoped = any(a.annotation and _names(a.annotation, "TenantScope") for a in arguments)
            if not scoped:
                yield method.lineno, f"{node.name}.{method.name} takes no TenantScope"


def bounded_concurrency(_: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """No task without an owner, no queue without a bound."""
    for call in _calls(tree):
        name = _dotted(call.func)
        loop_task = name.endswith("loop.create_task") or name == "().create_task"
        if name in {"asyncio.create_task", "asyncio.ensure_future"} or loop_task:
            yield call.lineno, "starts a task nobody owns"
        if name.endswith(("Queue", "queue.SimpleQueue")) and name.split(".")[0] in {
            "asyncio",
            "queue",
        }:
            bounded = call.args or any(k.arg == "maxsize" for k in call.keywords)
            if not bounded:
                yield call.lineno, "makes a queue without a bound"
        if name == "asyncio.gather" and any(isinstance(a, ast.Starred) for a in call.args):
            yield call.lineno, "gathers any number of awaitables"


def module_state(_: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """State lives in objects, never in modules."""
    shared = {
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and _is_container(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in [target]
        if isinstance(name, ast.Name)
    }
    for rebinding in nodes(tree, ast.Global):
        yield rebinding.lineno, "rebinds a name of the module"
    if not shared:
        return
    for node in (*nodes(tree, ast.FunctionDef), *nodes(tree, ast.AsyncFunctionDef)):
        local = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and _is_store(n)}
        for inner in ast.walk(node):
            name = _mutated(inner)
            if name in shared - local:
                yield inner.lineno if isinstance(inner, ast.expr) else node.lineno, f"grows {name}"


def one_clock(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Wall time comes from the Clock, in the sandbox of users' code from the host."""
    if str(path).startswith(("infra/impl/clock/", "infra/impl/code_runner/convention/")):
        return
    for call in _calls(tree):
        name = _dotted(call.func)
        if name.endswith(
            ("datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time")
        ):
            yield call.lineno, f"calls {name}"


def plain_modules(path: PurePosixPath, tree: ast.Module) -> Iterator[Finding]:
    """Annotations are read at run time, settings once."""
    for imported in nodes(tree, ast.ImportFrom):
        if imported.module == "__future__":
            yield imported.lineno, "imports from __future__"
    for name in nodes(tree, ast.Name):
        if name.id == "TYPE_CHECKING":
            yield name.lineno, "hides imports from the run time"
    if path.parts[0] == "bootstrap":
        return
    for read in nodes(tree, ast.Attribute):
        if _dotted(read) in {"os.environ", "os.getenv"}:
            yield read.lineno, "reads the environment"


RULES: Final = (
    Rule("ST-2 tenant scope", tenant_scope),
    Rule("ST-3 unsafe evaluation", unsafe_evaluation),
    Rule("ST-4 outgoing HTTP", outgoing_http),
    Rule("ST-5 hostile bytes", hostile_bytes),
    Rule("ST-6 literal SQL", literal_sql),
    Rule("bounded concurrency", bounded_concurrency),
    Rule("module state", module_state),
    Rule("one clock", one_clock),
    Rule("plain modules", plain_modules),
)


def nodes(tree: ast.AST, kind: type[NodeT]) -> Sequence[NodeT]:
    """All nodes of one kind, without its subclasses."""
    return _by_kind(tree).get(kind, ())


@cache
def _by_kind(tree: ast.AST) -> Mapping[type, Sequence[Any]]:
    """Nodes by kind: each rule looks at some kinds of a million of them."""
    found: dict[type, list[ast.AST]] = {}
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        found.setdefault(type(node), []).append(node)
        waiting += children(node)
    return found


def children(node: ast.AST) -> Sequence[ast.AST]:
    """What a node consists of, but for contexts, of which nobody asks."""
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [each for each in value if isinstance(each, ast.AST)]
        elif isinstance(value, ast.AST) and name != "ctx":
            found.append(value)
    return found


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in nodes(tree, ast.Import):
        yield from ((node.lineno, alias.name) for alias in node.names)
    for origin in nodes(tree, ast.ImportFrom):
        if origin.module:
            yield origin.lineno, origin.module
            yield from ((origin.lineno, f"{origin.module}.{alias.name}") for alias in origin.names)


def _is_in(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    return iter(nodes(tree, ast.Call))


def _dotted(node: ast.expr) -> str:
    """``a.b.c`` for names and attributes; ``()`` stands for a call on the way."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return "()" if isinstance(node, ast.Call) else ""


def _names(node: ast.expr, name: str) -> bool:
    """Tell whether a name occurs anywhere in an annotation."""
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _is_container(node: ast.expr | None) -> bool:
    displays = ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp
    if isinstance(node, ast.Call):
        return _dotted(node.func).split(".")[-1] in {
            "dict",
            "list",
            "set",
            "defaultdict",
            "deque",
            "OrderedDict",
            "Counter",
            "WeakValueDictionary",
        }
    return isinstance(node, displays)


def _mutated(node: ast.AST) -> str:
    """Name of the container a node changes in place, if it does."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in MUTATORS:
            return name
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case _:
            return ""
