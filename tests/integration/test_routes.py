"""The route table: closed by default (ST-1), described completely and exactly once."""

import base64
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from litestar import Litestar, get

from api.docs.contract import part
from api.entry.auth import Guard
from api.entry.route import PUBLIC_PATHS, ROUTES, UndeclaredRoute, table
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
