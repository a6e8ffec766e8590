"""The README word for word, in one shell of a clean copy, with Python and make alone."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
import psutil
import pytest

from tests.support.process.port import free_port
from tests.upstream.fixture import RunningUpstream

ROOT: Final = Path(__file__).parents[2]
WITHIN_S: Final = 300.0
_BLOCK: Final = re.compile(r"^```(sh|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_PROGRAMS: Final = ("make", "bash", "sh", "env", "curl", "mkdir", "rm", "cat", "dirname", "uname")
"""What a machine has beside Python; above all no uv."""


CLIENTS: Final = ("curl", "cozepy", "openai")
"""Each of them gets the first answer."""


@dataclass
class Shell:
    """One bash in which blocks run one after the other; the first command that fails ends it."""

    folder: Path
    process: subprocess.Popen[str]
    output: Path
    blocks: int = 0
    served: list[int] = field(default_factory=list)

    def run(self, block: str) -> str:
        """Run a block and return what it printed."""
        self.blocks += 1
        begin, mark = len(self._text()), f"-- end of block {self.blocks} --"
        assert self.process.stdin is not None
        self.process.stdin.write(f"{block}\necho '{mark}'\n")
        self.process.stdin.flush()
        self._wait_for(lambda: mark in self._text(), block)
        return self._text()[begin:].replace(mark, "")

    def serve(self, block: str, *, port: int) -> str:
        """Start what the block starts, in the place of what ran; return what it announced."""
        if self.served:
            os.kill(self.served[-1], signal.SIGINT)
            self._wait_for(lambda: not _runs(self.served[-1]), block)
        log = self.folder / f"serve-{len(self.served)}.log"
        self.run(f"{block.strip().split('#')[0]} > {log.name} 2>&1 &")
        self._wait_for(lambda: _answers(port) and "curl" in log.read_text(), block, log)
        (pid,) = re.findall(r"\(pid (\d+)\)", log.read_text())
        self.served.append(int(pid))
        return log.read_text()

    def close(self) -> None:
        for pid in self.served:
            with suppress(psutil.NoSuchProcess):
                psutil.Process(pid).terminate()
            while _runs(pid):
                time.sleep(0.05)
        self.process.kill()
        self.process.communicate()

    def _text(self) -> str:
        return self.output.read_text("utf-8", "replace")

    def _wait_for(self, is_so: Callable[[], bool], block: str, log: Path | None = None) -> None:
        deadline = time.monotonic() + WITHIN_S
        while not is_so():
            told = log.read_text() if log is not None and log.exists() else ""
            assert self.process.poll() is None, f"failed:\n{block}\n{self._text()}\n{told}"
            assert time.monotonic() < deadline, f"too slow:\n{block}\n{self._text()}\n{told}"
            time.sleep(0.05)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A shell in a clean copy of what is in version control, or would be."""
    clone, programs = tmp_path / "coterie", tmp_path / "programs"
    git = shutil.which("git") or "git"
    listed = subprocess.run(
        [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, clone / name)
    bundle = "src/api/console/bundle"  # the build of the console is another test's
    if (ROOT / bundle).is_dir():
        shutil.copytree(ROOT / bundle, clone / bundle)
    programs.mkdir()
    (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    for name in _PROGRAMS:
        found = shutil.which(name)
        assert found, f"{name} is missing"
        (programs / name).symlink_to(found)
    # A variable on the command line of make is handed on in the environment, too.
    own = {"VIRTUAL_ENV", "MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "ARGS", "PYTHON"}
    environ = {
        name: value
        for name, value in os.environ.items()
        if name not in own and not name.startswith(("COTERIE_", "OPENAI_", "PYTEST_", "UV_RUN_"))
    }
    output = tmp_path / "output"
    with output.open("w") as file:
        process = subprocess.Popen(
            [str(programs / "bash"), "-e"],
            cwd=clone,
            env={**environ, "PATH": str(programs)},
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    shell = Shell(clone, process, output)
    yield shell
    shell.close()


def test_every_block_works_in_the_order_of_the_page(
    shell: Shell, upstream: RunningUpstream
) -> None:
    port = free_port()
    shell.run(f"export COTERIE_PORT={port}")
    filled = {
        "127.0.0.1:8000": f"127.0.0.1:{port}",
        "https://models.example.org/v1": upstream.base_url,
        "sk-…": "sk-of-the-reader",
        "other-model": "capable",
    }
    printed: list[str] = []
    for language, block in _BLOCK.findall((ROOT / "README.md").read_text("utf-8")):
        for placeholder, value in filled.items():
            block = block.replace(placeholder, value)  # noqa: PLW2901
        if "make test" in block:
            continue  # it is what runs this
        if "make serve" in block:
            said = shell.serve(block, port=port)
            if token := re.search(r"pat_\w+", said):
                filled["pat_…"] = token[0]
            filled["7534187650493480961"] = re.findall(r"bot_id (\d+)", said)[0]
        else:
            printed.append(shell.run(block if language == "sh" else _as_command(shell, block)))
            if base := re.search(r"handbook: knowledge base (\d+)", printed[-1]):
                filled["7534187650493480977"] = base[1]

    everything = "\n".join(printed)
    for expected in (
        "coterie 0.",
        "event: conversation.chat.completed",
        "3 indexed, 0 failed",
        "handbook / warranty.md",
        "Good morning, Berlin!",
    ):
        assert expected in everything
    offline = "I am the built-in offline model"
    assert sum(offline in text for text in printed) == len(CLIENTS), everything


def _as_command(shell: Shell, block: str) -> str:
    script = shell.folder / f"block-{shell.blocks}.py"
    script.write_text(block, "utf-8")
    return f".client/bin/python {script.name}"


def _runs(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
