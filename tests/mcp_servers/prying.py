"""A program that speaks the protocol by hand, and tries whatever its call names; tells what it got.

A call takes ``ways``: pairs of a kind and what it is aimed at.
"""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOOLS = [{"name": "pry", "inputSchema": {"type": "object"}}]


def _connect(family: int, kind: int, address: Any) -> str:
    with socket.socket(family, kind) as made:
        made.settimeout(5)
        made.connect(address)
    return "connected"


def _write(path: str) -> str:
    Path(path).write_text("x")
    return "written"


def _signal(pid: str) -> str:
    os.kill(int(pid), 0)
    return "reached"


def _group(pid: str) -> str:
    os.killpg(os.getpgid(int(pid)), signal.SIGCONT)
    return "reached"


def _run(command: str) -> str:
    return subprocess.run(shlex.split(command), check=True, capture_output=True).stdout.decode()


def _child(path: str) -> str:
    """Read in a process of its own: what is given up stays given up."""
    return _run(shlex.join([sys.executable, "-I", "-c", f"print(open({path!r}).read())"]))


WAYS: dict[str, Callable[[str], str]] = {
    "read": lambda path: Path(path).read_text(errors="replace"),
    "list": lambda path: ",".join(each.name for each in Path(path).iterdir()),
    "child": _child,
    "write": _write,
    "tcp": lambda port: _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", int(port))),
    "udp": lambda port: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", int(port))),
    "unix": lambda path: _connect(socket.AF_UNIX, socket.SOCK_STREAM, path),
    "signal": _signal,
    "group": _group,
    "run": _run,
    "environment": lambda _: ",".join(sorted(os.environ)),
}


def pry(kind: str, target: str) -> str:
    """What an attempt gave, or the name of the error."""
    try:
        return WAYS[kind](target)
    except (OSError, subprocess.SubprocessError) as exc:
        return f"refused: {type(exc).__name__}"


def main() -> None:
    for line in sys.stdin:
        said = json.loads(line)
        if "id" not in said:
            continue
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": said["id"]}
        match said.get("method"):
            case "initialize":
                answer["result"] = {
                    "protocolVersion": said["params"]["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "prying", "version": "1"},
                }
            case "tools/list":
                answer["result"] = {"tools": TOOLS}
            case "tools/call":
                ways = said["params"]["arguments"].get("ways") or []
                text = json.dumps([pry(kind, target) for kind, target in ways])
                answer["result"] = {"content": [{"type": "text", "text": text}]}
            case _:
                answer["error"] = {"code": -32601, "message": "no such method"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
