"""Crash points: tests know and use them all, and nobody arms one by accident."""

import ast
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bootstrap.configuration import load
from bootstrap.crashpoint import arm_crashpoint
from domain.shared.error import SettingsInvalid
from tests.chaos import crash_points

ROOT = Path(__file__).parents[3]
NAME = "work.claimed"


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What would be armed; the interpreter never gives a hook back."""
    found: list[Any] = []
    monkeypatch.setattr(sys, "addaudithook", found.append)
    return found


def passed() -> Iterator[str]:
    """Yield the name at each crash point of the source; it is always a literal."""
    for path in (ROOT / "src").rglob("*.py"):
        text = path.read_text("utf-8")
        if "crashpoint(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "crashpoint":
                (name,) = node.args
                assert isinstance(name, ast.Constant), (path, node.lineno)
                yield str(name.value)


def test_tests_use_every_crash_point_and_each_is_one_place() -> None:
    found = Counter(passed())

    assert set(found) == crash_points.ALL
    assert set(found.values()) == {1}


def test_every_list_of_crash_points_is_used_by_a_test() -> None:
    text = "".join(path.read_text() for path in (ROOT / "tests/chaos").glob("test_crash_*.py"))
    lists = [name for name in vars(crash_points) if name.isupper() and name != "ALL"]

    assert lists
    assert [name for name in lists if len(re.findall(rf"\b{name}\b", text)) < 2] == []


@pytest.mark.parametrize(
    "environ",
    [
        {"COTERIE_CRASHPOINT": NAME},
        {"COTERIE_CRASHPOINT": NAME, "COTERIE_TESTING": "yes"},
        {"COTERIE_CRASHPOINT": f"{NAME}:0", "COTERIE_TESTING": "1"},
        {"COTERIE_CRASHPOINT": f"{NAME}:often", "COTERIE_TESTING": "1"},
    ],
)
def test_a_process_refuses_to_die_for_anything_but_a_test(
    environ: dict[str, str], hooks: list[Any]
) -> None:
    with pytest.raises(SettingsInvalid, match="COTERIE_CRASHPOINT"):
        arm_crashpoint(environ)
    assert hooks == []


def test_without_the_variable_nothing_is_armed(hooks: list[Any]) -> None:
    arm_crashpoint({"COTERIE_TESTING": "1"})

    assert hooks == []


def test_the_variables_are_no_settings(tmp_path: Path) -> None:
    settings = load(
        {
            "COTERIE_DATA_DIR": str(tmp_path),
            "COTERIE_CRASHPOINT": NAME,
            "COTERIE_TESTING": "1",
        }
    )

    assert settings.data_path == tmp_path


def test_a_process_dies_at_the_pass_that_is_named() -> None:
    script = (
        "from bootstrap.crashpoint import CrashpointKill;"
        "from domain.shared.crashpoint import arm, crashpoint;"
        "arm(CrashpointKill('here', after=2));"
        "[(crashpoint('there'), print(n, flush=True), crashpoint('here')) for n in range(5)]"
    )

    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (done.returncode, done.stdout) == (-signal.SIGKILL, "0\n1\n")
    assert done.stderr == "crash point here\n"
