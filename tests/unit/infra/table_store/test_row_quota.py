"""Rows that a workspace may have: the deployment's limit, or its own."""

import pytest

from domain.shared.capacity.quota import QuotaExceeded
from domain.shared.capacity.space_limits import NONE_OF_ITS_OWN, SpaceLimits
from infra.impl.table_store.quota import RowQuota

OWN = {7: SpaceLimits(rows=3), 8: SpaceLimits(rows=0)}


@pytest.fixture
def quota() -> RowQuota:
    return RowQuota(10, lambda space_id: OWN.get(space_id, NONE_OF_ITS_OWN))


@pytest.mark.parametrize(("space_id", "rows"), [(6, 10), (7, 3)])
def test_each_workspace_has_its_limit(quota: RowQuota, space_id: int, rows: int) -> None:
    assert quota.must_count(space_id, 1)
    quota.check(space_id, rows)
    with pytest.raises(QuotaExceeded):
        quota.check(space_id, rows + 1)


def test_a_workspace_may_be_free_of_what_binds_the_others(quota: RowQuota) -> None:
    assert not quota.must_count(8, 1_000_000)
    quota.check(8, 1_000_000)
