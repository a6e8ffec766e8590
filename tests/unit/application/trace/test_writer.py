"""What is stored of a run besides its spans."""

from datetime import UTC, datetime
from typing import Any, Literal, cast

from application.trace.body import TraceBodies
from application.trace.settings import TraceSettings
from application.trace.writer import TraceWriter
from domain.shared.chat import Usage
from domain.shared.ids import SpaceId, UserId
from domain.shared.settlement import RunEnd, RunFacts
from domain.shared.tracing.span import SpanLog
from domain.trace.value import TraceBody

NOW = datetime(2026, 11, 28, tzinfo=UTC)
KEY = "AKIA" + "ABCDEFGHIJKLMNOP"
OWN = "customer-77"


class Bodies:
    """Keeps nothing."""

    async def pack(
        self,
        spans: Any,
        *,
        run_id: int,
        space_id: SpaceId,
        began_at: datetime,
    ) -> TraceBody:
        return TraceBody(run_id=run_id, space_id=space_id, began_at=began_at)


async def test_what_a_summary_says_is_masked_too() -> None:
    kind: Literal["chat"] = "chat"
    run = RunFacts(
        run_id=1,
        kind=kind,
        space_id=SpaceId(1),
        creator_id=UserId(1),
        source="api",
        created_at=NOW,
        tags=("beta", OWN),
    )
    end = RunEnd(
        status="failed",
        ended_at=NOW,
        error_code=1,
        error=f"The provider refused {KEY} of {OWN}.",
        usage=Usage(),
    )
    writer = TraceWriter(
        bodies=cast(TraceBodies, Bodies()),
        settings=TraceSettings(),
        mask=str,
        export=None,
    )

    part = await writer.write(
        SpanLog(1, keeps_content=False, began_at=NOW),
        run,
        end,
        mask=lambda text: text.replace(OWN, "******"),
    )

    assert part.summary.error == "The provider refused ****** of ******."
    assert part.summary.tags == ("beta", "******")
