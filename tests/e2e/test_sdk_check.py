"""The interface document under validators of others, and clients that their generators make."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.support.missing import missing

ROOT: Final = Path(__file__).parents[2]
CHECK: Final = ROOT / "sdk/check/check.py"
NAMES: Final = (
    *("validate", "redocly", "spectral", "python", "python-client", "openapi-typescript"),
    *("hey-api", "typescript-fetch", "go", "java"),
)


SHORT: Final = "validate"
"""The check that needs neither node nor Java, and no minute."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == SHORT else pytest.mark.long) for name in NAMES],
)
def test_programs_of_others_take_the_document(name: str) -> None:
    done = subprocess.run(
        (sys.executable, CHECK, "--strict", name), capture_output=True, text=True, check=False
    )

    if done.returncode == 2 and name == SHORT:
        pytest.skip(done.stdout)
    if done.returncode == 2:
        missing(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_check_is_tried() -> None:
    text = CHECK.read_text("utf-8")
    _, _, table = text.partition("CHECKS: Final")

    assert [line.split('"')[1] for line in table.partition("}")[0].splitlines()[1:] if line] == [
        *NAMES
    ]
