"""Programs of the operator by workspace: listed, for all, or where only administrators are."""

import pytest

from domain.plugin.mcp.mcp_call import EVERY_WORKSPACE, OfferedPrograms
from infra.contract.mcp import McpProgramNotFound

OFFERED = {
    "for-administrators": frozenset[str](),
    "for-two": frozenset({"7", "8"}),
    "for-all": frozenset({EVERY_WORKSPACE}),
}
OF_ADMINISTRATORS, LISTED, OTHER = 1, 7, 9
ALLOWED = {
    ("for-administrators", OF_ADMINISTRATORS),
    ("for-two", LISTED),
    ("for-all", OF_ADMINISTRATORS),
    ("for-all", LISTED),
    ("for-all", OTHER),
}


class Townspeople:
    """One workspace of administrators."""

    async def names(self, user_ids: object) -> dict[int, str]:
        return {}

    async def is_disabled(self, user_id: int) -> bool:
        return False

    async def are_all_administrators(self, space_id: int) -> bool:
        return space_id == OF_ADMINISTRATORS


@pytest.mark.parametrize("space_id", [OF_ADMINISTRATORS, LISTED, OTHER])
@pytest.mark.parametrize("program", [*OFFERED, "unknown", ""])
async def test_each_workspace_finds_what_is_offered_to_it(program: str, space_id: int) -> None:
    offered = OfferedPrograms(OFFERED, people=Townspeople())

    if (program, space_id) in ALLOWED:
        await offered.require(program, space_id)
    else:
        with pytest.raises(McpProgramNotFound, match="offered to this workspace"):
            await offered.require(program, space_id)


@pytest.mark.parametrize("space_id", [OF_ADMINISTRATORS, LISTED, OTHER])
async def test_a_workspace_lists_what_it_may_use(space_id: int) -> None:
    offered = OfferedPrograms(OFFERED, people=Townspeople())

    listed = await offered.offered_to(space_id)

    assert listed == sorted(name for name, space in ALLOWED if space == space_id)
