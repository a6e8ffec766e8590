"""``coterie budget``: what workspaces, and what is in them, may use."""

from decimal import Decimal, InvalidOperation
from typing import Any

import click
import msgspec

from application.usage.budget import BudgetView, ChangeBudget, CreateBudget
from bootstrap.cli.command import Group
from domain.shared.error import InvalidRequest
from domain.shared.ids import parse_id
from domain.usage.value import BudgetPeriod, BudgetRules, BudgetSubject, BudgetUnit

COLUMNS = ("id", "name", "subject", "limit", "spent", "left", "state", "resets_at")
_workspace = click.option(
    "--workspace", help="Id of the workspace [the administrator's personal one]."
)
_soft = click.option(
    "--soft", "soft_limits", multiple=True, type=int, help="Percentage to be told at [80]."
)


@click.group(cls=Group)
def budget() -> None:
    """What workspaces, and what is in them, may use."""


@budget.command("create")
@click.argument("amount")
@click.option("--unit", required=True, type=click.Choice([each.value for each in BudgetUnit]))
@click.option("--per", required=True, type=click.Choice([each.value for each in BudgetPeriod]))
@click.option(
    "--for",
    "subject",
    default="workspace",
    help="Whose calls count, like agent:7300000000000000001 or end_user:anna [workspace].",
)
@click.option("--name", default="", help="Name of the budget [what it is for].")
@click.option("--zone", default="UTC", help="Time zone in which days begin [UTC].")
@click.option("--only-tell", is_flag=True, help="Refuse nothing, only tell.")
@_soft
@_workspace
def create(
    *,
    amount: str,
    unit: str,
    per: str,
    subject: str,
    name: str,
    zone: str,
    only_tell: bool,
    soft_limits: tuple[int, ...],
    workspace: str | None,
) -> None:
    """Limit what something may use; what its period has seen already counts."""
    from bootstrap.cli.session import Session, on_database

    kind, _, subject_id = subject.partition(":")

    async def act(session: Session) -> None:
        rules = BudgetRules(name=name, amount=_amount(amount), is_hard=not only_tell)
        made = await session.container.usage().budgets.create(
            session.principal,
            CreateBudget(
                space_id=_space(session, workspace),
                subject_type=_subject(kind),
                subject_id=subject_id,
                unit=BudgetUnit(unit),
                period=BudgetPeriod(per),
                zone=zone,
                rules=rules.warning_at(soft_limits or None),
            ),
        )
        _show(session, made)

    on_database(act)


@budget.command("list")
@_workspace
def list_budgets(workspace: str | None) -> None:
    """List the budgets of a workspace and how they stand."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        found = await session.container.usage().budgets.list(
            session.principal, _space(session, workspace)
        )
        session.output.table([_row(each) for each in found.items], columns=COLUMNS)

    on_database(act)


@budget.command("show")
@click.argument("budget_id")
def show(budget_id: str) -> None:
    """Show a budget and how it stands."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = parse_id(budget_id, field="budget_id")
        _show(session, await session.container.usage().budgets.get(session.principal, number))

    on_database(act)


@budget.command("change")
@click.argument("budget_id")
@click.option("--amount", help="How much may be used per period.")
@click.option("--name", help="Another name.")
@click.option("--hard/--only-tell", "is_hard", default=None, help="Refuse, or only tell.")
@_soft
def change(
    *,
    budget_id: str,
    amount: str | None,
    name: str | None,
    is_hard: bool | None,
    soft_limits: tuple[int, ...],
) -> None:
    """Change the limits of a budget; what was used stays used."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        unset = msgspec.UNSET
        command = ChangeBudget(
            name=unset if name is None else name,
            amount=unset if amount is None else _amount(amount),
            soft_limits=soft_limits or unset,
            is_hard=unset if is_hard is None else is_hard,
        )
        number = parse_id(budget_id, field="budget_id")
        budgets = session.container.usage().budgets
        _show(session, await budgets.change(session.principal, number, command))

    on_database(act)


@budget.command("delete")
@click.argument("budget_id")
def delete(budget_id: str) -> None:
    """Remove a budget: what it limited is not limited by it any more."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        number = parse_id(budget_id, field="budget_id")
        await session.container.usage().budgets.delete(session.principal, number)
        session.output.result({"deleted": budget_id}, f"Deleted budget {budget_id}.")

    on_database(act)


def _space(session: Any, workspace: str | None) -> int:
    if workspace:
        return parse_id(workspace, field="workspace")
    return int(session.principal.personal_space_id)


def _amount(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation as exc:
        raise InvalidRequest(f"amount: {text[:32]!r} is no number.", field="amount") from exc


def _subject(kind: str) -> BudgetSubject:
    try:
        return BudgetSubject(kind)
    except ValueError as exc:
        known = ", ".join(each.value for each in BudgetSubject)
        raise InvalidRequest(
            f"for: {kind[:32]!r} is unknown. Known: {known}.", field="for"
        ) from exc


def _show(session: Any, view: BudgetView) -> None:
    row = _row(view)
    session.output.result(row, "\n".join(f"{name}: {value}" for name, value in row.items()))


def _row(view: BudgetView) -> dict[str, Any]:
    resets_at = view.resets_at
    return {
        "id": str(view.id),
        "name": view.name,
        "subject": f"{view.subject_type.value}:{view.subject_id}",
        "limit": f"{view.amount} {view.unit.value} per {view.period.value}",
        "spent": view.spent,
        "left": view.left,
        "state": view.state,
        "resets_at": None if resets_at is None else resets_at.isoformat(timespec="minutes"),
    }
