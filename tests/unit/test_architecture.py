"""The shape of the code base, checked like any other behaviour."""

import ast
import json
import logging
import re
import shutil
import subprocess
from importlib.metadata import packages_distributions
from pathlib import Path, PurePosixPath

import msgspec
import pytest
from importlinter.cli import lint_imports

from bootstrap.configuration import load
from domain.shared.limits import Limits
from tests.support.source.rule import RULES, SYSTEM_PORTS, Rule, nodes, source

ROOT = Path(__file__).parents[2]


def test_imports_point_inwards(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    # The checker configures logging for itself, which silences all loggers that there are; tests
    # behind this one read what they say.
    for each in logging.root.manager.loggerDict.values():
        if isinstance(each, logging.Logger):
            monkeypatch.setattr(each, "disabled", each.disabled)

    broken = lint_imports(no_cache=True, no_logo=True)

    assert not broken, capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["api", "application", "bootstrap", "crossdomain", "domain", "infra", "tests", "bench"]
)
def test_no_dependency_ships_our_import_names(name: str) -> None:
    assert set(packages_distributions().get(name, [])) <= {"coterie"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_source_follows_the_rule(rule: Rule) -> None:
    findings = [
        f"src/{path}:{line} {problem}"
        for path, tree in source().items()
        for line, problem in rule.check(path, tree)
    ]

    assert not findings, "\n".join(findings)


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        ("ST-2", "domain/x/repository.py", "class XRepository(P):\n async def get(self, i): ..."),
        ("ST-3", "api/x.py", "eval(x)"),
        ("ST-3", "api/x.py", "import pickle"),
        ("ST-3", "api/x.py", "from marshal import loads"),
        ("ST-3", "api/x.py", "yaml.load(x)"),
        ("ST-3", "api/x.py", "subprocess.run(x, shell=True)"),
        ("ST-3", "api/x.py", "os.system(x)"),
        ("ST-3", "api/x.py", "getattr(x, name)"),
        ("ST-3", "api/x.py", "importlib.import_module(name)"),
        ("ST-4", "infra/impl/chat_model/x.py", "import httpx"),
        ("ST-4", "infra/impl/chat_model/x.py", "from aiohttp import web"),
        ("ST-4", "domain/x.py", "import urllib.request"),
        ("ST-4", "domain/x.py", "from urllib import request"),
        ("ST-4", "domain/x.py", "import socket"),
        ("ST-5", "domain/x.py", "from PIL import Image"),
        ("ST-5", "domain/x.py", "import xml.etree.ElementTree"),
        ("ST-6", "infra/x.py", "sa.text(f'SELECT {x}')"),
        ("ST-6", "infra/x.py", "text('SELECT ' + x)"),
        ("bounded", "domain/x.py", "asyncio.create_task(x())"),
        ("bounded", "domain/x.py", "asyncio.get_running_loop().create_task(x())"),
        ("bounded", "domain/x.py", "loop.create_task(x())"),
        ("bounded", "domain/x.py", "asyncio.Queue()"),
        ("bounded", "domain/x.py", "asyncio.gather(*many)"),
        ("module state", "domain/x.py", "CACHE = {}\ndef f():\n CACHE[1] = 2"),
        ("module state", "domain/x.py", "SEEN: set[int] = set()\ndef f():\n SEEN.add(1)"),
        ("module state", "domain/x.py", "x = 1\ndef f():\n global x"),
        ("one clock", "domain/x.py", "datetime.now(UTC)"),
        ("one clock", "domain/x.py", "time.time()"),
        ("plain", "domain/x.py", "from __future__ import annotations"),
        ("plain", "domain/x.py", "if TYPE_CHECKING: pass"),
        ("plain", "domain/x.py", "os.environ['X']"),
    ],
)
def test_each_rule_finds_a_planted_violation(rule: str, path: str, source: str) -> None:
    (found,) = (candidate for candidate in RULES if candidate.name.startswith(rule))

    assert list(found.check(PurePosixPath(path), ast.parse(source)))


def test_the_list_of_system_ports_names_only_existing_ones() -> None:
    classes = {
        node.name
        for path, tree in source().items()
        if path.name.endswith("repository.py")
        for node in tree.body
        if isinstance(node, ast.ClassDef)
    }

    assert set(SYSTEM_PORTS) <= classes


def test_every_limit_has_a_configuration_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [field.name for field in msgspec.structs.fields(Limits)]

    changed = load({f"COTERIE_LIMITS__{name.upper()}": "7" for name in names}).limits

    assert msgspec.structs.asdict(changed) == dict.fromkeys(names, 7)


def test_every_limit_is_enforced_somewhere() -> None:
    read = {node.attr for tree in source().values() for node in nodes(tree, ast.Attribute)}

    assert {field.name for field in msgspec.structs.fields(Limits)} <= read


def _tracked() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.fail("This test reads the list of tracked files from git.")
    names = subprocess.run(
        [git, "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


def test_tracked_files_name_no_registry_and_no_machine() -> None:
    # Written apart, so that this file does not hold what it looks for.
    parts = (("py", "pi.org"), ("python", "hosted.org"), ("registry.", "npmjs"), ("deb.", "debian"))
    hosts = ["".join(part) for part in parts]
    folders = ("work", "farm", "root", "tmp/brief")
    pattern = re.compile(
        "|".join([*map(re.escape, hosts), *(rf"(?<![\w.])/{f}/" for f in folders)])
    )
    # Few files have one of these at all; the pattern is slow, and there are many megabytes.
    hints = [each.encode() for each in (*hosts, *(f"/{folder}/" for folder in folders))]
    findings = []
    for path in _tracked():
        data = path.read_bytes()
        if not any(hint in data for hint in hints):
            continue
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        findings += [f"{path.relative_to(ROOT)}: {m.group()}" for m in pattern.finditer(text)]

    assert not findings, "\n".join(findings)


def test_no_lock_file_with_addresses_is_tracked() -> None:
    tracked = {
        path.name: path for path in _tracked() if path.name.endswith((".lock", "-lock.json"))
    }

    assert set(tracked) <= {"package-lock.json"}
    for lock in tracked.values():  # npm leaves them out when it is told so
        assert '"resolved"' not in lock.read_text("utf-8")


def test_a_lock_file_names_the_version_of_each_package() -> None:
    """Npm refuses a whole file in which packages for other systems lost theirs."""
    for path in _tracked():
        if path.name == "package-lock.json":
            packages = json.loads(path.read_text("utf-8"))["packages"]
            assert not [name for name, each in packages.items() if name and not each.get("version")]
