"""The route table: closed by default (ST-1), described completely and exactly once."""

import base64
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from litestar import Litestar, get

from api.disconnect import EndsWithClient
from api.docs.contract import part
from api.entry.auth import Guard
from api.entry.route import PUBLIC_PATHS, ROUTES, UndeclaredRoute, operation_of, table
from bootstrap.compose.container import Container
from bootstrap.configuration import load
from bootstrap.idl import SURFACES, documents
from bootstrap.server.app import create_app
from tests.integration.security.interface import METHODS
from tests.support.interface import interface

ROOT = Path(__file__).parents[2]
KEY = base64.b64encode(bytes(range(32))).decode()


@pytest.fixture(scope="module")
def definitions() -> Mapping[str, bytes]:
    return documents(interface())


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Container:
    monkeypatch.chdir(tmp_path)
    environ = {"COTERIE_DATA_DIR": str(tmp_path), "COTERIE_MASTER_KEY": KEY}
    return Container(settings=load(environ))


@pytest.fixture
def app(container: Container) -> Litestar:
    return create_app(container)


def test_each_route_is_public_by_name_or_guarded(app: Litestar) -> None:
    for route in app.routes:
        for handler in getattr(route, "route_handlers", []):
            guarded = any(isinstance(guard, Guard) for guard in handler.resolve_guards())
            assert guarded, f"{route.path} has lost the guard of the application."


def test_the_table_of_routes_names_what_is_served_and_nothing_else(app: Litestar) -> None:
    served = {row.operation for row in table(app)}
    paths = {route.path_format for route in app.routes}

    assert ROUTES.keys() - served <= {"operations.get_metrics"}  # unless it is shut
    assert PUBLIC_PATHS - paths <= {"/"}


def test_a_route_that_nobody_declared_is_not_served() -> None:
    @get("/v1/forgotten", operation_id="forgotten.list")
    async def forgotten() -> None:
        """Nobody said who may call this."""

    with pytest.raises(UndeclaredRoute, match=r"route\.py.*forgotten\.list"):
        table(Litestar([forgotten], openapi_config=None))


def test_operation_ids_are_unique() -> None:
    ids = Counter(
        operation["operationId"]
        for item in interface()["paths"].values()
        for method, operation in item.items()
        if method in METHODS
    )

    assert not [name for name, count in ids.items() if count > 1]


def test_the_committed_definitions_are_those_of_the_code(definitions: Mapping[str, bytes]) -> None:
    for name, content in definitions.items():
        committed = (ROOT / "idl" / name).read_bytes()

        assert committed == content, f"{name}: run `make idl` and commit the result."


def test_the_parts_of_the_document_make_the_whole() -> None:
    whole = interface()
    paths: dict[str, object] = {}
    for surface in SURFACES:
        one = part(whole, surface)
        assert one["components"]["schemas"].items() <= whole["components"]["schemas"].items()
        assert not paths.keys() & one["paths"].keys()
        paths |= one["paths"]
    assert paths == whole["paths"]


_ENDS_ELSEWHERE = {
    "streams, which watch their client themselves": """
        admin.agents.assist admin.agents.chat admin.models.check admin.models.try_out
        openai.chat_completions.create openai.responses.create share.create_chat
        share.submit_outputs workflows.stream_resume workflows.stream_run
    """,
    "calls of models that watch the client in the handler": """
        openai.embeddings.create openai.reranks.create
    """,
    "begins or continues a run, which has a record and goes on": """
        admin.runs.submit_tool_outputs admin.traces.replay admin.workflow_runs.repeat
        admin.workflow_runs.resume admin.workflows.chat admin.workflows.test
        admin.workflows.test_node chats.create chats.submit_tool_outputs workflows.chat
        workflows.run
    """,
    "changes what the caller said, which is short": """
        admin.conversations.clear admin.conversations.create admin.conversations.delete_feedback
        admin.conversations.delete_message admin.conversations.fork
        admin.conversations.set_feedback admin.conversations.update
        admin.conversations.update_message conversations.clear conversations.create
        conversations.update messages.create messages.create_feedback messages.delete
        messages.delete_feedback messages.update share.give_feedback share.open_session
        share.upload_file variables.update openai.responses.delete
    """,
    "ends a run": """
        admin.runs.cancel admin.workflow_runs.cancel chats.cancel openai.responses.cancel
        share.cancel_run
    """,
    "only reads rows or computes, and takes no place": """
        admin.agents.validate admin.audit_log.verify admin.models.count_tokens
        admin.oauth_requests.find_by_user_code admin.operations.examine admin.plugins.review
        admin.presence.set admin.workflows.review admin.workflows.validate chats.get_by_post
        chats.list_messages_by_post datasets.get_progress documents.list messages.get_by_post
        messages.list openai.responses.count_input_tokens
    """,
}
"""What changes nothing that is audited and does not end with its client by the middleware."""


def test_what_is_for_its_caller_alone_ends_with_it_or_says_why_not(app: Litestar) -> None:
    unaudited = {
        row.operation for row in table(app) if row.method != "GET" and not row.access.is_audited
    }
    ending = {
        operation_of(handler, method)
        for route in app.routes
        for handler in getattr(route, "route_handlers", [])
        if EndsWithClient in handler.resolve_middleware()
        for method in handler.http_methods
    }
    excused = {name for names in _ENDS_ELSEWHERE.values() for name in names.split()}

    assert unaudited & ROUTES.keys() - ending - excused == set()
    assert excused & ending == set()
    assert excused - unaudited == set()
