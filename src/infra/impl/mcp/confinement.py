"""Reach of an operator's program: the system's libraries, its own folder, what is listed."""

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from infra.impl.sandbox import kernel
from infra.impl.sandbox.syscalls import confined_filter, is_known_machine

_SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"),
    *("/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/ssl/openssl.cnf"),
    *("/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/ca-certificates", "/etc/pki/tls/certs"),
    *("/etc/pki/ca-trust", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
)
_OF_NETWORKS: Final = ("/etc/hosts", "/etc/resolv.conf", "/etc/host.conf", "/etc/gai.conf")
_WRITABLE: Final = ("/dev/null",)
_SHEBANG_BYTES: Final = 512
_PROGRAM_FOLDERS: Final = frozenset({"bin", "sbin"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Confinement:
    """Paths and the network that a program keeps; everything else is out of its reach."""

    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    has_network: bool = False

    def to_text(self) -> str:
        """Write for a command line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read back what ``to_text`` wrote."""
        values = json.loads(text)
        return cls(
            readable=tuple(values["readable"]),
            writable=tuple(values["writable"]),
            has_network=values["has_network"],
        )

    def enter(self, *, parent: int) -> None:
        """Confine this process and all that it starts; raise ``LockFailed`` if that is refused."""
        readable = [*_SYSTEM, *self.readable]
        if self.has_network:
            readable += _OF_NETWORKS
        ruleset = kernel.open_ruleset(
            readable, writable=[*_WRITABLE, *self.writable], has_network=self.has_network
        )
        kernel.restrict_files(ruleset)
        kernel.restrict_calls(confined_filter(parent=parent, has_network=self.has_network))


def obstacle() -> str:
    """Why no program can be confined on this machine; empty if it can."""
    if kernel.landlock_version() == 0:
        return "the kernel has no Landlock"
    if not is_known_machine():
        return "the system calls of this processor are not known"
    return ""


def own_folders(command: str, env: Mapping[str, str], *, hidden: Iterable[Path]) -> tuple[str, ...]:
    """Where a program, and what interprets it, lie; nothing that holds a hidden path.

    An environment or a prefix (a ``bin`` beside a ``lib``) counts as a whole.
    """
    secret = [each.resolve() for each in hidden]
    found: dict[str, None] = {}
    for program in (Path(command), *_interpreters(Path(command), env)):
        for path in (program, program.resolve()):
            folder = next((each for each in _around(path) if not overlaps(each, secret)), None)
            if folder is not None:
                found[str(folder)] = None
    return tuple(found)


def overlaps(path: Path, others: Iterable[Path]) -> bool:
    """Whether one of the others is, holds, or lies within this path."""
    resolved = path.resolve()
    return any(
        resolved.is_relative_to(each) or each.is_relative_to(resolved)
        for each in (other.resolve() for other in others)
    )


def _around(program: Path) -> list[Path]:
    """The largest part first: the prefix, the folder, the file itself."""
    folder, prefix = program.parent, program.parent.parent
    is_prefix = folder.name in _PROGRAM_FOLDERS and (prefix / "lib").is_dir()
    wide = [prefix] if is_prefix else []
    return [*(each for each in (*wide, folder) if each != Path("/")), program]


def _interpreters(program: Path, env: Mapping[str, str]) -> list[Path]:
    """What the first line of a script names."""
    try:
        with program.open("rb") as file:
            first = file.read(_SHEBANG_BYTES).split(b"\n", 1)[0]
    except OSError:
        return []
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    if not words:
        return []
    if Path(words[0]).name != "env":
        return [Path(words[0])]
    name = next((each for each in words[1:] if not each.startswith("-") and "=" not in each), "")
    located = shutil.which(name, path=env.get("PATH")) if name else None
    return [Path(located)] if located else []
