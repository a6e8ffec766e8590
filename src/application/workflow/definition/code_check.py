"""Compilation of the code in canvases by the sandbox that would run it."""

import asyncio
import hashlib
from collections.abc import Iterable
from typing import Final

from cachetools import LRUCache

from domain.shared.ids import SpaceId
from domain.workflow.graph import Program, walk_nodes
from domain.workflow.lint.surroundings import CodeText, CompiledCode
from domain.workflow.node.data.code import CodeConfig
from infra.contract.code_runner import (
    CODE_BYTES,
    CodeError,
    CodeLanguage,
    CodeRequest,
    CodeRunner,
    CodeStatus,
)

_KEPT: Final = 4096
_MAX_WAIT_S: Final = 10.0
"""For all code of a canvas: the sandbox may have to start, and a save should not hang."""
_TIMEOUT_MS: Final = 2000
_MEMORY_MB: Final = 64


class CodeCompiler:
    """Compiles code without running it, each text once as long as it is remembered.

    No other parser knows what the interpreter of the sandbox takes, and none but the sandbox
    should read what strangers write.
    """

    def __init__(self, runner: CodeRunner, *, max_wait_s: float = _MAX_WAIT_S) -> None:
        self._runner = runner
        self._max_wait_s = max_wait_s
        self._faults: LRUCache[bytes, CodeError | None] = LRUCache(_KEPT)

    async def compile(self, space_id: SpaceId, program: Program) -> dict[CodeText, CompiledCode]:
        """Compile all code of a program; raises nothing."""
        texts = dict.fromkeys(_texts(program))
        late = f"no sandbox answered within {self._max_wait_s:.0f} s"
        compiled = {text: CompiledCode(unknown=late) for text in texts}
        try:
            async with asyncio.timeout(self._max_wait_s):
                for text in texts:
                    compiled[text] = await self._compile(space_id, text)
        except TimeoutError:
            pass
        return compiled

    async def _compile(self, space_id: SpaceId, text: CodeText) -> CompiledCode:
        key = hashlib.sha256(
            f"{text.language} {text.source}".encode("utf-8", "surrogatepass")
        ).digest()
        if key in self._faults:
            return CompiledCode(fault=self._faults[key])
        request = CodeRequest(
            space_id=space_id,
            max_wait_s=self._max_wait_s,
            language=CodeLanguage(text.language),
            code=text.source,
            params={},
            only_compiles=True,
            now_ms=0,
            seed=0,
            timeout_ms=_TIMEOUT_MS,
            memory_mb=_MEMORY_MB,
        )
        result = await self._runner.run(request)
        if result.status in {CodeStatus.OK, CodeStatus.USER_ERROR}:
            self._faults[key] = result.error
            return CompiledCode(fault=result.error)
        if result.status is CodeStatus.UNAVAILABLE and result.error is not None:
            return CompiledCode(unknown=result.error.message)
        return CompiledCode(unknown=f"compiling it was stopped ({result.status})")


def _texts(program: Program) -> Iterable[CodeText]:
    """Yield what can be compiled; the check has findings of its own for the rest."""
    for node in walk_nodes(program):
        config = node.config
        if not isinstance(config, CodeConfig) or not config.source.strip():
            continue
        if len(config.source.encode("utf-8", "surrogatepass")) <= CODE_BYTES:
            yield CodeText(config.language, config.source)
