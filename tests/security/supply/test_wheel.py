"""Whoever builds a commit gets the same wheel, byte by byte."""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.security.supply.closure import ROOT

PARTS = ("LICENSE", "README.md", "console", "idl", "pyproject.toml", "sdk/node.py", "src")
MADE_AT = "1700000000"
_BROWSER_TESTS = ("sdk/node.py", "npm", "--prefix", "console", "run", "--silent", "browser", "--")


def build(source: Path, into: Path) -> Path:
    """Build a wheel of a copy of the tree, with files of another age and order."""
    into.mkdir()
    for name in PARTS:
        path = ROOT / name
        if path.is_dir():
            ignored = shutil.ignore_patterns(
                "__pycache__", ".mypy_cache", ".build.*", "bundle", "dist", "node_modules"
            )
            shutil.copytree(path, source / name, ignore=ignored, copy_function=shutil.copy)
        else:
            (source / name).parent.mkdir(exist_ok=True)
            shutil.copy(path, source / name)
    subprocess.run(
        [_uv(), "build", "--quiet", "--wheel", "--out-dir", str(into)],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": MADE_AT},
        check=True,
        timeout=600,
    )
    (wheel,) = into.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("one"), tmp_path_factory.mktemp("dist") / "one")


@pytest.mark.long
def test_two_builds_of_one_commit_are_equal(wheel: Path, tmp_path: Path) -> None:
    source = tmp_path / "two"
    source.mkdir()
    again = build(source, tmp_path / "two-dist")

    digests = {hashlib.sha256(each.read_bytes()).hexdigest() for each in (wheel, again)}
    names = zipfile.ZipFile(wheel).namelist()
    assert len(digests) == 1
    assert "bootstrap/cli/__init__.py" in names
    assert {"api/console/bundle/index.html", "api/console/bundle/third-party.txt.gz"} <= {*names}
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


@pytest.mark.long
def test_an_installed_wheel_leads_a_newcomer_to_an_answer(wheel: Path, tmp_path: Path) -> None:
    """Its server has no node: the journey of the first run is walked in front of it."""
    installed = tmp_path / "installed"
    programs = installed / "bin"
    subprocess.run([_uv(), "venv", "--quiet", str(installed)], check=True, timeout=60)
    command = ["pip", "install", "--quiet", "--python", str(programs / "python"), str(wheel)]
    subprocess.run([_uv(), *command], cwd=ROOT, check=True, timeout=300)
    server = tmp_path / "coterie"
    # What the browser's tests run on is not there for the server.
    server.write_text(f'#!/bin/sh\nPATH={programs} exec {programs / "coterie"} "$@"\n')
    server.chmod(0o755)

    browser = subprocess.run(
        [sys.executable, "console/browser.py"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    walked = subprocess.run(
        [sys.executable, *_BROWSER_TESTS, "first-run.test.ts"],
        cwd=ROOT,
        env={
            **os.environ,
            "CONSOLE_BROWSER": browser.stdout.strip(),
            "CONSOLE_COTERIE": str(server),
        },
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert walked.returncode == 0, walked.stdout[-4000:]


def _uv() -> str:
    return os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
