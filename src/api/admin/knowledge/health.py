"""Health of a base on the admin surface: its figures, and the slices behind each."""

from typing import Final

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery

from api.admin.knowledge.dataset import dataset_key
from api.admin.query import Paging
from api.shape import Shape
from api.wire import query_choice, query_integer
from application.knowledge.dataset.health import DatasetHealth, ExaminedQuery, HealthService
from application.shared.page import Paged
from domain.knowledge.value import (
    ExaminedSlice,
    FlawCount,
    LengthBin,
    Script,
    ScriptCount,
    SliceFlaw,
)
from domain.shared.access import Principal

_FLAWS: Final = {each.value: each.value for each in SliceFlaw}
_SCRIPTS: Final = {each.value: each.value for each in Script}


class AdminLengthBin(Shape, of=LengthBin):
    """How many slices have at least so many characters, and fewer than the next bin's."""


class AdminFlawCount(Shape, of=FlawCount):
    """How many slices have a flaw."""

    flaw: str


class AdminScriptCount(Shape, of=ScriptCount):
    """How many of the sampled slices are mostly in a script."""

    script: str


class AdminDatasetHealth(Shape, of=DatasetHealth):
    """How long the slices of a base are, in which languages, and which of them serve nobody."""

    lengths: list[AdminLengthBin]
    flaws: list[AdminFlawCount]
    languages: list[AdminScriptCount]


class AdminExaminedSlice(Shape, of=ExaminedSlice):
    """A slice to look at, with the beginning of what it says."""


class AdminExaminedSlices(Paged[AdminExaminedSlice]):
    """One page of slices behind a figure."""


class AdminHealthController(Controller):
    """Health of bases."""

    path = "/admin/v1"

    @get("/datasets/{dataset_id:str}/health", operation_id="admin.datasets.get_health")
    async def health(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_health: NamedDependency[HealthService],
        dataset_id: FromPath[str],
    ) -> AdminDatasetHealth:
        """Show how long the slices of a base are, and which are empty, repeated or never found."""
        return AdminDatasetHealth.of(await dataset_health.get(principal, dataset_key(dataset_id)))

    @get("/datasets/{dataset_id:str}/health/slices", operation_id="admin.datasets.list_examined")
    async def slices(
        self,
        *,
        principal: NamedDependency[Principal],
        dataset_health: NamedDependency[HealthService],
        dataset_id: FromPath[str],
        flaw: FromQuery[str | None] = None,
        script: FromQuery[str | None] = None,
        at_least: FromQuery[str | None] = None,
        below: FromQuery[str | None] = None,
        paging: NamedDependency[Paging],
    ) -> AdminExaminedSlices:
        """List the slices behind a figure of the base's health, the worst first."""
        wrong = query_choice(flaw, _FLAWS, field="flaw")
        letters = query_choice(script, _SCRIPTS, field="script")
        found = await dataset_health.slices(
            principal,
            ExaminedQuery(
                dataset_id=dataset_key(dataset_id),
                flaw=SliceFlaw(wrong) if wrong else None,
                script=Script(letters) if letters else None,
                at_least=query_integer(at_least, field="at_least"),
                below=query_integer(below, field="below"),
                page=paging.number,
                size=paging.size,
            ),
        )
        return AdminExaminedSlices(
            items=[AdminExaminedSlice.of(each) for each in found.items],
            total=found.total,
            next_cursor=paging.next_number(found),
        )
