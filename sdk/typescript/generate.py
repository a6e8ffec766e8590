"""Generated part of the TypeScript client: one class of operations for each kind of thing.

Run by ``make sdk`` with Jinja beside it, after openapi-ts has written the types; needs no network.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import jinja2

HERE: Final = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from operations import (  # noqa: E402 -- beside this folder
    NOTICE,
    Method,
    Parameter,
    Resource,
    Schema,
    named,
    pascal,
    read_document,
    read_resources,
)

OUT: Final = HERE / "src/generated"
_PLAIN: Final = {"string": "string", "integer": "number", "boolean": "boolean", "number": "number"}


def main() -> None:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 -- the template writes TypeScript
        undefined=jinja2.StrictUndefined,
    )
    root = read_resources(read_document())
    template = environment.get_template("resource.ts.jinja")
    for name, top in root.below.items():
        text = template.render(notice=NOTICE, classes=[as_class(each) for each in top.walk()])
        (OUT / f"{name.replace('_', '-')}.ts").write_text(text, encoding="utf-8")
    tops = [
        (camel(name), class_name(top), name.replace("_", "-")) for name, top in root.below.items()
    ]
    text = environment.get_template("resources.ts.jinja").render(notice=NOTICE, tops=tops)
    (OUT / "resources.ts").write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class TypeScriptMethod:
    """A method as the template writes it."""

    name: str
    of: Method
    about: list[str]
    arguments: list[str]
    path: str
    decodes: str
    result: str
    body: str
    resumes: bool
    """It is a stream that goes on behind the event that it is told."""


@dataclass
class TypeScriptClass:
    """A class as the template writes it."""

    name: str
    about: str
    methods: list[TypeScriptMethod]
    below: list[tuple[str, str]] = field(default_factory=list)


def class_name(resource: Resource) -> str:
    return "".join(map(pascal, resource.path))


def as_class(resource: Resource) -> TypeScriptClass:
    return TypeScriptClass(
        name=class_name(resource),
        about=resource.about or " ".join(resource.path).capitalize() + ".",
        methods=[as_method(each) for each in resource.methods],
        below=[(camel(name), class_name(each)) for name, each in resource.below.items()],
    )


def as_method(method: Method) -> TypeScriptMethod:
    path = re.sub(r"\{(\w+)\}", lambda found: f"${{part({camel(found[1])})}}", method.path)
    decodes = type_of(method.result) if method.result else "void"
    result = "Blob" if method.returns_bytes else decodes
    if method.data is not None:
        result = f'{decodes}["data"]' if method.data.get("type") != "null" else "void"
    if method.events:
        result = f"Events<{type_of(method.events)}>"
    if method.paging:
        result = f'Page<{result}["{method.paging.items}"][number]>'
    return TypeScriptMethod(
        name=camel(method.name),
        of=method,
        about=_about(method),
        arguments=_arguments(method),
        path=path,
        decodes=decodes,
        result=result,
        body=type_of(method.body) if method.body else "",
        resumes=any(each.name == "after" for each in method.query),
    )


def _arguments(method: Method) -> list[str]:
    found = [f"{camel(each.name)}: {type_of(each.schema)}" for each in method.in_path]
    if method.sends_file:
        found.append("file: Source")
    if method.body is not None:
        found.append(f"body{'' if method.is_body_required else '?'}: {type_of(method.body)}")
    if method.query:
        is_optional = not any(each.is_required for each in method.query)
        fields = "; ".join(_field(each) for each in method.query)
        found.append(f"query{'?' if is_optional else ''}: {{ {fields} }}")
    kind = "UploadOptions" if method.sends_file else "RequestOptions"
    found.sort(key=lambda argument: "?: " in argument.partition("{")[0])  # required ones first
    return [*found, f"options?: {kind}"]


def _field(parameter: Parameter) -> str:
    about = f"/** {_escaped(parameter.about)} */ " if parameter.about else ""
    optional = "" if parameter.is_required else "?"
    rest = "" if parameter.is_required else " | undefined"
    return f'{about}"{parameter.name}"{optional}: {type_of(parameter.schema)}{rest}'


def type_of(schema: Schema) -> str:
    """Return the type for a schema."""
    if name := named(schema):
        return f"t.{name}"
    if "enum" in schema:
        values = [value for value in schema["enum"] if value is not None]
        return " | ".join(map(json.dumps, values))
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "array" in kinds:
        return f"Array<{type_of(schema['items'])}>"
    known = [_PLAIN.get(kind, "unknown") for kind in kinds if kind != "null"]
    return " | ".join(dict.fromkeys(known)) or "unknown"


def _about(method: Method) -> list[str]:
    lines = [method.summary]
    if method.description.rstrip(".") not in {"", method.summary.rstrip(".")}:
        lines += ["", *method.description.splitlines()]
    return list(map(_escaped, lines))


def _escaped(text: str) -> str:
    return text.replace("*/", "*\\/")


def camel(words: str) -> str:
    name = pascal(words)
    return name[:1].lower() + name[1:]


if __name__ == "__main__":
    main()
