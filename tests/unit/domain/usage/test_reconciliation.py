"""Reports of providers: what is read of their files, and what is refused."""

from datetime import date
from decimal import Decimal

import pytest

from domain.usage.reconciliation import InvalidReport, ReportLine, read_report


def test_a_report_is_read_by_the_names_of_its_columns() -> None:
    text = (
        "\ufeffModel,Date,num_model_requests,Prompt_Tokens,completion_tokens,amount_value,"
        "amount_currency,project\r\n"
        "gpt-4o,2026-11-02T00:00:00Z,3,100,20,0.25,usd,a\r\n"
        "\r\n"
        '"gpt-4o, mini",2026-11-01,1,10,2,0.0001,eur,"x\ny"\r\n'
    )
    assert read_report(text, currency="USD") == [
        ReportLine(
            day=date(2026, 11, 1),
            model="gpt-4o, mini",
            calls=1,
            input_tokens=10,
            output_tokens=2,
            cost=Decimal("0.0001"),
            currency="EUR",
        ),
        ReportLine(
            day=date(2026, 11, 2),
            model="gpt-4o",
            calls=3,
            input_tokens=100,
            output_tokens=20,
            cost=Decimal("0.25"),
            currency="USD",
        ),
    ]


def test_lines_of_one_day_and_model_are_added_up() -> None:
    text = "date,model,cost,input_tokens\n2026-11-01,m,1.5,\n2026-11-01,m,2,7\n2026-11-01,m,,1\n"
    with_cost, without = read_report(text, currency="CHF")[::-1]
    assert (with_cost.cost, with_cost.input_tokens) == (Decimal("3.5"), 7)
    assert (with_cost.currency, with_cost.output_tokens) == ("CHF", None)
    assert (without.cost, without.input_tokens) == (None, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column date"),
        ("date,cost\n", "no column model"),
        ("date,model\n", "no line"),
        ("date,model\nyesterday,m\n", "line 2"),
        ("date,model\n2026-11-01,m\n2026-11-01,\n", "line 3"),
        ("date,model,requests\n2026-11-01,m,1.5\n", "line 2"),
        ("date,model,requests\n2026-11-01,m,-1\n", "line 2"),
        ("date,model,cost\n2026-11-01,m,NaN\n", "line 2"),
        ('date,model,cost\n2026-11-01,m,"1,5"\n', "line 2"),
        ("date,model,cost\n2026-11-01,m,1e30\n", "line 2"),
        ("date,model,cost,currency\n2026-11-01,m,1,dollars\n", "currency"),
        ("date,model\n2026-11-01," + "x" * 201 + "\n", "line 2"),
        ('date,model\n2026-11-01,"m\n', "line"),
    ],
)
def test_what_is_no_report_is_refused_with_its_line(text: str, told: str) -> None:
    with pytest.raises(InvalidReport, match=told):
        read_report(text, currency="USD")
