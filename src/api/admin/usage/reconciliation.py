"""Reconciliation with what providers say that they sold, on the admin surface."""

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import Struct

from api.wire import query_integer
from application.usage.reconciliation import ImportedReport, Reconciled, ReconciliationService
from domain.shared.access import Principal


class ProviderReportBody(Struct, frozen=True, kw_only=True):
    """A report of a provider."""

    provider: str
    """Kind of the provider, like `openai`, as entries of the ledger name it."""
    csv: str
    """The report, with a head. Columns: `date` (in UTC) and `model`; and, as far as there are,
    `requests`, `input_tokens`, `output_tokens`, `cost` and `currency`. Lines of one day and model
    are added up."""


class ReconciliationController(Controller):
    """The ledger beside the reports of providers, for administrators of the deployment."""

    path = "/admin/v1/usage"

    @get("/reconciliation", operation_id="admin.usage.reconcile")
    async def reconcile(
        self,
        *,
        principal: NamedDependency[Principal],
        reconciliation: NamedDependency[ReconciliationService],
        provider: FromQuery[str],
        since: FromQuery[str | None] = None,
        until: FromQuery[str | None] = None,
    ) -> Reconciled:
        """Compare the ledger with the report of a provider, by day and model."""
        return await reconciliation.compare(
            principal,
            provider,
            since=query_integer(since, field="since"),
            until=query_integer(until, field="until"),
        )

    @post("/provider-reports", operation_id="admin.usage.import_report", status_code=HTTP_200_OK)
    async def import_report(
        self,
        *,
        data: JSONBody[ProviderReportBody],
        principal: NamedDependency[Principal],
        reconciliation: NamedDependency[ReconciliationService],
    ) -> ImportedReport:
        """Keep a report of a provider, instead of what was known of its days."""
        return await reconciliation.take(principal, data.provider, data.csv)
