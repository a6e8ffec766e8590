"""Reconciliation of a whole deployment: the ledger beside an imported report."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

from tests.support.process.in_process import ADMIN
from tests.support.usage.shop import opened_shop

QUESTION = {"role": "user", "content": "go"}
IMPORT = "/admin/v1/usage/provider-reports"


async def test_each_model_and_day_of_either_side_is_there(tmp_path: Path) -> None:
    async with opened_shop(tmp_path) as shop:
        asked = {"model": "llm/priced", "messages": [QUESTION]}
        await shop.call("POST", "/v1/chat/completions", asked)
        entries = shop.entries()
        provider = entries[0]["provider"]
        compare = f"/admin/v1/usage/reconciliation?provider={provider}"
        read = sum(each["input_tokens"] for each in entries)
        cost = sum(Decimal(each["money"]) for each in entries)
        today = datetime.fromtimestamp(entries[0]["ended_at"] / 1e6, UTC).date()
        before = today - timedelta(days=1)

        alone = await shop.call("GET", compare)
        report = (
            "date,model,requests,input_tokens,cost,currency\n"
            f"{today},tokens-3-0,1,{read + 5},{cost},CHF\n"
            f"{before},tokens-3-0,7,1,9,USD\n"
        )
        taken = await shop.call("POST", IMPORT, {"provider": provider, "csv": report})
        both = await shop.call("GET", compare)
        await shop.call("POST", IMPORT, {"provider": provider, "csv": report})
        again = await shop.call("GET", compare)
        await shop.call(
            "POST", IMPORT, {"provider": provider, "csv": f"date,model\n{before},other\n"}
        )
        replaced = await shop.call("GET", compare)
        refused = await shop.deployment.send(
            "POST", IMPORT, token=ADMIN, document={"provider": provider, "csv": "nonsense"}
        )

    (line,) = alone["items"]
    assert line["day"] == str(today)
    assert line["model"] == "tokens-3-0", "as the provider calls it"
    assert (line["theirs"], line["difference"]) == (None, None)
    assert line["ours"]["calls"] == 1
    assert Decimal(line["ours"]["cost"]) == cost
    assert taken == {
        "provider": provider,
        "lines": 2,
        "first_day": str(before),
        "last_day": str(today),
    }
    theirs_alone, compared = both["items"]
    assert both["currency"] == "CHF"
    assert (theirs_alone["day"], theirs_alone["ours"]) == (str(before), None)
    assert theirs_alone["theirs"]["cost"] is None, "it is in another currency"
    assert compared["difference"] == {
        "calls": 0,
        "input_tokens": -5,
        "output_tokens": None,
        "cost": "0",
    }
    assert again == both, "a report that comes twice counts once"
    assert [(each["day"], each["model"]) for each in replaced["items"]] == [
        (str(before), "other"),
        (str(today), "tokens-3-0"),
    ]
    assert refused.status == 400
    assert "date" in refused.text
