"""Whoever builds a commit gets the same wheel, byte by byte."""

import hashlib
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.security.supply.closure import ROOT

PARTS = ("LICENSE", "README.md", "console", "idl", "pyproject.toml", "sdk/node.py", "src")
MADE_AT = "1700000000"


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
    uv = os.environ.get("UV") or shutil.which("uv") or str(ROOT / ".uv" / "bin" / "uv")
    subprocess.run(
        [uv, "build", "--quiet", "--wheel", "--out-dir", str(into)],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": MADE_AT},
        check=True,
        timeout=600,
    )
    (wheel,) = into.glob("*.whl")
    return wheel


@pytest.mark.long
def test_two_builds_of_one_commit_are_equal(tmp_path: Path) -> None:
    wheels = []
    for number in ("one", "two"):
        source = tmp_path / number
        source.mkdir()
        wheels.append(build(source, tmp_path / f"{number}-dist"))

    digests = {hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels}
    names = zipfile.ZipFile(wheels[0]).namelist()
    assert len(digests) == 1
    assert "bootstrap/cli/__init__.py" in names
    assert {"api/console/bundle/index.html", "api/console/bundle/third-party.txt"} <= {*names}
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]
