"""Reads what one node of a FastGPT flow says, for the kinds to take their settings from."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.convert import convert
from domain.workflow.fastgpt.flow import (
    ERROR_TEXT,
    GLOBALS_ID,
    TOOL_ENTRY,
    Flow,
    FlowNode,
    type_named,
)
from domain.workflow.json_quote import open_quote
from domain.workflow.lint.diagnostic import Report
from domain.workflow.template import Variable, scan
from domain.workflow.value import ANY, OBJECT, STRING, Field, Schema, Type

_PAIR = 2


class FlowReader:
    """One node. Texts of bindings that mix constants and variables become nodes before it."""

    def __init__(self, node: FlowNode, flow: Flow, report: Report) -> None:
        self.node = node
        self.flow = flow
        self.outputs: Schema = node.declared()
        self.streams = graph.Streams()
        self.fields: dict[str, str] = {}
        self.generated: frozenset[str] = frozenset()
        """Inputs that a model writes, because the node is its tool."""
        self.otherwise: dict[str, graph.Expr | None] = {}
        """Those of them that the node reads, with what counts if the model writes nothing."""
        self.told: tuple[str, ...] | None = None
        """Outputs that a model is told in place of those of the kind."""
        self.special: dict[str, Callable[[], graph.Expr]] = {}
        """Variables of texts that mean something in this node only."""
        self.texts: list[tuple[str, graph.Template, tuple[graph.Binding, ...]]] = []
        """Texts to put together before the node: name of the binding, text, what it reads."""
        self._bindings: dict[str, graph.Binding] = {}
        self._report = report

    @property
    def bindings(self) -> tuple[graph.Binding, ...]:
        return tuple(self._bindings.values())

    def report(self, code: str, cursor: Cursor, message: str) -> None:
        self._report.add(code, message, node_id=self.node.id, pointer=cursor.pointer)

    def value(self, key: str) -> Cursor:
        """Look up the value of an input."""
        return self.node.input(key)["value"]

    def switch(self, key: str, *, default: bool) -> bool:
        """Read an input that is on or off; one that is not set has its default."""
        value = self.value(key)
        return default if value.value is None else value.flag()

    def bind(self, key: str, *, name: str = "", wanted: Type | None = None) -> str:
        """Make an input of the flow an input of the graph; return its name, "" if it is unset."""
        item = self.node.input(key)
        value = item["value"]
        declared = wanted or type_named(item["valueType"].text())
        if key in self.generated:
            expr = self._generate(key, value, declared)
            return self.bind_expression(name or key, expr, declared, value)
        if value.value is None:
            return ""
        return self.bind_value(name or key, value, declared)

    def bind_value(self, name: str, value: Cursor, wanted: Type) -> str:
        """Make a value an input called ``name``."""
        expr = self.reference(value)
        if expr is None and isinstance(value.value, str):
            expr = self._text_expression(name, value)
        if expr is None:
            conversion = convert(value.value, wanted)
            if conversion.problems:
                self.report("WF301", value, f"Not a valid {wanted}: {conversion.problems[0]}")
            expr = graph.Const(conversion.value)
        return self.bind_expression(name, expr, wanted, value)

    def bind_expression(self, name: str, expr: graph.Expr, wanted: Type, value: Cursor) -> str:
        """Make what an expression means an input called ``name``."""
        self._bindings[name] = graph.Binding(
            name=name, expr=expr, type=wanted, pointer=value.pointer
        )
        return name

    def _generate(self, key: str, value: Cursor, wanted: Type) -> graph.Expr:
        """Read an input from what the model writes."""
        own = self.reference(value)
        if own is None and value:
            own = graph.Const(convert(value.value, wanted).value)
        self.otherwise[key] = own
        return graph.Ref(TOOL_ENTRY, (key,))

    def parameters(self, *without: str) -> None:
        """Make every input that is no setting an input of the graph."""
        for item in self.node.cursor["inputs"]:
            key = item["key"].text()
            if key and key not in without and not key.startswith(("system_", "$")):
                self.bind(key)

    def reference(self, value: Cursor) -> graph.Expr | None:
        """Read a reference or a list of references; None for a plain value."""
        single = self._pair(value)
        if single is not None:
            return single
        if not value.is_list:
            return None
        parts = [self._pair(item) for item in value]
        found = tuple(part for part in parts if part is not None)
        return graph.ListOf(found, is_flat=True) if found and len(found) == len(parts) else None

    def target(self, value: Cursor) -> graph.Expr | None:
        """Read the variable that is to be updated."""
        return self._pair(value)

    def kept_failure(self) -> tuple[bool, Schema]:
        """Tell whether the flow goes on after a failure, and the output that tells of it.

        Older flows have no branch for errors: those that look at the error go on with it.
        """
        catches = self.node.cursor["catchError"]
        is_read = not catches.flag() and (self.node.id, "error") in self.flow.mentions
        failure = (Field(name=str(ERROR_TEXT[0]), type=OBJECT),) if is_read else ()
        return is_read and not catches, failure

    def is_read(self, key: str) -> bool:
        """Tell whether something in the flow refers to an output."""
        outputs = self.node.cursor["outputs"]
        ids = {each["id"].text() for each in outputs if each["key"].text() == key}
        return any((self.node.id, each) in self.flow.mentions for each in {key, *ids})

    def template(self, key: str, *, is_json: bool = False) -> graph.Template:
        """Compile the text of an input; its variables become inputs."""
        value = self.value(key)
        self.fields[key] = value.pointer
        if key in self.generated:
            expr: graph.Expr | None = self._generate(key, value, ANY)
        else:
            expr = self.reference(value)
        if expr is not None:
            name = self._hidden(key, expr, value)
            return graph.Template((graph.Slot(name, (), ""),))
        return self.compile(key, value, is_json=is_json)

    def written(self, prefix: str, value: Cursor) -> graph.Template:
        """Compile a text inside of an input, which may be a reference as well."""
        expr = self.reference(value)
        if expr is None:
            return self.compile(prefix, value)
        return graph.Template((graph.Slot(self._hidden(prefix, expr, value), (), ""),))

    def compile(self, prefix: str, value: Cursor, *, is_json: bool = False) -> graph.Template:
        """Compile a text whose variables name nodes, globals and inputs of this node.

        In JSON, variables that mean nothing are null.
        """
        parts: list[str | graph.Slot] = []
        quote = ""
        for piece in scan(value.text()):
            expr = self._variable(piece) if isinstance(piece, Variable) else None
            if isinstance(piece, Variable) and (expr is not None or is_json):
                if expr is None:
                    self.report("WF207", value, f"The text names {piece.inner[:80]!r}.")
                    expr = ""
                name = expr if isinstance(expr, str) else self._hidden(prefix, expr, value)
                parts.append(graph.Slot(name, (), piece.raw, bool(quote)))
                continue
            text = piece.raw if isinstance(piece, Variable) else piece
            quote = open_quote(text, quote) if is_json else ""
            parts.append(text)
        return graph.Template(tuple(parts))

    def _pair(self, value: Cursor) -> graph.Expr | None:
        items = value.value
        if not isinstance(items, list) or len(items) != _PAIR:
            return None
        node_id, output_id = items
        if not isinstance(node_id, str) or not isinstance(output_id, str):
            return None
        if node_id != GLOBALS_ID and node_id not in self.flow.nodes:
            return None
        return self.flow.resolve(self.node, node_id, output_id)

    def _variable(self, variable: Variable) -> graph.Expr | str | None:
        """Resolve a variable in a text: an expression, or the name of an own input."""
        inner = variable.inner
        if inner.startswith("$") and inner.endswith("$"):
            node_id, dot, output_id = inner.strip("$").partition(".")
            if not dot:
                return None
            own = self._input_of(node_id, output_id)
            return self.flow.resolve(self.node, node_id, output_id) if own is None else own
        if inner in self._bindings:
            return inner
        if inner in self.special:
            return self.special[inner]()
        return self.flow.variable(inner) if self.flow.is_variable(inner) else None

    def _input_of(self, node_id: str, key: str) -> graph.Expr | str | None:
        """Read an input of this node or of one beside it, where it has no such output."""
        node = self.flow.nodes.get(node_id)
        if node is None or node.parent != self.node.parent:
            return None
        if any(key in {item["id"].text(), item["key"].text()} for item in node.cursor["outputs"]):
            return None
        if node is self.node:
            return key if key in self._bindings else None
        value = node.input(key)["value"]
        if not value:
            return None
        return self.reference(value) or graph.Const(value.value)

    def _text_expression(self, name: str, value: Cursor) -> graph.Expr | None:
        pieces = scan(value.text())
        found = [self._variable(piece) for piece in pieces if isinstance(piece, Variable)]
        if not any(each is not None and not isinstance(each, str) for each in found):
            return None
        if len(pieces) == 1 and found[0] is not None and not isinstance(found[0], str):
            return found[0]
        inner = FlowReader(self.node, self.flow, self._report)
        template = inner.compile(name, value)
        self.texts.append((name, template, inner.bindings))
        return None

    def _hidden(self, prefix: str, expr: graph.Expr, value: Cursor) -> str:
        name = f"${prefix}.{len(self._bindings)}"
        self._bindings[name] = graph.Binding(
            name=name, expr=expr, type=ANY, on_absent="absent", pointer=value.pointer
        )
        return name

    def replace_texts(self, sources: Iterator[tuple[str, graph.Expr]]) -> None:
        """Read the texts from the nodes that put them together."""
        for name, expr in sources:
            old = self._bindings[name]
            made = graph.Binding(name=name, expr=expr, type=STRING, pointer=old.pointer)
            self._bindings[name] = made
            for key, each in self._bindings.items():
                if isinstance(each.expr, graph.ObjectOf):
                    members = (made if part.name == name else part for part in each.expr.members)
                    self._bindings[key] = replace(each, expr=graph.ObjectOf(tuple(members)))
