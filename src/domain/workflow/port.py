"""What the engine needs from the rest of the product, in its own words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from crossdomain.knowledge.contract import DocumentTexts, QueryWordings, RetrievalStrategy
from crossdomain.memory.contract import Databases, Variables
from crossdomain.model.contract import Models
from domain.shared.call import CallContext
from domain.shared.chat import ChatMessage
from domain.workflow.graph import NodeConfig, Program
from domain.workflow.value import Schema, Value
from infra.contract.clock import Clock
from infra.contract.code_runner import CodeRunner
from infra.contract.egress import EgressClient
from infra.contract.json_reader import JsonReader


class KnowledgeWriteConfig(NodeConfig, frozen=True, kw_only=True):
    """Where the file of the input ``knowledge`` goes, and how it is cut."""

    dataset_id: str
    is_fast: bool = False
    extracts_images: bool = False
    extracts_tables: bool = True
    reads_images: bool | None = None
    """Without a word about it, text in images is read where a page has no other."""
    is_custom_chunking: bool = False
    separator: str = "\n"
    max_tokens: int = 800
    overlap: int = 10
    """Per cent of a chunk repeated in the next one."""
    waits: bool = False
    """The node is done when the document can be found, not when it is accepted."""


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
    def end_user_id(self) -> str:
        """Whose rows and variables are meant; without an end user, those of the account."""
        return self.call.end_user_id or f"account:{self.call.scope.principal_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Child:
    """Another workflow, ready to run inside this run."""

    program: Program
    name: str = ""
    description: str = ""


class Programs(Protocol):
    """Compiled workflows by id."""

    async def load(self, context: RunContext, workflow_id: str, version: str) -> Child:
        """Return a version, or the draft for an empty one; raise ``WorkflowMissing``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A piece of text found in a knowledge base; ``scores`` are those of the channels."""

    text: str
    document_id: str
    score: float = 0.0
    slice_id: str = ""
    dataset_id: str = ""
    document_name: str = ""
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Which knowledge bases are searched and how; ``history`` is oldest first."""

    dataset_ids: tuple[str, ...]
    strategy: RetrievalStrategy
    history: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDocument:
    """A document that a knowledge base accepted."""

    document_id: str
    file_name: str
    file_url: str


class Knowledge(Protocol):
    """Knowledge bases of the tenant; errors fail the node."""

    async def search(self, context: RunContext, query: str, search: Search) -> Sequence[Passage]:
        """Return the best passages, best first."""
        ...

    async def write(
        self,
        context: RunContext,
        *,
        file_url: str,
        file_name: str,
        config: KnowledgeWriteConfig,
        key: str,
    ) -> WrittenDocument:
        """Add a file; equal ``key``, same document."""
        ...

    async def delete(
        self, context: RunContext, dataset_ids: Sequence[str], document_id: str, *, key: str
    ) -> bool:
        """Delete a document of these bases; tell whether there was one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescription:
    """A tool of a plugin as a model may call it."""

    plugin_id: str
    tool_id: str
    name: str
    description: str
    parameters: Schema
    is_critical: bool = False
    """Its failure fails the node instead of being told to the model."""
    is_direct: bool = False
    """Its result is the answer; the model does not see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool answered; ``text`` is what a model reads."""

    output: Mapping[str, Value]
    text: str
    raw: str = ""


class AuthorisationNeeded(Exception):
    """Raised by ``Tools.call``: the user must grant access first; ``data`` says where."""

    def __init__(self, data: str) -> None:
        super().__init__(data)
        self.data = data


class Tools(Protocol):
    """Tools of plugins."""

    async def of_plugin(self, context: RunContext, plugin_id: str) -> Sequence[str]:
        """List the tools of a plugin; raise ``PluginNotFound``."""
        ...

    async def describe(
        self, context: RunContext, *, plugin_id: str, tool_id: str, version: str
    ) -> ToolDescription:
        """Describe a tool; raise ``PluginNotFound`` or ``ToolNotFound``."""
        ...

    async def call(
        self,
        context: RunContext,
        *,
        plugin_id: str,
        tool_id: str,
        version: str,
        arguments: Mapping[str, Value],
        key: str,
    ) -> ToolResult:
        """Call a tool; equal ``key``, same effect.

        Raises:
            PluginFailed: it answered with an error, or not as described.
            PluginNotFound: there is no such plugin.
            ToolNotFound: the plugin has no such tool.
            AuthorisationNeeded: the user has not granted access.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedConversation:
    """A conversation of an application; ``is_fixed``: the application defines it."""

    id: str
    name: str
    is_fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMessage:
    """A message of a conversation."""

    id: str
    role: str
    content_type: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """Messages, newest first or last as the conversation keeps them."""

    messages: Sequence[StoredMessage]
    has_more: bool


class Conversations(Protocol):
    """Conversations and their messages, of the user the run belongs to."""

    async def find(self, context: RunContext, name: str) -> NamedConversation | None:
        """Return a conversation by name; fixed ones are opened on first use."""
        ...

    async def list(self, context: RunContext) -> Sequence[NamedConversation]:
        """Return all conversations, fixed and dynamic."""
        ...

    async def create(self, context: RunContext, name: str, *, key: str) -> NamedConversation:
        """Create a dynamic conversation."""
        ...

    async def rename(self, context: RunContext, conversation_id: str, name: str) -> None:
        """Rename a dynamic conversation."""
        ...

    async def delete(self, context: RunContext, conversation_id: str) -> None:
        """Delete a dynamic conversation."""
        ...

    async def clear(self, context: RunContext, conversation_id: str) -> None:
        """Start a new section."""
        ...

    async def history(
        self, context: RunContext, conversation_id: str, rounds: int
    ) -> Sequence[ChatMessage]:
        """Return the last rounds of the section, oldest first."""
        ...

    async def add_message(
        self, context: RunContext, conversation_id: str, *, role: str, content: str, key: str
    ) -> StoredMessage:
        """Add a message, once per ``key``."""
        ...

    async def messages(
        self,
        context: RunContext,
        conversation_id: str,
        *,
        limit: int,
        before_id: str,
        after_id: str,
    ) -> MessagePage:
        """Return a page; the ids are exclusive and empty for none."""
        ...

    async def edit_message(
        self, context: RunContext, conversation_id: str, message_id: str, content: str
    ) -> bool:
        """Change a message of this conversation; tell whether there was one."""
        ...

    async def delete_message(
        self, context: RunContext, conversation_id: str, message_id: str
    ) -> bool:
        """Delete a message of this conversation; tell whether there was one."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Everything nodes can reach. A port that is missing fails the nodes that need it."""

    clock: Clock
    models: Models | None = None
    programs: Programs | None = None
    knowledge: Knowledge | None = None
    databases: Databases | None = None
    tools: Tools | None = None
    variables: Variables | None = None
    conversations: Conversations | None = None
    egress: EgressClient | None = None
    code: CodeRunner | None = None
    json: JsonReader | None = None
    questions: QueryWordings | None = None
    documents: DocumentTexts | None = None
