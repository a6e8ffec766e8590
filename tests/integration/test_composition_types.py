"""What mypy has to refuse: composition calls with an argument left out, misspelt or exchanged, and
commands that ask the container for what it does not have."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
COMPOSE: Final = ROOT / "src" / "bootstrap" / "compose"
SOURCES: Final = {"Foundation": COMPOSE / "foundation.py", "Container": COMPOSE / "container.py"}
COMMANDS: Final = """
from bootstrap.cli.session import Session

async def command_provider(session: Session) -> None:
    session.container.agent_()

async def command_part(session: Session) -> None:
    session.container.agent().agents_

async def command_method(session: Session) -> None:
    await session.container.dead_letters().get_("1")

async def command_exchanged(session: Session) -> None:
    await session.container.dead_letters().get(session)

async def command_answer(session: Session) -> None:
    (await session.container.model().admin.get(session.principal, "m")).id_
"""
_ERROR: Final = re.compile(r"^([^:]+):(\d+): error: ")


def compositions(tree: ast.AST) -> Iterator[tuple[ast.FunctionDef, ast.Call]]:
    """The methods that compose a context, each with its call."""
    for method in ast.walk(tree):
        if isinstance(method, ast.FunctionDef):
            for node in ast.walk(method):
                if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("compose_"):
                    yield method, node


def spoilt(method: ast.FunctionDef, call: ast.Call, *, arguments: int) -> Iterator[ast.FunctionDef]:
    """Copies of a method, each with one thing wrong in its call."""
    for index, keyword in enumerate(call.keywords[:arguments]):
        # The first argument is the widest part a context is given: nothing else is of its type.
        others = [each.value for each in call.keywords if each is not keyword]
        foreign = next(iter(others), ast.Name("self"))
        for way, changed in (
            ("missing", []),
            ("misspelt", [ast.keyword(arg=f"{keyword.arg}_", value=keyword.value)]),
            ("exchanged", [ast.keyword(arg=keyword.arg, value=foreign)]),
        ):
            copied = deepcopy(method)
            copied.name = f"{method.name}_{keyword.arg}_{way}"
            ((_, inner),) = compositions(copied)
            inner.keywords[index : index + 1] = changed
            yield copied
    copied = deepcopy(method)
    copied.name = f"{method.name}_provider"
    for node in ast.walk(copied):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "self":
            node.attr += "_"
            break
    yield copied


def found_in_copies(folder: Path, *, arguments: int) -> tuple[set[str], set[str]]:
    """Names of the spoilt methods in copies, and of those in which mypy finds an error."""
    made: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    copies: list[Path] = []
    for name, source in SOURCES.items():
        tree = ast.parse(source.read_text(encoding="utf-8"))
        (container,) = (
            node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name
        )
        spoilt_here = [
            each
            for method, call in [*compositions(tree)]
            for each in spoilt(method, call, arguments=arguments)
        ]
        container.body += spoilt_here
        made += spoilt_here
        if name == "Container":
            commands = ast.parse(COMMANDS).body
            tree.body += commands
            made += [each for each in commands if isinstance(each, ast.AsyncFunctionDef)]
        copies.append(folder / f"spoilt_{source.name}")
        copies[-1].write_text(ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "mypy", *map(str, copies)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    told = [found for line in done.stdout.splitlines() if (found := _ERROR.match(line))]
    assert told, done.stdout + done.stderr
    refused = {
        node.name
        for copy in copies
        for node in ast.walk(ast.parse(copy.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for found in told
        if Path(found[1]).name == copy.name
        and node.lineno <= int(found[2]) <= (node.end_lineno or node.lineno)
    }
    return {each.name for each in made}, refused - {"__getattr__"}  # its comment is not copied


@pytest.mark.parametrize("arguments", [1, pytest.param(100, marks=pytest.mark.long)])
def test_what_is_composed_or_asked_for_wrongly_does_not_pass_the_type_checker(
    tmp_path: Path, arguments: int
) -> None:
    made, found = found_in_copies(tmp_path, arguments=arguments)

    assert len(made) > 40
    assert found == made
