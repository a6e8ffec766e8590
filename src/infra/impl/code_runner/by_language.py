"""Chooses the sandbox by the language of the code."""

from collections.abc import Mapping

from infra.contract.code_runner import CodeLanguage, CodeRequest, CodeResult, CodeRunner
from infra.impl.code_runner.on_demand import CodeRunnerOnDemand, ManagedRunner


class CodeRunnerByLanguage:
    """Hands each run to the runner of its language, chosen by the operator and never in need."""

    def __init__(self, runners: Mapping[CodeLanguage, CodeRunner]) -> None:
        """``runners`` has an entry for every language."""
        self._runners = dict(runners)

    @property
    def disabled_reason(self) -> str:
        reasons = {runner.disabled_reason for runner in self._runners.values()}
        return " ".join(sorted(reasons - {""}))

    async def start(self) -> None:
        """Start the runners that have a life cycle, each once."""
        for runner in self._managed():
            await runner.start()

    async def aclose(self) -> None:
        """Stop them."""
        for runner in self._managed():
            await runner.aclose()

    def _managed(self) -> list[ManagedRunner]:
        runners = {id(runner): runner for runner in self._runners.values()}
        return [each for each in runners.values() if isinstance(each, CodeRunnerOnDemand)]

    async def run(self, request: CodeRequest) -> CodeResult:
        return await self._runners[request.language].run(request)
