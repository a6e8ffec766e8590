"""Algebra over vectors uses the thread that asked for it, and starts no threads of its own."""

import subprocess
import sys
from typing import Final

_MULTIPLIED: Final = """
import os
from bootstrap.cli import main
main(["version"], standalone_mode=False)
import numpy as np
square = np.ones((1_000, 1_000), dtype=np.float32)
square @ square
print(len(os.listdir("/proc/self/task")))
"""


def test_products_are_computed_by_the_calling_thread() -> None:
    program = [sys.executable, "-c", _MULTIPLIED]
    run = subprocess.run(program, capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.splitlines()[-1] == "1"
