"""SQL: one statement of the user on one database, its variables as bound parameters."""

import re
from typing import Final

from crossdomain.memory.contract import RowValue
from domain.workflow.canvas.blank import blank
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.node_reader import NodeReader
from domain.workflow.engine.call import Call
from domain.workflow.graph import Node, NodeConfig, Slot, Template
from domain.workflow.node import Check, NodeType, Result, Runner, config_of
from domain.workflow.node.database.rows import (
    BLANK_OUTPUTS,
    OUTPUTS,
    cell,
    check_database,
    databases,
    read_database,
    result,
    table,
)
from domain.workflow.node.effect import stays_inside
from domain.workflow.template import compile_template, render

_TOKEN: Final = re.compile(
    # An open quotation mark or comment runs to the end, so that no text is scanned twice.
    r"""'(?:[^']|'')*(?:'|\Z)|"(?:[^"]|"")*(?:"|\Z)|`[^`]*(?:`|\Z)"""
    r"""|--[^\n]*|/\*.*?(?:\*/|\Z)|\{\{[^{}]*\}\}|[;()]|\w+|\s+|.""",
    re.DOTALL,
)
_QUOTES: Final = frozenset("'\"`")
_READING: Final = frozenset({"select", "with"})
_ALLOWED: Final = _READING | {"insert", "update", "delete", "replace"}


class DatabaseSqlConfig(NodeConfig, frozen=True, kw_only=True):
    """Pieces of the statement: SQL text, and templates each of which is one bound parameter.

    A template that is a single slot binds the value itself, any other one the rendered text.
    """

    database_id: str
    pieces: tuple[str | Template, ...]

    @property
    def is_reading(self) -> bool:
        first = next((piece for piece in self.pieces if isinstance(piece, str)), "")
        return _words(first)[:1] in (["select"], ["with"])


def _read(reader: NodeReader) -> NodeConfig:
    reader.parameters()
    cursor = reader.inputs["sql"]
    reader.mark("sql", cursor)
    reader.template(cursor, field="sql")
    text = reader.require(cursor, "The SQL statement")
    for problem in problems(text):
        reader.report("WF450", cursor, problem)
    config = DatabaseSqlConfig(
        database_id=read_database(reader), pieces=_pieces(text, reader, cursor)
    )
    reader.effects = "read" if config.is_reading else "write"
    return config


def problems(text: str) -> list[str]:
    """Say what is wrong with a statement as far as its words show."""
    words = [token for token in _tokens(text) if not token.startswith(("--", "/*"))]
    found = []
    depth = 0
    for position, word in enumerate(words):
        depth += (word == "(") - (word == ")")
        if depth < 0:
            break
        if word == ";" and position + 1 < len(words):
            found.append("Only one statement is allowed.")
            break
    if depth != 0:
        found.append("The parentheses do not match.")
    if any(word[0] in _QUOTES and (len(word) == 1 or word[-1] != word[0]) for word in words):
        found.append("A quotation mark is not closed.")
    first = words[0].lower() if words else ""
    if words and first not in _ALLOWED:
        found.append(f"A statement cannot begin with {first[:20]!r}.")
    return found


def _tokens(text: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(text) if not match[0].isspace()]


def _words(text: str) -> list[str]:
    return [token.lower() for token in _tokens(text)]


def _pieces(text: str, reader: NodeReader, cursor: Cursor) -> tuple[str | Template, ...]:
    pieces: list[str | Template] = []
    literal: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if "{{" not in token or token.startswith(("--", "/*")):
            literal.append(token)
            continue
        inner = token[1:-1] if token[0] in _QUOTES else token
        template = compile_template(inner, reader.names)
        if not any(template.slots):
            literal.append(token)
            continue
        if literal:
            pieces.append("".join(literal))
            literal = []
        pieces.append(template)
    if literal:
        pieces.append("".join(literal))
    return tuple(pieces)


def _check(node: Node, check: Check) -> None:
    check_database(node, config_of(node, DatabaseSqlConfig).database_id, check)


async def _work(call: Call) -> Result:
    config = config_of(call.node, DatabaseSqlConfig)
    pieces, parameters = [""], list[RowValue]()
    for piece in config.pieces:
        if isinstance(piece, str):
            pieces[-1] += piece
        else:
            parameters.append(_parameter(call, piece))
            pieces.append("")
    rows = await databases(call).execute(
        *table(call, config.database_id), pieces, parameters, key=call.key
    )
    return result(call, rows)


def _parameter(call: Call, template: Template) -> RowValue:
    """Bind a lone variable as it is, anything else as text; SQL knows booleans as 1 and 0."""
    match template.parts:
        case (Slot(path=()) as slot,):
            value = call.given.get(slot.name)
            return int(value) if isinstance(value, bool) else cell(value)
        case _:
            return render(template, call.given)


NodeType(
    kind="database_sql",
    type_id="12",
    key="Database",
    names={"en": "SQL", "zh": "SQL 自定义"},
    blank=blank(
        inputs={"databaseInfoList": [{"databaseInfoID": ""}], "sql": "", "inputParameters": []},
        outputs=BLANK_OUTPUTS,
    ),
    group="database",
    read=_read,
    check=_check,
    config=DatabaseSqlConfig,
    outputs=OUTPUTS,
    zero_fill=True,
    null_fill=True,
    effects="write",
    outside=stays_inside,
    runner=Runner(work=_work),
).register()
