"""What things of a workspace begin with: a model, a language."""

from application.identity.dto import SetSpaceDefaults, SpaceView
from application.identity.space_book import SpaceBook
from crossdomain.model.contract import Models
from domain.identity.repository import IdentityStore
from domain.shared.access import Permission, Principal
from domain.shared.ids import SpaceId
from infra.contract.clock import Clock


class SpaceDefaultsService:
    """Sets the defaults of workspaces; those who may change one may."""

    def __init__(
        self, *, store: IdentityStore, book: SpaceBook, models: Models, clock: Clock
    ) -> None:
        self._store = store
        self._book = book
        self._models = models
        self._clock = clock

    async def set(self, principal: Principal, command: SetSpaceDefaults) -> SpaceView:
        """Change them; they count in this process at once, in others within seconds.

        Raises:
            ModelNotFound: no chat model that is enabled answers to the name.
            SpaceNotFound, Forbidden: as for every change of a workspace.
        """
        space_id = SpaceId(command.space_id)
        principal.require(Permission.SPACE_WRITE, space_id)
        model = command.default_model
        if model:
            model = (await self._models.describe(model)).id
        async with self._store.transaction() as uow:
            space = await uow.spaces.get(principal.scope, space_id)
            space.begin_with(
                default_model=space.default_model if model is None else model,
                language=space.language if command.language is None else command.language,
                actor_id=principal.user_id,
                now=self._clock.now(),
            )
            await uow.spaces.save(principal.scope, space)
            await uow.commit()
        await self._book.read()
        return SpaceView.of(space, role=principal.roles[space.id])
