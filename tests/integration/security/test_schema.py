"""Every operation keeps what its description promises, for inputs made from the description."""

import json
import warnings
from datetime import timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings

with warnings.catch_warnings():  # its dependencies warn about themselves
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis.core import NOT_SET
    from schemathesis.core.failures import Failure, FailureGroup
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
    )

from tests.integration.security.operations import CALLS
from tests.integration.security.tenants import Tenant
from tests.support.interface import interface
from tests.support.process.in_process import Answer, Deployment

KEPT: Final = frozenset({"admin.tokens.delete", "admin.workspaces.delete"})
"""Operations that could take the caller's own credentials away."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("examples", [2, pytest.param(10, marks=pytest.mark.long)])
async def test_the_description_is_kept(
    examples: int, deployment: Deployment, mallory: Tenant
) -> None:
    document = msgspec.json.decode(msgspec.json.encode(interface()))  # to be changed at will
    cases = _cases(document, examples)
    wrong: list[str] = []
    for name, case in cases:
        answer = await _send(deployment, mallory, case)
        if answer.status >= 500 and answer.status not in {501, 502}:
            wrong.append(f"{name} {case.body!r}: {answer}")
            continue
        checks = [content_type_conformance]
        # The schema of a stream is that of the data of its events; recorded ones are held to it.
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            checks.append(response_schema_conformance)
        try:
            case.validate_response(_as_httpx(case, answer), checks=checks)
        except (Failure, FailureGroup) as exc:
            wrong.append(f"{name} {exc!r}: {answer}")
    await deployment.idle()
    assert not wrong, "\n".join(each[:900] for each in wrong[:20])


def _cases(document: dict[str, Any], examples: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    described: Any = schemathesis.openapi.from_dict(document)
    for result in described.get_all_operations():
        operation = result.ok()
        name = operation.definition.raw["operationId"]
        if name not in CALLS or name in KEPT:
            continue

        cases: list[Any] = []
        _generated(operation.as_strategy(), cases, examples)
        found += [(name, case) for case in cases]
    return found


def _generated(strategy: Any, cases: list[Any], examples: int) -> None:
    @settings(
        max_examples=examples,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(case: Any) -> None:
        cases.append(case)

    collect()


def _target(case: Any) -> str:
    path = case.path
    for name, value in (case.path_parameters or {}).items():
        path = path.replace(f"{{{name}}}", quote(str(value), safe="") or "x")
    query = urlencode(case.query or {}, doseq=True)
    return f"{path}?{query}" if query else path


async def _send(deployment: Deployment, tenant: Tenant, case: Any) -> Answer:
    headers = [
        (name, str(value).encode().decode("latin-1"))
        for name, value in (case.headers or {}).items()
        if name.lower() not in {"authorization", "content-type"}
    ]
    if case.media_type and case.media_type.startswith("multipart/"):
        headers.append(("content-type", "multipart/form-data; boundary=b"))
        body = repr(case.body).encode()
    elif case.body is NOT_SET:
        body = b""
    else:
        headers.append(("content-type", "application/json"))
        body = json.dumps(case.body).encode()
    return await deployment.send(
        case.method, _target(case), token=tenant.token, body=body, headers=headers
    )


def _as_httpx(case: Any, answer: Answer) -> httpx.Response:
    request = httpx.Request(case.method, "http://coterie.example/")
    response = httpx.Response(
        answer.status, headers=answer.headers, content=answer.body, request=request
    )
    response.elapsed = timedelta(0)
    return response
