"""What other contexts know of a base: its icon's address, its creator's name, its users."""

from collections.abc import Sequence

import msgspec

from application.knowledge.dto import DatasetPage, DatasetView
from crossdomain.agent.contract import DatasetUse
from crossdomain.file.contract import Files
from crossdomain.identity.contract import People
from domain.shared.access import Principal, TenantScope
from domain.shared.error import NotFound
from domain.shared.ids import FileId


class DatasetDetails:
    """Completes views of bases for those who show them."""

    def __init__(self, *, files: Files, people: People, agents: DatasetUse) -> None:
        self._files = files
        self._people = people
        self._agents = agents

    async def check_icon(self, principal: Principal, icon_file_id: int | None) -> None:
        """Raise ``FileNotFound`` for an icon that the caller cannot see."""
        if icon_file_id is not None:
            await self._files.describe(principal.scope, [FileId(icon_file_id)])

    async def complete(self, principal: Principal, page: DatasetPage) -> DatasetPage:
        """Add addresses of icons, names of creators and numbers of agents.

        What is gone stays empty.
        """
        names = await self._people.names({view.creator_id for view in page.items})
        urls = await self._icons(principal.scope, page.items)
        items = tuple(
            msgspec.structs.replace(
                view,
                icon_url=urls.get(view.icon_file_id or 0, ""),
                creator_name=names.get(view.creator_id, ""),
            )
            for view in await self.used(principal, page.items)
        )
        return msgspec.structs.replace(page, items=items)

    async def used(
        self, principal: Principal, views: Sequence[DatasetView]
    ) -> tuple[DatasetView, ...]:
        """Add numbers of agents alone, for lists that show nothing else of other contexts."""
        agents = await self._agents.count_bound(principal.scope, [view.id for view in views])
        return tuple(
            msgspec.structs.replace(view, agent_count=agents.get(view.id, 0)) for view in views
        )

    async def _icons(self, scope: TenantScope, views: Sequence[DatasetView]) -> dict[int, str]:
        wanted = list({FileId(v.icon_file_id) for v in views if v.icon_file_id is not None})
        try:
            found = await self._files.describe(scope, wanted)
        except NotFound:  # one of them is gone; the others still have addresses
            found = {}
            for file_id in wanted:
                try:
                    found |= await self._files.describe(scope, [file_id])
                except NotFound:
                    continue
        return {file_id: file.url for file_id, file in found.items()}
