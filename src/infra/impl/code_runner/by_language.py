"""Chooses the sandbox by the language of the code."""

from collections.abc import Mapping

from infra.contract.code_runner import CodeLanguage, CodeRequest, CodeResult, CodeRunner


class CodeRunnerByLanguage:
    """Hands each run to the runner of its language, chosen by the operator and never in need."""

    def __init__(self, runners: Mapping[CodeLanguage, CodeRunner]) -> None:
        """``runners`` has an entry for every language."""
        self._runners = dict(runners)

    @property
    def disabled_reason(self) -> str:
        reasons = {runner.disabled_reason for runner in self._runners.values()}
        return " ".join(sorted(reasons - {""}))

    async def run(self, request: CodeRequest) -> CodeResult:
        return await self._runners[request.language].run(request)
