"""Hook of hatch: a wheel or source distribution carries the console, built if it is not there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ConsoleBuildHook(BuildHookInterface[Any]):
    """Builds the console before files are collected; an installation in place needs none."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run the build, which does nothing where the bundle is fresh."""
        if version == "editable":
            return
        program = Path(self.root, "console", "build.py")
        done = subprocess.run([sys.executable, str(program)], check=False)
        if done.returncode:
            raise RuntimeError("The console could not be built; the reason stands above.")
