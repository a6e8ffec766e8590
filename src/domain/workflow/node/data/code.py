"""Code: runs a function of the user in a sandbox."""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, Literal

from domain.shared.error import AppError
from domain.workflow.canvas.blank import blank, out, param, unset
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.convert import convert_fields
from domain.workflow.engine.call import Call
from domain.workflow.engine.error import CodeFailed, NodeFailed, NodeTimeout, SandboxLimit
from domain.workflow.graph import Node, NodeConfig
from domain.workflow.lint.surroundings import CodeText
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.data.javascript import Token, TokenKind, tokens
from domain.workflow.node.needs import needed
from infra.contract.code_runner import (
    MAX_TIMEOUT_MS,
    CodeConvention,
    CodeLanguage,
    CodeModules,
    CodeRequest,
    CodeResult,
    CodeStatus,
)

FORBIDDEN_MODULES: Final = frozenset(
    {
        "curses",
        "dbm",
        "ensurepip",
        "fcntl",
        "grp",
        "idlelib",
        "lib2to3",
        "msvcrt",
        "multiprocessing",
        "pty",
        "pwd",
        "resource",
        "socket",
        "syslog",
        "termios",
        "threading",
        "tkinter",
        "tty",
        "turtle",
        "venv",
        "winreg",
        "winsound",
    }
)
"""Standard modules that user code cannot import, as in the original system."""

_ONLINE: Final = frozenset(
    {
        "aiohttp",
        "ftplib",
        "http.client",
        "http.server",
        "httpx",
        "imaplib",
        "poplib",
        "requests",
        "requests_async",
        "smtplib",
        "socketserver",
        "ssl",
        "urllib.request",
        "urllib3",
        "websockets",
        "xmlrpc",
    }
)
"""Modules that are of no use without a network."""
_NOT_IN_JAVASCRIPT: Final = frozenset(
    {
        "AbortController",
        "Buffer",
        "Intl",
        "TextDecoder",
        "TextEncoder",
        "URL",
        "URLSearchParams",
        "WebSocket",
        "XMLHttpRequest",
        "crypto",
        "fetch",
        "process",
        "setInterval",
        "structuredClone",
    }
)
"""Names of other engines."""
_NAMES_OF_IMPORT: Final = 200
"""Tokens of an import statement before its module."""
_CALL: Final = Token(TokenKind.SIGN, "(")
_MEMBER: Final = Token(TokenKind.SIGN, ".")
_USES: Final = frozenset({_CALL, _MEMBER})
_TOLD_CHARS: Final = 300
_JAVASCRIPT_MAIN: Final = re.compile(r"\bmain\s*(?:=|\()")
_MAX_CHARS: Final = 256 * 1024
"""Longer code is not parsed: the syntax tree takes about a hundred times its size."""


class CodeConfig(NodeConfig, frozen=True, kw_only=True):
    """Source text with a function ``main``."""

    language: Literal["python", "javascript"]
    source: str
    convention: Literal["arguments", "inputs"] = "arguments"
    """How ``main`` is called, as ``CodeConvention`` says."""
    whole: str = ""
    """Output with all that is returned, where that need not be an object."""
    keeps_failures: bool = False
    """Code that fails leaves its reason in the outputs, and the node is done."""


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    source = reader.require(reader.inputs["code"], "The code")
    reader.mark("source", reader.inputs["code"])
    language = reader.inputs["language"].integer(3)
    if language not in {3, 5}:
        reader.report("WF402", reader.inputs["language"], f"Unknown language {language}.")
    return CodeConfig(language="javascript" if language == 5 else "python", source=source)  # noqa: PLR2004


def _check(node: Node, check: Check) -> None:
    config = config_of(node, CodeConfig)
    if not config.source.strip():
        return
    if len(config.source) > _MAX_CHARS:
        check.add("WF501", node, f"The code has more than {_MAX_CHARS} characters.", at="source")
        return
    compiles = _check_syntax(node, config, check)
    if config.language == "python":
        _check_python(node, config, check, compiles=compiles)
    elif compiles is not False:
        _check_javascript(node, config, check)
    for binding in node.parameters:
        if binding.name not in config.source:
            check.add(
                "WF208", node, f"The parameter {binding.name} is never used.", at=binding.name
            )


