"""Runs nothing: for deployments without a sandbox."""

from infra.contract.code_runner import CodeError, CodeRequest, CodeResult, CodeStatus


class NoCodeRunner:
    """Answers ``unavailable`` with the reason."""

    def __init__(self, reason: str = "Code nodes are switched off.") -> None:
        self._reason = reason

    @property
    def disabled_reason(self) -> str:
        return self._reason

    async def run(self, request: CodeRequest) -> CodeResult:
        error = CodeError(type="Unavailable", message=self._reason)
        engine = f"off:{request.language.value}"
        return CodeResult(status=CodeStatus.UNAVAILABLE, engine=engine, error=error)
