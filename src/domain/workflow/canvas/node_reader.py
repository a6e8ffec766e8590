"""Reads what one node of a Coze canvas says, for the kinds to take their settings from."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.workflow import graph
from domain.workflow.canvas.cursor import Cursor
from domain.workflow.canvas.declaration import NAME, read_fields, read_type
from domain.workflow.canvas.reference import Places
from domain.workflow.convert import convert
from domain.workflow.lint.diagnostic import Report
from domain.workflow.template import compile_template, unknown_variables
from domain.workflow.value import INTEGER, Field, Path, Schema, Type, TypeKind

_GLOBALS: Final[Mapping[str, graph.GlobalKind]] = {
    "global_variable_app": graph.GlobalKind.APP,
    "global_variable_user": graph.GlobalKind.USER,
    "global_variable_system": graph.GlobalKind.SYSTEM,
}
_UNSET: Final = graph.Unresolved("WF206", "")


class NodeReader:
    """One node: its settings as cursors, and what the graph will know of it.

    Kinds call ``parameters`` first, then read their settings; ``bind`` turns every value of the
    settings that may be a reference into an input of the node.
    """

    def __init__(
        self,
        *,
        node_id: str,
        scope: str,
        data: Cursor,
        places: Places,
        report: Report,
        flags: graph.Flags,
    ) -> None:
        self.id = node_id
        self.data = data
        self.inputs = data["inputs"]
        self.flags = flags
        self.streams = graph.Streams()
        self.outputs: Schema = ()
        self.effects: graph.Effects | None = None
        self.secrets: tuple[str, ...] = ()
        """What the node does to the world, where that depends on its settings."""
        self._scope = scope
        self._places = places
        self._report = report
        self._bindings: dict[str, graph.Binding] = {}
        self._fields: dict[str, str] = {}
        self._hidden = 0
        self._override: Schema | None = None

    @property
    def bindings(self) -> tuple[graph.Binding, ...]:
        return tuple(self._bindings.values())

    @property
    def fields(self) -> dict[str, str]:
        """JSON pointers of settings by the name of the configuration field."""
        return self._fields

    @property
    def names(self) -> frozenset[str]:
        """Names of the input parameters read so far."""
        return frozenset(name for name in self._bindings if not name.startswith("$"))

    def report(self, code: str, cursor: Cursor, message: str) -> None:
        self._report.add(code, message, node_id=self.id, pointer=cursor.pointer)

    def stop(self, code: str, cursor: Cursor, message: str) -> None:
        """Report what the engine cannot run, under a rule that usually only blocks publishing."""
        self._report.add(code, message, node_id=self.id, pointer=cursor.pointer, blocks_run=True)

    def require(self, cursor: Cursor, what: str, *, code: str = "WF401") -> str:
        """Read a text that must not be empty."""
        text = cursor.text()
        if not text.strip():
            self.report(code, cursor, f"{what} is missing.")
        return text

    def mark(self, field: str, cursor: Cursor) -> None:
        """Note where a configuration field stands, for findings about it."""
        self._fields[field] = cursor.pointer

    def declare_outputs(self, *, are_names_checked: bool = False) -> Schema:
        """Read ``data.outputs`` as declared fields."""
        if self._override is not None:
            return self._override
        return read_fields(self.data["outputs"], self.report, are_names_checked=are_names_checked)

    def override_outputs(self, outputs: Schema) -> None:
        """Declare other outputs than the canvas does, for a node inside of batch mode."""
        self._override = outputs

    def parameters(
        self, cursor: Cursor | None = None, *, on_absent: graph.OnAbsent = "null"
    ) -> None:
        """Read the input parameters."""
        for parameter in self.inputs["inputParameters"] if cursor is None else cursor:
            name = parameter["name"].text()
            if not parameter["input"]:
                continue
            if not NAME.fullmatch(name):
                self.report("WF305", parameter["name"], f"The name {name[:40]!r} is not allowed.")
            if name in self._bindings:
                self.report("WF305", parameter["name"], f"The name {name[:40]!r} is used twice.")
            elif name and not name.startswith("$"):
                self.bind(name, parameter["input"], on_absent=on_absent)

    def bind(
        self,
        name: str,
        cursor: Cursor,
        *,
        on_absent: graph.OnAbsent = "null",
        is_optional: bool = False,
    ) -> str:
        """Make a value an input called ``name``; return the name, empty if there is no value.

        ``is_optional``: an empty reference or constant means that nobody chose a value.
        """
        if not cursor["value"] and not cursor["type"]:
            return ""
        wanted = read_type(cursor, self.report)
        content = cursor["value"]["content"]
        is_constant = cursor["value"]["type"].text() == "literal"
        if is_optional and is_constant and content.value in (None, ""):
            return ""
        expr = self._expression(cursor, wanted)
        if expr == _UNSET and is_optional:
            return ""
        self._bindings[name] = graph.Binding(
            name=name,
            expr=expr,
            type=wanted,
            on_absent=on_absent,
            file_names=_file_names(cursor["value"]["rawMeta"]["fileName"]),
            pointer=cursor.pointer,
        )
        return name

    def bind_integer(self, name: str, cursor: Cursor) -> str:
        """Make a number, written plainly or as a value, an input; return the name or ""."""
        if cursor.is_object:
            return self.bind(name, cursor, is_optional=True)
        if cursor.number() is None:
            return ""
        self._bindings[name] = graph.Binding(
            name=name, expr=graph.Const(cursor.integer()), type=INTEGER, pointer=cursor.pointer
        )
        return name

    def bind_expression(self, prefix: str, expr: graph.Expr, wanted: Type, cursor: Cursor) -> str:
        """Make an expression found in a text an input; return its made-up name."""
        self._hidden += 1
        name = f"${prefix}.{self._hidden}"
        self._bindings[name] = graph.Binding(
            name=name, expr=expr, type=wanted, on_absent="absent", pointer=cursor.pointer
        )
        return name

    def target(self, cursor: Cursor) -> tuple[graph.Expr, Type]:
        """Read the left side of an assignment."""
        return self._reference(cursor["value"]["content"]), read_type(cursor, self.report)

    def reference(self, node_id: str, path: Path) -> graph.Expr:
        """Resolve a reference written in a text."""
        return self._places.resolve(self._scope, node_id, path)

    def template(self, cursor: Cursor, *, field: str) -> graph.Template:
        """Compile a text over the input parameters; unknown variables stay literal."""
        self.mark(field, cursor)
        text = cursor.text()
        keep = self.flags.template_trailing_space_literal
        names = self.names
        for name in unknown_variables(text, names, keep_trailing_space=keep):
            self.report("WF207", cursor, f"The text names {name[:80]!r}, which is no parameter.")
        return compile_template(text, names, keep_trailing_space=keep)

    def constants(self, cursor: Cursor) -> dict[str, Cursor]:
        """Read a list of parameters with constant values; the first of a name counts."""
        found: dict[str, Cursor] = {}
        for parameter in cursor:
            found.setdefault(parameter["name"].text(), parameter["input"]["value"]["content"])
        return found

    def _expression(self, cursor: Cursor, wanted: Type) -> graph.Expr:
        value = cursor["value"]
        match value["type"].text():
            case "literal":
                return self._constant(value["content"], wanted)
            case "ref":
                return self._reference(value["content"])
            case "object_ref":
                return graph.ObjectOf(tuple(self._members(cursor["schema"])))
            case other:
                self.report("WF402", value["type"], f"Unknown kind of value {other[:40]!r}.")
                return graph.Const(None)

    def _constant(self, content: Cursor, wanted: Type) -> graph.Expr:
        if content.value is None:
            self.report("WF301", content, "The value is missing.")
            return graph.Const(None)
        conversion = convert(content.value, wanted, path="value")
        if conversion.problems:
            self.report("WF301", content, f"Not a valid {wanted}: {conversion.problems[0]}")
        return graph.Const(conversion.value)

    def _reference(self, content: Cursor) -> graph.Expr:
        source = content["source"].text()
        if source in _GLOBALS:
            path = tuple(segment.text() for segment in content["path"])
            return graph.GlobalVariable(_GLOBALS[source], path) if path else _UNSET
        if source != "block-output":
            self.report("WF402", content["source"], f"Unknown source {source[:40]!r}.")
            return graph.Const(None)
        node_id, name = content["blockID"].text(), content["name"].text()
        if not node_id:
            return _UNSET if not name else graph.Unresolved("WF206", "", (name,))
        return self.reference(node_id, tuple(name.split(".")) if name else ())

    def _members(self, schema: Cursor) -> Iterator[graph.Binding]:
        for parameter in schema:
            inner = parameter["input"]
            if inner:
                wanted = read_type(inner, self.report)
                yield graph.Binding(
                    name=parameter["name"].text(),
                    expr=self._expression(inner, wanted),
                    type=wanted,
                    on_absent="absent",
                    pointer=inner.pointer,
                )


def output_field(name: str, wanted: Type) -> Field:
    """Declare an output that a kind always has."""
    return Field(name=name, type=wanted)


def _file_names(cursor: Cursor) -> tuple[str, ...]:
    if cursor.is_list:
        return tuple(item.text() for item in cursor)
    return (cursor.text(),) if cursor else ()


def is_list(wanted: Type) -> bool:
    """Tell whether a declared type is a list."""
    return wanted.kind is TypeKind.LIST
