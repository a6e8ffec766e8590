"""Limits of single workspaces."""

import pytest

from domain.shared.capacity.space_limits import SpaceLimits
from domain.shared.error import InvalidRequest


@pytest.mark.parametrize("value", [-1, 2**53])
def test_limits_that_mean_nothing_are_refused(value: int) -> None:
    with pytest.raises(InvalidRequest):
        SpaceLimits(files=value)
