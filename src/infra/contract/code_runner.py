"""Port: code that users write, run where it can reach nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.shared.error import InvalidRequest, RequestTooLarge

CODE_BYTES = 256 * 1024
PARAMS_BYTES = 1024 * 1024
RESULT_BYTES = 1024 * 1024
RESULT_DEPTH = 64
STDOUT_BYTES = 64 * 1024
ERROR_BYTES = 4096
MAX_TIMEOUT_MS = 60_000
MIN_MEMORY_MB = 16
MAX_MEMORY_MB = 512


class CodeLanguage(StrEnum):
    """Languages of code nodes."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"


class CodeConvention(StrEnum):
    """How ``main`` is called, and what it finds."""

    ARGUMENTS = "arguments"
    INPUTS = "inputs"


class CodeStatus(StrEnum):
    """How a run ended; only ``ok`` has a result."""

    OK = "ok"
    USER_ERROR = "user_error"
    """The code raised, does not compile, or returned something that is not a JSON object."""
    TIMEOUT = "timeout"
    OOM = "oom"
    OUTPUT_TOO_LARGE = "output_too_large"
    FORBIDDEN = "forbidden"
    """The code tried to leave the sandbox, and was stopped."""
    UNAVAILABLE = "unavailable"
    """Nothing ran to its end: the sandbox is off, full, or lost the process; safe to repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeRequest:
    """One run of ``main``.

    Python defines ``main(args)``, plain or async, and finds its parameters in ``args.params`` by
    attribute or key; JavaScript defines ``main({params})``. Both return an object.

    With ``CodeConvention.INPUTS`` (FastGPT), Python defines ``main(a, b)`` over the names of its
    parameters, JavaScript ``main({a, b})``, and both find some functions. Whatever they return is
    the member ``value`` of the result.

    Raises:
        RequestTooLarge: the code is longer than 256 KiB.
        InvalidRequest: a limit is out of its range.
    """

    space_id: int
    """Whose turn in the sandboxes it is."""
    language: CodeLanguage
    code: str
    params: Mapping[str, object]
    """JSON values; at most 1 MiB as text."""
    now_ms: int
    """Wall time that the code sees, where the engine can set it."""
    seed: int
    """Makes ``random`` and ``Math.random`` repeatable."""
    convention: CodeConvention = CodeConvention.ARGUMENTS
    only_compiles: bool = False
    """Nothing of it runs, ``main`` need not be there, and the result is an empty object."""
    tz: str = "UTC"
    timeout_ms: int = 10_000
    memory_mb: int = 128
    """What the code may use, on top of what its interpreter takes."""
    max_wait_s: float | None = None
    """How long to wait for a sandbox, however many wait; None leaves it to the runner."""

    def __post_init__(self) -> None:
        if len(self.code.encode("utf-8", "surrogatepass")) > CODE_BYTES:
            raise RequestTooLarge("The code is longer than 256 KiB.")
        if not 1 <= self.timeout_ms <= MAX_TIMEOUT_MS:
            raise InvalidRequest(f"timeout_ms must be between 1 and {MAX_TIMEOUT_MS}.")
        if not MIN_MEMORY_MB <= self.memory_mb <= MAX_MEMORY_MB:
            message = f"memory_mb must be between {MIN_MEMORY_MB} and {MAX_MEMORY_MB}."
            raise InvalidRequest(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeError:
    """What went wrong, in the terms of the code; never a traceback of the host."""

    type: str
    message: str
    line: int | None = None
    """Line of the user's code, counted from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeResult:
    """The end of a run."""

    status: CodeStatus
    engine: str
    """Adapter, language version and image, as in ``wasm:python-3.14:1f2e3d4c``."""
    result: Mapping[str, object] | None = None
    stdout: str = ""
    stdout_truncated: bool = False
    error: CodeError | None = None
    duration_ms: float = 0.0
    cpu_ms: float = 0.0
    peak_mb: float = 0.0
    """Largest memory of the process that ran the code, engine included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeModules:
    """Modules that Python code can import: in the sandbox of this deployment, and in others."""

    sandbox: str
    here: frozenset[str]
    elsewhere: Mapping[str, frozenset[str]]
    """By the name of the sandbox."""


class CodeRunner(Protocol):
    """Runs code of tenants, isolated from the host, from other runs and from earlier ones.

    What is not isolated does not run: an adapter that cannot hold its promise on this machine
    answers ``unavailable``, and nothing weaker takes its place.
    """

    @property
    def disabled_reason(self) -> str:
        """Why every run is ``unavailable``; empty while the sandbox works."""
        ...

    async def run(self, request: CodeRequest) -> CodeResult:
        """Run to the end or to a limit; the outcome is in the status.

        Raises:
            RequestTooLarge: the parameters exceed 1 MiB.
            InvalidRequest: the parameters are not JSON.
        """
        ...