def _check_syntax(node: Node, config: CodeConfig, check: Check) -> bool | None:
    """Tell whether the sandbox compiles the code; None if it was not asked or did not answer."""
    known = check.surroundings.compiled or {}
    compiled = known.get(CodeText(config.language, config.source))
    if compiled is None:
        return None
    if compiled.unknown:
        text = f"Whether the code compiles is not known: {compiled.unknown}"
        check.add("WF447", node, _sentence(text), at="source")
        return None
    if compiled.fault is None:
        return True
    line, told = compiled.fault.line, compiled.fault.message[:_TOLD_CHARS]
    where = f"Line {line}: " if line is not None else ""
    check.add("WF442", node, _sentence(f"{where}{told}"), at="source")
    return False


def _sentence(text: str) -> str:
    return f"{text.rstrip(' .')}."


def _check_javascript(node: Node, config: CodeConfig, check: Check) -> None:
    if not _JAVASCRIPT_MAIN.search(config.source):
        check.add("WF442", node, "The code does not define main.", at="source")
    found = list(tokens(config.source))
    lacking = {each.text for each in _calls(found) if each.text in _NOT_IN_JAVASCRIPT}
    for name in sorted(lacking - {each.name for each in node.parameters}):
        if not re.search(rf"\b(?:class|const|function|let|var)\s+{name}\b", config.source):
            text = f"{name} is not in the sandbox: it has the language itself and no more."
            check.add(_missing(config), node, text, at="source")
    loaded = _loaded(found)
    for module in dict.fromkeys(loaded):
        named = f"The module {module[:80]}" if module else "What the code loads"
        text = f"{named} is not in the sandbox: JavaScript has no modules there."
        check.add(_missing(config), node, text, at="source")


def _calls(found: Sequence[Token]) -> Iterator[Token]:
    """Yield the names that are called or read from, without those of members."""
    for before, token, after in zip((None, *found), found, found[1:], strict=False):
        if token.kind is TokenKind.NAME and after in _USES and before != _MEMBER:
            yield token


def _loaded(found: Sequence[Token]) -> list[str]:
    """List the modules that code loads; what is not named by a text is an empty name."""
    modules = []
    for at, token in enumerate(found):
        before = found[at - 1] if at else None
        if token.kind is not TokenKind.NAME or before == _MEMBER:
            continue
        rest = found[at + 1 : at + 1 + _NAMES_OF_IMPORT]
        if token.text in {"require", "import"} and rest[:1] == [_CALL]:
            modules.append(rest[1].text if rest[1:] and rest[1].kind is TokenKind.TEXT else "")
        elif token.text == "import":
            named = list(takewhile(lambda each: each.text not in {";", "(", "="}, rest))
            modules += [each.text for each in named if each.kind is TokenKind.TEXT][:1]
    return modules


def _missing(config: CodeConfig) -> str:
    """Return the code of the finding that a module is missing.

    Coze offers modules that no sandbox here has, and flows of it may go on without them.
    """
    return "WF442" if config.convention == "inputs" else "WF446"


