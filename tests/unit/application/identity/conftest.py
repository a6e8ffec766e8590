"""Identity with its first administrator."""

from collections.abc import AsyncGenerator

import pytest

from application.identity.audit import AuditService
from application.identity.authentication import AuthService
from application.identity.bootstrap import BootstrapService
from application.identity.cache import PrincipalCache
from application.identity.space import MemberService, SpaceService
from application.identity.space_book import SpaceBook
from application.identity.token import TokenService
from application.identity.user import UserService
from application.privacy.retention import RetentionBook
from domain.shared.id_generator import IdGenerator
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from infra.impl.repository.sql.privacy import SqlPrivacyStore
from infra.impl.table_file import open_table_file
from tests.support.clock import FrozenClock
from tests.support.identity.service import (
    FIRST,
    LIMITS,
    CountingStore,
    Identity,
    KnownAgents,
)


@pytest.fixture
async def identity(
    sqlite_database: Database, ids: IdGenerator, clock: FrozenClock
) -> AsyncGenerator[Identity, None]:
    store = CountingStore(SqlIdentityStore(sqlite_database))
    cache = PrincipalCache(limits=LIMITS)
    users = UserService(store=store, cache=cache, ids=ids, clock=clock)
    auth = AuthService(store=store, cache=cache, clock=clock, limits=LIMITS)
    made = Identity(
        store=store,
        auth=auth,
        users=users,
        spaces=SpaceService(
            store=store,
            cache=cache,
            book=SpaceBook(store),
            holds=RetentionBook(store=SqlPrivacyStore(sqlite_database)),
            ids=ids,
            clock=clock,
            limits=LIMITS,
        ),
        members=MemberService(store=store, cache=cache, clock=clock),
        tokens=TokenService(
            store=store, cache=cache, agents=KnownAgents(), ids=ids, clock=clock, limits=LIMITS
        ),
        bootstrap=BootstrapService(store=store, users=users),
        audit=AuditService(
            store=store, ids=ids, clock=clock, limits=LIMITS, open_file=open_table_file
        ),
    )
    await made.bootstrap.ensure(FIRST)
    await auth.start()
    yield made
    await auth.aclose()
