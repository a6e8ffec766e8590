"""Rules of data rights: who can be named, when a request is over, and what is kept for how long."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.privacy.error import RetentionInvalid, SubjectInvalid
from domain.privacy.request import DataRequest
from domain.privacy.retention import Retention
from domain.privacy.value import (
    Aging,
    DataRequestId,
    DataRequestKind,
    DataRequestState,
    KeptDays,
    Section,
    StoreCount,
    Subject,
    SubjectKind,
)
from domain.shared.ids import SpaceId, UserId

NOW = datetime(2026, 11, 24, tzinfo=UTC)
ANNA = Subject.of(SpaceId(9), SubjectKind.END_USER, "anna")


def asked(kind: DataRequestKind = DataRequestKind.DELETE) -> DataRequest:
    return DataRequest.create(
        id=DataRequestId(1), kind=kind, subject=ANNA, actor_id=UserId(6), now=NOW
    )


@pytest.mark.parametrize(
    ("kind", "name"),
    [(SubjectKind.END_USER, ""), (SubjectKind.END_USER, "x" * 257), (SubjectKind.MEMBER, "anna")],
)
def test_nobody_has_such_a_name(kind: SubjectKind, name: str) -> None:
    with pytest.raises(SubjectInvalid):
        Subject.of(SpaceId(9), kind, name)


def test_a_request_that_is_over_keeps_the_digest_and_not_the_name() -> None:
    request = asked()
    request.begin(now=NOW)
    request.erase((StoreCount(store="run", section=Section.RUNS, found=3, removed=3),), now=NOW)

    assert (request.state, request.subject_name) == (DataRequestState.DONE, b"")
    assert request.subject_digest == ANNA.digest
    told = list(request.pull_events())
    assert "anna" not in repr(told)


def test_a_request_that_fails_again_and_again_is_given_up() -> None:
    request = asked()
    for _ in range(4):
        request.stumble("The store is away.", now=NOW)
        assert not request.is_over
    request.stumble("The store is away.", now=NOW)

    assert (request.state, request.subject_name) == (DataRequestState.FAILED, b"")
    assert request.problem == "The store is away."


def test_runs_get_ten_minutes_to_end() -> None:
    request = asked()
    request.begin(now=NOW)

    assert request.is_patient(NOW + timedelta(minutes=9))
    assert not request.is_patient(NOW + timedelta(minutes=10))


def test_a_file_is_kept_for_a_week() -> None:
    request = asked(DataRequestKind.EXPORT)
    request.export((), object_key="privacy/9/1-ab", size=5, now=NOW)

    assert request.expires_at == NOW + timedelta(days=7)
    request.drop_archive()
    assert not request.has_archive


@pytest.mark.parametrize("days", [0, -1, 3651])
@pytest.mark.parametrize(
    ("kept", "field"),
    [
        ("conversations", "conversation_days"),
        ("files", "file_days"),
        ("logs", "log_days"),
        ("trace_content", "trace_content_days"),
        ("traces", "trace_days"),
    ],
)
def test_nobody_means_so_many_days(kept: str, field: str, days: int) -> None:
    with pytest.raises(RetentionInvalid, match=f"^{field}: ") as refusal:
        KeptDays(**{kept: days}).require_valid()
    assert refusal.value.context["field"] == field


def test_what_has_no_days_stays_and_a_hold_keeps_everything() -> None:
    retention = Retention(id=SpaceId(9))
    retention.change(KeptDays(conversations=30), is_held=False, by=UserId(6), now=NOW)

    assert retention.bound(Aging.CONVERSATIONS, now=NOW) == NOW - timedelta(days=30)
    assert retention.bound(Aging.FILES, now=NOW) is None
    retention.change(KeptDays(conversations=30), is_held=True, by=UserId(6), now=NOW)
    assert retention.bound(Aging.CONVERSATIONS, now=NOW) is None