def _check_python(node: Node, config: CodeConfig, check: Check, *, compiles: bool | None) -> None:
    if compiles is False:
        return
    try:
        tree = ast.parse(config.source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        # The sandbox may run a newer Python than this process, whose parser is the second best.
        if compiles is None:
            told = "The code cannot be parsed."
            if isinstance(error, SyntaxError):
                told = f"Line {error.lineno or 1}: {error.msg}."
            check.add("WF442", node, told, at="source")
        return
    names = {
        statement.name
        for statement in tree.body
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    if "main" not in names:
        check.add("WF442", node, "The code does not define main.", at="source")
    imported = _imported(tree)
    for module in sorted({_top(name) for name in imported} & FORBIDDEN_MODULES):
        check.add("WF442", node, f"The module {module} cannot be imported.", at="source")
    modules = check.surroundings.code_modules
    if modules is not None:
        _check_modules(node, imported, modules, check, must_be=_missing(config))


def _check_modules(
    node: Node, imported: set[str], modules: CodeModules, check: Check, *, must_be: str
) -> None:
    """Tell of modules that fail when the code runs; say where they would not."""
    online = {name for name in imported if name in _ONLINE or _top(name) in _ONLINE}
    for module in sorted(online):
        text = f"The module {module} reaches no network from any sandbox; use an HTTP node."
        check.add(must_be, node, text, at="source")
    missing = {_top(name) for name in imported - online} - modules.here - FORBIDDEN_MODULES
    for module in sorted(missing):
        others = [name for name, there in modules.elsewhere.items() if module in there]
        if others:
            where = f"the sandbox {others[0]} (code.kind) has it"
        elif module in sys.stdlib_module_names:
            where = "no other has it"
        elif modules.sandbox == "jail":
            where = "where it is installed, code.packages offers it"
        else:
            where = "the sandbox jail (code.kind) has it where it is installed and in code.packages"
        text = f"The module {module} is not in the sandbox {modules.sandbox}; {where}."
        check.add(must_be, node, text, at="source")


def _top(name: str) -> str:
    return name.partition(".")[0]


def _imported(tree: ast.Module) -> set[str]:
    """List the modules that the code cannot do without."""
    found: set[str] = set()
    guarded = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any(map(_catches_imports, node.handlers))
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if node in guarded:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def _catches_imports(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = {each.id for each in ast.walk(handler.type) if isinstance(each, ast.Name)}
    return bool(names & {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


_LIMITS = frozenset(
    {CodeStatus.TIMEOUT, CodeStatus.OOM, CodeStatus.OUTPUT_TOO_LARGE, CodeStatus.FORBIDDEN}
)
MEMORY_MB = 256


async def _work(call: Call) -> Result:
    config = config_of(call.node, CodeConfig)
    result = await in_sandbox(
        call,
        language=CodeLanguage(config.language),
        code=config.source,
        params=call.inputs,
        convention=CodeConvention(config.convention),
    )
    if result.stdout:
        call.extra["stdout"] = result.stdout
    try:
        _raise_failure(call, result)
    except AppError as error:
        if not config.keeps_failures:
            raise
        call.warn(str(error))
        return Result({"errorBody": {"errorMessage": str(error)}})
    values: Any = dict(result.result or {})
    if config.whole:
        returned = values.get("value")
        values = {config.whole: returned, **(returned if isinstance(returned, dict) else {})}
    conversion = convert_fields(values, call.node.outputs)
    for problem in conversion.problems:
        call.warn(str(problem))
    output = conversion.value
    return Result(output if isinstance(output, dict) else {})


async def in_sandbox(
    call: Call,
    *,
    language: CodeLanguage,
    code: str,
    params: Mapping[str, object],
    convention: CodeConvention = CodeConvention.ARGUMENTS,
    timeout_ms: int = MAX_TIMEOUT_MS,
) -> CodeResult:
    """Run code for a node; the time until a sandbox is free does not count as the node's."""
    left_s = call.left_s
    limit_ms = timeout_ms if left_s is None else max(int(left_s * 1000), 1)
    request = CodeRequest(
        space_id=call.context.call.space_id,
        max_wait_s=call.context.call.max_wait_s,
        language=language,
        code=code,
        params=params,
        convention=convention,
        now_ms=int(call.ports.clock.now().timestamp() * 1000),
        seed=int(call.key[:8], 16),
        timeout_ms=min(limit_ms, timeout_ms),
        memory_mb=MEMORY_MB,
    )
    sandbox = needed(call.ports.code, "a sandbox for code")
    return await call.untimed(sandbox.run(request), lambda ended: ended.duration_ms / 1000)


def _raise_failure(call: Call, result: CodeResult) -> None:
    if result.status is CodeStatus.OK:
        return
    if result.status is CodeStatus.TIMEOUT and call.node.policy.timeout_ms > 0:
        raise NodeTimeout("node timeout")
    text = "" if result.error is None else f"{result.error.type}: {result.error.message}"
    line = None if result.error is None else result.error.line
    if line is not None:
        text = f"{text} (line {line})"
    if result.status in _LIMITS:
        raise SandboxLimit(f"The code was stopped ({result.status}). {text}".strip())
    if result.status is CodeStatus.USER_ERROR:
        raise CodeFailed(text or "The code failed.")
    raise NodeFailed(f"Code cannot be run here. {text}".strip())


_BLANK_CODE: Final = """\
async def main(args: Args) -> Output:
    return {"output": args.params["input"]}
"""

NodeType(
    kind="code",
    type_id="5",
    key="Code",
    names={"en": "Code", "zh": "代码"},
    blank=blank(
        inputs={
            "inputParameters": [param("input", unset("string"))],
            "language": 3,
            "code": _BLANK_CODE,
        },
        outputs=[out("output")],
    ),
    group="basic",
    read=_read,
    check=_check,
    config=CodeConfig,
    zero_fill=True,
    null_fill=True,
    time_limit="code",
    runner=Runner(work=_work),
).register()
