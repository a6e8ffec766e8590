"""Methods of both clients, as they stand in their sources: ``python sdk/methods.py`` lists them.

With ``--write`` the list goes into ``docs/client-methods.md``. Standard library only.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SDK: Final = Path(__file__).resolve().parent
PAGE: Final = SDK.parent / "docs/client-methods.md"
PYTHON: Final = SDK / "python/src/coterie_client"
TYPESCRIPT: Final = SDK / "typescript/src"
_BY_HAND: Final = ("chats", "documents", "workflows", "client")
_HEAD: Final = """# Methods of the client libraries

Every method of [both libraries](clients.md#own-libraries), by what it is about. Python has each of
them in `Coterie` and, with `await`, in `AsyncCoterie`. Made by `make sdk` from the sources of the
libraries (`python sdk/methods.py`).
"""


@dataclass
class Resource:
    """A class of a library: its methods with what they do, and the resources below it."""

    methods: dict[str, str] = field(default_factory=dict)
    below: dict[str, str] = field(default_factory=dict)
    """Classes by attribute."""

    bases: list[str] = field(default_factory=list)


Classes = Mapping[str, Resource]


def python_classes() -> Classes:
    """Read the classes of the Python client; the synchronous half is made of the same text."""
    found: dict[str, Resource] = {}
    for path in (PYTHON / "_generated/resources.py", *(PYTHON / f"_{n}.py" for n in _BY_HAND)):
        tree = ast.parse(path.read_text("utf-8"))
        aliases = {
            alias.asname: alias.name
            for node in tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.asname
        }
        is_made = path.parent != PYTHON
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                made = _python_class(node, aliases)
                found[node.name if is_made else f"{path.stem}.{node.name}"] = made
    return found


def _python_class(node: ast.ClassDef, aliases: Mapping[str, str]) -> Resource:
    bases = [aliases.get(each.id, each.id) for each in node.bases if isinstance(each, ast.Name)]
    made = Resource(bases=bases)
    for part in node.body:
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if not part.name.startswith("_"):
            made.methods[part.name] = (ast.get_docstring(part) or "").partition("\n")[0]
        for line in part.body:
            if not (isinstance(line, ast.Assign) and isinstance(line.value, ast.Call)):
                continue
            place, maker = line.targets[0], line.value.func
            if isinstance(place, ast.Attribute) and isinstance(maker, ast.Name):
                made.below[place.attr] = maker.id
    return made


_CLASS: Final = re.compile(
    r"^export class (\w+)(?:<[^>]*>)?(?: extends (\w+))?.*?^}", re.MULTILINE | re.DOTALL
)
_METHOD: Final = re.compile(
    r"^  /\*\*(?P<about>(?:(?!\*/).)*?)\*/\n  (?:async )?\*?(?P<name>[a-z]\w*)(?:<[^(]*>)?\(",
    re.MULTILINE | re.DOTALL,
)
_BELOW: Final = re.compile(r"^    this\.(\w+) = new (\w+)\(", re.MULTILINE)
_ALIAS: Final = re.compile(r"(\w+) as (\w+)")


def typescript_classes() -> Classes:
    """Read the classes of the TypeScript client."""
    found: dict[str, Resource] = {}
    made = sorted((TYPESCRIPT / "generated").glob("*.ts"))
    for path in (*made, *(TYPESCRIPT / f"{name}.ts" for name in _BY_HAND)):
        if path.name == "types.gen.ts":
            continue
        text = path.read_text("utf-8")
        aliases = {alias: name for name, alias in _ALIAS.findall(text)}
        for each in _CLASS.finditer(text):
            base = aliases.get(each[2], each[2])
            made_class = Resource(bases=[base] if base else [])
            for method in _METHOD.finditer(each[0]):
                about = re.sub(r"^\s*\*?\s*", "", method["about"].strip())
                made_class.methods[method["name"]] = about.partition("\n")[0].strip()
            made_class.below = dict(_BELOW.findall(each[0]))
            is_made = path.parent != TYPESCRIPT
            found[each[1] if is_made else f"_{path.stem}.{each[1]}"] = made_class
    return found


def walk(classes: Classes, root: str, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str, str]]:
    """Yield resource, method and what it does, of all that can be reached from a class."""
    whole = _whole(classes, root)
    for name, about in whole.methods.items():
        yield ".".join(path), name, about
    for name, kind in whole.below.items():
        by_hand = f"_{name}.{kind}"
        reached = by_hand if not path and by_hand in classes else kind
        if reached in classes:
            yield from walk(classes, reached, (*path, name))


def _whole(classes: Classes, name: str) -> Resource:
    """Return a class with what it has from others; what is written by hand comes first."""
    own = classes[name]
    methods, below = dict(own.methods), dict(own.below)
    for base in own.bases:
        if base in classes:
            inherited = _whole(classes, base)
            methods = {**inherited.methods, **methods}
            below = {**inherited.below, **below}
    return Resource(methods=methods, below=below)


def snake(name: str) -> str:
    """Spell a name of TypeScript as Python does."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


@dataclass(frozen=True)
class Method:
    """One method in both spellings; empty where a library lacks it."""

    resource: str
    python: str
    typescript: str
    about: str


def methods() -> list[Method]:
    """List what a client can do, by resource and name; how it is made and closed is left out."""
    ours = {(r, n): about for r, n, about in walk(python_classes(), "_client.AsyncCoterie") if r}
    theirs = {
        (snake(r), snake(n)): (r, n, about)
        for r, n, about in walk(typescript_classes(), "_client.Coterie")
        if r
    }
    return [
        Method(
            resource=key[0],
            python=f"{key[0]}.{key[1]}" if key in ours else "",
            typescript=".".join(theirs[key][:2]) if key in theirs else "",
            about=ours.get(key) or theirs[key][2],
        )
        for key in sorted(ours.keys() | theirs.keys())
    ]


def page(found: Sequence[Method]) -> str:
    """Write the page of the documentation."""
    lines = [_HEAD]
    for resource in dict.fromkeys(each.resource for each in found):
        lines += [f"## {resource}", "", "| Python | TypeScript | |", "|---|---|---|"]
        for each in found:
            if each.resource == resource:
                names = [
                    f"`client.{name}`" if name else "" for name in (each.python, each.typescript)
                ]
                lines.append(f"| {names[0]} | {names[1]} | {each.about.replace('|', '/')} |")
        lines.append("")
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Print the list, or write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"into {PAGE.name}")
    given = parser.parse_args(arguments)
    found = methods()
    if given.write:
        PAGE.write_text(page(found), "utf-8")
    else:
        for each in found:
            print(f"{each.python or '-':60} {each.typescript or '-':60} {each.about}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
