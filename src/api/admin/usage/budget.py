"""Budgets on the admin surface."""

from decimal import Decimal

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import UNSET, Struct, UnsetType

from api.shape import Shape
from api.wire import required_id
from application.shared.page import Whole
from application.usage.budget import BudgetService, BudgetView, ChangeBudget, CreateBudget
from domain.shared.access import Principal
from domain.usage.value import BudgetPeriod, BudgetRules, BudgetSubject, BudgetUnit


class BudgetItem(Shape, of=BudgetView):
    """A budget, and how its period stands; amounts are decimal numbers in its unit."""


class BudgetItems(Whole[BudgetItem]):
    """All budgets of a workspace."""


class CreateBudgetBody(Struct, frozen=True, kw_only=True):
    """A budget to set."""

    name: str = ""
    """At most 100 characters; empty: what the budget is for."""
    subject_type: BudgetSubject
    """Whose calls count: all of the workspace, or those of one `agent`, `app`, `token`,
    `share_link`, `member` or `end_user` in it."""
    subject_id: str = ""
    """Which one: an id, or the name of the end user. Of a workspace none is needed."""
    unit: BudgetUnit
    """What counts: `money` in the currency of the deployment, `points`, or `tokens`."""
    amount: Decimal
    """How much of it may be used per period: above 0."""
    period: BudgetPeriod
    """When it begins anew: with the `day`, the `week` (on Monday) or the `month`; `forever`: never,
    and what was used before does not count."""
    zone: str = "UTC"
    """Time zone in which days begin, like `Europe/Zurich`."""
    soft_limits: list[int] | None = None
    """Percentages, each from 1 to 99, at which an event tells the owners; null: 80. The whole is
    always told."""
    is_hard: bool = True
    """Whether nothing new begins once all of it is used; else it is only told."""


class ChangeBudgetBody(Struct, frozen=True, kw_only=True):
    """Changes of a budget; what is absent stays, and so does what was used."""

    name: str | UnsetType = UNSET
    amount: Decimal | UnsetType = UNSET
    """How much may be used per period: above 0."""
    soft_limits: list[int] | UnsetType = UNSET
    """Percentages, each from 1 to 99, at which an event tells the owners."""
    is_hard: bool | UnsetType = UNSET
    """Whether nothing new begins once all of it is used."""


class BudgetController(Controller):
    """What workspaces, and what is in them, may use."""

    path = "/admin/v1"

    @get("/workspaces/{workspace_id:str}/budgets", operation_id="admin.budgets.list")
    async def list_budgets(
        self,
        *,
        principal: NamedDependency[Principal],
        budgets: NamedDependency[BudgetService],
        workspace_id: FromPath[str],
    ) -> BudgetItems:
        """List the budgets of a workspace and how they stand, newest first."""
        found = await budgets.list(principal, required_id(workspace_id, field="workspace_id"))
        return BudgetItems(items=BudgetItem.each(found.items), total=found.total)

    @post("/workspaces/{workspace_id:str}/budgets", operation_id="admin.budgets.create")
    async def create_budget(
        self,
        *,
        data: JSONBody[CreateBudgetBody],
        principal: NamedDependency[Principal],
        budgets: NamedDependency[BudgetService],
        workspace_id: FromPath[str],
    ) -> BudgetItem:
        """Limit what something may use; what its period has seen already counts."""
        rules = BudgetRules(name=data.name, amount=data.amount, is_hard=data.is_hard)
        command = CreateBudget(
            space_id=required_id(workspace_id, field="workspace_id"),
            subject_type=data.subject_type,
            subject_id=data.subject_id,
            unit=data.unit,
            period=data.period,
            zone=data.zone,
            rules=rules.warning_at(data.soft_limits),
        )
        return BudgetItem.of(await budgets.create(principal, command))

    @get("/budgets/{budget_id:str}", operation_id="admin.budgets.get")
    async def get_budget(
        self,
        *,
        principal: NamedDependency[Principal],
        budgets: NamedDependency[BudgetService],
        budget_id: FromPath[str],
    ) -> BudgetItem:
        """Show a budget and how it stands."""
        return BudgetItem.of(await budgets.get(principal, _budget(budget_id)))

    @patch("/budgets/{budget_id:str}", operation_id="admin.budgets.update")
    async def update_budget(
        self,
        *,
        data: JSONBody[ChangeBudgetBody],
        principal: NamedDependency[Principal],
        budgets: NamedDependency[BudgetService],
        budget_id: FromPath[str],
    ) -> BudgetItem:
        """Change the limits of a budget; every process heeds them within a second."""
        soft = data.soft_limits
        command = ChangeBudget(
            name=data.name,
            amount=data.amount,
            soft_limits=UNSET if isinstance(soft, UnsetType) else tuple(soft),
            is_hard=data.is_hard,
        )
        return BudgetItem.of(await budgets.change(principal, _budget(budget_id), command))

    @delete("/budgets/{budget_id:str}", operation_id="admin.budgets.delete")
    async def delete_budget(
        self,
        *,
        principal: NamedDependency[Principal],
        budgets: NamedDependency[BudgetService],
        budget_id: FromPath[str],
    ) -> None:
        """Remove a budget: what it limited is not limited by it any more."""
        await budgets.delete(principal, _budget(budget_id))


def _budget(text: str) -> int:
    return required_id(text, field="budget_id")
