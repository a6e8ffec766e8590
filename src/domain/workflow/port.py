"""Ports of a run: the contracts of other contexts, and on whose behalf they are used."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from crossdomain.app.contract import Apps
from crossdomain.conversation.contract import Conversations
from crossdomain.knowledge.contract import DocumentTexts, Knowledge, QueryWordings
from crossdomain.memory.contract import Databases, Variables
from crossdomain.model.contract import Models
from crossdomain.plugin.contract import Plugins
from domain.shared.access import TenantScope
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.workflow.graph import Program
from domain.workflow.text import local_id
from infra.contract.clock import Clock
from infra.contract.code_runner import CodeRunner
from infra.contract.egress import EgressClient
from infra.contract.json_reader import ReadJson5, SelectJson


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """On whose behalf a run happens, and in which surroundings; plain data."""

    call: CallContext
    workflow_id: str = ""
    app_id: str = ""
    agent_id: str = ""
    conversation_id: str = ""
    conversation_name: str = ""
    is_chat_flow: bool = False
    is_debug: bool = False
    """Drafts of children, databases and variables are used; conversion is lenient."""
    strict_input: bool = True
    """The entry refuses what cannot be converted; test runs are lenient."""

    @property
    def home(self) -> TenantScope:
        """The rights of the run in the space of its workflow alone."""
        return self.call.scope.within(self.call.space_id)

    @property
    def end_user_id(self) -> str:
        """Whose rows and variables are meant; without an end user, those of the account."""
        return self.call.end_user_id or f"account:{self.call.scope.principal_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Another workflow, ready to run inside this run."""

    program: Program
    name: str = ""
    description: str = ""


LoadChild = Callable[[RunContext, str, str], Awaitable[Child]]
"""Finds a workflow by id and version, empty for the draft; raises ``WorkflowMissing``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything nodes can reach. A port that is missing fails the nodes that need it."""

    clock: Clock
    models: Models | None = None
    load_child: LoadChild | None = None
    knowledge: Knowledge | None = None
    databases: Databases | None = None
    plugins: Plugins | None = None
    variables: Variables | None = None
    conversations: Conversations | None = None
    apps: Apps | None = None
    egress: EgressClient | None = None
    code: CodeRunner | None = None
    read_json5: ReadJson5 | None = None
    select_json: SelectJson | None = None
    questions: QueryWordings | None = None
    documents: DocumentTexts | None = None

    async def history(self, context: RunContext, rounds: int) -> Sequence[ChatMessage]:
        """Return the last rounds of the run's conversation, oldest first; none outside of one."""
        number = local_id(context.conversation_id)
        if self.conversations is None or number is None:
            return []
        return await self.conversations.history(context.call, number, rounds=rounds)
