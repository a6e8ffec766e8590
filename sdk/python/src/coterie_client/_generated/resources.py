"""Generated from the OpenAPI document by `make sdk`: do not edit."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from functools import partial
from typing import Any, Literal
from urllib.parse import quote

from msgspec import UNSET, UnsetType

from coterie_client._generated import models
from coterie_client._pages import AsyncPage, passed
from coterie_client._stream import AsyncEvents
from coterie_client._transport import AsyncTransport, Request
from coterie_client._uploads import OnProgress, Source, opened
from coterie_client.events import UnknownEvent


class AsyncAdminAgents:
    """Drafts, versions and publishing of agents."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        agent_id: str,
    ) -> models.AdminAgent:
        """Get agent.

        Show the draft.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}",
            ),
            models.AdminAgent,
        )

    async def delete(
        self,
        agent_id: str,
    ) -> None:
        """Delete agent.

        Delete the agent and take it off every connector.

        Args:
            agent_id: Id of an agent.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}",
            )
        )

    async def update(
        self,
        agent_id: str,
        *,
        prompt: models.PromptFields | None | UnsetType = UNSET,
        model: models.ModelFields | None | UnsetType = UNSET,
        knowledge: models.KnowledgeFields | None | UnsetType = UNSET,
        variables: builtins.list[models.VariableFields] | None | UnsetType = UNSET,
        memory: models.MemoryFields | None | UnsetType = UNSET,
        plugins: builtins.list[models.PluginToolFields] | None | UnsetType = UNSET,
        client_tools: builtins.list[models.ClientToolFields] | None | UnsetType = UNSET,
        onboarding: models.OnboardingPatch | None | UnsetType = UNSET,
        suggest_reply: models.SuggestFields | None | UnsetType = UNSET,
        workflow_agent: models.WorkflowAgentFields | None | UnsetType = UNSET,
        workflows: builtins.list[models.WorkflowFields] | None | UnsetType = UNSET,
        agents: builtins.list[models.MemberFields] | None | UnsetType = UNSET,
        router: models.RouterFields | None | UnsetType = UNSET,
        link_hosts: builtins.list[str] | None | UnsetType = UNSET,
        egress_hosts: builtins.list[str] | None | UnsetType = UNSET,
        openai_system: Literal["append", "replace", "ignore"] | None | UnsetType = UNSET,
        openai_tools: Literal["allow", "deny"] | None | UnsetType = UNSET,
        name: str | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        alias: str | None | UnsetType = UNSET,
        trace_capture: Literal["off", "metadata", "content"] | None | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.AdminAgent:
        """Update agent.

        Change the draft by a JSON merge patch; ``If-Match`` takes the revision that was read.

        Args:
            agent_id: Id of an agent.
            prompt: Persona of the agent.
            model: Settings of the model.
            knowledge: Knowledge bases and how they are searched.
            variables: Variables that are declared, with their defaults.
            memory: What the agent remembers.
            plugins: Tools of plugins that the agent uses.
            client_tools: Tools that run at the client, which submits their outputs.
            onboarding: What end users see before they ask.
            suggest_reply: Questions that are suggested after an answer.
            workflow_agent: The workflow that answers instead of a model; null for none.
            workflows: Workflows that the agent may call.
            agents: Other agents that this one works with.
            router: Which agent takes a question.
            link_hosts: Hosts that images in answers may come from; ``*`` for any.
            egress_hosts: The only hosts that tools and workflows of the agent may call; none named: no limit.
            openai_system: What becomes of system messages in OpenAI requests.
            openai_tools: ``deny``: OpenAI requests may bring no tools of their own.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            alias: Second name under which it can be called, unique in the deployment.
            trace_capture: How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}",
                body=models.UpdateAgentBody(
                    prompt=prompt,
                    model=model,
                    knowledge=knowledge,
                    variables=variables,
                    memory=memory,
                    plugins=plugins,
                    client_tools=client_tools,
                    onboarding=onboarding,
                    suggest_reply=suggest_reply,
                    workflow_agent=workflow_agent,
                    workflows=workflows,
                    agents=agents,
                    router=router,
                    link_hosts=link_hosts,
                    egress_hosts=egress_hosts,
                    openai_system=openai_system,
                    openai_tools=openai_tools,
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    alias=alias,
                    trace_capture=trace_capture,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.AdminAgent,
        )

    def assist(
        self,
        agent_id: str,
        *,
        kind: models.ProposalKind,
        instruction: str | UnsetType = UNSET,
        text: str | None | UnsetType = UNSET,
    ) -> AsyncEvents[models.TrialEvent | UnknownEvent]:
        """Assist agent.

        Ask the agent's model for a new text, and stream what it proposes; the draft stays.

        Args:
            agent_id: Id of an agent.
            instruction: What is to be different, at most 4,000 characters; only a persona needs one.
            text: The text as it is; absent, the draft's own.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/assist",
                body=models.AssistBody(
                    kind=kind,
                    instruction=instruction,
                    text=text,
                ),
            ),
            models.TrialEvent,
        )

    async def chat(
        self,
        agent_id: str,
        *,
        version: str | None | UnsetType = UNSET,
        conversation_id: str | None | UnsetType = UNSET,
        user_id: str | None | UnsetType = UNSET,
        content: str | builtins.list[models.ContentItem] | None | UnsetType = UNSET,
        shortcut_command: models.ShortcutCommand | None | UnsetType = UNSET,
        custom_variables: dict[str, str | None] | None | UnsetType = UNSET,
        overrides: models.TriedOverrides | None | UnsetType = UNSET,
        regenerate: str | int | None | UnsetType = UNSET,
    ) -> models.AdminBegunChat:
        """Chat with the draft of an agent.

        Let an agent answer; returns at once, the answer comes as events of the run.

        Args:
            agent_id: Id of an agent.
            version: Version as publishing named it; empty for the draft or for none.
            conversation_id: Id of the conversation.
            user_id: Id of the account.
            content: Text; in requests also a list of parts where the schema says so.
            shortcut_command: Shortcut by which the question came.
            custom_variables: Values of variables of the agent for this chat, by name.
            overrides: What is tried instead of the settings of the agent.
            regenerate: Id of the question or answer of the last chat to do again.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/chats",
                body=models.AgentChatBody(
                    version=version,
                    conversation_id=conversation_id,
                    user_id=user_id,
                    content=content,
                    shortcut_command=shortcut_command,
                    custom_variables=custom_variables,
                    overrides=overrides,
                    regenerate=regenerate,
                ),
                has_key=True,
            ),
            models.AdminBegunChat,
        )

    async def list_connectors(
        self,
        agent_id: str,
    ) -> models.AdminConnectorList:
        """List connectors of an agent.

        List the installed connectors.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/connectors",
            ),
            models.AdminConnectorList,
        )

    async def unpublish(
        self,
        agent_id: str,
        connector_id: str,
        *,
        reason: str | None = None,
    ) -> None:
        """Unpublish agent.

        Take the agent off a connector.

        Args:
            agent_id: Id of an agent.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            reason: Why it is taken off, for its makers; at most 1024 characters.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/connectors/{quote(connector_id, safe='')}",
                query={
                    "reason": reason,
                },
            )
        )

    async def get_display(
        self,
        agent_id: str,
    ) -> Any:
        """Get how the editor shows an agent.

        Return the editor's layout as it was stored.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/display",
            ),
            Any,
        )

    async def set_display(
        self,
        agent_id: str,
        *,
        body: Mapping[str, Any],
    ) -> None:
        """Set how the editor shows an agent.

        Store the editor's layout, any JSON object.

        Args:
            agent_id: Id of an agent.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/display",
                body=body,
            )
        )

    async def duplicate(
        self,
        agent_id: str,
        *,
        name: str | None | UnsetType = UNSET,
        workspace_id: str | None | UnsetType = UNSET,
    ) -> models.AdminAgent:
        """Duplicate agent.

        Copy the draft into a new agent.

        Args:
            agent_id: Id of an agent.
            name: Name that people read.
            workspace_id: Id of the workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/duplicate",
                body=models.DuplicateAgentBody(
                    name=name,
                    workspace_id=workspace_id,
                ),
            ),
            models.AdminAgent,
        )

    async def export(
        self,
        agent_id: str,
    ) -> models.AdminExportedAgent:
        """Export agent.

        Write the draft as a document without secrets, which ``agents:import`` reads.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/export",
            ),
            models.AdminExportedAgent,
        )

    async def publish(
        self,
        agent_id: str,
        *,
        connector_ids: builtins.list[models.ConnectorId] | None | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        version: str | None | UnsetType = UNSET,
    ) -> models.PublishedVersion:
        """Publish agent.

        Freeze the draft, or take an existing version, and activate it on connectors.

        Args:
            agent_id: Id of an agent.
            connector_ids: Connectors (publishing channels); default: the API (1024).
            description: What it is for; models and people read it.
            version: Version as publishing named it; empty for the draft or for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/publish",
                body=models.PublishAgentBody(
                    connector_ids=connector_ids,
                    description=description,
                    version=version,
                ),
            ),
            models.PublishedVersion,
        )

    async def restore(
        self,
        agent_id: str,
    ) -> models.AdminAgent:
        """Restore agent.

        Bring a deleted agent back, for seven days, to where it was published, too.

        What it had remembered of its users stays forgotten.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/restore",
            ),
            models.AdminAgent,
        )

    async def set_template(
        self,
        agent_id: str,
        *,
        enabled: bool,
        category: str | None | UnsetType = UNSET,
    ) -> models.AdminAgent:
        """Make an agent a template.

        Offer the agent as a template, or stop doing so.

        Args:
            agent_id: Id of an agent.
            enabled: Whether it is switched on.
            category: Group under which it is shown.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/template",
                body=models.TemplateBody(
                    enabled=enabled,
                    category=category,
                ),
            ),
            models.AdminAgent,
        )

    async def validate(
        self,
        agent_id: str,
    ) -> models.FindingList:
        """Validate agent.

        Check the draft before publishing.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/validate",
            ),
            models.FindingList,
        )

    async def list_versions(
        self,
        agent_id: str,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminVersion]:
        """List agent versions.

        List versions, newest first.

        Args:
            agent_id: Id of an agent.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminVersion]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/agents/{quote(agent_id, safe='')}/versions",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminVersionList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def undo_restore(
        self,
        agent_id: str,
    ) -> models.AdminAgent:
        """Undo the restoring of an agent version.

        Bring back the draft that a restored version replaced, unless it was edited since.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/versions/restore",
            ),
            models.AdminAgent,
        )

    async def get_version(
        self,
        agent_id: str,
        version: str,
    ) -> models.AdminVersionDetail:
        """Get agent version.

        Show the agent as it was in a version.

        Args:
            agent_id: Id of an agent.
            version: Version as publishing named it; default: the one in use.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/versions/{quote(version, safe='')}",
            ),
            models.AdminVersionDetail,
        )

    async def restore_version(
        self,
        agent_id: str,
        version: str,
    ) -> models.AdminAgent:
        """Restore agent version.

        Make the content of a version the draft.

        Args:
            agent_id: Id of an agent.
            version: Version as publishing named it; default: the one in use.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/versions/{quote(version, safe='')}/restore",
            ),
            models.AdminAgent,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        status: str | None = None,
        published: str | None = None,
        creator_id: str | None = None,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
        order: str | None = None,
        mode: str | None = None,
        model: str | None = None,
        dataset_id: str | None = None,
        plugin_id: str | None = None,
        workflow_id: str | None = None,
    ) -> AsyncPage[models.AdminAgentSummary]:
        """List agents.

        List agents by age, newest first unless ``order`` is ``asc``.

        ``mode`` multi finds teams; ``model`` and one of the ids those whose drafts are bound to it.

        Args:
            workspace_id: Id of a workspace.
            status: Only what is in this state; default: all.
            published: `true`: only what is published; `false`: only what is not; default: both.
            creator_id: Only what this account made.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
            order: By age: `asc` or `desc` (default).
            mode: Only `workflow` (0) or `chatflow` (3); default: both.
            model: Id or alias of an agent, or name of a model.
            dataset_id: Id of a knowledge base.
            plugin_id: Id of a plugin.
            workflow_id: Id of a workflow.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminAgentSummary]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/agents",
                    query={
                        "status": status,
                        "published": published,
                        "creator_id": creator_id,
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                        "order": order,
                        "mode": mode,
                        "model": model,
                        "dataset_id": dataset_id,
                        "plugin_id": plugin_id,
                        "workflow_id": workflow_id,
                    },
                ),
                models.AdminAgentList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        prompt: models.PromptFields | None | UnsetType = UNSET,
        model: models.ModelFields | None | UnsetType = UNSET,
        knowledge: models.KnowledgeFields | None | UnsetType = UNSET,
        variables: builtins.list[models.VariableFields] | None | UnsetType = UNSET,
        memory: models.MemoryFields | None | UnsetType = UNSET,
        plugins: builtins.list[models.PluginToolFields] | None | UnsetType = UNSET,
        client_tools: builtins.list[models.ClientToolFields] | None | UnsetType = UNSET,
        onboarding: models.OnboardingPatch | None | UnsetType = UNSET,
        suggest_reply: models.SuggestFields | None | UnsetType = UNSET,
        workflow_agent: models.WorkflowAgentFields | None | UnsetType = UNSET,
        workflows: builtins.list[models.WorkflowFields] | None | UnsetType = UNSET,
        agents: builtins.list[models.MemberFields] | None | UnsetType = UNSET,
        router: models.RouterFields | None | UnsetType = UNSET,
        link_hosts: builtins.list[str] | None | UnsetType = UNSET,
        egress_hosts: builtins.list[str] | None | UnsetType = UNSET,
        openai_system: Literal["append", "replace", "ignore"] | None | UnsetType = UNSET,
        openai_tools: Literal["allow", "deny"] | None | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        mode: models.Mode | UnsetType = UNSET,
    ) -> models.AdminAgent:
        """Create agent.

        Make a draft.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            prompt: Persona of the agent.
            model: Settings of the model.
            knowledge: Knowledge bases and how they are searched.
            variables: Variables that are declared, with their defaults.
            memory: What the agent remembers.
            plugins: Tools of plugins that the agent uses.
            client_tools: Tools that run at the client, which submits their outputs.
            onboarding: What end users see before they ask.
            suggest_reply: Questions that are suggested after an answer.
            workflow_agent: The workflow that answers instead of a model; null for none.
            workflows: Workflows that the agent may call.
            agents: Other agents that this one works with.
            router: Which agent takes a question.
            link_hosts: Hosts that images in answers may come from; ``*`` for any.
            egress_hosts: The only hosts that tools and workflows of the agent may call; none named: no limit.
            openai_system: What becomes of system messages in OpenAI requests.
            openai_tools: ``deny``: OpenAI requests may bring no tools of their own.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/agents",
                body=models.CreateAgentBody(
                    name=name,
                    prompt=prompt,
                    model=model,
                    knowledge=knowledge,
                    variables=variables,
                    memory=memory,
                    plugins=plugins,
                    client_tools=client_tools,
                    onboarding=onboarding,
                    suggest_reply=suggest_reply,
                    workflow_agent=workflow_agent,
                    workflows=workflows,
                    agents=agents,
                    router=router,
                    link_hosts=link_hosts,
                    egress_hosts=egress_hosts,
                    openai_system=openai_system,
                    openai_tools=openai_tools,
                    description=description,
                    icon_file_id=icon_file_id,
                    mode=mode,
                ),
                has_key=True,
            ),
            models.AdminAgent,
        )

    async def import_document(
        self,
        workspace_id: str,
        *,
        document: dict[str, Any],
        name: str | None | UnsetType = UNSET,
        secrets: dict[str, str] | None | UnsetType = UNSET,
    ) -> models.AdminImportedAgent:
        """Import an agent.

        Make a draft of an exported document; what the workspace lacks is left out and told.

        Args:
            workspace_id: Id of a workspace.
            document: As ``export`` answered it.
            name: Instead of the name in the document.
            secrets: By the names that ``export`` listed.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/agents:import",
                body=models.ImportAgentBody(
                    document=document,
                    name=name,
                    secrets=secrets,
                ),
            ),
            models.AdminImportedAgent,
        )


class AsyncAdminShortcuts:
    """Buttons below the input of a chat."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        agent_id: str,
    ) -> models.AdminShortcutList:
        """List shortcuts.

        List the shortcuts of the draft.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/shortcuts",
            ),
            models.AdminShortcutList,
        )

    async def create(
        self,
        agent_id: str,
        *,
        name: str | UnsetType = UNSET,
        command: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        send_type: models.SendType | UnsetType = UNSET,
        template_query: str | UnsetType = UNSET,
        tool: models.ToolFields | None | UnsetType = UNSET,
        components: builtins.list[models.ShortcutComponent] | UnsetType = UNSET,
        card_schema: str | UnsetType = UNSET,
        agent_node_id: str | UnsetType = UNSET,
    ) -> models.AdminShortcut:
        """Create shortcut.

        Add a shortcut behind the others.

        Args:
            agent_id: Id of an agent.
            name: Name that people read.
            command: What users type after the slash.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            template_query: Text that is sent, with the values of the form.
            tool: The tool that is called; null for none.
            components: Fields of the form, in order.
            card_schema: JSON text of a card that front ends show; stored as it is.
            agent_node_id: Node of the agent that the shortcut goes to; empty for the agent itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/shortcuts",
                body=models.ShortcutFields(
                    name=name,
                    command=command,
                    description=description,
                    icon_file_id=icon_file_id,
                    send_type=send_type,
                    template_query=template_query,
                    tool=tool,
                    components=components,
                    card_schema=card_schema,
                    agent_node_id=agent_node_id,
                ),
            ),
            models.AdminShortcut,
        )

    async def reorder(
        self,
        agent_id: str,
        *,
        shortcut_ids: builtins.list[models.ShortcutId],
    ) -> models.AdminShortcutList:
        """Reorder shortcuts.

        Put the shortcuts into another order.

        Args:
            agent_id: Id of an agent.
            shortcut_ids: Ids of all shortcuts, in their new order.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/shortcuts/order",
                body=models.ShortcutOrderBody(
                    shortcut_ids=shortcut_ids,
                ),
            ),
            models.AdminShortcutList,
        )

    async def delete(
        self,
        agent_id: str,
        shortcut_id: str,
    ) -> None:
        """Delete shortcut.

        Remove a shortcut.

        Args:
            agent_id: Id of an agent.
            shortcut_id: Id of a shortcut.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/shortcuts/{quote(shortcut_id, safe='')}",
            )
        )

    async def update(
        self,
        agent_id: str,
        shortcut_id: str,
        *,
        name: str | UnsetType = UNSET,
        command: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        send_type: models.SendType | UnsetType = UNSET,
        template_query: str | UnsetType = UNSET,
        tool: models.ToolFields | None | UnsetType = UNSET,
        components: builtins.list[models.ShortcutComponent] | UnsetType = UNSET,
        card_schema: str | UnsetType = UNSET,
        agent_node_id: str | UnsetType = UNSET,
    ) -> models.AdminShortcut:
        """Update shortcut.

        Change a shortcut.

        Args:
            agent_id: Id of an agent.
            shortcut_id: Id of a shortcut.
            name: Name that people read.
            command: What users type after the slash.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            template_query: Text that is sent, with the values of the form.
            tool: The tool that is called; null for none.
            components: Fields of the form, in order.
            card_schema: JSON text of a card that front ends show; stored as it is.
            agent_node_id: Node of the agent that the shortcut goes to; empty for the agent itself.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/shortcuts/{quote(shortcut_id, safe='')}",
                body=models.ShortcutFields(
                    name=name,
                    command=command,
                    description=description,
                    icon_file_id=icon_file_id,
                    send_type=send_type,
                    template_query=template_query,
                    tool=tool,
                    components=components,
                    card_schema=card_schema,
                    agent_node_id=agent_node_id,
                ),
            ),
            models.AdminShortcut,
        )


class AsyncAdminEndUsers:
    """End users of whom agents have something."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        agent_id: str,
        *,
        q: str | None = None,
        env: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.EndUserItem]:
        """List end users.

        List end users of whom an agent has variables, memories or conversations.

        Who came last stands first; ``q`` is a part of the name.

        Args:
            agent_id: Id of an agent.
            q: Only end users whose name contains this.
            env: `draft` or `online` (default): values of tests or of published use.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.EndUserItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users",
                    query={
                        "q": q,
                        "env": env,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.EndUserList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)


class AsyncAdminMemories:
    """What agents remember of end users."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.MemoryItemList:
        """List memories.

        List what an agent remembers of one end user, newest first.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memories",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            ),
            models.MemoryItemList,
        )

    async def clear(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> None:
        """Clear memories.

        Delete everything that an agent remembers of one end user.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memories",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            )
        )

    async def delete(
        self,
        agent_id: str,
        connector_uid: str,
        memory_id: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> None:
        """Delete memory.

        Delete one memory.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            memory_id: Id of a memory.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memories/{quote(memory_id, safe='')}",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            )
        )

    async def update(
        self,
        agent_id: str,
        connector_uid: str,
        memory_id: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
        text: str | None | UnsetType = UNSET,
        importance: float | None | UnsetType = UNSET,
    ) -> models.MemoryItem:
        """Update memory.

        Correct a memory; likenesses that a model finds later do not replace it.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            memory_id: Id of a memory.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            text: Text.
            importance: How much it counts, 0 to 1.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memories/{quote(memory_id, safe='')}",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
                body=models.PatchMemoryBody(
                    text=text,
                    importance=importance,
                ),
            ),
            models.MemoryItem,
        )

    async def get_consent(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.MemoryConsent:
        """Get memory consent.

        Tell whether one end user wants to be remembered.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memory-consent",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            ),
            models.MemoryConsent,
        )

    async def set_consent(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        enabled: bool,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.MemoryConsent:
        """Set memory consent.

        Switch remembering of one end user off or on; memories stay until they are deleted.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            enabled: Whether it is switched on.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/memory-consent",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
                body=models.MemoryConsent(
                    enabled=enabled,
                ),
            ),
            models.MemoryConsent,
        )


class AsyncAdminUserVariables:
    """Values that variables of an agent have for an end user."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.StoredVariableList:
        """List user variables.

        Show what an agent remembers of one end user.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            ),
            models.StoredVariableList,
        )

    async def update(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        items: builtins.list[models.StoredVariableInput],
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.StoredVariableList:
        """Update user variables.

        Write values of one end user.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            items: Items of the page, in order.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
                body=models.PutVariablesBody(
                    items=items,
                ),
            ),
            models.StoredVariableList,
        )

    async def reset(
        self,
        agent_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
        keywords: str | None = None,
    ) -> None:
        """Reset user variables.

        Forget values of one end user, by default all; the defaults hold again.

        Args:
            agent_id: Id of an agent.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            keywords: Names of variables, separated by commas; default: all.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                    "keywords": keywords,
                },
            )
        )


class AsyncAdminVariables:
    """Variables that agents declare."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        agent_id: str,
    ) -> models.VariableDeclarations:
        """List variables.

        Show what the draft of an agent declares.

        Args:
            agent_id: Id of an agent.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/variables",
            ),
            models.VariableDeclarations,
        )

    async def replace(
        self,
        agent_id: str,
        *,
        items: builtins.list[models.VariableFields],
        if_match: str | None = None,
    ) -> models.VariableDeclarations:
        """Replace variables.

        Replace the declarations of the draft; publishing the agent publishes them.

        Args:
            agent_id: Id of an agent.
            items: Items of the page, in order.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/agents/{quote(agent_id, safe='')}/variables",
                body=models.PutDeclarationsBody(
                    items=items,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.VariableDeclarations,
        )

    async def list_system(
        self,
    ) -> models.SystemVariableList:
        """List system variables.

        List what can be declared as a system variable.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/system-variables",
            ),
            models.SystemVariableList,
        )


class AsyncAdminApps:
    """Projects of workflows and their releases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        app_id: str,
    ) -> models.AdminApp:
        """Get app.

        Show the draft.

        Args:
            app_id: Id of an app.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}",
            ),
            models.AdminApp,
        )

    async def delete(
        self,
        app_id: str,
    ) -> None:
        """Delete app.

        Delete the app; its workflows stay in the workspace.

        Args:
            app_id: Id of an app.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}",
            )
        )

    async def update(
        self,
        app_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        variables: builtins.list[models.AppVariableFields] | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.AdminApp:
        """Update app.

        Change the draft; ``If-Match`` takes the revision that was read.

        Args:
            app_id: Id of an app.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            variables: Variables that are declared, with their defaults.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}",
                body=models.UpdateAppBody(
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    variables=variables,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.AdminApp,
        )

    async def copy(
        self,
        app_id: str,
        *,
        name: str | None | UnsetType = UNSET,
    ) -> models.AdminApp:
        """Copy app.

        Copy the draft: variables and conversations, not the workflows made for it.

        Args:
            app_id: Id of an app.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/copy",
                body=models.CopyAppBody(
                    name=name,
                ),
            ),
            models.AdminApp,
        )

    async def publish(
        self,
        app_id: str,
        *,
        version: str | None | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        connectors: builtins.list[str | int] | None | UnsetType = UNSET,
    ) -> models.AdminAppRecord:
        """Publish app.

        Freeze the draft as a version.

        Args:
            app_id: Id of an app.
            version: Version as publishing named it; empty for the draft or for none.
            description: What it is for; models and people read it.
            connectors: Connectors (publishing channels) to publish to; default: the API (1024).
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/publish",
                body=models.PublishAppBody(
                    version=version,
                    description=description,
                    connectors=connectors,
                ),
            ),
            models.AdminAppRecord,
        )

    async def list_publications(
        self,
        app_id: str,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminAppRecord]:
        """List app publications.

        List publications, newest first.

        Args:
            app_id: Id of an app.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminAppRecord]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/apps/{quote(app_id, safe='')}/publish-records",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminAppRecordList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def get_publication(
        self,
        app_id: str,
        label: str,
    ) -> models.AdminApp:
        """Get app publication.

        Show the app as it was published under a label.

        Args:
            app_id: Id of an app.
            label: Version of the app, as publishing named it.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/publish-records/{quote(label, safe='')}",
            ),
            models.AdminApp,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        published: str | None = None,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminApp]:
        """List apps.

        List apps, newest change first.

        Args:
            workspace_id: Id of a workspace.
            published: `true`: only what is published; `false`: only what is not; default: both.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminApp]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/apps",
                    query={
                        "published": published,
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminAppList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        variables: builtins.list[models.AppVariableFields] | UnsetType = UNSET,
    ) -> models.AdminApp:
        """Create app.

        Make an app.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            variables: Variables that are declared, with their defaults.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/apps",
                body=models.CreateAppBody(
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    variables=variables,
                ),
            ),
            models.AdminApp,
        )


class AsyncAdminAppConversations:
    """Conversations that an app defines for its workflows."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        app_id: str,
        *,
        env: str | None = None,
    ) -> models.AdminAppConversationList:
        """List app conversations.

        List the conversations that the draft defines, or with ``env=release`` the version.

        Args:
            app_id: Id of an app.
            env: `draft` (default) or `release`: whose conversations.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/conversation-defs",
                query={
                    "env": env,
                },
            ),
            models.AdminAppConversationList,
        )

    async def create(
        self,
        app_id: str,
        *,
        name: str,
    ) -> models.AdminAppConversationList:
        """Create app conversation.

        Define a conversation; it counts for published workflows with the next version.

        Args:
            app_id: Id of an app.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/conversation-defs",
                body=models.ConversationBody(
                    name=name,
                ),
            ),
            models.AdminAppConversationList,
        )

    async def delete(
        self,
        app_id: str,
        name: str,
    ) -> None:
        """Delete app conversation.

        Remove a conversation from the draft.

        Args:
            app_id: Id of an app.
            name: Name, percent-encoded.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/conversation-defs/{quote(name, safe='')}",
            )
        )

    async def update(
        self,
        app_id: str,
        name: str,
        *,
        name_: str,
    ) -> models.AdminAppConversationList:
        """Update app conversation.

        Rename a conversation of the draft.

        Args:
            app_id: Id of an app.
            name: Name, percent-encoded.
            name_: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/conversation-defs/{quote(name, safe='')}",
                body=models.ConversationBody(
                    name=name_,
                ),
            ),
            models.AdminAppConversationList,
        )


class AsyncAdminAppEndUsers:
    """End users of whom apps have something."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        app_id: str,
        *,
        q: str | None = None,
        env: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.EndUserItem]:
        """List app end users.

        List end users of whom an app has variables.

        Who came last stands first; ``q`` is a part of the name.

        Args:
            app_id: Id of an app.
            q: Only end users whose name contains this.
            env: `draft` or `online` (default): values of tests or of published use.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.EndUserItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/apps/{quote(app_id, safe='')}/users",
                    query={
                        "q": q,
                        "env": env,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.EndUserList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)


class AsyncAdminAppUserVariables:
    """Values that variables of an app have for an end user."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        app_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.StoredVariableList:
        """List app user variables.

        Show what an app remembers of one end user.

        Args:
            app_id: Id of an app.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
            ),
            models.StoredVariableList,
        )

    async def update(
        self,
        app_id: str,
        connector_uid: str,
        *,
        items: builtins.list[models.StoredVariableInput],
        connector_id: str | None = None,
        env: str | None = None,
    ) -> models.StoredVariableList:
        """Update app user variables.

        Write values of one end user; those that all users of the app share change for all.

        Args:
            app_id: Id of an app.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            items: Items of the page, in order.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                },
                body=models.PutVariablesBody(
                    items=items,
                ),
            ),
            models.StoredVariableList,
        )

    async def reset(
        self,
        app_id: str,
        connector_uid: str,
        *,
        connector_id: str | None = None,
        env: str | None = None,
        keywords: str | None = None,
    ) -> None:
        """Reset app user variables.

        Forget values of one end user, by default all; the defaults hold again.

        Args:
            app_id: Id of an app.
            connector_uid: Id of an end user, as the caller names it.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            env: `draft` or `online` (default): values of tests or of published use.
            keywords: Names of variables, separated by commas; default: all.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/apps/{quote(app_id, safe='')}/users/{quote(connector_uid, safe='')}/variables",
                query={
                    "connector_id": connector_id,
                    "env": env,
                    "keywords": keywords,
                },
            )
        )


class AsyncAdminAuditLog:
    """Who did what."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AuditItem]:
        """List audit log.

        List who did what in the workspaces the caller administers, newest first.

        Args:
            workspace_id: Id of a workspace.
            actor: Only what this account did.
            action: Only this operation, as the table of routes names it.
            resource_type: What the grants are on: agent, app, database, dataset, plugin, prompt or workflow.
            resource_id: Id of what the grants are on, with `resource_type`; without both: what the caller was granted.
            since: Only what was done at or after this time, in Unix seconds.
            until: Only what was done before this time, in Unix seconds.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AuditItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/audit-log",
                    query={
                        "workspace_id": workspace_id,
                        "actor": actor,
                        "action": action,
                        "resource_type": resource_type,
                        "resource_id": resource_id,
                        "since": since,
                        "until": until,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AuditItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def export(
        self,
        *,
        workspace_id: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        format: str | None = None,
    ) -> bytes:
        """Export audit log.

        Download what the list shows as csv, jsonl or xlsx, newest first.

        Args:
            workspace_id: Id of a workspace.
            actor: Only what this account did.
            action: Only this operation, as the table of routes names it.
            resource_type: What the grants are on: agent, app, database, dataset, plugin, prompt or workflow.
            resource_id: Id of what the grants are on, with `resource_type`; without both: what the caller was granted.
            since: Only what was done at or after this time, in Unix seconds.
            until: Only what was done before this time, in Unix seconds.
            format: Format of the file: csv, xlsx or jsonl.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path="/admin/v1/audit-log/export",
                    query={
                        "workspace_id": workspace_id,
                        "actor": actor,
                        "action": action,
                        "resource_type": resource_type,
                        "resource_id": resource_id,
                        "since": since,
                        "until": until,
                        "format": format,
                    },
                )
            )
        ).content

    async def verify(
        self,
    ) -> models.ChainReport:
        """Verify audit log.

        Follow the chain of the log from its oldest row, and tell whether it holds.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/audit-log/verify",
            ),
            models.ChainReport,
        )


class AsyncAdminAuth:
    """Sign-in, sessions of browsers, and one's own account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def login(
        self,
        *,
        name: str,
        password: str,
        remember: bool | UnsetType = UNSET,
    ) -> models.SessionAnswer:
        """Sign in with a password.

        Sign in with name and password; the answer sets the session's cookie.

        Args:
            name: Name or e-mail address of the account.
            password: Its password.
            remember: `true`: for 30 days on this device; `false`: until the browser closes.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/auth/login",
                body=models.LoginBody(
                    name=name,
                    password=password,
                    remember=remember,
                ),
            ),
            models.SessionAnswer,
        )

    async def logout(
        self,
    ) -> None:
        """Sign out.

        Sign this browser out; `Location`, if any, leads to the provider to sign out there.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/admin/v1/auth/logout",
            )
        )

    async def get_me(
        self,
    ) -> models.AccountItem:
        """Get one's own account.

        Show one's own account.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/auth/me",
            ),
            models.AccountItem,
        )

    async def update_me(
        self,
        *,
        nickname: str | UnsetType = UNSET,
    ) -> models.AccountItem:
        """Change one's own account.

        Change what others see of one's account.

        Args:
            nickname: Name shown to others.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path="/admin/v1/auth/me",
                body=models.UpdateMeBody(
                    nickname=nickname,
                ),
            ),
            models.AccountItem,
        )

    async def set_avatar(
        self,
        file: Source,
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.AccountItem:
        """Set one's own picture.

        Show the picture of a multipart form to others: PNG, JPEG, GIF or WebP.
        """
        with opened(file, name, on_progress) as sent:
            return await self._transport.call(
                Request(
                    method="PUT",
                    path="/admin/v1/auth/me/avatar",
                    files={"file": sent},
                ),
                models.AccountItem,
            )

    async def delete_avatar(
        self,
    ) -> models.AccountItem:
        """Take one's own picture away.

        Show no picture to others any more.
        """
        return await self._transport.call(
            Request(
                method="DELETE",
                path="/admin/v1/auth/me/avatar",
            ),
            models.AccountItem,
        )

    async def set_password(
        self,
        *,
        password: str,
        current: str | None | UnsetType = UNSET,
    ) -> None:
        """Change one's own password.

        Change one's password; everywhere else the account is signed out.

        Args:
            password: Password from now on: at least 12 characters, and none that is guessed first.
            current: Password so far, where there is one.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path="/admin/v1/auth/password",
                body=models.SetPasswordBody(
                    password=password,
                    current=current,
                ),
            )
        )

    async def get_preferences(
        self,
    ) -> models.PreferencesBody:
        """Get one's own preferences.

        Show how one wants to be shown things.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/auth/preferences",
            ),
            models.PreferencesBody,
        )

    async def set_preferences(
        self,
        *,
        language: Literal["", "en", "zh"] | UnsetType = UNSET,
        zone: str | UnsetType = UNSET,
        theme: Literal["system", "light", "dark"] | UnsetType = UNSET,
        density: Literal["comfortable", "compact"] | UnsetType = UNSET,
        is_motion_reduced: bool | UnsetType = UNSET,
        keyboard: Literal["standard", "none"] | UnsetType = UNSET,
        run_columns: builtins.list[str] | UnsetType = UNSET,
        run_views: builtins.list[models.SavedViewBody] | UnsetType = UNSET,
    ) -> models.PreferencesBody:
        """Change one's own preferences.

        Replace how one wants to be shown things; what is left out is as at first.

        Args:
            language: Empty: the browser's.
            zone: Name of a time zone; empty: the browser's.
            theme: `system`, `light` or `dark`.
            density: `comfortable` or `compact`.
            is_motion_reduced: Nothing moves that need not.
            keyboard: Whether single keys are commands.
            run_columns: Columns of the list of runs, in this order; empty: the usual ones.
            run_views: Filters of the list of runs under names.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path="/admin/v1/auth/preferences",
                body=models.PreferencesBody(
                    language=language,
                    zone=zone,
                    theme=theme,
                    density=density,
                    is_motion_reduced=is_motion_reduced,
                    keyboard=keyboard,
                    run_columns=run_columns,
                    run_views=run_views,
                ),
            ),
            models.PreferencesBody,
        )

    async def register(
        self,
        *,
        name: str,
        password: str,
        nickname: str | None | UnsetType = UNSET,
        email: str | None | UnsetType = UNSET,
        code: str | None | UnsetType = UNSET,
        remember: bool | UnsetType = UNSET,
    ) -> models.SessionAnswer:
        """Sign up.

        Open an account by an invitation or an address, and sign in.

        Args:
            name: Unique name of the account: 4 to 20 letters, digits, `.`, `_`, `-`.
            password: Password: at least 12 characters, and none that is guessed first.
            nickname: Name shown to others; absent: that of the account.
            email: E-mail address, where its domain is what lets somebody in.
            code: What stands behind `invite=` in an invitation.
            remember: `true`: for 30 days on this device; `false`: until the browser closes.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/auth/register",
                body=models.RegisterBody(
                    name=name,
                    password=password,
                    nickname=nickname,
                    email=email,
                    code=code,
                    remember=remember,
                ),
            ),
            models.SessionAnswer,
        )

    async def get_session(
        self,
    ) -> models.SessionAnswer:
        """Get the session.

        Show who is signed in, and what a change has to show; prolongs a remembered session.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/auth/session",
            ),
            models.SessionAnswer,
        )

    async def list_sessions(
        self,
    ) -> models.SessionItems:
        """List one's own sessions.

        List where the account is signed in, the latest first.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/auth/sessions",
            ),
            models.SessionItems,
        )

    async def delete_sessions(
        self,
    ) -> None:
        """Sign out everywhere else.

        Sign the account out everywhere else.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path="/admin/v1/auth/sessions",
            )
        )

    async def delete_session(
        self,
        session_id: str,
    ) -> None:
        """Sign out one browser.

        Sign one browser out.

        Args:
            session_id: Id of a session of a browser.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/auth/sessions/{quote(session_id, safe='')}",
            )
        )

    async def confirm_password(
        self,
        *,
        password: str,
    ) -> None:
        """Confirm the sign-in with the password.

        Show once more who asks, for what needs a sign-in of the last ten minutes.

        Args:
            password: Password of the account.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/admin/v1/auth/step-up",
                body=models.ConfirmBody(
                    password=password,
                ),
            )
        )

    async def redeem_ticket(
        self,
        *,
        ticket: str,
        name: str | None | UnsetType = UNSET,
        password: str | None | UnsetType = UNSET,
        remember: bool | UnsetType = UNSET,
    ) -> models.SessionAnswer:
        """Sign in with a one-time link.

        Sign in with a one-time link, which may set name and password.

        Args:
            ticket: What stands behind `ticket=` in the link.
            name: Name shown to others.
            password: Password from now on; everywhere else the account is signed out.
            remember: `true`: for 30 days on this device; `false`: until the browser closes.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/auth/ticket",
                body=models.SpendTicketBody(
                    ticket=ticket,
                    name=name,
                    password=password,
                    remember=remember,
                ),
            ),
            models.SessionAnswer,
        )

    async def exchange_token(
        self,
        *,
        token: str,
        remember: bool | UnsetType = UNSET,
    ) -> models.SessionAnswer:
        """Exchange a token for a session.

        Exchange a personal token for a session; the answer sets the session's cookie.

        Args:
            token: Text of a personal token without limits.
            remember: `true`: for 30 days on this device; `false`: until the browser closes.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/auth/token",
                body=models.ExchangeTokenBody(
                    token=token,
                    remember=remember,
                ),
            ),
            models.SessionAnswer,
        )

    async def list_sign_in_methods(
        self,
    ) -> models.AuthWays:
        """List ways to sign in.

        Tell how somebody can sign in.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/auth/ways",
            ),
            models.AuthWays,
        )


class AsyncAdminBudgets:
    """What workspaces, and what is in them, may use."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        budget_id: str,
    ) -> models.BudgetItem:
        """Get budget.

        Show a budget and how it stands.

        Args:
            budget_id: Id of a budget.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/budgets/{quote(budget_id, safe='')}",
            ),
            models.BudgetItem,
        )

    async def delete(
        self,
        budget_id: str,
    ) -> None:
        """Delete budget.

        Remove a budget: what it limited is not limited by it any more.

        Args:
            budget_id: Id of a budget.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/budgets/{quote(budget_id, safe='')}",
            )
        )

    async def update(
        self,
        budget_id: str,
        *,
        name: str | UnsetType = UNSET,
        amount: str | UnsetType = UNSET,
        soft_limits: builtins.list[int] | UnsetType = UNSET,
        is_hard: bool | UnsetType = UNSET,
    ) -> models.BudgetItem:
        """Update budget.

        Change the limits of a budget; every process heeds them within a second.

        Args:
            budget_id: Id of a budget.
            name: Name that people read.
            amount: How much may be used per period: above 0.
            soft_limits: Percentages, each from 1 to 99, at which an event tells the owners.
            is_hard: Whether nothing new begins once all of it is used.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/budgets/{quote(budget_id, safe='')}",
                body=models.ChangeBudgetBody(
                    name=name,
                    amount=amount,
                    soft_limits=soft_limits,
                    is_hard=is_hard,
                ),
            ),
            models.BudgetItem,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.BudgetItems:
        """List budgets.

        List the budgets of a workspace and how they stand, newest first.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/budgets",
            ),
            models.BudgetItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        subject_type: models.BudgetSubject,
        unit: models.BudgetUnit,
        amount: str,
        period: models.BudgetPeriod,
        name: str | UnsetType = UNSET,
        subject_id: str | UnsetType = UNSET,
        zone: str | UnsetType = UNSET,
        soft_limits: builtins.list[int] | None | UnsetType = UNSET,
        is_hard: bool | UnsetType = UNSET,
    ) -> models.BudgetItem:
        """Create budget.

        Limit what something may use; what its period has seen already counts.

        Args:
            workspace_id: Id of a workspace.
            amount: How much of it may be used per period: above 0.
            name: At most 100 characters; empty: what the budget is for.
            subject_id: Which one: an id, or the name of the end user. Of a workspace none is needed.
            zone: Time zone in which days begin, like `Europe/Zurich`.
            soft_limits: Percentages, each from 1 to 99, at which an event tells the owners; null: 80. The whole is always told.
            is_hard: Whether nothing new begins once all of it is used; else it is only told.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/budgets",
                body=models.CreateBudgetBody(
                    subject_type=subject_type,
                    unit=unit,
                    amount=amount,
                    period=period,
                    name=name,
                    subject_id=subject_id,
                    zone=zone,
                    soft_limits=soft_limits,
                    is_hard=is_hard,
                ),
            ),
            models.BudgetItem,
        )


class AsyncAdminChannels:
    """Messaging platforms on which agents and chat flows answer."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        channel_id: str,
    ) -> models.ChannelItem:
        """Get channel.

        Show a channel without its secrets.

        Args:
            channel_id: Id of a channel.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/channels/{quote(channel_id, safe='')}",
            ),
            models.ChannelItem,
        )

    async def delete(
        self,
        channel_id: str,
    ) -> None:
        """Delete channel.

        Delete a channel: what waits there is not answered any more.

        Args:
            channel_id: Id of a channel.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/channels/{quote(channel_id, safe='')}",
            )
        )

    async def update(
        self,
        channel_id: str,
        *,
        settings: models.ChannelBehaviourChanges | UnsetType = UNSET,
        credentials: dict[str, str] | UnsetType = UNSET,
    ) -> models.ChannelItem:
        """Update channel.

        Change how a channel behaves, or the credentials of its platform.

        Args:
            channel_id: Id of a channel.
            credentials: Those to replace; an empty text forgets one.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/channels/{quote(channel_id, safe='')}",
                body=models.ChangeChannelBody(
                    settings=settings,
                    credentials=credentials,
                ),
            ),
            models.ChannelItem,
        )

    async def test(
        self,
        channel_id: str,
    ) -> models.ChannelTestResult:
        """Test the credentials of a channel.

        Ask the platform who the app is there, with the credentials of the channel.

        Args:
            channel_id: Id of a channel.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/channels/{quote(channel_id, safe='')}/test",
            ),
            models.ChannelTestResult,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.ChannelItems:
        """List channels.

        List the channels of a workspace, newest first, and where others can be.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/channels",
            ),
            models.ChannelItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        platform: str,
        target_type: models.TargetKind,
        target_id: str,
        settings: models.ChannelBehaviour,
        credentials: dict[str, str],
    ) -> models.ChannelItem:
        """Create channel.

        Let a published agent or chat flow answer on a messaging platform.

        Args:
            workspace_id: Id of a workspace.
            platform: `feishu`, `slack` or `wecom`.
            target_id: Id of a published agent or workflow.
            credentials: What the platform gave, by the names it has there.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/channels",
                body=models.CreateChannelBody(
                    platform=platform,
                    target_type=target_type,
                    target_id=target_id,
                    settings=settings,
                    credentials=credentials,
                ),
            ),
            models.ChannelItem,
        )


class AsyncAdminChats:
    """Chats of everybody, for support."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        status: str | None = None,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> AsyncPage[models.AdminRun]:
        """List chats.

        Return a page of runs without their content.

        Args:
            workspace_id: Id of a workspace.
            agent_id: Only runs of this agent.
            conversation_id: Id of a conversation.
            status: Only runs in this state: created, queued, in_progress, requires_action, completed, failed or canceled.
            cursor: `next_cursor` of the page before; without it, the first page.
            limit: Runs per page, 1 to 100; default 50.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminRun]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/chats",
                    query={
                        "workspace_id": workspace_id,
                        "agent_id": agent_id,
                        "conversation_id": conversation_id,
                        "status": status,
                        "cursor": at,
                        "limit": limit,
                    },
                ),
                models.AdminRunList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def get(
        self,
        run_id: str,
    ) -> models.AdminRun:
        """Get chat.

        Return one run.

        Args:
            run_id: Id of a run (chat).
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/chats/{quote(run_id, safe='')}",
            ),
            models.AdminRun,
        )


class AsyncAdminConversations:
    """Conversations of the caller, and what was said in them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        agent_id: str,
        connector_id: str | None = None,
        end_user_id: str | None = None,
        cursor: str | None = None,
        limit: str | None = None,
        order: str | None = None,
        scene: str | None = None,
    ) -> AsyncPage[models.AdminConversation]:
        """List conversations.

        Return a page of the caller's conversations with one agent; the cursor is a page.

        Args:
            agent_id: Id of an agent.
            connector_id: Only conversations of this connector; default: that of the token.
            end_user_id: Only conversations of this end user.
            cursor: Page, from 1; default 1.
            limit: Items per page, 1 to 100; default 20.
            order: By age: `asc` or `desc` (default).
            scene: Where they live: `api` (default), or `playground`, where editors try agents.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminConversation]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/conversations",
                    query={
                        "agent_id": agent_id,
                        "connector_id": connector_id,
                        "end_user_id": end_user_id,
                        "cursor": at,
                        "limit": limit,
                        "order": order,
                        "scene": scene,
                    },
                ),
                models.AdminConversationList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        agent_id: str | None | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        metadata: dict[str, str | None] | None | UnsetType = UNSET,
        messages: builtins.list[models.EnterMessage] | None | UnsetType = UNSET,
        user_id: str | None | UnsetType = UNSET,
    ) -> models.AdminConversation:
        """Create conversation.

        Open a conversation, its messages in the first section.

        Args:
            agent_id: Id of the agent.
            name: Name that people read.
            metadata: Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16.
            messages: Messages, oldest first.
            user_id: Id of the account.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/conversations",
                body=models.CreateConversationBody(
                    agent_id=agent_id,
                    name=name,
                    metadata=metadata,
                    messages=messages,
                    user_id=user_id,
                ),
                has_key=True,
            ),
            models.AdminConversation,
        )

    async def get(
        self,
        conversation_id: str,
    ) -> models.AdminConversation:
        """Get conversation.

        Return one of the caller's conversations.

        Args:
            conversation_id: Id of a conversation.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}",
            ),
            models.AdminConversation,
        )

    async def delete(
        self,
        conversation_id: str,
    ) -> None:
        """Delete conversation.

        Delete a conversation with its messages; a running run is cancelled.

        Args:
            conversation_id: Id of a conversation.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}",
            )
        )

    async def update(
        self,
        conversation_id: str,
        *,
        name: str,
    ) -> models.AdminConversation:
        """Update conversation.

        Give a conversation another name.

        Args:
            conversation_id: Id of a conversation.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}",
                body=models.RenameConversationBody(
                    name=name,
                ),
            ),
            models.AdminConversation,
        )

    async def clear(
        self,
        conversation_id: str,
    ) -> models.WireSection:
        """Begin a new section of a conversation.

        Begin a new section: messages stay listed, later runs do not see them.

        Args:
            conversation_id: Id of a conversation.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/clear",
            ),
            models.WireSection,
        )

    async def fork(
        self,
        conversation_id: str,
        *,
        before_message_id: str,
    ) -> models.AdminConversation:
        """Continue in a copy of a conversation.

        Copy what was said before a message into a new conversation; the older one stays.

        Args:
            conversation_id: Id of a conversation.
            before_message_id: Question before which the copy ends.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/fork",
                body=models.ForkBody(
                    before_message_id=before_message_id,
                ),
                has_key=True,
            ),
            models.AdminConversation,
        )

    async def list_messages(
        self,
        conversation_id: str,
        *,
        cursor: str | None = None,
        limit: str | None = None,
        order: str | None = None,
    ) -> models.AdminMessageList:
        """List conversation messages.

        Return a page of messages; the cursor is the last id of the page before.

        Args:
            conversation_id: Id of a conversation.
            cursor: Last message id of the page before; without it, the first page.
            limit: Messages per page, 1 to 100; default 50.
            order: By age: `asc` or `desc` (default).
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/messages",
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "order": order,
                },
            ),
            models.AdminMessageList,
        )

    async def delete_message(
        self,
        conversation_id: str,
        message_id: str,
    ) -> None:
        """Delete conversation message.

        Delete a question or answer; an answer takes its run's details along.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}",
            )
        )

    async def update_message(
        self,
        conversation_id: str,
        message_id: str,
        *,
        content: str | builtins.list[models.ContentItem] | None | UnsetType = UNSET,
        content_type: str | None | UnsetType = UNSET,
        meta_data: dict[str, str | None] | None | UnsetType = UNSET,
    ) -> models.WireMessage:
        """Update conversation message.

        Change content or meta of a question or answer.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
            content: Text; in requests also a list of parts where the schema says so.
            content_type: text, or object_string for JSON text of several items.
            meta_data: Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}",
                body=models.ModifyMessageRequest(
                    content=content,
                    content_type=content_type,
                    meta_data=meta_data,
                ),
            ),
            models.WireMessage,
        )

    async def set_feedback(
        self,
        conversation_id: str,
        message_id: str,
        *,
        feedback_type: models.FeedbackKind,
        reason_types: builtins.list[str] | UnsetType = UNSET,
        comment: str | UnsetType = UNSET,
    ) -> None:
        """Rate an answer.

        Like or dislike an answer; a second verdict replaces the first.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
            reason_types: Reasons from a list of the front end.
            comment: What the person wrote about it; at most 500 characters.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}/feedback",
                body=models.FeedbackBody(
                    feedback_type=feedback_type,
                    reason_types=reason_types,
                    comment=comment,
                ),
            )
        )

    async def delete_feedback(
        self,
        conversation_id: str,
        message_id: str,
    ) -> None:
        """Take back the rating of an answer.

        Take the verdict back.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}/feedback",
            )
        )


class AsyncAdminSupportConversations:
    """Conversations of a workspace, for those who look after them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_transcript(
        self,
        conversation_id: str,
        *,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> models.SupportTranscript:
        """Get support conversation transcript.

        Return a page of what was said in a conversation, newest first, to be read only.

        Somebody else's needs ``trace.read``, and the audit log tells of each opening. The cursor
        is the last id of the page before.

        Args:
            conversation_id: Id of a conversation.
            cursor: `next_cursor` of the page before; without it, the newest messages.
            limit: Items per page, 1 to 100; default 20.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/conversations/{quote(conversation_id, safe='')}/transcript",
                query={
                    "cursor": cursor,
                    "limit": limit,
                },
            ),
            models.SupportTranscript,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        own: str | None = None,
        agent_id: str | None = None,
        connector_id: str | None = None,
        source: str | None = None,
        end_user_id: str | None = None,
        q: str | None = None,
        feedback: str | None = None,
        waits: str | None = None,
        since: str | None = None,
        until: str | None = None,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> AsyncPage[models.SupportConversation]:
        """List support conversations.

        Return a page of the conversations of a workspace in which an agent was asked.

        Those of others need ``trace.read``; without it the caller's own are listed. Source and
        times are those of the newest run.

        Args:
            workspace_id: Id of a workspace.
            own: `true`: only those that the caller began.
            agent_id: Only conversations with this agent.
            connector_id: Only conversations on this connector.
            source: Only conversations whose newest run came this way: playground, api, openai, mcp, share_link, embed, channel, trigger or evaluation.
            end_user_id: Only conversations of this end user.
            q: Only conversations whose name contains this.
            feedback: `up` or `down`: only conversations in which somebody rated an answer so.
            waits: `true`: only those in which a run waits for a person.
            since: Only conversations whose newest run began at or after this time, in Unix seconds.
            until: Only conversations whose newest run began before this time, in Unix seconds.
            cursor: `next_cursor` of the page before; without it, the first page.
            limit: Items per page, 1 to 100; default 20.
        """

        async def fetch(at: Any) -> AsyncPage[models.SupportConversation]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/conversations",
                    query={
                        "own": own,
                        "agent_id": agent_id,
                        "connector_id": connector_id,
                        "source": source,
                        "end_user_id": end_user_id,
                        "q": q,
                        "feedback": feedback,
                        "waits": waits,
                        "since": since,
                        "until": until,
                        "cursor": at,
                        "limit": limit,
                    },
                ),
                models.SupportConversationList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)


class AsyncAdminDataRequests:
    """What is kept of somebody: handed over, or removed."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        data_request_id: str,
    ) -> models.DataRequestItem:
        """Get data request.

        Show how far a request is, and its proof when it is done.

        Args:
            data_request_id: Id of a request for somebody's data.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/data-requests/{quote(data_request_id, safe='')}",
            ),
            models.DataRequestItem,
        )

    async def get_archive(
        self,
        data_request_id: str,
    ) -> bytes:
        """Get data request archive.

        Download the ZIP file of an export, for a week after it was made.

        Args:
            data_request_id: Id of a request for somebody's data.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/data-requests/{quote(data_request_id, safe='')}/archive",
                )
            )
        ).content

    async def list(
        self,
        workspace_id: str,
    ) -> models.DataRequestItems:
        """List data requests.

        List the newest requests of a workspace; members without the right see their own.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/data-requests",
            ),
            models.DataRequestItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        kind: models.DataRequestKind,
        subject: models.DataSubject,
    ) -> models.DataRequestItem:
        """Create data request.

        Have somebody's data handed over or removed; everybody may ask for their own.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/data-requests",
                body=models.CreateDataRequestBody(
                    kind=kind,
                    subject=subject,
                ),
            ),
            models.DataRequestItem,
        )


class AsyncAdminDatabases:
    """Tables that agents and workflows read and write."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        database_id: str,
    ) -> models.AdminDatabase:
        """Get database.

        Show a table and the agents it is bound to.

        Args:
            database_id: Id of a database table.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}",
            ),
            models.AdminDatabase,
        )

    async def delete(
        self,
        database_id: str,
    ) -> None:
        """Delete database.

        Remove a table with all of its rows.

        Args:
            database_id: Id of a database table.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}",
            )
        )

    async def update(
        self,
        database_id: str,
        *,
        table_name: str | UnsetType = UNSET,
        table_desc: str | UnsetType = UNSET,
        fields: builtins.list[models.FieldBody] | UnsetType = UNSET,
        rw_mode: int | UnsetType = UNSET,
        prompt_disabled: bool | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.AdminDatabase:
        """Update database.

        Change a table; a field changes its type only if every cell converts.

        Args:
            database_id: Id of a database table.
            table_name: Name of the table in SQL.
            table_desc: What the table holds; models read it.
            fields: All fields; those left out are dropped with their cells.
            rw_mode: Who sees rows: 1 end users see and change their own, 2 nobody changes them, 3 everybody sees all.
            prompt_disabled: Whether models are not told of it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}",
                body=models.PatchDatabaseBody(
                    table_name=table_name,
                    table_desc=table_desc,
                    fields=fields,
                    rw_mode=rw_mode,
                    prompt_disabled=prompt_disabled,
                    icon_file_id=icon_file_id,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.AdminDatabase,
        )

    async def bind(
        self,
        database_id: str,
        agent_id: str,
    ) -> None:
        """Bind a database to an agent.

        Give an agent the table as a tool.

        Args:
            database_id: Id of a database table.
            agent_id: Id of an agent.
        """
        await self._transport.send(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/agents/{quote(agent_id, safe='')}",
            )
        )

    async def unbind(
        self,
        database_id: str,
        agent_id: str,
    ) -> None:
        """Unbind a database from an agent.

        Take the table away from an agent.

        Args:
            database_id: Id of a database table.
            agent_id: Id of an agent.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/agents/{quote(agent_id, safe='')}",
            )
        )

    async def export(
        self,
        database_id: str,
        *,
        side: str | None = None,
        connector_uid: str | None = None,
        format: str | None = None,
    ) -> bytes:
        """Export database.

        Download the rows as csv, xlsx or jsonl; with an end user as that one sees them.

        Args:
            database_id: Id of a database table.
            side: `draft` or `online` (default): rows of tests or of published use.
            connector_uid: Id of an end user, as the caller names it.
            format: Format of the file: csv (default), xlsx or jsonl.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/databases/{quote(database_id, safe='')}/export",
                    query={
                        "side": side,
                        "connector_uid": connector_uid,
                        "format": format,
                    },
                )
            )
        ).content

    async def list_references(
        self,
        database_id: str,
    ) -> models.AdminDatabaseReferenceList:
        """List what uses a database.

        List the agents that have a table as a tool, with their names.

        Args:
            database_id: Id of a database table.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/references",
            ),
            models.AdminDatabaseReferenceList,
        )

    async def reset(
        self,
        database_id: str,
    ) -> None:
        """Remove all draft rows of a database.

        Remove all rows of the draft side.

        Args:
            database_id: Id of a database table.
        """
        await self._transport.send(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/reset",
            )
        )

    async def run_sql(
        self,
        database_id: str,
        *,
        sql: str,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
    ) -> models.SqlResult:
        """Run SQL on a database.

        Run one guarded SELECT, INSERT, UPDATE or DELETE.

        Args:
            database_id: Id of a database table.
            sql: SQL statement.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/sql",
                body=models.SqlBody(
                    sql=sql,
                    env=env,
                    connector_uid=connector_uid,
                ),
            ),
            models.SqlResult,
        )

    async def explain_sql(
        self,
        database_id: str,
        *,
        sql: str,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
    ) -> models.SqlPlan:
        """Explain SQL on a database.

        Show what the guard makes of a statement; nothing is run.

        Args:
            database_id: Id of a database table.
            sql: SQL statement.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/sql:explain",
                body=models.SqlBody(
                    sql=sql,
                    env=env,
                    connector_uid=connector_uid,
                ),
            ),
            models.SqlPlan,
        )

    async def get_template(
        self,
        database_id: str,
        *,
        format: str | None = None,
    ) -> bytes:
        """Get database template.

        Download a file to be filled in and imported: ``format`` csv, xlsx or jsonl.

        Args:
            database_id: Id of a database table.
            format: Format of the file: csv (default), xlsx or jsonl.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/databases/{quote(database_id, safe='')}/template",
                    query={
                        "format": format,
                    },
                )
            )
        ).content

    async def list(
        self,
        workspace_id: str,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminDatabase]:
        """List databases.

        List tables, the youngest first; ``q`` is a part of the name.

        Args:
            workspace_id: Id of a workspace.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminDatabase]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/databases",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminDatabaseList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        table_name: str,
        fields: builtins.list[models.FieldCreate],
        table_desc: str | UnsetType = UNSET,
        rw_mode: int | UnsetType = UNSET,
        prompt_disabled: bool | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
    ) -> models.AdminDatabase:
        """Create database.

        Make a table with an empty draft side and an empty online side.

        Args:
            workspace_id: Id of a workspace.
            table_name: Name of the table in SQL.
            fields: Fields of the table.
            table_desc: What the table holds; models read it.
            rw_mode: Who sees rows: 1 (default) end users see and change their own, 2 nobody changes them, 3 everybody sees all.
            prompt_disabled: Whether models are not told of it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/databases",
                body=models.CreateDatabaseBody(
                    table_name=table_name,
                    fields=fields,
                    table_desc=table_desc,
                    rw_mode=rw_mode,
                    prompt_disabled=prompt_disabled,
                    icon_file_id=icon_file_id,
                ),
            ),
            models.AdminDatabase,
        )


class AsyncAdminDatabaseImports:
    """Files that are read into tables."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        database_id: str,
        *,
        file_id: str,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
        sheet: int | None | UnsetType = UNSET,
        header_row: int | UnsetType = UNSET,
    ) -> models.AdminImport:
        """Create database import.

        Have a file read into the table: all of its rows, or none and the reason.

        Args:
            database_id: Id of a database table.
            file_id: Id of an upload.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
            sheet: Number of the sheet, from 0; null: the first.
            header_row: Line of the names of columns, from 0.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/imports",
                body=models.ImportBody(
                    file_id=file_id,
                    env=env,
                    connector_uid=connector_uid,
                    sheet=sheet,
                    header_row=header_row,
                ),
            ),
            models.AdminImport,
        )

    async def get(
        self,
        database_id: str,
        import_id: str,
    ) -> models.AdminImport:
        """Get database import.

        Say how far an import is.

        Args:
            database_id: Id of a database table.
            import_id: Id of an import.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/imports/{quote(import_id, safe='')}",
            ),
            models.AdminImport,
        )

    async def preview(
        self,
        database_id: str,
        *,
        file_id: str,
        sheet: int | None | UnsetType = UNSET,
        header_row: int | UnsetType = UNSET,
    ) -> models.ImportPreview:
        """Preview an import into a database.

        Read a file as an import would and say which cells do not fit; nothing is added.

        Args:
            database_id: Id of a database table.
            file_id: Id of an upload.
            sheet: Name of the sheet of a table.
            header_row: Line of the names of columns, from 0.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/imports:preview",
                body=models.ImportPreviewBody(
                    file_id=file_id,
                    sheet=sheet,
                    header_row=header_row,
                ),
            ),
            models.ImportPreview,
        )


class AsyncAdminRecords:
    """Rows of tables."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def delete(
        self,
        database_id: str,
        *,
        filter: models.ConditionInput,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
    ) -> models.AffectedRecords:
        """Delete records.

        Remove the rows that match.

        Args:
            database_id: Id of a database table.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/records:delete",
                body=models.DeleteRecordsBody(
                    filter=filter,
                    env=env,
                    connector_uid=connector_uid,
                ),
            ),
            models.AffectedRecords,
        )

    async def insert(
        self,
        database_id: str,
        *,
        records: builtins.list[dict[str, Any]],
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
    ) -> models.InsertedRecords:
        """Insert records.

        Add rows, all or none.

        Args:
            database_id: Id of a database table.
            records: Rows, by names of fields.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/records:insert",
                body=models.InsertRecordsBody(
                    records=records,
                    env=env,
                    connector_uid=connector_uid,
                ),
            ),
            models.InsertedRecords,
        )

    async def query(
        self,
        database_id: str,
        *,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
        fields: builtins.list[str] | UnsetType = UNSET,
        filter: models.ConditionInput | None | UnsetType = UNSET,
        order_by: builtins.list[models.OrderBody] | UnsetType = UNSET,
        limit: int | UnsetType = UNSET,
        offset: int | UnsetType = UNSET,
    ) -> models.RecordList:
        """Query records.

        Return rows, the youngest first unless ``order_by`` says otherwise.

        Args:
            database_id: Id of a database table.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
            fields: Names of the fields to answer; empty: all.
            filter: Which of them are meant; absent: all.
            order_by: Fields to sort by, the most important first.
            limit: Rows per page, at most. Default 50.
            offset: Rows to leave out at the start.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/records:query",
                body=models.QueryRecordsBody(
                    env=env,
                    connector_uid=connector_uid,
                    fields=fields,
                    filter=filter,
                    order_by=order_by,
                    limit=limit,
                    offset=offset,
                ),
            ),
            models.RecordList,
        )

    async def update(
        self,
        database_id: str,
        *,
        values: dict[str, Any],
        filter: models.ConditionInput,
        env: str | UnsetType = UNSET,
        connector_uid: str | None | UnsetType = UNSET,
    ) -> models.AffectedRecords:
        """Update records.

        Change the rows that match.

        Args:
            database_id: Id of a database table.
            values: New values, by names of fields.
            env: `draft` or `online`: what tests or published use read and write.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/databases/{quote(database_id, safe='')}/records:update",
                body=models.UpdateRecordsBody(
                    values=values,
                    filter=filter,
                    env=env,
                    connector_uid=connector_uid,
                ),
            ),
            models.AffectedRecords,
        )


class AsyncAdminDatasets:
    """Knowledge bases: their state, their index, searches to try them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        dataset_id: str,
    ) -> models.AdminDataset:
        """Get dataset.

        Show a knowledge base with the state of its index.

        Args:
            dataset_id: Id of a knowledge base.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}",
            ),
            models.AdminDataset,
        )

    async def delete(
        self,
        dataset_id: str,
    ) -> None:
        """Delete dataset.

        Delete a knowledge base with all it holds.

        Args:
            dataset_id: Id of a knowledge base.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}",
            )
        )

    async def update(
        self,
        dataset_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        enabled: bool | UnsetType = UNSET,
    ) -> models.AdminDataset:
        """Update dataset.

        Change name and description, or whether searches see the base.

        Args:
            dataset_id: Id of a knowledge base.
            name: Name that people read.
            description: What it is for; models and people read it.
            enabled: Whether it is switched on.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}",
                body=models.PatchDatasetBody(
                    name=name,
                    description=description,
                    enabled=enabled,
                ),
            ),
            models.AdminDataset,
        )

    async def copy(
        self,
        dataset_id: str,
        *,
        workspace_id: str | None | UnsetType = UNSET,
        name: str | UnsetType = UNSET,
    ) -> models.AdminCopy:
        """Copy dataset.

        Copy a base with its searchable documents; the same key again tells how far it is.

        Args:
            dataset_id: Id of a knowledge base.
            workspace_id: Id of the workspace.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/copy",
                body=models.CopyBody(
                    workspace_id=workspace_id,
                    name=name,
                ),
                has_key=True,
            ),
            models.AdminCopy,
        )

    async def get_health(
        self,
        dataset_id: str,
    ) -> models.AdminDatasetHealth:
        """Get the health of a dataset.

        Show how long the slices of a base are, and which are empty, repeated or never found.

        Args:
            dataset_id: Id of a knowledge base.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/health",
            ),
            models.AdminDatasetHealth,
        )

    async def list_examined(
        self,
        dataset_id: str,
        *,
        flaw: str | None = None,
        script: str | None = None,
        at_least: str | None = None,
        below: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminExaminedSlice]:
        """List slices behind a figure of health.

        List the slices behind a figure of the base's health, the worst first.

        Args:
            dataset_id: Id of a knowledge base.
            flaw: Only slices that are `empty`, `duplicate`, `never_found` or `over_long`.
            script: Only slices of the sample that are mostly in this script: `zh`, `ja`, `ko`, `cyrillic`, `arabic`, `latin` or `other`.
            at_least: Only slices of at least so many characters.
            below: Only slices of fewer characters.
            limit: Items per page, 1 to 100; default 20.
            cursor: Page, from 1; default 1.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminExaminedSlice]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/health/slices",
                    query={
                        "flaw": flaw,
                        "script": script,
                        "at_least": at_least,
                        "below": below,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminExaminedSlices,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def list_images(
        self,
        dataset_id: str,
        *,
        q: str | None = None,
        has_caption: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminImage]:
        """List dataset images.

        List the images of a base of images, the youngest first.

        Args:
            dataset_id: Id of a knowledge base.
            q: A part of the name or caption; default: all.
            has_caption: `true`: only images with a caption; `false`: only those without.
            limit: Items per page, 1 to 100; default 20.
            cursor: Page, from 1; default 1.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminImage]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/images",
                    query={
                        "q": q,
                        "has_caption": has_caption,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminImagePage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def get_progress(
        self,
        dataset_id: str,
    ) -> models.AdminProgressList:
        """Get dataset progress.

        Tell how far documents are that are in work, up to 100, those taken in first first.

        Args:
            dataset_id: Id of a knowledge base.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/progress",
            ),
            models.AdminProgressList,
        )

    async def reconcile(
        self,
        dataset_id: str,
    ) -> models.AdminReconciliation:
        """Reconcile dataset.

        Compare the base with its stores now, and repair what differs.

        Args:
            dataset_id: Id of a knowledge base.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/reconcile",
            ),
            models.AdminReconciliation,
        )

    async def list_references(
        self,
        dataset_id: str,
    ) -> models.AdminDatasetReferenceList:
        """List what uses a dataset.

        List the agents whose drafts search the base.

        Args:
            dataset_id: Id of a knowledge base.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/references",
            ),
            models.AdminDatasetReferenceList,
        )

    async def reindex(
        self,
        dataset_id: str,
        *,
        embedding_model: str | None | UnsetType = UNSET,
    ) -> models.AdminRebuild:
        """Reindex dataset.

        Build the index anew; searches use the old one until the new one is complete.

        Args:
            dataset_id: Id of a knowledge base.
            embedding_model: Embedding model of the index; empty for the default.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/reindex",
                body=models.ReindexBody(
                    embedding_model=embedding_model,
                ),
            ),
            models.AdminRebuild,
        )

    async def resegment(
        self,
        dataset_id: str,
        *,
        document_ids: builtins.list[models.DocumentId],
        chunk_strategy: models.ChunkStrategyBody | None | UnsetType = UNSET,
        parsing_strategy: models.ParsingStrategyBody | None | UnsetType = UNSET,
        filter_strategy: models.FilterBody | None | UnsetType = UNSET,
        table_sheet: models.TableSheetBody | None | UnsetType = UNSET,
        force: bool | UnsetType = UNSET,
    ) -> models.AdminDocumentList:
        """Resegment dataset.

        Cut documents anew, all or none; what is searchable stays so until that is done.

        Args:
            dataset_id: Id of a knowledge base.
            document_ids: Ids of documents; where it may be left out: all of them.
            chunk_strategy: How documents are cut; without it, automatically.
            parsing_strategy: How much care is taken in reading.
            filter_strategy: What of the document to leave out.
            table_sheet: Makes a table of its file once more; rows that were added since are gone then.
            force: Gives up what is being indexed.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/resegment",
                body=models.ResegmentBody(
                    document_ids=document_ids,
                    chunk_strategy=chunk_strategy,
                    parsing_strategy=parsing_strategy,
                    filter_strategy=filter_strategy,
                    table_sheet=table_sheet,
                    force=force,
                ),
            ),
            models.AdminDocumentList,
        )

    async def infer_table_schema(
        self,
        dataset_id: str,
        *,
        source_info: models.SourceBody,
        table_sheet: models.TableSheetBody | None | UnsetType = UNSET,
        table_meta: builtins.list[models.ColumnBody] | None | UnsetType = UNSET,
    ) -> models.AdminTableSchema:
        """Infer columns from a table file.

        Guess the columns of a file; nothing is kept of it.

        Args:
            dataset_id: Id of a knowledge base.
            table_sheet: Where in the file the table stands.
            table_meta: Columns of the table.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/table-schema:infer",
                body=models.TableFileBody(
                    source_info=source_info,
                    table_sheet=table_sheet,
                    table_meta=table_meta,
                ),
            ),
            models.AdminTableSchema,
        )

    async def validate_table_schema(
        self,
        dataset_id: str,
        *,
        source_info: models.SourceBody,
        table_sheet: models.TableSheetBody | None | UnsetType = UNSET,
        table_meta: builtins.list[models.ColumnBody] | None | UnsetType = UNSET,
    ) -> models.AdminTableCheck:
        """Check a table file against columns.

        Check a file against the table of the base, or against the columns of the request.

        Args:
            dataset_id: Id of a knowledge base.
            table_sheet: Where in the file the table stands.
            table_meta: Columns of the table.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/table-schema:validate",
                body=models.TableFileBody(
                    source_info=source_info,
                    table_sheet=table_sheet,
                    table_meta=table_meta,
                ),
            ),
            models.AdminTableCheck,
        )

    async def search(
        self,
        *,
        query: str,
        dataset_ids: builtins.list[models.DatasetId],
        top_k: int | None | UnsetType = UNSET,
        min_score: float | None | UnsetType = UNSET,
        max_tokens: int | None | UnsetType = UNSET,
        embedding_weight: float | None | UnsetType = UNSET,
        expansion: int | None | UnsetType = UNSET,
        expansion_model: str | None | UnsetType = UNSET,
        expansion_background: str | None | UnsetType = UNSET,
        rerank_model: str | None | UnsetType = UNSET,
        rerank_weight: float | None | UnsetType = UNSET,
        is_personal_only: bool | None | UnsetType = UNSET,
        expand: str | int | None | UnsetType = UNSET,
        threshold_mode: str | None | UnsetType = UNSET,
        filter: dict[str, Any] | None | UnsetType = UNSET,
        document_ids: builtins.list[models.DocumentId] | None | UnsetType = UNSET,
        history: builtins.list[models.WireHistory] | None | UnsetType = UNSET,
        strategy: str | int | None | UnsetType = UNSET,
        rerank: bool | None | UnsetType = UNSET,
        rewrite: bool | None | UnsetType = UNSET,
        nl2sql: bool | None | UnsetType = UNSET,
        explain: bool | None | UnsetType = UNSET,
    ) -> models.WireSearch:
        """Search datasets.

        Search knowledge bases of one workspace; counts no hits, 20 a minute.

        Args:
            query: What is asked.
            dataset_ids: Ids of knowledge bases.
            top_k: Results, 1 to 100; default 3.
            min_score: Score that results need, 0 to 1; default 0.5.
            max_tokens: Tokens of all results together; null: what the caller has room for.
            embedding_weight: What vectors count beside words, 0 to 1; null depends on the model.
            expansion: Further wordings of the question that are searched, 0 to 5; default 0.
            expansion_model: Model that writes wordings; empty for the default.
            expansion_background: What the model should know of the subject before it writes wordings; at most 8000 characters.
            rerank_model: Reranking model; empty for the default.
            rerank_weight: What the reranking model counts beside the order before, 0 to 1; default 1.
            is_personal_only: Find only documents of the calling end user. Default false.
            expand: Slices beside a hit that are joined to it: auto (default), none, 1 or 2.
            threshold_mode: `absolute` (default), or `fastgpt`, which ignores `min_score` in full-text and mixed searches without reranking.
            filter: Conditions on tags and facts of documents, as an object; absent: all.
            document_ids: Ids of documents; where it may be left out: all of them.
            history: Messages before the question, oldest first; they help to rewrite it. At most 100.
            strategy: 0 semantic, 1 hybrid (default), 20 full text.
            rerank: Order results by a reranking model.
            rewrite: Make the question self-contained by the history first.
            nl2sql: Ask tables by SQL that a model writes.
            explain: List every candidate and every step. Default false.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/datasets:search",
                body=models.SearchTestInput(
                    query=query,
                    dataset_ids=dataset_ids,
                    top_k=top_k,
                    min_score=min_score,
                    max_tokens=max_tokens,
                    embedding_weight=embedding_weight,
                    expansion=expansion,
                    expansion_model=expansion_model,
                    expansion_background=expansion_background,
                    rerank_model=rerank_model,
                    rerank_weight=rerank_weight,
                    is_personal_only=is_personal_only,
                    expand=expand,
                    threshold_mode=threshold_mode,
                    filter=filter,
                    document_ids=document_ids,
                    history=history,
                    strategy=strategy,
                    rerank=rerank,
                    rewrite=rewrite,
                    nl2sql=nl2sql,
                    explain=explain,
                ),
            ),
            models.WireSearch,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        format_type: str | None = None,
        state: str | None = None,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminDataset]:
        """List datasets.

        List knowledge bases, the youngest first; ``q`` is a part of the name.

        Args:
            workspace_id: Id of a workspace.
            format_type: Only bases of this kind: 0 text, 1 table, 2 image.
            state: Only bases with a document that `failed` or is `in_work`, that are `off` or `empty`, or `ready`: searched, with documents, and none of the others.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: Page, from 1; default 1.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminDataset]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/datasets",
                    query={
                        "format_type": format_type,
                        "state": state,
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminDatasetList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        description: str | UnsetType = UNSET,
        format_type: int | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
    ) -> models.AdminDataset:
        """Create dataset.

        Make an empty knowledge base.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            description: What it is for; models and people read it.
            format_type: Kind of the base: 0 text, 1 table, 2 image.
            icon_file_id: Id of the upload with the icon; empty or null for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/datasets",
                body=models.NewBaseBody(
                    name=name,
                    description=description,
                    format_type=format_type,
                    icon_file_id=icon_file_id,
                ),
                has_key=True,
            ),
            models.AdminDataset,
        )


class AsyncAdminDocuments:
    """Documents of knowledge bases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        dataset_id: str,
        *,
        q: str | None = None,
        state: str | None = None,
        type: str | None = None,
        source: str | None = None,
        tag: str | None = None,
        sort: str | None = None,
        order: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminDocument]:
        """List documents.

        List the documents of a base, by default the youngest first.

        Args:
            dataset_id: Id of a knowledge base.
            q: A part of the name; default: all.
            state: Only documents that are `in_work`, `ready`, `off` (switched off) or `failed`.
            type: Only documents of this type, for instance pdf.
            source: Only documents that came as a `file`, from the `web` or as `text`.
            tag: Only documents with a tag of this name, or `name=value` where the value is one text, number or flag.
            sort: By `created` (default), `changed`, `name`, `size`, `slices`, `characters` or `hits`.
            order: `asc` or `desc` (default), by what `sort` names.
            limit: Items per page, 1 to 100; default 20.
            cursor: Page, from 1; default 1.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminDocument]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/documents",
                    query={
                        "q": q,
                        "state": state,
                        "type": type,
                        "source": source,
                        "tag": tag,
                        "sort": sort,
                        "order": order,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminDocumentPage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        dataset_id: str,
        *,
        document_bases: builtins.list[models.DocumentBody],
        chunk_strategy: models.ChunkStrategyBody | None | UnsetType = UNSET,
        parsing_strategy: models.ParsingStrategyBody | None | UnsetType = UNSET,
        format_type: int | None | UnsetType = UNSET,
        is_append: bool | None | UnsetType = UNSET,
        on_duplicate: str | None | UnsetType = UNSET,
    ) -> models.AdminDocumentList:
        """Create document.

        Take documents in, all or none; their progress tells when they can be found.

        Args:
            dataset_id: Id of a knowledge base.
            document_bases: Documents to be; at most ten.
            chunk_strategy: How documents are cut; without it, automatically.
            parsing_strategy: How much care is taken in reading.
            format_type: Kind of the base: 0 text, 1 table, 2 image.
            is_append: Add rows to an existing table. Default false.
            on_duplicate: A document with the same content: keep (default) both, skip the new one or replace the old one.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/documents",
                body=models.AddDocumentsBody(
                    document_bases=document_bases,
                    chunk_strategy=chunk_strategy,
                    parsing_strategy=parsing_strategy,
                    format_type=format_type,
                    is_append=is_append,
                    on_duplicate=on_duplicate,
                ),
                has_key=True,
            ),
            models.AdminDocumentList,
        )

    async def batch_update(
        self,
        dataset_id: str,
        *,
        ids: builtins.list[models.Id],
        action: str,
        tags: dict[str, str | bool | int | float | builtins.list[str] | None]
        | None
        | UnsetType = UNSET,
    ) -> models.AdminDocumentList:
        """Change several documents.

        Change up to 100 documents, all or none; those deleted are not in the answer.

        Args:
            dataset_id: Id of a knowledge base.
            ids: Ids of documents of the base, 1 to 100.
            action: enable, disable, tag, refetch, resegment or delete.
            tags: Tags, for filters of searches: texts, numbers or lists of texts, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/documents:batch",
                body=models.BatchBody(
                    ids=ids,
                    action=action,
                    tags=tags,
                ),
            ),
            models.AdminDocumentList,
        )

    async def get(
        self,
        document_id: str,
    ) -> models.AdminDocument:
        """Get document.

        Show a document.

        Args:
            document_id: Id of a document.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}",
            ),
            models.AdminDocument,
        )

    async def delete(
        self,
        document_id: str,
    ) -> None:
        """Delete document.

        Delete a document.

        Args:
            document_id: Id of a document.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}",
            )
        )

    async def update(
        self,
        document_id: str,
        *,
        name: str | UnsetType = UNSET,
        enabled: bool | UnsetType = UNSET,
        update_rule: models.UpdateRuleBody | UnsetType = UNSET,
    ) -> models.AdminDocument:
        """Update document.

        Rename a document, or switch whether searches see it; nothing is indexed anew.

        Args:
            document_id: Id of a document.
            name: Name that people read.
            enabled: Whether it is switched on.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}",
                body=models.PatchDocumentBody(
                    name=name,
                    enabled=enabled,
                    update_rule=update_rule,
                ),
            ),
            models.AdminDocument,
        )

    async def set_caption(
        self,
        document_id: str,
        *,
        caption: str,
    ) -> models.AdminCaption:
        """Set document caption.

        Say what an image shows; it is then found by that.

        Args:
            document_id: Id of a document.
            caption: Text that describes the image; searches find the image by it.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/caption",
                body=models.CaptionOfImageBody(
                    caption=caption,
                ),
            ),
            models.AdminCaption,
        )

    async def extract_caption(
        self,
        document_id: str,
    ) -> models.AdminCaption:
        """Extract document caption.

        Ask the model that looks at images for a caption; it is not saved.

        Args:
            document_id: Id of a document.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/caption:extract",
            ),
            models.AdminCaption,
        )

    async def export(
        self,
        document_id: str,
        *,
        format: str | None = None,
    ) -> bytes:
        """Export document.

        Download the rows of a table as csv, xlsx or jsonl; imported, they make it again.

        Args:
            document_id: Id of a document.
            format: Format of the file: csv (default), xlsx or jsonl.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/documents/{quote(document_id, safe='')}/export",
                    query={
                        "format": format,
                    },
                )
            )
        ).content

    async def get_image(
        self,
        document_id: str,
    ) -> models.AdminImage:
        """Get document image.

        Show an image of a base of images.

        Args:
            document_id: Id of a document.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/image",
            ),
            models.AdminImage,
        )

    async def get_original(
        self,
        document_id: str,
    ) -> bytes:
        """Get document original.

        Download the file that a document was made of.

        Args:
            document_id: Id of a document.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/documents/{quote(document_id, safe='')}/original",
                )
            )
        ).content

    async def list_pages(
        self,
        document_id: str,
    ) -> models.AdminPages:
        """List document pages.

        List the pages of a document; formats without pages have none.

        Args:
            document_id: Id of a document.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/pages",
            ),
            models.AdminPages,
        )

    async def get_page_image(
        self,
        document_id: str,
        number: str,
        *,
        width: str | None = None,
        generation: str | None = None,
    ) -> bytes:
        """Get document page image.

        Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide.

        Args:
            document_id: Id of a document.
            number: Page, from 1.
            width: Least width in pixels, 200 to 3000; default 1200.
            generation: That of the list of pages; it only tells a new reading from an old one.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/documents/{quote(document_id, safe='')}/pages/{quote(number, safe='')}/image",
                    query={
                        "width": width,
                        "generation": generation,
                    },
                )
            )
        ).content

    async def get_page_text(
        self,
        document_id: str,
        number: str,
    ) -> models.AdminWords:
        """Get document page text.

        List the words of a page with their places, to search and to mark them.

        Args:
            document_id: Id of a document.
            number: Page, from 1.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/pages/{quote(number, safe='')}/text",
            ),
            models.AdminWords,
        )

    async def get_reading(
        self,
        document_id: str,
        *,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminBlock]:
        """Get document reading.

        List what was read, block by block; nothing once that is not kept any more.

        Args:
            document_id: Id of a document.
            cursor: `next_cursor` of the part before; without it, the beginning.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminBlock]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/documents/{quote(document_id, safe='')}/reading",
                    query={
                        "cursor": at,
                    },
                ),
                models.AdminReading,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def replace_tags(
        self,
        document_id: str,
        *,
        tags: dict[str, str | bool | int | float | builtins.list[str]],
    ) -> models.AdminDocument:
        """Replace document tags.

        Replace all tags of a document, by which searches choose; nothing is indexed anew.

        Args:
            document_id: Id of a document.
            tags: Tags, for filters of searches: texts, numbers or lists of texts, by name.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/tags",
                body=models.TagsOfDocumentBody(
                    tags=tags,
                ),
            ),
            models.AdminDocument,
        )


class AsyncAdminPreviews:
    """How documents would be cut, before they are."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        dataset_id: str,
        *,
        document_bases: builtins.list[models.DocumentBody],
        chunk_strategy: models.ChunkStrategyBody | None | UnsetType = UNSET,
        parsing_strategy: models.ParsingStrategyBody | None | UnsetType = UNSET,
        filter_strategy: models.FilterBody | None | UnsetType = UNSET,
    ) -> models.AdminPreviewList:
        """Create preview.

        Have files read and cut; nothing is indexed. Ask for each preview until it is ready.

        Args:
            dataset_id: Id of a knowledge base.
            document_bases: Documents to read; at most ten.
            chunk_strategy: How documents are cut; without it, automatically.
            parsing_strategy: How much care is taken in reading.
            filter_strategy: What of the document to leave out.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/datasets/{quote(dataset_id, safe='')}/previews",
                body=models.CreatePreviewsBody(
                    document_bases=document_bases,
                    chunk_strategy=chunk_strategy,
                    parsing_strategy=parsing_strategy,
                    filter_strategy=filter_strategy,
                ),
            ),
            models.AdminPreviewList,
        )

    async def get(
        self,
        preview_id: str,
    ) -> models.AdminPreview:
        """Get preview.

        Show a preview with its chunks.

        Args:
            preview_id: Id of a preview.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/previews/{quote(preview_id, safe='')}",
            ),
            models.AdminPreview,
        )

    async def update(
        self,
        preview_id: str,
        *,
        chunks: builtins.list[models.ChunkBody],
    ) -> models.AdminPreview:
        """Update preview.

        Replace the chunks by edited ones.

        Args:
            preview_id: Id of a preview.
            chunks: All pieces to keep, in their order; those left out are dropped.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/previews/{quote(preview_id, safe='')}",
                body=models.SavePreviewBody(
                    chunks=chunks,
                ),
            ),
            models.AdminPreview,
        )

    async def commit(
        self,
        preview_id: str,
    ) -> models.AdminDocument:
        """Commit preview.

        Make a document of exactly these chunks; its id is that of the preview.

        Args:
            preview_id: Id of a preview.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/previews/{quote(preview_id, safe='')}/commit",
            ),
            models.AdminDocument,
        )

    async def list_pages(
        self,
        preview_id: str,
    ) -> models.AdminPages:
        """List preview pages.

        List the pages of the file of a preview; formats without pages have none.

        Args:
            preview_id: Id of a preview.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/previews/{quote(preview_id, safe='')}/pages",
            ),
            models.AdminPages,
        )

    async def get_page_image(
        self,
        preview_id: str,
        number: str,
        *,
        width: str | None = None,
    ) -> bytes:
        """Get preview page image.

        Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide.

        Args:
            preview_id: Id of a preview.
            number: Page, from 1.
            width: Least width in pixels, 200 to 3000; default 1200.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/admin/v1/previews/{quote(preview_id, safe='')}/pages/{quote(number, safe='')}/image",
                    query={
                        "width": width,
                    },
                )
            )
        ).content

    async def get_page_text(
        self,
        preview_id: str,
        number: str,
    ) -> models.AdminWords:
        """Get preview page text.

        List the words of a page with their places, to search and to mark them.

        Args:
            preview_id: Id of a preview.
            number: Page, from 1.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/previews/{quote(preview_id, safe='')}/pages/{quote(number, safe='')}/text",
            ),
            models.AdminWords,
        )


class AsyncAdminDeadLetters:
    """Events that a consumer could not handle."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        consumer: str | None = None,
        topic: str | None = None,
        q: str | None = None,
        limit: str | None = None,
    ) -> models.DeadLetterItems:
        """List dead letters.

        List what consumers could not handle, the oldest first.

        Args:
            consumer: Only what this consumer could not handle.
            topic: Only events of this topic.
            q: A part of the error, the key or the topic, whatever its case; default: all.
            limit: Items per page, 1 to 100; default 20.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/dead-letters",
                query={
                    "consumer": consumer,
                    "topic": topic,
                    "q": q,
                    "limit": limit,
                },
            ),
            models.DeadLetterItems,
        )

    async def get(
        self,
        event_id: str,
    ) -> models.DeadLetterItems:
        """Get dead letter.

        Show what one event says, and for each consumer why it was given up.

        Args:
            event_id: Id of the event.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/dead-letters/{quote(event_id, safe='')}",
            ),
            models.DeadLetterItems,
        )

    async def drop(
        self,
        *,
        reason: str,
        event_id: str | UnsetType = UNSET,
        consumer: str | UnsetType = UNSET,
        topic: str | UnsetType = UNSET,
        q: str | UnsetType = UNSET,
        is_all: bool | UnsetType = UNSET,
    ) -> models.SettledLetters:
        """Drop dead letter.

        Forget letters for good: what they ask for is never done.

        Args:
            reason: For the audit log; at most 500 characters.
            event_id: Letters of this event.
            consumer: Letters of this consumer.
            topic: Letters of events of this topic.
            q: A part of the error, the key or the topic.
            is_all: Every letter; then nothing else is named.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/dead-letters:drop",
                body=models.DropLettersBody(
                    reason=reason,
                    event_id=event_id,
                    consumer=consumer,
                    topic=topic,
                    q=q,
                    is_all=is_all,
                ),
            ),
            models.SettledLetters,
        )

    async def retry(
        self,
        *,
        event_id: str | UnsetType = UNSET,
        consumer: str | UnsetType = UNSET,
        topic: str | UnsetType = UNSET,
        q: str | UnsetType = UNSET,
        is_all: bool | UnsetType = UNSET,
    ) -> models.SettledLetters:
        """Retry dead letter.

        Deliver letters once more, with all their attempts.

        Args:
            event_id: Letters of this event.
            consumer: Letters of this consumer.
            topic: Letters of events of this topic.
            q: A part of the error, the key or the topic.
            is_all: Every letter; then nothing else is named.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/dead-letters:retry",
                body=models.RetryLettersBody(
                    event_id=event_id,
                    consumer=consumer,
                    topic=topic,
                    q=q,
                    is_all=is_all,
                ),
            ),
            models.SettledLetters,
        )


class AsyncAdminSlices:
    """Pieces of documents that a search finds."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        document_id: str,
        *,
        q: str | None = None,
        status: str | None = None,
        sequence: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminSlice]:
        """List slices.

        List slices in order; ``sequence`` gives the page of that position, from 1.

        Args:
            document_id: Id of a document.
            q: A part of the text; default: all.
            status: Only slices in this state: 0 pending, 1 indexed, 9 failed.
            sequence: Position of a slice from 1; the page that holds it is answered.
            limit: Items per page, 1 to 100; default 20.
            cursor: Page, from 1; default 1.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminSlice]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/documents/{quote(document_id, safe='')}/slices",
                    query={
                        "q": q,
                        "status": status,
                        "sequence": sequence,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminSliceList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        document_id: str,
        *,
        content: str | builtins.list[dict[str, Any]],
        sequence: int | None | UnsetType = UNSET,
    ) -> models.AdminSlice:
        """Create slice.

        Add a slice, by default behind the last; it is indexed by itself.

        Args:
            document_id: Id of a document.
            content: Text, or the cells of a row by the ids of their columns.
            sequence: Position, from 1; absent: at the end.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/documents/{quote(document_id, safe='')}/slices",
                body=models.AddSliceBody(
                    content=content,
                    sequence=sequence,
                ),
            ),
            models.AdminSlice,
        )

    async def delete(
        self,
        slice_id: str,
    ) -> None:
        """Delete slice.

        Remove a slice.

        Args:
            slice_id: Id of a slice.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/slices/{quote(slice_id, safe='')}",
            )
        )

    async def update(
        self,
        slice_id: str,
        *,
        content: str | builtins.list[dict[str, Any]] | UnsetType = UNSET,
        enabled: bool | UnsetType = UNSET,
        sequence: int | UnsetType = UNSET,
    ) -> models.AdminSlice:
        """Update slice.

        Replace what a slice says, switch it off or on, or move it.

        Until new words are indexed, the old ones find it; the rest is so at once.

        Args:
            slice_id: Id of a slice.
            content: Text; in requests also a list of parts where the schema says so.
            enabled: Whether it is switched on.
            sequence: Position, from 1; without one it comes last.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/slices/{quote(slice_id, safe='')}",
                body=models.PatchSliceBody(
                    content=content,
                    enabled=enabled,
                    sequence=sequence,
                ),
            ),
            models.AdminSlice,
        )

    async def merge(
        self,
        slice_id: str,
    ) -> models.AdminSlice:
        """Merge a slice with the next one.

        Add the next slice to this one; the next one is gone then.

        Args:
            slice_id: Id of a slice.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/slices/{quote(slice_id, safe='')}/merge",
            ),
            models.AdminSlice,
        )

    async def reset(
        self,
        slice_id: str,
    ) -> models.AdminSlice:
        """Reset a slice to what was read.

        Let a slice say again what was read from the document.

        Args:
            slice_id: Id of a slice.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/slices/{quote(slice_id, safe='')}/reset",
            ),
            models.AdminSlice,
        )

    async def split(
        self,
        slice_id: str,
        *,
        at: int,
    ) -> models.AdminSlice:
        """Split slice.

        Make two slices of one and answer the second; both are indexed by themselves.

        Args:
            slice_id: Id of a slice.
            at: Number of the character that begins the second slice, from 0.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/slices/{quote(slice_id, safe='')}/split",
                body=models.SplitBody(
                    at=at,
                ),
            ),
            models.AdminSlice,
        )


class AsyncAdminFiles:
    """Uploads of a workspace."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        file: Source,
        *,
        space_id: str | None = None,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.AdminFile:
        """Create file.

        Store the file of a multipart form.

        Args:
            space_id: Id of a workspace (space). Uploads without it go to the default workspace of the token.
        """
        with opened(file, name, on_progress) as sent:
            return await self._transport.call(
                Request(
                    method="POST",
                    path="/admin/v1/files",
                    query={
                        "space_id": space_id,
                    },
                    files={"file": sent},
                    has_key=True,
                ),
                models.AdminFile,
            )

    async def get(
        self,
        file_id: str,
    ) -> models.AdminFile:
        """Get file.

        Describe a file.

        Args:
            file_id: Id of an upload.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/files/{quote(file_id, safe='')}",
            ),
            models.AdminFile,
        )

    async def delete(
        self,
        file_id: str,
    ) -> None:
        """Delete file.

        Delete a file; links to it stop working at once.

        Args:
            file_id: Id of an upload.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/files/{quote(file_id, safe='')}",
            )
        )

    async def get_url(
        self,
        file_id: str,
        *,
        attachment: str | None = None,
    ) -> models.FileLink:
        """Get a signed URL of a file.

        Sign a fresh address; with ``attachment`` true browsers always save the file.

        Args:
            file_id: Id of an upload.
            attachment: `true`: browsers save the file; `false` (default): they show it.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/files/{quote(file_id, safe='')}/url",
                query={
                    "attachment": attachment,
                },
            ),
            models.FileLink,
        )


class AsyncAdminGrants:
    """Rights of accounts and groups on single resources."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        resource_type: str | None = None,
        resource_id: str | None = None,
    ) -> models.GrantItems:
        """List grants.

        List who was granted what on a resource; without one, what the caller was granted.

        Args:
            resource_type: What the grants are on: agent, app, database, dataset, plugin, prompt or workflow.
            resource_id: Id of what the grants are on, with `resource_type`; without both: what the caller was granted.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/grants",
                query={
                    "resource_type": resource_type,
                    "resource_id": resource_id,
                },
            ),
            models.GrantItems,
        )

    async def set(
        self,
        *,
        resource_type: models.ResourceKind,
        resource_id: str,
        subject_type: models.SubjectType,
        subject_id: str,
        level: models.GrantLevel,
    ) -> models.GrantItem:
        """Grant a right on a resource.

        Give an account or a group a right on a resource, instead of what it has there.

        Args:
            resource_id: What it is on.
            subject_id: The account or group.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path="/admin/v1/grants",
                body=models.GiveGrantBody(
                    resource_type=resource_type,
                    resource_id=resource_id,
                    subject_type=subject_type,
                    subject_id=subject_id,
                    level=level,
                ),
            ),
            models.GrantItem,
        )

    async def delete(
        self,
        grant_id: str,
    ) -> None:
        """Delete grant.

        End a right on a resource.

        Args:
            grant_id: Id of a grant.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/grants/{quote(grant_id, safe='')}",
            )
        )


class AsyncAdminGroups:
    """Groups of accounts of the deployment, and each single group."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.GroupItem]:
        """List groups.

        List groups of the deployment, newest first.

        Args:
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.GroupItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/groups",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.GroupItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        name: str,
    ) -> models.GroupItem:
        """Create group.

        Open a group of the deployment, to which every workspace may grant something.

        Args:
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/groups",
                body=models.GroupBody(
                    name=name,
                ),
            ),
            models.GroupItem,
        )

    async def get(
        self,
        group_id: str,
    ) -> models.GroupWithMembers:
        """Get group.

        Show a group with its members.

        Args:
            group_id: Id of a group.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/groups/{quote(group_id, safe='')}",
            ),
            models.GroupWithMembers,
        )

    async def delete(
        self,
        group_id: str,
    ) -> None:
        """Delete group.

        Take a group away, with everything that was granted to it.

        Args:
            group_id: Id of a group.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/groups/{quote(group_id, safe='')}",
            )
        )

    async def update(
        self,
        group_id: str,
        *,
        name: str,
    ) -> models.GroupItem:
        """Update group.

        Give a group another name.

        Args:
            group_id: Id of a group.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/groups/{quote(group_id, safe='')}",
                body=models.GroupBody(
                    name=name,
                ),
            ),
            models.GroupItem,
        )


class AsyncAdminGroupMembers:
    """Which accounts are in a group."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def add(
        self,
        group_id: str,
        user_id: str,
    ) -> None:
        """Add a member to a group.

        Add an account to a group; it need not be a member of the workspace.

        Args:
            group_id: Id of a group.
            user_id: Id of an account.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/admin/v1/groups/{quote(group_id, safe='')}/members/{quote(user_id, safe='')}",
            )
        )

    async def delete(
        self,
        group_id: str,
        user_id: str,
    ) -> None:
        """Delete group member.

        Take an account out of a group.

        Args:
            group_id: Id of a group.
            user_id: Id of an account.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/groups/{quote(group_id, safe='')}/members/{quote(user_id, safe='')}",
            )
        )


class AsyncAdminIcons:
    """Icons that come with the product."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        kind: str | None = None,
    ) -> models.IconList:
        """List icons.

        List the built-in icons, all or of one kind.

        Args:
            kind: Only icons for this kind of thing.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/icons",
                query={
                    "kind": kind,
                },
            ),
            models.IconList,
        )


class AsyncAdminInvitations:
    """Links that make whoever has them a member of a workspace."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def delete(
        self,
        invitation_id: str,
    ) -> None:
        """Delete invitation.

        Let nobody in by an invitation any more; who came by it stays.

        Args:
            invitation_id: Id of an invitation.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/invitations/{quote(invitation_id, safe='')}",
            )
        )

    async def accept(
        self,
        *,
        code: str,
    ) -> models.WorkspaceItem:
        """Accept an invitation.

        Become a member of the workspace; whoever is one already stays what they are.

        Args:
            code: What stands behind `invite=` in the link.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/invitations:accept",
                body=models.AcceptInvitationBody(
                    code=code,
                ),
            ),
            models.WorkspaceItem,
        )

    async def look_up(
        self,
        *,
        code: str,
    ) -> models.InvitationOfferItem:
        """Look up an invitation.

        Tell whoever has a link what it leads to.

        Args:
            code: What stands behind `invite=` in the link.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/invitations:lookup",
                query={
                    "code": code,
                },
            ),
            models.InvitationOfferItem,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.InvitationItems:
        """List invitations.

        List the invitations to a workspace that still let somebody in, newest first.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/invitations",
            ),
            models.InvitationItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        role: models.Role,
        max_uses: int | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
    ) -> models.InvitationCreated:
        """Create invitation.

        Make a link that lets people into a team workspace; it is shown this once.

        Args:
            workspace_id: Id of a workspace.
            max_uses: How many people come in by it, 1 to 1000; null: any number.
            expires_at: Until when, in Unix seconds, within 90 days; null: for a week.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/invitations",
                body=models.CreateInvitationBody(
                    role=role,
                    max_uses=max_uses,
                    expires_at=expires_at,
                ),
            ),
            models.InvitationCreated,
        )


class AsyncAdminLive:
    """What changes while people work side by side."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def follow(
        self,
        *,
        after: str | None = None,
        past_ms: str | None = None,
        for_s: str | None = None,
    ) -> AsyncEvents[models.LiveEvent | UnknownEvent]:
        """Follow what changes, and who else is there.

        Follow what changes in all workspaces of the caller, and who else has open the same.

        One channel serves all windows of a browser; a session has two at most. What is known comes
        at once, then each change. After a break say the ``at_ms`` of the last event that came, or
        at first how long ago you began to read what you show: what was missed follows, for up to 15
        minutes. ``reset`` says that earlier changes are not told, so read anew. It ends after an
        hour, or after ``for_s`` seconds.

        Args:
            after: `at_ms` of the last event that came before a break; what was missed comes first.
            past_ms: Where no event came yet: milliseconds since you began to read what you show, at most a year.
            for_s: Seconds after which the stream ends, 0 to 3600; default 3600. 0: what is known now.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="GET",
                path="/admin/v1/live",
                query={
                    "after": after,
                    "past_ms": past_ms,
                    "for_s": for_s,
                },
            ),
            models.LiveEvent,
        )


class AsyncAdminModelProviders:
    """Providers whose models can be entered."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
    ) -> models.ProviderPage:
        """List model providers.

        List the kinds of providers.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/model-providers",
            ),
            models.ProviderPage,
        )


class AsyncAdminModels:
    """Models of the deployment."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        type: str | None = None,
        q: str | None = None,
        order: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.ModelView]:
        """List models.

        List models by name; disabled ones and settings only for administrators.

        Args:
            type: Only models of this kind: llm, embedding or rerank.
            q: A part of the name or id; default: all.
            order: By name: `asc` (default) or `desc`.
            limit: Models per page, from 1; default 50.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.ModelView]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/models",
                    query={
                        "type": type,
                        "q": q,
                        "order": order,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.ModelPage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        type: Literal["llm", "embedding", "rerank"] | None | UnsetType = UNSET,
        provider: str | None | UnsetType = UNSET,
        display: models.DisplayInput | None | UnsetType = UNSET,
        connection: models.ConnectionInput | None | UnsetType = UNSET,
        aliases: builtins.list[str] | None | UnsetType = UNSET,
        fallbacks: builtins.list[str] | None | UnsetType = UNSET,
        concurrency: int | None | UnsetType = UNSET,
        groups: builtins.list[str] | None | UnsetType = UNSET,
        enabled: bool | None | UnsetType = UNSET,
        is_default: bool | None | UnsetType = UNSET,
        is_vision_default: bool | None | UnsetType = UNSET,
        capabilities: dict[str, Any] | None | UnsetType = UNSET,
        parameter_mapping: dict[str, Any] | None | UnsetType = UNSET,
        timeouts: dict[str, Any] | None | UnsetType = UNSET,
        reasoning: dict[str, Any] | None | UnsetType = UNSET,
        embedding: dict[str, Any] | None | UnsetType = UNSET,
        rerank: dict[str, Any] | None | UnsetType = UNSET,
        prices: dict[str, Any] | None | UnsetType = UNSET,
    ) -> models.ModelView:
        """Create model.

        Add a model; ``display.name`` and, but for built-in ones, ``connection.base_url``.

        Args:
            type: llm, embedding or rerank; cannot be changed.
            provider: Kind of the provider; see the list of model providers.
            display: How the model shows itself.
            connection: Where and how the model is reached.
            aliases: Further names under which clients ask for the model.
            fallbacks: Models that are asked when this one fails, in order.
            concurrency: Calls at the same time, at most; 0 or null for the default.
            groups: Ids of the groups whose members may use it; none opens it to everybody.
            enabled: Whether it is switched on.
            is_default: Whether it is the default model of its kind.
            is_vision_default: Whether it is the model that describes images.
            capabilities: What the model can do.
            parameter_mapping: How parameters become fields of requests to the provider.
            timeouts: How long calls may take.
            reasoning: How the model is told how much to think.
            embedding: Settings of an embedding model.
            rerank: Settings of a reranking model.
            prices: What the model costs.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/models",
                body=models.ModelInput(
                    type=type,
                    provider=provider,
                    display=display,
                    connection=connection,
                    aliases=aliases,
                    fallbacks=fallbacks,
                    concurrency=concurrency,
                    groups=groups,
                    enabled=enabled,
                    is_default=is_default,
                    is_vision_default=is_vision_default,
                    capabilities=capabilities,
                    parameter_mapping=parameter_mapping,
                    timeouts=timeouts,
                    reasoning=reasoning,
                    embedding=embedding,
                    rerank=rerank,
                    prices=prices,
                ),
            ),
            models.ModelView,
        )

    async def get(
        self,
        model_id: str,
    ) -> models.ModelView:
        """Get model.

        Show a model by id, name or alias.

        Args:
            model_id: Id, name or alias of a model.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/models/{quote(model_id, safe='')}",
            ),
            models.ModelView,
        )

    async def delete(
        self,
        model_id: str,
        *,
        if_match: str | None = None,
    ) -> None:
        """Delete model.

        Remove a stored model.

        Args:
            model_id: Id, name or alias of a model.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/models/{quote(model_id, safe='')}",
                headers={"If-Match": if_match} if if_match else {},
            )
        )

    async def update(
        self,
        model_id: str,
        *,
        type: Literal["llm", "embedding", "rerank"] | None | UnsetType = UNSET,
        provider: str | None | UnsetType = UNSET,
        display: models.DisplayInput | None | UnsetType = UNSET,
        connection: models.ConnectionInput | None | UnsetType = UNSET,
        aliases: builtins.list[str] | None | UnsetType = UNSET,
        fallbacks: builtins.list[str] | None | UnsetType = UNSET,
        concurrency: int | None | UnsetType = UNSET,
        groups: builtins.list[str] | None | UnsetType = UNSET,
        enabled: bool | None | UnsetType = UNSET,
        is_default: bool | None | UnsetType = UNSET,
        is_vision_default: bool | None | UnsetType = UNSET,
        capabilities: dict[str, Any] | None | UnsetType = UNSET,
        parameter_mapping: dict[str, Any] | None | UnsetType = UNSET,
        timeouts: dict[str, Any] | None | UnsetType = UNSET,
        reasoning: dict[str, Any] | None | UnsetType = UNSET,
        embedding: dict[str, Any] | None | UnsetType = UNSET,
        rerank: dict[str, Any] | None | UnsetType = UNSET,
        prices: dict[str, Any] | None | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.ModelView:
        """Update model.

        Change a stored model by a JSON merge patch.

        Args:
            model_id: Id, name or alias of a model.
            type: llm, embedding or rerank; cannot be changed.
            provider: Kind of the provider; see the list of model providers.
            display: How the model shows itself.
            connection: Where and how the model is reached.
            aliases: Further names under which clients ask for the model.
            fallbacks: Models that are asked when this one fails, in order.
            concurrency: Calls at the same time, at most; 0 or null for the default.
            groups: Ids of the groups whose members may use it; none opens it to everybody.
            enabled: Whether it is switched on.
            is_default: Whether it is the default model of its kind.
            is_vision_default: Whether it is the model that describes images.
            capabilities: What the model can do.
            parameter_mapping: How parameters become fields of requests to the provider.
            timeouts: How long calls may take.
            reasoning: How the model is told how much to think.
            embedding: Settings of an embedding model.
            rerank: Settings of a reranking model.
            prices: What the model costs.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/models/{quote(model_id, safe='')}",
                body=models.ModelInput(
                    type=type,
                    provider=provider,
                    display=display,
                    connection=connection,
                    aliases=aliases,
                    fallbacks=fallbacks,
                    concurrency=concurrency,
                    groups=groups,
                    enabled=enabled,
                    is_default=is_default,
                    is_vision_default=is_vision_default,
                    capabilities=capabilities,
                    parameter_mapping=parameter_mapping,
                    timeouts=timeouts,
                    reasoning=reasoning,
                    embedding=embedding,
                    rerank=rerank,
                    prices=prices,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.ModelView,
        )

    async def count_tokens(
        self,
        model_id: str,
        *,
        texts: builtins.list[str],
    ) -> models.CountedTexts:
        """Count model tokens.

        Estimate how many tokens texts are for a model.

        Args:
            model_id: Id, name or alias of a model.
            texts: At most 2,048.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/models/{quote(model_id, safe='')}/count-tokens",
                body=models.TextsBody(
                    texts=texts,
                ),
            ),
            models.CountedTexts,
        )

    async def test(
        self,
        model_id: str,
    ) -> models.ModelReport:
        """Test model.

        Call a model for everything it claims to do; failures are in the report.

        Args:
            model_id: Id, name or alias of a model.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/models/{quote(model_id, safe='')}/test",
            ),
            models.ModelReport,
        )

    def try_out(
        self,
        model_id: str,
        *,
        messages: builtins.list[models.TrialMessage],
        parameters: models.TrialParameters | None | UnsetType = UNSET,
        workspace_id: str | None | UnsetType = UNSET,
    ) -> AsyncEvents[models.TrialEvent | UnknownEvent]:
        """Try model out.

        Ask a model without an agent, and stream what it says; counted as a trial.

        Args:
            model_id: Id, name or alias of a model.
            messages: Messages, oldest first.
            parameters: Values of parameters, by name.
            workspace_id: Id of the workspace.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="POST",
                path=f"/admin/v1/models/{quote(model_id, safe='')}/try",
                body=models.TrialBody(
                    messages=messages,
                    parameters=parameters,
                    workspace_id=workspace_id,
                ),
            ),
            models.TrialEvent,
        )

    def check(
        self,
        *,
        model_id: str | None | UnsetType = UNSET,
        changes: models.ModelInput | None | UnsetType = UNSET,
        detects: bool | UnsetType = UNSET,
    ) -> AsyncEvents[models.ModelTestEvent | UnknownEvent]:
        """Check model.

        Test settings before they are stored, or a model as it is, and stream each check.

        Args:
            model_id: The model, by id, name or alias; absent for a new one.
            changes: Settings that are not stored.
            detects: Try what is not claimed, too.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="POST",
                path="/admin/v1/models:check",
                body=models.ModelTestInput(
                    model_id=model_id,
                    changes=changes,
                    detects=detects,
                ),
            ),
            models.ModelTestEvent,
        )

    async def get_figures(
        self,
    ) -> models.ModelFiguresPage:
        """Get model figures.

        Show how the models did in the last 24 hours, over all workspaces.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/models:figures",
            ),
            models.ModelFiguresPage,
        )


class AsyncAdminPrices:
    """Prices of models, which are kept for ever."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        model_id: str,
    ) -> models.PricePage:
        """List prices.

        List the prices that a model has and had, newest first.

        Args:
            model_id: Id, name or alias of a model.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/models/{quote(model_id, safe='')}/prices",
            ),
            models.PricePage,
        )

    async def create(
        self,
        model_id: str,
        *,
        unit: int | UnsetType = UNSET,
        tiers: builtins.list[models.PriceTier] | UnsetType = UNSET,
        money: builtins.list[models.PriceTier] | UnsetType = UNSET,
    ) -> models.PriceView:
        """Create price.

        Set the prices of a stored model from now on; calls of before keep what they cost.

        Args:
            model_id: Id, name or alias of a model.
            unit: Tokens that one price buys.
            tiers: Prices in points.
            money: Prices in the currency of the deployment.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/models/{quote(model_id, safe='')}/prices",
                body=models.PriceTable(
                    unit=unit,
                    tiers=tiers,
                    money=money,
                ),
            ),
            models.PriceView,
        )


class AsyncAdminOauthApps:
    """Applications of workspaces, to which people grant access."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list_all(
        self,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.OAuthAppOverviewItem]:
        """List OAuth app all.

        List the applications of all workspaces of the deployment, newest first.

        Args:
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.OAuthAppOverviewItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/oauth-apps",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.OAuthAppOverviews,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def get(
        self,
        app_id: str,
    ) -> models.OAuthAppItem:
        """Get OAuth app.

        Show an application without its secret.

        Args:
            app_id: Id of an app.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/oauth-apps/{quote(app_id, safe='')}",
            ),
            models.OAuthAppItem,
        )

    async def delete(
        self,
        app_id: str,
    ) -> None:
        """Delete OAuth app.

        Remove an application with all that it was granted, here or as administrator of all.

        Args:
            app_id: Id of an app.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/oauth-apps/{quote(app_id, safe='')}",
            )
        )

    async def update(
        self,
        app_id: str,
        *,
        name: str | UnsetType = UNSET,
        permissions: builtins.list[models.Permission] | UnsetType = UNSET,
        redirect_uris: builtins.list[str] | UnsetType = UNSET,
        allows_plain: bool | UnsetType = UNSET,
        public_key: str | UnsetType = UNSET,
        key_id: str | None | UnsetType = UNSET,
        disabled: bool | UnsetType = UNSET,
    ) -> models.OAuthAppItem:
        """Update OAuth app.

        Change an application; what it was granted is cut to what it may have now.

        Administrators of the deployment disable it, and need no role in its workspace for that.

        Args:
            app_id: Id of an app.
            name: Name that people read.
            permissions: What it may get at most; `admin` is never granted.
            redirect_uris: Where browsers may go back to, letter by letter; for `web` and `pkce`.
            allows_plain: Whether the application may send its verifier in the open (`plain`); for `pkce`.
            public_key: Public key of RSA in PEM, 2048 bits at least; for `jwt`. The former is useless at once.
            key_id: What the application calls its key (`kid`); null: the key's thumbprint.
            disabled: `true` ends what it was granted and lets it in no more; only administrators of the deployment, members or not.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/oauth-apps/{quote(app_id, safe='')}",
                body=models.ChangeOAuthAppBody(
                    name=name,
                    permissions=permissions,
                    redirect_uris=redirect_uris,
                    allows_plain=allows_plain,
                    public_key=public_key,
                    key_id=key_id,
                    disabled=disabled,
                ),
            ),
            models.OAuthAppItem,
        )

    async def reset_secret(
        self,
        app_id: str,
    ) -> models.OAuthAppCreated:
        """Reset OAuth app secret.

        Draw another secret, shown this once; the former is useless at once.

        Args:
            app_id: Id of an app.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/oauth-apps/{quote(app_id, safe='')}/secret",
            ),
            models.OAuthAppCreated,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.OAuthAppItems:
        """List OAuth apps.

        List the applications of a workspace, newest first.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/oauth-apps",
            ),
            models.OAuthAppItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        type: models.ClientType,
        permissions: builtins.list[models.Permission],
        redirect_uris: builtins.list[str] | None | UnsetType = UNSET,
        allows_plain: bool | UnsetType = UNSET,
        public_key: str | None | UnsetType = UNSET,
        key_id: str | None | UnsetType = UNSET,
    ) -> models.OAuthAppCreated:
        """Create OAuth app.

        Register an application; its secret is shown this once.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            permissions: What it may get at most; `admin` is never granted.
            redirect_uris: Where browsers may go back to, letter by letter; for `web` and `pkce`.
            allows_plain: Whether the application may send its verifier in the open (`plain`); for `pkce`.
            public_key: Public key of RSA in PEM, 2048 bits at least; for `jwt`.
            key_id: What the application calls its key (`kid`); absent: the key's thumbprint.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/oauth-apps",
                body=models.CreateOAuthAppBody(
                    name=name,
                    type=type,
                    permissions=permissions,
                    redirect_uris=redirect_uris,
                    allows_plain=allows_plain,
                    public_key=public_key,
                    key_id=key_id,
                ),
            ),
            models.OAuthAppCreated,
        )


class AsyncAdminOauthGrants:
    """What the account granted applications."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
    ) -> models.OAuthGrantItems:
        """List OAuth grants.

        List what one granted applications, newest first.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/oauth-grants",
            ),
            models.OAuthGrantItems,
        )

    async def delete(
        self,
        grant_id: str,
    ) -> None:
        """Delete OAuth grant.

        Take back what one granted; its tokens are useless at once.

        Args:
            grant_id: Id of a grant.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/oauth-grants/{quote(grant_id, safe='')}",
            )
        )


class AsyncAdminOauthRequests:
    """What applications ask the person at the browser for."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        request_id: str,
    ) -> models.OAuthRequestItem:
        """Get OAuth request.

        Show what an application asks for.

        Args:
            request_id: Name of a request of an application, or the code of a device.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/oauth-requests/{quote(request_id, safe='')}",
            ),
            models.OAuthRequestItem,
        )

    async def answer(
        self,
        request_id: str,
        *,
        decision: Literal["approve", "deny"],
        workspace_id: str | None | UnsetType = UNSET,
    ) -> models.OAuthRequestAnswered:
        """Answer an OAuth request.

        Let an application act for oneself in a workspace, or refuse.

        Args:
            request_id: Name of a request of an application, or the code of a device.
            decision: `approve` or `deny`.
            workspace_id: Where the application may act; needed to approve.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/oauth-requests/{quote(request_id, safe='')}",
                body=models.AnswerOAuthRequestBody(
                    decision=decision,
                    workspace_id=workspace_id,
                ),
            ),
            models.OAuthRequestAnswered,
        )

    async def find_by_user_code(
        self,
        *,
        user_code: str,
    ) -> models.OAuthRequestItem:
        """Find the request of a device by its code.

        Find what a device asks for, by the code that it shows.

        Args:
            user_code: Code that the device shows.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/oauth-requests:device",
                body=models.FindOAuthRequestBody(
                    user_code=user_code,
                ),
            ),
            models.OAuthRequestItem,
        )


class AsyncAdminOidcProviders:
    """By whom people sign in, besides passwords."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
    ) -> models.OidcProviderItems:
        """List OpenID providers.

        List all providers, those of the configuration file first.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/oidc-providers",
            ),
            models.OidcProviderItems,
        )

    async def create(
        self,
        *,
        name: str,
        issuer: str,
        client_id: str,
        client_secret: str | None | UnsetType = UNSET,
        scopes: builtins.list[str] | None | UnsetType = UNSET,
        groups_claim: str | UnsetType = UNSET,
        trust_email: bool | UnsetType = UNSET,
        create_accounts: bool | UnsetType = UNSET,
        roles: builtins.list[models.GroupRoleBody] | None | UnsetType = UNSET,
    ) -> models.OidcProviderItem:
        """Create OpenID provider.

        Let people sign in by another provider.

        Args:
            name: What its button says.
            issuer: Address that the provider calls itself, to the letter.
            client_id: What the provider calls this deployment.
            client_secret: Secret of the client; absent for one without.
            scopes: What is asked for; absent: `openid`, `profile`, `email`.
            groups_claim: Claim that names a person's groups, or the way to it with dots; empty: none does.
            trust_email: Whether an address that the provider has verified leads to the account of that address.
            create_accounts: Whether whoever the provider knows gets an account.
            roles: What groups are in workspaces, at each sign-in.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/oidc-providers",
                body=models.CreateOidcProviderBody(
                    name=name,
                    issuer=issuer,
                    client_id=client_id,
                    client_secret=client_secret,
                    scopes=scopes,
                    groups_claim=groups_claim,
                    trust_email=trust_email,
                    create_accounts=create_accounts,
                    roles=roles,
                ),
            ),
            models.OidcProviderItem,
        )

    async def get(
        self,
        provider_id: str,
    ) -> models.OidcProviderItem:
        """Get OpenID provider.

        Show a provider without its secret.

        Args:
            provider_id: Id of a provider by which people sign in.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/oidc-providers/{quote(provider_id, safe='')}",
            ),
            models.OidcProviderItem,
        )

    async def delete(
        self,
        provider_id: str,
    ) -> None:
        """Delete OpenID provider.

        Let nobody sign in by a provider any more; sessions and roles stay as they are.

        Args:
            provider_id: Id of a provider by which people sign in.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/oidc-providers/{quote(provider_id, safe='')}",
            )
        )

    async def update(
        self,
        provider_id: str,
        *,
        name: str | UnsetType = UNSET,
        issuer: str | UnsetType = UNSET,
        client_id: str | UnsetType = UNSET,
        client_secret: str | None | UnsetType = UNSET,
        scopes: builtins.list[str] | UnsetType = UNSET,
        groups_claim: str | UnsetType = UNSET,
        trust_email: bool | UnsetType = UNSET,
        create_accounts: bool | UnsetType = UNSET,
        roles: builtins.list[models.GroupRoleBody] | UnsetType = UNSET,
    ) -> models.OidcProviderItem:
        """Update OpenID provider.

        Change a provider; roles change at the next sign-in of each person.

        Args:
            provider_id: Id of a provider by which people sign in.
            name: What its button says.
            issuer: Address that the provider calls itself, to the letter; another one needs `client_secret`.
            client_id: What the provider calls this deployment.
            client_secret: Secret of the client; null: it has none.
            scopes: What is asked for.
            groups_claim: Claim that names a person's groups, or the way to it with dots; empty: none does.
            trust_email: Whether an address that the provider has verified leads to the account of that address.
            create_accounts: Whether whoever the provider knows gets an account.
            roles: What groups are in workspaces, at each sign-in.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/oidc-providers/{quote(provider_id, safe='')}",
                body=models.ChangeOidcProviderBody(
                    name=name,
                    issuer=issuer,
                    client_id=client_id,
                    client_secret=client_secret,
                    scopes=scopes,
                    groups_claim=groups_claim,
                    trust_email=trust_email,
                    create_accounts=create_accounts,
                    roles=roles,
                ),
            ),
            models.OidcProviderItem,
        )

    async def test(
        self,
        provider_id: str,
    ) -> models.OidcTrialItem:
        """Test OpenID provider.

        Ask a provider what it publishes of itself, and say what is wrong with that.

        Args:
            provider_id: Id of a provider by which people sign in.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/oidc-providers/{quote(provider_id, safe='')}/try",
            ),
            models.OidcTrialItem,
        )


class AsyncAdminOperations:
    """What the deployment does, for its administrators."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def examine(
        self,
    ) -> models.ExaminationAnswer:
        """Examine.

        Examine the deployment as `coterie doctor` does; nothing is changed.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/operations/doctor",
            ),
            models.ExaminationAnswer,
        )

    async def get_health(
        self,
    ) -> models.HealthAnswer:
        """Get health.

        Tell how each part works that the answering process needs, since when, and why not.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/health",
            ),
            models.HealthAnswer,
        )

    async def list_logs(
        self,
        *,
        level: str | None = None,
        q: str | None = None,
        limit: str | None = None,
    ) -> models.LogItems:
        """List logs.

        Search the last 1,000 warnings and errors of all processes, by log id for instance.

        Args:
            level: Only lines of this level: warning, error or critical.
            q: A part of the message, of the logger or of a field, or a log id; default: all.
            limit: Lines, 1 to 1000; default 200.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/logs",
                query={
                    "level": level,
                    "q": q,
                    "limit": limit,
                },
            ),
            models.LogItems,
        )

    async def get_metrics(
        self,
        *,
        names: str | None = None,
        since: str | None = None,
        step: str | None = None,
    ) -> models.Figures:
        """Get metrics.

        Draw figures of all processes together, over up to the last 24 hours.

        Args:
            names: Names of figures, separated by commas; default: all.
            since: Begin, in Unix seconds, at most a day ago; default: an hour ago.
            step: Least seconds between two points; default: as few as are kept of the time.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/metrics",
                query={
                    "names": names,
                    "since": since,
                    "step": step,
                },
            ),
            models.Figures,
        )

    async def list_processes(
        self,
    ) -> models.ProcessItems:
        """List processes.

        List the processes of all machines that told of themselves in the last 15 minutes.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/processes",
            ),
            models.ProcessItems,
        )

    async def list_queues(
        self,
    ) -> models.QueueItems:
        """List queues.

        Tell of each queue how much waits, since when, and who works on it.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/queues",
            ),
            models.QueueItems,
        )

    async def list_settings(
        self,
    ) -> models.SettingList:
        """List settings.

        List the configuration in effect and where each value comes from, without secrets.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/operations/settings",
            ),
            models.SettingList,
        )


class AsyncAdminPlugins:
    """Tools of HTTP services and MCP servers."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        plugin_id: str,
    ) -> models.PluginView:
        """Get plugin.

        Show a plugin.

        Args:
            plugin_id: Id of a plugin.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}",
            ),
            models.PluginView,
        )

    async def delete(
        self,
        plugin_id: str,
    ) -> None:
        """Delete plugin.

        Remove a plugin with its credentials and grants.

        Args:
            plugin_id: Id of a plugin.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}",
            )
        )

    async def update(
        self,
        plugin_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        server_url: str | UnsetType = UNSET,
        mcp: models.McpForm | UnsetType = UNSET,
        common_params: models.CommonValues | None | UnsetType = UNSET,
        sends_identity: bool | UnsetType = UNSET,
        groups: builtins.list[str] | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.PluginView:
        """Update plugin.

        Change a draft; another server takes the credentials away.

        Args:
            plugin_id: Id of a plugin.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            server_url: Address (http, https) of the service.
            common_params: Constants that every call sends.
            sends_identity: Whether calls say which account and agent they come from.
            groups: Ids of the groups whose members may use the tools; none opens them to everybody.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}",
                body=models.UpdatePlugin(
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    server_url=server_url,
                    mcp=mcp,
                    common_params=common_params,
                    sends_identity=sends_identity,
                    groups=groups,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.PluginView,
        )

    async def set_auth(
        self,
        plugin_id: str,
        *,
        type: models.AuthType,
        location: models.Location | UnsetType = UNSET,
        key: str | UnsetType = UNSET,
        token: str | UnsetType = UNSET,
        client_id: str | UnsetType = UNSET,
        client_secret: str | UnsetType = UNSET,
        client_url: str | UnsetType = UNSET,
        authorization_url: str | UnsetType = UNSET,
        authorization_content_type: str | UnsetType = UNSET,
        scope: str | UnsetType = UNSET,
        shared: bool | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.PluginView:
        """Set how a plugin authenticates.

        Set how calls prove who they are; secrets are written, never read.

        Args:
            plugin_id: Id of a plugin.
            key: Name of the parameter or header that carries the secret.
            token: The secret; write-only.
            client_id: Client id at the service.
            client_secret: Client secret at the service; write-only.
            client_url: Address (https) where users give access.
            authorization_url: Address (https) where tokens are asked for.
            authorization_content_type: Media type of requests for tokens.
            scope: Scopes that are asked for, separated by blanks.
            shared: Whether all members use one grant instead of one each.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/auth",
                body=models.SetAuth(
                    type=type,
                    location=location,
                    key=key,
                    token=token,
                    client_id=client_id,
                    client_secret=client_secret,
                    client_url=client_url,
                    authorization_url=authorization_url,
                    authorization_content_type=authorization_content_type,
                    scope=scope,
                    shared=shared,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.PluginView,
        )

    async def list_changes(
        self,
        plugin_id: str,
    ) -> models.ChangeList:
        """List plugin changes.

        List the tools that publishing would add, change or remove.

        Args:
            plugin_id: Id of a plugin.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/changes",
            ),
            models.ChangeList,
        )

    async def get_grant(
        self,
        plugin_id: str,
        *,
        end_user_id: str | None = None,
    ) -> models.GrantView:
        """Get plugin grant.

        Tell whether a user gave access, else where to do so.

        Args:
            plugin_id: Id of a plugin.
            end_user_id: Id of an end user, as the caller names it.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/oauth",
                query={
                    "end_user_id": end_user_id,
                },
            ),
            models.GrantView,
        )

    async def revoke_grant(
        self,
        plugin_id: str,
        *,
        end_user_id: str | None = None,
    ) -> None:
        """Revoke plugin grant.

        Forget the tokens of a user.

        Args:
            plugin_id: Id of a plugin.
            end_user_id: Id of an end user, as the caller names it.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/oauth",
                query={
                    "end_user_id": end_user_id,
                },
            )
        )

    async def publish(
        self,
        plugin_id: str,
        *,
        version_name: str | UnsetType = UNSET,
        version_desc: str | UnsetType = UNSET,
        force: bool | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.PluginVersionView:
        """Publish plugin.

        Freeze the draft as a version.

        Args:
            plugin_id: Id of a plugin.
            version_name: Name of the version; empty: the next number.
            version_desc: What is new in the version.
            force: Publish without a debug call that worked. Default false.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/publish",
                body=models.PublishPluginBody(
                    version_name=version_name,
                    version_desc=version_desc,
                    force=force,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.PluginVersionView,
        )

    async def list_versions(
        self,
        plugin_id: str,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.PluginVersionView]:
        """List plugin versions.

        List versions, newest first.

        Args:
            plugin_id: Id of a plugin.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.PluginVersionView]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/versions",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.PluginVersionPage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def list_programs(
        self,
        workspace_id: str,
    ) -> models.ProgramList:
        """List plugin programs.

        List the operator's MCP servers that a workspace may use.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugin-programs",
            ),
            models.ProgramList,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        q: str | None = None,
        app_id: str | None = None,
        published: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.PluginView]:
        """List plugins.

        List plugins, newest first; ``q`` is a part of the name.

        Args:
            workspace_id: Id of a workspace.
            q: A part of the name; default: all.
            app_id: Only plugins of this app; default: those of the library.
            published: `true`: only what is published; `false`: only what is not; default: both.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.PluginView]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugins",
                    query={
                        "q": q,
                        "app_id": app_id,
                        "published": published,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.PluginPage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        description: str | UnsetType = UNSET,
        type: models.PluginKind | UnsetType = UNSET,
        server_url: str | UnsetType = UNSET,
        mcp: models.McpForm | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
        common_params: models.CommonValues | UnsetType = UNSET,
        tools: builtins.list[models.ToolForm] | UnsetType = UNSET,
    ) -> models.PluginView:
        """Create plugin.

        Make a plugin, empty or with tools that were reviewed.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            description: What it is for; models and people read it.
            server_url: Address (http, https) of the service.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
            tools: Tools that may be called.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugins",
                body=models.CreatePlugin(
                    name=name,
                    description=description,
                    type=type,
                    server_url=server_url,
                    mcp=mcp,
                    icon_file_id=icon_file_id,
                    app_id=app_id,
                    common_params=common_params,
                    tools=tools,
                ),
            ),
            models.PluginView,
        )

    async def import_definition(
        self,
        workspace_id: str,
        *,
        openapi: str | dict[str, Any] | None | UnsetType = UNSET,
        data: str | dict[str, Any] | None | UnsetType = UNSET,
        format: Literal["openapi", "swagger2", "postman", "curl"] | UnsetType = UNSET,
        manifest: models.ImportManifest | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
    ) -> models.ImportReport:
        """Import a plugin.

        Make a plugin of an OpenAPI, Swagger 2 or Postman document, or of a curl command.

        Args:
            workspace_id: Id of a workspace.
            openapi: The description, as text or object.
            data: The description, as text.
            format: Format of the description.
            icon_file_id: Id of the upload with the icon; empty or null for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugins:import",
                body=models.ImportPlugin(
                    openapi=openapi,
                    data=data,
                    format=format,
                    manifest=manifest,
                    icon_file_id=icon_file_id,
                ),
            ),
            models.ImportReport,
        )

    async def review(
        self,
        workspace_id: str,
        *,
        openapi: str | dict[str, Any] | None | UnsetType = UNSET,
        data: str | dict[str, Any] | None | UnsetType = UNSET,
        format: Literal["openapi", "swagger2", "postman", "curl"] | UnsetType = UNSET,
        manifest: models.ImportManifest | UnsetType = UNSET,
        url: str | UnsetType = UNSET,
    ) -> models.PluginReview:
        """Review plugin.

        Show what a document would become; nothing is stored.

        Args:
            workspace_id: Id of a workspace.
            openapi: The description, as text or object.
            data: Items of the page or answer.
            format: Form of the text.
            url: Address; of files signed for an hour.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugins:review",
                body=models.ReviewPlugin(
                    openapi=openapi,
                    data=data,
                    format=format,
                    manifest=manifest,
                    url=url,
                ),
            ),
            models.PluginReview,
        )


class AsyncAdminServerTools:
    """Tools that an MCP server offers, and whether they changed."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def accept(
        self,
        plugin_id: str,
        *,
        digest: str,
        names: builtins.list[str] | None | UnsetType = UNSET,
    ) -> models.AcceptReport:
        """Accept server tools.

        Take the tools of an inspected list into the draft.

        Args:
            plugin_id: Id of a plugin.
            digest: Name of exactly this list of tools.
            names: Tools to take; null: all.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/server-tools:accept",
                body=models.AcceptTools(
                    digest=digest,
                    names=names,
                ),
            ),
            models.AcceptReport,
        )

    async def inspect(
        self,
        plugin_id: str,
    ) -> models.ServerToolList:
        """Inspect server tools.

        Ask the server for its tools, and compare them with the accepted ones.

        Args:
            plugin_id: Id of a plugin.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/server-tools:inspect",
            ),
            models.ServerToolList,
        )


class AsyncAdminPluginTools:
    """Single tools of plugins."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        plugin_id: str,
    ) -> models.ToolPage:
        """List plugin tools.

        List all tools.

        Args:
            plugin_id: Id of a plugin.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools",
            ),
            models.ToolPage,
        )

    async def create(
        self,
        plugin_id: str,
        *,
        name: str,
        description: str | UnsetType = UNSET,
        method: str | UnsetType = UNSET,
        path: str | UnsetType = UNSET,
        parameters: builtins.list[models.ParameterForm] | UnsetType = UNSET,
        responses: builtins.list[models.ParameterForm] | UnsetType = UNSET,
        response_kind: models.ResponseKind | UnsetType = UNSET,
        response_policy: models.ResponsePolicy | UnsetType = UNSET,
        body_media: models.BodyMedia | UnsetType = UNSET,
        body_is_whole: bool | UnsetType = UNSET,
        disabled: bool | UnsetType = UNSET,
        effect: models.Effect | UnsetType = UNSET,
        needs_approval: bool | UnsetType = UNSET,
        returns_directly: bool | UnsetType = UNSET,
        workflow_id: str | UnsetType = UNSET,
        example: Any | UnsetType = UNSET,
    ) -> models.ToolView:
        """Create plugin tool.

        Add a tool.

        Args:
            plugin_id: Id of a plugin.
            name: Name that people read.
            description: What it is for; models and people read it.
            method: Method of HTTP. Default GET.
            path: Path below the address of the plugin, with parameters in braces. Default `/`.
            parameters: Parameters of the tool.
            responses: Properties of the answer.
            body_is_whole: The argument ``body`` is the body itself.
            disabled: Whether it is switched off.
            needs_approval: Whether a person must agree to every call.
            returns_directly: Whether the result is the answer, without another call of the model.
            workflow_id: Id of the workflow.
            example: A call that worked, as the service described it.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools",
                body=models.ToolForm(
                    name=name,
                    description=description,
                    method=method,
                    path=path,
                    parameters=parameters,
                    responses=responses,
                    response_kind=response_kind,
                    response_policy=response_policy,
                    body_media=body_media,
                    body_is_whole=body_is_whole,
                    disabled=disabled,
                    effect=effect,
                    needs_approval=needs_approval,
                    returns_directly=returns_directly,
                    workflow_id=workflow_id,
                    example=example,
                ),
            ),
            models.ToolView,
        )

    async def get(
        self,
        plugin_id: str,
        tool_id: str,
    ) -> models.ToolView:
        """Get plugin tool.

        Show a tool.

        Args:
            plugin_id: Id of a plugin.
            tool_id: Id of a tool of the plugin.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools/{quote(tool_id, safe='')}",
            ),
            models.ToolView,
        )

    async def delete(
        self,
        plugin_id: str,
        tool_id: str,
    ) -> None:
        """Delete plugin tool.

        Remove a tool from the draft.

        Args:
            plugin_id: Id of a plugin.
            tool_id: Id of a tool of the plugin.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools/{quote(tool_id, safe='')}",
            )
        )

    async def update(
        self,
        plugin_id: str,
        tool_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        method: str | UnsetType = UNSET,
        path: str | UnsetType = UNSET,
        parameters: builtins.list[models.ParameterForm] | UnsetType = UNSET,
        responses: builtins.list[models.ParameterForm] | UnsetType = UNSET,
        response_kind: models.ResponseKind | UnsetType = UNSET,
        response_policy: models.ResponsePolicy | UnsetType = UNSET,
        body_media: models.BodyMedia | UnsetType = UNSET,
        body_is_whole: bool | UnsetType = UNSET,
        disabled: bool | UnsetType = UNSET,
        effect: models.Effect | UnsetType = UNSET,
        needs_approval: bool | UnsetType = UNSET,
        returns_directly: bool | UnsetType = UNSET,
        workflow_id: str | UnsetType = UNSET,
        example: Any | UnsetType = UNSET,
    ) -> models.ToolView:
        """Update plugin tool.

        Change a tool; it wants a debug call before it is published again.

        Args:
            plugin_id: Id of a plugin.
            tool_id: Id of a tool of the plugin.
            name: Name that people read.
            description: What it is for; models and people read it.
            method: Method of HTTP, for instance GET.
            path: Path below the address of the plugin, with parameters in braces.
            parameters: Parameters of the tool.
            responses: Properties of the answer.
            body_is_whole: The argument ``body`` is the body itself.
            disabled: Whether it is switched off.
            needs_approval: Whether a person must agree to every call.
            returns_directly: Whether the result is the answer, without another call of the model.
            workflow_id: Id of the workflow.
            example: A call that worked, as the service described it.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools/{quote(tool_id, safe='')}",
                body=models.ToolPatch(
                    name=name,
                    description=description,
                    method=method,
                    path=path,
                    parameters=parameters,
                    responses=responses,
                    response_kind=response_kind,
                    response_policy=response_policy,
                    body_media=body_media,
                    body_is_whole=body_is_whole,
                    disabled=disabled,
                    effect=effect,
                    needs_approval=needs_approval,
                    returns_directly=returns_directly,
                    workflow_id=workflow_id,
                    example=example,
                ),
            ),
            models.ToolView,
        )

    async def debug(
        self,
        plugin_id: str,
        tool_id: str,
        *,
        arguments: dict[str, Any] | UnsetType = UNSET,
    ) -> models.DebugReport:
        """Debug plugin tool.

        Call a tool of the draft; what goes wrong is in the report.

        Args:
            plugin_id: Id of a plugin.
            tool_id: Id of a tool of the plugin.
            arguments: Values of the parameters, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/plugins/{quote(plugin_id, safe='')}/tools/{quote(tool_id, safe='')}/debug",
                body=models.DebugBody(
                    arguments=arguments,
                ),
            ),
            models.DebugReport,
        )


class AsyncAdminPresence:
    """What people have open."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def set(
        self,
        *,
        type: str,
        id: str,
        is_open: bool | UnsetType = UNSET,
        window: str | UnsetType = UNSET,
    ) -> models.AdminPresence:
        """Report what is open.

        Say what is open before the caller, and learn who else has it open.

        It stands first where the caller goes on. Others see the caller there for 45 seconds; who
        still has it open says so again before that.

        Args:
            type: agent, workflow, dataset, plugin, database or prompt.
            id: Its id.
            is_open: Whether it is open now; false when it is closed.
            window: Name of the window that it is open in, where one person has several: made up by the client, at most 40 characters.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path="/admin/v1/presence",
                body=models.PresenceBody(
                    type=type,
                    id=id,
                    is_open=is_open,
                    window=window,
                ),
            ),
            models.AdminPresence,
        )


class AsyncAdminPrompts:
    """The library of prompts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list_official(
        self,
        *,
        scope: str | None = None,
        q: str | None = None,
    ) -> models.AdminPromptList:
        """List official prompts.

        List the prompts that come with the product.

        Args:
            scope: Only prompts for this place of use.
            q: A part of the name or text; default: all.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/prompts",
                query={
                    "scope": scope,
                    "q": q,
                },
            ),
            models.AdminPromptList,
        )

    async def list(
        self,
        workspace_id: str,
        *,
        q: str | None = None,
        tag: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> models.AdminTaggedPromptList:
        """List prompts.

        List the prompts of a workspace.

        Args:
            workspace_id: Id of a workspace.
            q: A part of the name; default: all.
            tag: Only prompts with this tag.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts",
                query={
                    "q": q,
                    "tag": tag,
                    "limit": limit,
                    "cursor": cursor,
                },
            ),
            models.AdminTaggedPromptList,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        prompt_text: str,
        description: str | UnsetType = UNSET,
        tags: builtins.list[str] | UnsetType = UNSET,
    ) -> models.AdminLibraryPrompt:
        """Create prompt.

        Put a prompt into the library of a workspace.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            prompt_text: Text of the prompt.
            description: What it is for; models and people read it.
            tags: Tags, for filters of searches: texts, numbers or lists of texts, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts",
                body=models.CreatePromptBody(
                    name=name,
                    prompt_text=prompt_text,
                    description=description,
                    tags=tags,
                ),
            ),
            models.AdminLibraryPrompt,
        )

    async def get(
        self,
        workspace_id: str,
        prompt_id: str,
    ) -> models.AdminLibraryPrompt:
        """Get prompt.

        Show a prompt.

        Args:
            workspace_id: Id of a workspace.
            prompt_id: Id of a prompt.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts/{quote(prompt_id, safe='')}",
            ),
            models.AdminLibraryPrompt,
        )

    async def delete(
        self,
        workspace_id: str,
        prompt_id: str,
    ) -> None:
        """Delete prompt.

        Remove a prompt; agents that took its text keep it.

        Args:
            workspace_id: Id of a workspace.
            prompt_id: Id of a prompt.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts/{quote(prompt_id, safe='')}",
            )
        )

    async def update(
        self,
        workspace_id: str,
        prompt_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        prompt_text: str | UnsetType = UNSET,
        tags: builtins.list[str] | UnsetType = UNSET,
    ) -> models.AdminLibraryPrompt:
        """Update prompt.

        Change a prompt.

        Args:
            workspace_id: Id of a workspace.
            prompt_id: Id of a prompt.
            name: Name that people read.
            description: What it is for; models and people read it.
            prompt_text: Text of the prompt.
            tags: Tags, for filters of searches: texts, numbers or lists of texts, by name.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts/{quote(prompt_id, safe='')}",
                body=models.ChangePromptBody(
                    name=name,
                    description=description,
                    prompt_text=prompt_text,
                    tags=tags,
                ),
            ),
            models.AdminLibraryPrompt,
        )

    async def list_references(
        self,
        workspace_id: str,
        prompt_id: str,
    ) -> models.AdminPromptUses:
        """List prompt references.

        List agents and workflows whose drafts have the text of a prompt, word for word.

        Args:
            workspace_id: Id of a workspace.
            prompt_id: Id of a prompt.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/prompts/{quote(prompt_id, safe='')}/references",
            ),
            models.AdminPromptUses,
        )


class AsyncAdminRuns:
    """Runs that the caller began: their events, what they wait for, their end."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def cancel(
        self,
        run_id: str,
    ) -> models.AdminRun:
        """Cancel run.

        Stop a run; what it said so far is kept, but later runs do not see it.

        Args:
            run_id: Id of a run (chat).
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/runs/{quote(run_id, safe='')}/cancel",
            ),
            models.AdminRun,
        )

    def follow(
        self,
        run_id: str,
        *,
        after: str | None = None,
        spans: str | None = None,
    ) -> AsyncEvents[models.RunEvent | UnknownEvent]:
        """Follow the events of a run.

        Follow a run from any event on, live or after its end; resumes dropped connections.

        Args:
            run_id: Id of a run (chat).
            after: Number of the last event received; the stream goes on behind it. Default 0: from the start.
            spans: `true`: also `span.started` and `span.ended` for each step; needs `trace.read`.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="GET",
                path=f"/admin/v1/runs/{quote(run_id, safe='')}/events",
                query={
                    "after": after,
                    "spans": spans,
                },
            ),
            models.RunEvent,
        )

    async def submit_tool_outputs(
        self,
        run_id: str,
        *,
        outputs: builtins.list[models.ClientOutput],
    ) -> models.AdminRun:
        """Submit tool outputs to a run.

        Hand a waiting run what it asked for: outputs of tools, or verdicts on calls.

        Args:
            run_id: Id of a run (chat).
            outputs: Values of the outputs, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/runs/{quote(run_id, safe='')}/tool-outputs",
                body=models.ClientOutputsBody(
                    outputs=outputs,
                ),
            ),
            models.AdminRun,
        )


class AsyncAdminServiceTokens:
    """Access tokens of workspaces, with no person behind them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        token_id: str,
    ) -> models.ServiceTokenItem:
        """Get service token.

        Show a token of a workspace without its text.

        Args:
            token_id: Id of an access token.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/service-tokens/{quote(token_id, safe='')}",
            ),
            models.ServiceTokenItem,
        )

    async def delete(
        self,
        token_id: str,
    ) -> None:
        """Delete service token.

        Revoke a token of a workspace for good.

        Args:
            token_id: Id of an access token.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/service-tokens/{quote(token_id, safe='')}",
            )
        )

    async def update(
        self,
        token_id: str,
        *,
        name: str | UnsetType = UNSET,
        permissions: builtins.list[models.Permission] | UnsetType = UNSET,
        bot_ids: builtins.list[models.BotId] | None | UnsetType = UNSET,
        networks: builtins.list[str] | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
        rate_class: models.RateClass | UnsetType = UNSET,
    ) -> models.ServiceTokenItem:
        """Update service token.

        Rename a token of a workspace, or change what it may do and how long.

        Args:
            token_id: Id of an access token.
            name: Name that people read.
            permissions: What the token may do, as an administrator of the workspace; `admin` is not for it.
            bot_ids: Agents that the token may use; null: all of the workspace.
            networks: Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere.
            expires_at: When it expires, in Unix seconds; null: never.
            rate_class: How often it may ask: `default` as tokens of people, or a figure of the deployment's.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/service-tokens/{quote(token_id, safe='')}",
                body=models.ChangeServiceTokenBody(
                    name=name,
                    permissions=permissions,
                    bot_ids=bot_ids,
                    networks=networks,
                    expires_at=expires_at,
                    rate_class=rate_class,
                ),
            ),
            models.ServiceTokenItem,
        )

    async def rotate(
        self,
        token_id: str,
        *,
        overlap_s: int,
    ) -> models.ServiceTokenCreated:
        """Rotate service token.

        Draw another text, shown this once; the former goes on for a while.

        Args:
            token_id: Id of an access token.
            overlap_s: Seconds for which the former text goes on, 0 to 604800; 0 ends it at once.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/service-tokens/{quote(token_id, safe='')}/rotate",
                body=models.RotateServiceTokenBody(
                    overlap_s=overlap_s,
                ),
            ),
            models.ServiceTokenCreated,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.ServiceTokenItems:
        """List service tokens.

        List the service tokens of a workspace, newest first.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/service-tokens",
            ),
            models.ServiceTokenItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        permissions: builtins.list[models.Permission],
        bot_ids: builtins.list[models.BotId] | None | UnsetType = UNSET,
        networks: builtins.list[str] | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
        rate_class: models.RateClass | UnsetType = UNSET,
    ) -> models.ServiceTokenCreated:
        """Create service token.

        Make a token of a workspace; its text is shown this once.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            permissions: What the token may do, as an administrator of the workspace; `admin` is not for it.
            bot_ids: Agents that the token may use; absent: all of the workspace.
            networks: Addresses and networks, such as `192.0.2.0/24`, from which the token may be used; null: from everywhere.
            expires_at: When it expires, in Unix seconds; null: never; absent: in 90 days.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/service-tokens",
                body=models.CreateServiceTokenBody(
                    name=name,
                    permissions=permissions,
                    bot_ids=bot_ids,
                    networks=networks,
                    expires_at=expires_at,
                    rate_class=rate_class,
                ),
            ),
            models.ServiceTokenCreated,
        )


class AsyncAdminShareLinks:
    """Addresses under which strangers talk to agents and chat flows."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        link_id: str,
    ) -> models.ShareLinkItem:
        """Get share link.

        Show a share link without its secrets.

        Args:
            link_id: Id of a share link.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/share-links/{quote(link_id, safe='')}",
            ),
            models.ShareLinkItem,
        )

    async def delete(
        self,
        link_id: str,
    ) -> None:
        """Delete share link.

        Revoke a share link for good; answers under way end.

        Args:
            link_id: Id of a share link.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/share-links/{quote(link_id, safe='')}",
            )
        )

    async def update(
        self,
        link_id: str,
        *,
        settings: models.ShareLinkLookChanges | UnsetType = UNSET,
        auth: models.LinkAuth | UnsetType = UNSET,
        password: str | None | UnsetType = UNSET,
        public_key: str | None | UnsetType = UNSET,
        hook_url: str | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
    ) -> models.ShareLinkItem:
        """Update share link.

        Change how a link looks and whom it lets in; those who are in show it anew.

        Args:
            link_id: Id of a share link.
            auth: What visitors show: nothing, the password, a token that the site around signs, a token that the hook of the link knows, or that they are signed in as members of the workspace.
            password: Another password; null: none.
            public_key: Of tokens signed with RS256, in PEM; null: none.
            hook_url: Of the server that says who visitors are, for `hook`; null: none.
            expires_at: When it stops, in Unix seconds; null: never.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/share-links/{quote(link_id, safe='')}",
                body=models.ChangeShareLinkBody(
                    settings=settings,
                    auth=auth,
                    password=password,
                    public_key=public_key,
                    hook_url=hook_url,
                    expires_at=expires_at,
                ),
            ),
            models.ShareLinkItem,
        )

    async def reset_key(
        self,
        link_id: str,
    ) -> models.ShareLinkKey:
        """Reset share link key.

        Draw the key by which a site signs who its users are (HS256), shown this once.

        Args:
            link_id: Id of a share link.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/share-links/{quote(link_id, safe='')}/key",
            ),
            models.ShareLinkKey,
        )

    async def list(
        self,
        workspace_id: str,
    ) -> models.ShareLinkItems:
        """List share links.

        List the share links of a workspace, newest first.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/share-links",
            ),
            models.ShareLinkItems,
        )

    async def create(
        self,
        workspace_id: str,
        *,
        target_type: models.TargetKind,
        target_id: str,
        settings: models.ShareLinkLook,
        auth: models.LinkAuth | UnsetType = UNSET,
        password: str | None | UnsetType = UNSET,
        public_key: str | None | UnsetType = UNSET,
        hook_url: str | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
    ) -> models.ShareLinkItem:
        """Create share link.

        Let strangers talk to a published agent or chat flow.

        Args:
            workspace_id: Id of a workspace.
            target_id: Id of a published agent or workflow.
            password: 4 to 256 characters, for `auth` `password`.
            public_key: Of tokens signed with RS256, in PEM.
            hook_url: Of the server that says who visitors are, for `hook`: `/shareAuth/init`, `/start` and `/finish` are added.
            expires_at: When it stops, in Unix seconds; null: never.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/share-links",
                body=models.CreateShareLinkBody(
                    target_type=target_type,
                    target_id=target_id,
                    settings=settings,
                    auth=auth,
                    password=password,
                    public_key=public_key,
                    hook_url=hook_url,
                    expires_at=expires_at,
                ),
            ),
            models.ShareLinkItem,
        )


class AsyncAdminTasks:
    """Documents that are to be read, are read, or could not be."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | None = None,
        state: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.TaskItem]:
        """List tasks.

        List documents in work and those given up: of a workspace, or of all one may see.

        Args:
            workspace_id: Only tasks of this workspace; default: of all that the caller may see.
            state: Only tasks that are waiting, running, failed, done or superseded; default: waiting, running and failed.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.TaskItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/tasks",
                    query={
                        "workspace_id": workspace_id,
                        "state": state,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.TaskItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def cancel(
        self,
        task_id: str,
    ) -> models.TaskItem:
        """Cancel task.

        Stop reading a document; what searches found of it before stays.

        Args:
            task_id: Id of a task.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/tasks/{quote(task_id, safe='')}/cancel",
            ),
            models.TaskItem,
        )

    async def retry(
        self,
        task_id: str,
    ) -> models.TaskItem:
        """Retry task.

        Read a document again that could not be read; the answer is the new task.

        Args:
            task_id: Id of a task.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/tasks/{quote(task_id, safe='')}/retry",
            ),
            models.TaskItem,
        )


class AsyncAdminTemplates:
    """Agents that workspaces offer for copying."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminAgentSummary]:
        """List templates.

        List what one's workspaces offer for copying, the newest agent first.

        Args:
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminAgentSummary]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/templates",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminAgentList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def duplicate(
        self,
        template_id: str,
        *,
        workspace_id: str,
        name: str | None | UnsetType = UNSET,
    ) -> models.AdminAgent:
        """Duplicate template.

        Make an agent from a template.

        Args:
            template_id: Id of a template.
            workspace_id: Id of the workspace.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/templates/{quote(template_id, safe='')}/duplicate",
                body=models.CopyTemplateBody(
                    workspace_id=workspace_id,
                    name=name,
                ),
            ),
            models.AdminAgent,
        )


class AsyncAdminTokens:
    """Access tokens of the account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.TokenItem]:
        """List tokens.

        List personal tokens, newest first.

        Args:
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.TokenItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/tokens",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.TokenItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        name: str,
        duration_days: Literal[1, 30, 60, 90, 180, 365] | None | UnsetType = UNSET,
        expires_at: int | None | UnsetType = UNSET,
        permissions: builtins.list[models.Permission] | None | UnsetType = UNSET,
        workspace_ids: builtins.list[models.WorkspaceId] | None | UnsetType = UNSET,
        bot_ids: builtins.list[models.BotId] | None | UnsetType = UNSET,
    ) -> models.TokenCreated:
        """Create token.

        Make a personal token; its text is shown this once.

        Args:
            name: Name that people read.
            duration_days: For how many days the token is good; null for ever.
            expires_at: When the token expires, in Unix seconds; absent: by `duration_days`.
            permissions: What the token may do; absent: what its owner may do.
            workspace_ids: Workspaces that the token may enter; absent: all of its owner.
            bot_ids: Agents that the token may use; absent: all that its owner may.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/tokens",
                body=models.CreateTokenBody(
                    name=name,
                    duration_days=duration_days,
                    expires_at=expires_at,
                    permissions=permissions,
                    workspace_ids=workspace_ids,
                    bot_ids=bot_ids,
                ),
            ),
            models.TokenCreated,
        )

    async def get(
        self,
        token_id: str,
    ) -> models.TokenItem:
        """Get token.

        Show a token without its text.

        Args:
            token_id: Id of an access token.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/tokens/{quote(token_id, safe='')}",
            ),
            models.TokenItem,
        )

    async def delete(
        self,
        token_id: str,
    ) -> None:
        """Delete token.

        Revoke a token for good.

        Args:
            token_id: Id of an access token.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/tokens/{quote(token_id, safe='')}",
            )
        )

    async def update(
        self,
        token_id: str,
        *,
        name: str,
    ) -> models.TokenItem:
        """Update token.

        Give a token another name.

        Args:
            token_id: Id of an access token.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/tokens/{quote(token_id, safe='')}",
                body=models.RenameTokenBody(
                    name=name,
                ),
            ),
            models.TokenItem,
        )

    async def issue_for_browser(
        self,
        *,
        bot_ids: builtins.list[models.BotId],
        duration_seconds: int | UnsetType = UNSET,
        user_id: str | None | UnsetType = UNSET,
    ) -> models.IssuedToken:
        """Issue a token for browsers.

        Make a short-lived token for chatting from a browser.

        Args:
            bot_ids: Agents that the token may use.
            duration_seconds: For how many seconds the token is good. Default 900.
            user_id: Id of the end user who gets the token, as the caller names it.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/tokens:issue",
                body=models.IssueTokenBody(
                    bot_ids=bot_ids,
                    duration_seconds=duration_seconds,
                    user_id=user_id,
                ),
            ),
            models.IssuedToken,
        )


class AsyncAdminTraceStats:
    """How many runs there were, how long they took, what they cost."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        workspace_id: builtins.list[str] | None = None,
        agent_id: str | None = None,
        workflow_id: str | None = None,
        version: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        error_code: str | None = None,
        source: str | None = None,
        connector_id: str | None = None,
        end_user_id: str | None = None,
        conversation_id: str | None = None,
        min_duration_ms: str | None = None,
        max_duration_ms: str | None = None,
        min_cost: str | None = None,
        max_cost: str | None = None,
        min_tokens: str | None = None,
        max_tokens: str | None = None,
        tool: str | None = None,
        model: str | None = None,
        tag: str | None = None,
        pinned: str | None = None,
        feedback: str | None = None,
        since: str | None = None,
        until: str | None = None,
        interval: str | None = None,
        group_by: str | None = None,
        limit: str | None = None,
    ) -> models.AdminTraceStatistics:
        """Get trace statistics.

        Return how many runs there were, how long they took and what they cost.

        Runs that others called are part of those, and not counted by themselves.

        Args:
            workspace_id: Only runs in these workspaces, once per id; default: all that the caller may look into.
            agent_id: Only runs of this agent.
            workflow_id: Only runs of this workflow.
            version: Only runs of this version.
            kind: Only `chat` or `workflow` runs; default: both.
            status: Only runs that ended so: completed, failed, cancelled or interrupted.
            error_code: Only what failed with this code.
            source: Only runs that were asked for from there: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            end_user_id: Id of an end user, as the caller names it.
            conversation_id: Only runs in this conversation.
            min_duration_ms: Only runs that took at least so many milliseconds.
            max_duration_ms: Only runs that took at most so many milliseconds.
            min_cost: Only runs that cost at least so many points.
            max_cost: Only runs that cost at most so many points.
            min_tokens: Only runs of at least so many tokens.
            max_tokens: Only runs of at most so many tokens.
            tool: Only runs that called the tool of this name.
            model: Only runs that asked the model of this name.
            tag: Only runs to which the request gave this tag.
            pinned: `true`: only what is kept beyond its time; `false`: only the rest.
            feedback: Only runs of which somebody liked an answer, `up`, or did not, `down`.
            since: Only runs that began then or later, in Unix seconds; default: a day before `until`.
            until: Only runs that began before, in Unix seconds; default: now.
            interval: `minute`, `hour` or `day`: also a point for each of them that has runs; at most 1000 fit. Default: totals alone.
            group_by: What runs of a group have in common: none (default), agent, workflow, version, model, tool, tag or status.
            limit: Groups, 1 to 50; default 10.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/trace-stats",
                query={
                    "workspace_id": workspace_id,
                    "agent_id": agent_id,
                    "workflow_id": workflow_id,
                    "version": version,
                    "kind": kind,
                    "status": status,
                    "error_code": error_code,
                    "source": source,
                    "connector_id": connector_id,
                    "end_user_id": end_user_id,
                    "conversation_id": conversation_id,
                    "min_duration_ms": min_duration_ms,
                    "max_duration_ms": max_duration_ms,
                    "min_cost": min_cost,
                    "max_cost": max_cost,
                    "min_tokens": min_tokens,
                    "max_tokens": max_tokens,
                    "tool": tool,
                    "model": model,
                    "tag": tag,
                    "pinned": pinned,
                    "feedback": feedback,
                    "since": since,
                    "until": until,
                    "interval": interval,
                    "group_by": group_by,
                    "limit": limit,
                },
            ),
            models.AdminTraceStatistics,
        )


class AsyncAdminTraces:
    """Traces: what runs did, step by step."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: builtins.list[str] | None = None,
        agent_id: str | None = None,
        workflow_id: str | None = None,
        version: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        error_code: str | None = None,
        source: str | None = None,
        connector_id: str | None = None,
        end_user_id: str | None = None,
        conversation_id: str | None = None,
        min_duration_ms: str | None = None,
        max_duration_ms: str | None = None,
        min_cost: str | None = None,
        max_cost: str | None = None,
        min_tokens: str | None = None,
        max_tokens: str | None = None,
        tool: str | None = None,
        model: str | None = None,
        tag: str | None = None,
        since: str | None = None,
        until: str | None = None,
        pinned: str | None = None,
        feedback: str | None = None,
        q: str | None = None,
        questions: str | None = None,
        sort: str | None = None,
        order: str | None = None,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> AsyncPage[models.AdminListedTrace]:
        """List traces.

        Return a page of runs, those of all workspaces that the caller may look into.

        Runs that others called are part of those, and not listed. With ``q`` a page may be short,
        or empty: ``next_cursor`` goes on behind the runs that were looked into.

        Args:
            workspace_id: Only runs in these workspaces, once per id; default: all that the caller may read.
            agent_id: Only runs of this agent.
            workflow_id: Only runs of this workflow.
            version: Only runs of this version.
            kind: Only `chat` or `workflow` runs; default: both.
            status: Only runs that ended so: completed, failed, cancelled or interrupted.
            error_code: Only what failed with this code.
            source: Only runs that were asked for from there: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            end_user_id: Id of an end user, as the caller names it.
            conversation_id: Only runs in this conversation.
            min_duration_ms: Only runs that took at least so many milliseconds.
            max_duration_ms: Only runs that took at most so many milliseconds.
            min_cost: Only runs that cost at least so many points.
            max_cost: Only runs that cost at most so many points.
            min_tokens: Only runs of at least so many tokens.
            max_tokens: Only runs of at most so many tokens.
            tool: Only runs that called the tool of this name.
            model: Only runs that asked the model of this name.
            tag: Only runs to which the request gave this tag.
            since: Only runs that began at or after this time, in Unix seconds.
            until: Only runs that began before this time, in Unix seconds.
            pinned: `true`: only what is kept beyond its time; `false`: only the rest.
            feedback: Only runs of which somebody liked an answer, `up`, or did not, `down`.
            q: Only runs whose question or answer has this text, as far as what was said is kept. Whole words are found by an index, some seconds after the run; for parts of words each page looks into 400 runs.
            questions: `true`: tell how the question of each run begins; it takes longer. Default `false`.
            sort: By `time` (default), `duration` or `cost`.
            order: `asc` or `desc` (default), by what `sort` names.
            cursor: `next_cursor` of the page before, which was sorted alike; without it, the first page.
            limit: Traces per page, from 1; default 20.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminListedTrace]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/traces",
                    query={
                        "workspace_id": workspace_id,
                        "agent_id": agent_id,
                        "workflow_id": workflow_id,
                        "version": version,
                        "kind": kind,
                        "status": status,
                        "error_code": error_code,
                        "source": source,
                        "connector_id": connector_id,
                        "end_user_id": end_user_id,
                        "conversation_id": conversation_id,
                        "min_duration_ms": min_duration_ms,
                        "max_duration_ms": max_duration_ms,
                        "min_cost": min_cost,
                        "max_cost": max_cost,
                        "min_tokens": min_tokens,
                        "max_tokens": max_tokens,
                        "tool": tool,
                        "model": model,
                        "tag": tag,
                        "since": since,
                        "until": until,
                        "pinned": pinned,
                        "feedback": feedback,
                        "q": q,
                        "questions": questions,
                        "sort": sort,
                        "order": order,
                        "cursor": at,
                        "limit": limit,
                    },
                ),
                models.AdminTraceList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def diff(
        self,
        left_run_id: str,
        right_run_id: str,
    ) -> models.AdminTraceDiff:
        """Compare two traces.

        Compare two runs step by step: steps of one kind and name at one place are pairs.

        Args:
            left_run_id: Id of the first run.
            right_run_id: Id of the second run.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/traces/{quote(left_run_id, safe='')}/diff/{quote(right_run_id, safe='')}",
            ),
            models.AdminTraceDiff,
        )

    async def get(
        self,
        run_id: str,
        *,
        content: str | None = None,
    ) -> models.AdminTraceTree:
        """Get trace.

        Return a run with its spans, and those of runs that it called.

        Args:
            run_id: Id of a run (chat).
            content: `false`: without inputs and outputs. Default `true`.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}",
                query={
                    "content": content,
                },
            ),
            models.AdminTraceTree,
        )

    async def export(
        self,
        run_id: str,
        *,
        format: str | None = None,
    ) -> Any:
        """Export trace.

        Return a run with its spans as a file for other tools.

        Args:
            run_id: Id of a run (chat).
            format: `otlp-json` (default): a request of OpenTelemetry; `jsonl`: a line per step.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}/export",
                query={
                    "format": format,
                },
            ),
            Any,
        )

    async def pin(
        self,
        run_id: str,
    ) -> models.AdminTraceSummary:
        """Pin trace.

        Keep a trace beyond the time that traces are kept.

        Args:
            run_id: Id of a run (chat).
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}/pin",
            ),
            models.AdminTraceSummary,
        )

    async def unpin(
        self,
        run_id: str,
    ) -> None:
        """Unpin trace.

        Let a trace go with its time again.

        Args:
            run_id: Id of a run (chat).
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}/pin",
            )
        )

    async def replay(
        self,
        run_id: str,
        *,
        span_id: str | None | UnsetType = UNSET,
        version: str | None | UnsetType = UNSET,
        overrides: models.TriedOverrides | None | UnsetType = UNSET,
        effects: bool | UnsetType = UNSET,
    ) -> models.AdminBegunReplay:
        """Replay trace.

        Begin a run like another one, in a conversation of its own; the caller is its user.

        Args:
            run_id: Id of a run (chat).
            span_id: Id of the span.
            version: Version as publishing named it; empty for the draft or for none.
            overrides: What is tried instead of the settings of the agent.
            effects: What the node changes outside: none, reads or writes.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}/replay",
                body=models.ReplayBody(
                    span_id=span_id,
                    version=version,
                    overrides=overrides,
                    effects=effects,
                ),
            ),
            models.AdminBegunReplay,
        )

    async def get_span(
        self,
        run_id: str,
        span_id: str,
    ) -> models.AdminSpan:
        """Get trace span.

        Return one span of a run.

        Args:
            run_id: Id of a run (chat).
            span_id: Id of a span, from the trace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/traces/{quote(run_id, safe='')}/spans/{quote(span_id, safe='')}",
            ),
            models.AdminSpan,
        )


class AsyncAdminUsage:
    """What was used, by whom and for what, and what it cost."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        workspace_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        app_id: str | None = None,
        agent_id: str | None = None,
        version: str | None = None,
        workflow_id: str | None = None,
        dataset_id: str | None = None,
        model: str | None = None,
        provider: str | None = None,
        kind: str | None = None,
        source: str | None = None,
        token_id: str | None = None,
        share_link_id: str | None = None,
        end_user_id: str | None = None,
        member_id: str | None = None,
        zone: str | None = None,
        interval: str | None = None,
        group_by: str | None = None,
        limit: str | None = None,
    ) -> models.UsageReport:
        """Get usage.

        Sum up what was used, also by step of time and by groups.

        Args:
            workspace_id: Workspaces: ids, separated by commas; default: all whose usage the caller may read.
            since: Only calls that ended at or after this time, in Unix seconds, taken to the quarter of an hour before; default: 30 days before `until`.
            until: Only calls that ended before this time, in Unix seconds, taken to the quarter of an hour after; default: now.
            app_id: Only calls for these apps: ids, separated by commas.
            agent_id: Only calls for these agents: ids, separated by commas.
            version: Only calls for these versions of an agent or workflow, separated by commas.
            workflow_id: Only calls for these workflows: ids, separated by commas.
            dataset_id: Only calls for these knowledge bases: ids, separated by commas.
            model: Only calls of these models: names, separated by commas.
            provider: Only calls of these kinds of providers, separated by commas.
            kind: Only calls of these kinds, separated by commas: chat, embedding, rerank, query_rewrite, suggestion, title, summary, memory, vision, routing, nl2sql, ocr or plugin.
            source: Only calls that came this way, separated by commas: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest.
            token_id: Only calls with these access tokens: ids, separated by commas.
            share_link_id: Only calls through these share links: ids, separated by commas.
            end_user_id: Only calls for these end users, separated by commas.
            member_id: Only calls of these accounts: ids, separated by commas.
            zone: Time zone of the steps, like `Europe/Zurich`; default `UTC`.
            interval: Length of the steps of the series: `hour`, `day` or `month`; default: no series.
            group_by: What to tell apart, at most four, separated by commas: workspace, app, agent, version, workflow, base, model, provider, kind, source, token, share_link, end_user or member.
            limit: Groups that are told apart, those that cost most first, 1 to 1000; default 100.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/usage",
                query={
                    "workspace_id": workspace_id,
                    "since": since,
                    "until": until,
                    "app_id": app_id,
                    "agent_id": agent_id,
                    "version": version,
                    "workflow_id": workflow_id,
                    "dataset_id": dataset_id,
                    "model": model,
                    "provider": provider,
                    "kind": kind,
                    "source": source,
                    "token_id": token_id,
                    "share_link_id": share_link_id,
                    "end_user_id": end_user_id,
                    "member_id": member_id,
                    "zone": zone,
                    "interval": interval,
                    "group_by": group_by,
                    "limit": limit,
                },
            ),
            models.UsageReport,
        )

    async def list_entries(
        self,
        *,
        workspace_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        app_id: str | None = None,
        agent_id: str | None = None,
        version: str | None = None,
        workflow_id: str | None = None,
        dataset_id: str | None = None,
        model: str | None = None,
        provider: str | None = None,
        kind: str | None = None,
        source: str | None = None,
        token_id: str | None = None,
        share_link_id: str | None = None,
        end_user_id: str | None = None,
        member_id: str | None = None,
        format: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.EntryView]:
        """List usage entries.

        List single calls, newest first; with a format all of them as a file, oldest first.

        Args:
            workspace_id: Workspaces: ids, separated by commas; default: all whose usage the caller may read.
            since: Only calls that ended at or after this time, in Unix seconds, taken to the quarter of an hour before; default: 30 days before `until`.
            until: Only calls that ended before this time, in Unix seconds, taken to the quarter of an hour after; default: now.
            app_id: Only calls for these apps: ids, separated by commas.
            agent_id: Only calls for these agents: ids, separated by commas.
            version: Only calls for these versions of an agent or workflow, separated by commas.
            workflow_id: Only calls for these workflows: ids, separated by commas.
            dataset_id: Only calls for these knowledge bases: ids, separated by commas.
            model: Only calls of these models: names, separated by commas.
            provider: Only calls of these kinds of providers, separated by commas.
            kind: Only calls of these kinds, separated by commas: chat, embedding, rerank, query_rewrite, suggestion, title, summary, memory, vision, routing, nl2sql, ocr or plugin.
            source: Only calls that came this way, separated by commas: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest.
            token_id: Only calls with these access tokens: ids, separated by commas.
            share_link_id: Only calls through these share links: ids, separated by commas.
            end_user_id: Only calls for these end users, separated by commas.
            member_id: Only calls of these accounts: ids, separated by commas.
            format: A file of all entries instead of a page: csv, jsonl or xlsx; oldest first.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.EntryView]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/usage/entries",
                    query={
                        "workspace_id": workspace_id,
                        "since": since,
                        "until": until,
                        "app_id": app_id,
                        "agent_id": agent_id,
                        "version": version,
                        "workflow_id": workflow_id,
                        "dataset_id": dataset_id,
                        "model": model,
                        "provider": provider,
                        "kind": kind,
                        "source": source,
                        "token_id": token_id,
                        "share_link_id": share_link_id,
                        "end_user_id": end_user_id,
                        "member_id": member_id,
                        "format": format,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.EntryPage,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def import_report(
        self,
        *,
        provider: str,
        csv: str,
    ) -> models.ImportedReport:
        """Import the usage report of a provider.

        Keep a report of a provider, instead of what was known of its days.

        Args:
            provider: Kind of the provider, like `openai`, as entries of the ledger name it.
            csv: The report, with a head. Columns: `date` (in UTC) and `model`; and, as far as there are, `requests`, `input_tokens`, `output_tokens`, `cost` and `currency`. Lines of one day and model are added up.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/usage/provider-reports",
                body=models.ProviderReportBody(
                    provider=provider,
                    csv=csv,
                ),
            ),
            models.ImportedReport,
        )

    async def reconcile(
        self,
        *,
        provider: str,
        since: str | None = None,
        until: str | None = None,
    ) -> models.Reconciled:
        """Compare usage with a provider's report.

        Compare the ledger with the report of a provider, by day and model.

        Args:
            provider: Kind of the provider, like `openai`, as entries of the ledger name it.
            since: From the day (in UTC) of this time, in Unix seconds; default: 30 days before `until`.
            until: Until the day of this time, which is included, in Unix seconds; default: now.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/usage/reconciliation",
                query={
                    "provider": provider,
                    "since": since,
                    "until": until,
                },
            ),
            models.Reconciled,
        )


class AsyncAdminUsers:
    """Accounts of the deployment."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.UserItem]:
        """List users.

        List accounts, newest first.

        Args:
            q: A part of the name or nickname; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.UserItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/users",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.UserItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        name: str,
        nickname: str | None | UnsetType = UNSET,
        is_admin: bool | UnsetType = UNSET,
        email: str | None | UnsetType = UNSET,
    ) -> models.UserCreated:
        """Create user.

        Open an account with a personal workspace and a first token, shown this once.

        Args:
            name: Login name, unique in the deployment.
            nickname: Name that people read; null for the login name.
            is_admin: Whether the account administers the deployment.
            email: E-mail address, by which a trusted provider's sign-in finds the account.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/users",
                body=models.CreateUserBody(
                    name=name,
                    nickname=nickname,
                    is_admin=is_admin,
                    email=email,
                ),
            ),
            models.UserCreated,
        )

    async def update(
        self,
        user_id: str,
        *,
        is_disabled: bool | UnsetType = UNSET,
        email: str | None | UnsetType = UNSET,
    ) -> models.UserItem:
        """Update user.

        Stop an account with all its tokens, let it work again, or note its e-mail address.

        Args:
            user_id: Id of an account.
            is_disabled: Whether it is switched off.
            email: E-mail address, by which a trusted provider's sign-in finds the account; null: none.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/users/{quote(user_id, safe='')}",
                body=models.UpdateUserBody(
                    is_disabled=is_disabled,
                    email=email,
                ),
            ),
            models.UserItem,
        )

    async def create_link(
        self,
        user_id: str,
    ) -> models.SignInLink:
        """Create user link.

        Make a link that signs an account in once, within 30 minutes, to set its password.

        Args:
            user_id: Id of an account.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/users/{quote(user_id, safe='')}/link",
            ),
            models.SignInLink,
        )

    async def list_sessions(
        self,
        user_id: str,
    ) -> models.SessionItems:
        """List user sessions.

        List where an account is signed in, the latest first.

        Args:
            user_id: Id of an account.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/users/{quote(user_id, safe='')}/sessions",
            ),
            models.SessionItems,
        )

    async def delete_sessions(
        self,
        user_id: str,
    ) -> None:
        """Delete user sessions.

        Sign an account out everywhere.

        Args:
            user_id: Id of an account.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/users/{quote(user_id, safe='')}/sessions",
            )
        )


class AsyncAdminNodeTypes:
    """Kinds of nodes that a canvas is made of."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        language: str | None = None,
    ) -> models.NodeKindList:
        """List node types.

        List the kinds of nodes.

        Args:
            language: Language of names: `en` (default) or `zh`.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/admin/v1/workflow-node-types",
                query={
                    "language": language,
                },
            ),
            models.NodeKindList,
        )


class AsyncAdminWorkflowRuns:
    """Runs of workflows, their nodes and their answers."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        execute_id: str,
        *,
        node_id: str | None = None,
        sub_execute_id: str | None = None,
    ) -> models.AdminProcess:
        """Get workflow run.

        Return a run with what its nodes did; ``sub_execute_id`` looks into another workflow.

        Args:
            execute_id: Id of a run of a workflow.
            node_id: Id of a node in the canvas.
            sub_execute_id: Run of another workflow inside this one, whose nodes to show.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}",
                query={
                    "node_id": node_id,
                    "sub_execute_id": sub_execute_id,
                },
            ),
            models.AdminProcess,
        )

    async def cancel(
        self,
        execute_id: str,
    ) -> models.AdminWorkflowRun:
        """Cancel workflow run.

        End a run for good; one that ended before stays as it is.

        Args:
            execute_id: Id of a run of a workflow.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/cancel",
            ),
            models.AdminWorkflowRun,
        )

    def follow(
        self,
        execute_id: str,
        *,
        after: str | None = None,
        spans: str | None = None,
    ) -> AsyncEvents[models.WorkflowEvent | UnknownEvent]:
        """Follow the events of a workflow run.

        Follow a run from any event on until it ends or waits; works again after the end.

        Args:
            execute_id: Id of a run of a workflow.
            after: Number of the last event received; the stream goes on behind it. Default 0: from the start.
            spans: `true`: also `span.started` and `span.ended` for each step; needs `trace.read`.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="GET",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/events",
                query={
                    "after": after,
                    "spans": spans,
                },
            ),
            models.WorkflowEvent,
        )

    async def list_node_history(
        self,
        execute_id: str,
        node_id: str,
        *,
        batch_index: str | None = None,
    ) -> models.AdminNodeRunList:
        """List workflow run node history.

        Return everything a node did in a run, or in one iteration.

        Args:
            execute_id: Id of a run of a workflow.
            node_id: Id of a node in the canvas.
            batch_index: Iteration of a loop or batch, from 0; default: all of them.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/nodes/{quote(node_id, safe='')}",
                query={
                    "batch_index": batch_index,
                },
            ),
            models.AdminNodeRunList,
        )

    async def repeat(
        self,
        execute_id: str,
        *,
        node_id: str,
        inputs: dict[str, Any] | None | UnsetType = UNSET,
        outputs: dict[str, dict[str, Any]] | None | UnsetType = UNSET,
    ) -> models.StartedRun:
        """Repeat workflow run.

        Start a run that keeps the results before a node and repeats what follows.

        Args:
            execute_id: Id of a run of a workflow.
            node_id: Id of the node in the canvas.
            inputs: Values of the inputs, by name.
            outputs: Values of the outputs, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/repeats",
                body=models.RepeatRunBody(
                    node_id=node_id,
                    inputs=inputs,
                    outputs=outputs,
                ),
            ),
            models.StartedRun,
        )

    async def resume(
        self,
        execute_id: str,
        *,
        event_id: str,
        data: str,
    ) -> models.StartedRun:
        """Resume workflow run.

        Answer an open question; the run goes on in the background.

        Args:
            execute_id: Id of a run of a workflow.
            event_id: Id of the question; it goes back with the answer.
            data: The answer to the question.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/resume",
                body=models.ResumeRunBody(
                    event_id=event_id,
                    data=data,
                ),
            ),
            models.StartedRun,
        )

    async def get_trace(
        self,
        execute_id: str,
    ) -> models.AdminTrace:
        """Get workflow run trace.

        Return where the time of a run went, as spans without what was said.

        It is the stored trace of the run; of one that goes on, or left none, what its events tell.

        Args:
            execute_id: Id of a run of a workflow.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflow-runs/{quote(execute_id, safe='')}/trace",
            ),
            models.AdminTrace,
        )

    async def list(
        self,
        workflow_id: str,
        *,
        status: str | None = None,
        mode: str | None = None,
        since: str | None = None,
        until: str | None = None,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> AsyncPage[models.AdminWorkflowRun]:
        """List workflow runs.

        Return a page of runs, test runs included; ``since`` and ``until`` in Unix seconds.

        Args:
            workflow_id: Id of a workflow.
            status: Only runs in this state: created, running, interrupted, success, failed or cancelled.
            mode: Only runs of this mode: sync, stream or async.
            since: Only runs that began at or after this time, in Unix seconds.
            until: Only runs that began before this time, in Unix seconds.
            cursor: `next_cursor` of the page before; without it, the first page.
            limit: Runs per page, 1 to 100; default 50.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminWorkflowRun]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/runs",
                    query={
                        "status": status,
                        "mode": mode,
                        "since": since,
                        "until": until,
                        "cursor": at,
                        "limit": limit,
                    },
                ),
                models.AdminWorkflowRunList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)


class AsyncAdminWorkflows:
    """Canvases, versions, imports and exports."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        workflow_id: str,
    ) -> models.AdminWorkflow:
        """Get workflow.

        Describe a workflow.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}",
            ),
            models.AdminWorkflow,
        )

    async def delete(
        self,
        workflow_id: str,
    ) -> None:
        """Delete workflow.

        Delete a workflow that no other one calls.

        Args:
            workflow_id: Id of a workflow.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}",
            )
        )

    async def update(
        self,
        workflow_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        trace_capture: Literal["off", "metadata", "content"] | None | UnsetType = UNSET,
        if_match: str | None = None,
    ) -> models.AdminWorkflow:
        """Update workflow.

        Change name, description or icon; ``If-Match`` takes the revision that was read.

        Args:
            workflow_id: Id of a workflow.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            trace_capture: How much is kept of its runs, of all versions, from now on: `off`, `metadata` or `content`; null: as the workspace says.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}",
                body=models.UpdateWorkflowBody(
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    trace_capture=trace_capture,
                ),
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.AdminWorkflow,
        )

    async def get_canvas(
        self,
        workflow_id: str,
        *,
        version: str | None = None,
    ) -> models.AdminCanvas:
        """Get workflow canvas.

        Show the canvas of the draft or of a version.

        Args:
            workflow_id: Id of a workflow.
            version: Version as publishing named it; default: the draft.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/canvas",
                query={
                    "version": version,
                },
            ),
            models.AdminCanvas,
        )

    async def save_canvas(
        self,
        workflow_id: str,
        *,
        body: Mapping[str, Any],
        if_match: str | None = None,
    ) -> models.SavedAdminCanvas:
        """Save workflow canvas.

        Store a canvas to the character; findings are told and never hinder saving.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/canvas",
                body=body,
                headers={"If-Match": if_match} if if_match else {},
            ),
            models.SavedAdminCanvas,
        )

    async def chat(
        self,
        workflow_id: str,
        *,
        version: str | None | UnsetType = UNSET,
        conversation_id: str | None | UnsetType = UNSET,
        user_id: str | None | UnsetType = UNSET,
        content: str | builtins.list[models.ContentItem] | None | UnsetType = UNSET,
        parameters: dict[str, Any] | None | UnsetType = UNSET,
        agent_id: str | None | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
        mocks: dict[str, dict[str, Any]] | UnsetType = UNSET,
        regenerate: str | int | None | UnsetType = UNSET,
    ) -> models.AdminBegunChat:
        """Chat with the draft of a chat flow.

        Let a chat flow answer; returns at once, the answer comes as events of the run.

        Args:
            workflow_id: Id of a workflow.
            version: Version as publishing named it; empty for the draft or for none.
            conversation_id: Id of the conversation.
            user_id: Id of the account.
            content: Text; in requests also a list of parts where the schema says so.
            parameters: Inputs of the workflow besides the message, by name.
            agent_id: Id of the agent.
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
            mocks: Outputs of nodes of the draft that are not to run, by the node's id.
            regenerate: Id of the last run of the conversation, to be done again.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/chats",
                body=models.FlowChatBody(
                    version=version,
                    conversation_id=conversation_id,
                    user_id=user_id,
                    content=content,
                    parameters=parameters,
                    agent_id=agent_id,
                    app_id=app_id,
                    mocks=mocks,
                    regenerate=regenerate,
                ),
                has_key=True,
            ),
            models.AdminBegunChat,
        )

    async def copy(
        self,
        workflow_id: str,
        *,
        name: str | None | UnsetType = UNSET,
        workspace_id: str | None | UnsetType = UNSET,
    ) -> models.AdminWorkflow:
        """Copy workflow.

        Copy the draft into a new workflow.

        Args:
            workflow_id: Id of a workflow.
            name: Name that people read.
            workspace_id: Id of the workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/copy",
                body=models.CopyWorkflowBody(
                    name=name,
                    workspace_id=workspace_id,
                ),
            ),
            models.AdminWorkflow,
        )

    async def export(
        self,
        workflow_id: str,
        *,
        version: str | None = None,
    ) -> Any:
        """Export workflow.

        Give the canvas back exactly as it came; `ETag` has the revision of a draft.

        Args:
            workflow_id: Id of a workflow.
            version: Version as publishing named it; default: the draft.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/export",
                query={
                    "version": version,
                },
            ),
            Any,
        )

    async def test_node(
        self,
        workflow_id: str,
        node_id: str,
        *,
        input: dict[str, Any] | UnsetType = UNSET,
        batch: dict[str, Any] | UnsetType = UNSET,
        settings: dict[str, Any] | UnsetType = UNSET,
    ) -> models.StartedRun:
        """Test workflow node.

        Run one node of the draft in the background, a loop or batch with its body.

        Args:
            workflow_id: Id of a workflow.
            node_id: Id of a node in the canvas.
            input: Values of the inputs, by name or by the reference they come from.
            batch: Values of the batch mode, by name.
            settings: Values of the conditions, by name.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/nodes/{quote(node_id, safe='')}/test-runs",
                body=models.TestNodeBody(
                    input=input,
                    batch=batch,
                    settings=settings,
                ),
            ),
            models.StartedRun,
        )

    async def get_tool_settings(
        self,
        workflow_id: str,
        node_id: str,
    ) -> models.NodeTools:
        """Get workflow tool settings.

        Show what a model node of the draft may call.

        Args:
            workflow_id: Id of a workflow.
            node_id: Id of a node in the canvas.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/nodes/{quote(node_id, safe='')}/tool-settings",
            ),
            models.NodeTools,
        )

    async def publish(
        self,
        workflow_id: str,
        *,
        version: str | None | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        force: bool | UnsetType = UNSET,
        commit_id: str | None | UnsetType = UNSET,
    ) -> models.PublishedWorkflow:
        """Publish workflow.

        Freeze the draft as a version.

        Args:
            workflow_id: Id of a workflow.
            version: Name of the version, like v1.2.0; absent: the next one.
            description: What it is for; models and people read it.
            force: Publish without a test run that went well. Default false.
            commit_id: Id of the published content.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/publish",
                body=models.PublishWorkflowBody(
                    version=version,
                    description=description,
                    force=force,
                    commit_id=commit_id,
                ),
            ),
            models.PublishedWorkflow,
        )

    async def list_references(
        self,
        workflow_id: str,
    ) -> models.AdminWorkflowReferenceList:
        """List what uses a workflow.

        List the workflows that call this one.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/references",
            ),
            models.AdminWorkflowReferenceList,
        )

    async def restore(
        self,
        workflow_id: str,
    ) -> models.AdminWorkflow:
        """Restore workflow.

        Bring a deleted workflow back, for seven days, with its versions.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/restore",
            ),
            models.AdminWorkflow,
        )

    async def get_role(
        self,
        workflow_id: str,
    ) -> models.AdminRole:
        """Get workflow role.

        Show the role of a chat flow.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/role",
            ),
            models.AdminRole,
        )

    async def set_role(
        self,
        workflow_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | UnsetType = UNSET,
        avatar_file_id: str | None | UnsetType = UNSET,
        onboarding: models.OnboardingFields | UnsetType = UNSET,
        suggest_reply: models.ChatflowSuggestFields | UnsetType = UNSET,
        background: dict[str, Any] | UnsetType = UNSET,
        user_input: dict[str, Any] | UnsetType = UNSET,
        audio: dict[str, Any] | UnsetType = UNSET,
    ) -> models.AdminRole:
        """Set workflow role.

        Replace the role of a chat flow.

        Args:
            workflow_id: Id of a workflow.
            name: Name that people read.
            description: What it is for; models and people read it.
            avatar_file_id: Id of the upload with the picture; empty for none.
            background: `true`: the run goes on without the caller, who asks for its state. Default false.
            user_input: How users write; stored for front ends.
            audio: Voice of the role; stored for front ends.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/role",
                body=models.RoleBody(
                    name=name,
                    description=description,
                    avatar_file_id=avatar_file_id,
                    onboarding=onboarding,
                    suggest_reply=suggest_reply,
                    background=background,
                    user_input=user_input,
                    audio=audio,
                ),
            ),
            models.AdminRole,
        )

    async def delete_role(
        self,
        workflow_id: str,
    ) -> None:
        """Delete workflow role.

        Remove the role of a chat flow.

        Args:
            workflow_id: Id of a workflow.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/role",
            )
        )

    async def list_test_inputs(
        self,
        workflow_id: str,
    ) -> models.AdminTestInputList:
        """List workflow test inputs.

        List saved inputs of test runs: one's own, and those that are shared.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/test-inputs",
            ),
            models.AdminTestInputList,
        )

    async def save_test_input(
        self,
        workflow_id: str,
        *,
        name: str,
        is_shared: bool | UnsetType = UNSET,
        inputs: dict[str, Any] | UnsetType = UNSET,
        mocks: dict[str, dict[str, Any]] | UnsetType = UNSET,
    ) -> models.AdminTestInput:
        """Save workflow test input.

        Keep inputs of test runs under a name; one's own of the same name are replaced.

        Args:
            workflow_id: Id of a workflow.
            name: Name that people read.
            is_shared: Whether everybody may use them who reads the workflow.
            inputs: Values of the inputs, by name.
            mocks: Outputs of nodes that are not to run, by the node's id.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/test-inputs",
                body=models.SaveInputBody(
                    name=name,
                    is_shared=is_shared,
                    inputs=inputs,
                    mocks=mocks,
                ),
            ),
            models.AdminTestInput,
        )

    async def delete_test_input(
        self,
        workflow_id: str,
        test_input_id: str,
    ) -> None:
        """Delete workflow test input.

        Delete saved inputs, one's own or shared.

        Args:
            workflow_id: Id of a workflow.
            test_input_id: Id of saved inputs of a workflow.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/test-inputs/{quote(test_input_id, safe='')}",
            )
        )

    async def test(
        self,
        workflow_id: str,
        *,
        inputs: dict[str, Any] | UnsetType = UNSET,
        mocks: dict[str, dict[str, Any]] | UnsetType = UNSET,
        agent_id: str | None | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
    ) -> models.StartedRun:
        """Test workflow.

        Run the draft in the background; publishing asks for one that succeeds.

        Args:
            workflow_id: Id of a workflow.
            inputs: Values of the inputs, by name.
            mocks: Outputs of nodes that are not to run, by the node's id; other nodes read them as its own.
            agent_id: Id of the agent.
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/test-runs",
                body=models.TestRunBody(
                    inputs=inputs,
                    mocks=mocks,
                    agent_id=agent_id,
                    app_id=app_id,
                ),
            ),
            models.StartedRun,
        )

    async def validate(
        self,
        workflow_id: str,
        *,
        body: Mapping[str, Any],
    ) -> models.AdminFindingsList:
        """Validate workflow.

        Check the draft, or the canvas in the body, and every workflow called from there.

        Args:
            workflow_id: Id of a workflow.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/validate",
                body=body,
            ),
            models.AdminFindingsList,
        )

    async def list_versions(
        self,
        workflow_id: str,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.AdminWorkflowVersion]:
        """List workflow versions.

        List versions, newest first.

        Args:
            workflow_id: Id of a workflow.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminWorkflowVersion]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/versions",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.AdminWorkflowVersionList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def restore_version(
        self,
        workflow_id: str,
        version_label: str,
    ) -> models.AdminWorkflow:
        """Restore workflow version.

        Make the canvas of a version the draft.

        Args:
            workflow_id: Id of a workflow.
            version_label: Version as publishing named it, for instance v1.2.0.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workflows/{quote(workflow_id, safe='')}/versions/{quote(version_label, safe='')}/restore",
            ),
            models.AdminWorkflow,
        )

    async def batch_delete(
        self,
        *,
        workflow_ids: builtins.list[models.WorkflowId],
        force: bool | UnsetType = UNSET,
    ) -> None:
        """Delete several workflows.

        Delete workflows, all or none.

        Args:
            workflow_ids: Ids of workflows.
            force: Delete also those that others call. Default false.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/admin/v1/workflows:batch-delete",
                body=models.DeleteWorkflowsBody(
                    workflow_ids=workflow_ids,
                    force=force,
                ),
            )
        )

    async def list(
        self,
        workspace_id: str,
        *,
        status: str | None = None,
        mode: str | None = None,
        app_id: str | None = None,
        creator_id: str | None = None,
        plugin_id: str | None = None,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
        order: str | None = None,
    ) -> AsyncPage[models.AdminWorkflow]:
        """List workflows.

        List workflows by age, newest first unless ``order`` is ``asc``.

        ``plugin_id`` leaves those whose draft or newest version names the plugin.

        Args:
            workspace_id: Id of a workspace.
            status: Only what is in this state; default: all.
            mode: Only `workflow` (0) or `chatflow` (3); default: both.
            app_id: Only workflows of this app; default: those of the library.
            creator_id: Only what this account made.
            plugin_id: Id of a plugin.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
            order: By age: `asc` or `desc` (default).
        """

        async def fetch(at: Any) -> AsyncPage[models.AdminWorkflow]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/workflows",
                    query={
                        "status": status,
                        "mode": mode,
                        "app_id": app_id,
                        "creator_id": creator_id,
                        "plugin_id": plugin_id,
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                        "order": order,
                    },
                ),
                models.AdminWorkflowList,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        description: str | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        mode: Literal[0, 3] | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
    ) -> models.AdminWorkflow:
        """Create workflow.

        Make a draft that leads from its entry to its exit.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            mode: 0 (default) workflow, 3 chat flow.
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/workflows",
                body=models.CreateWorkflowBody(
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    mode=mode,
                    app_id=app_id,
                ),
            ),
            models.AdminWorkflow,
        )

    async def import_canvas(
        self,
        workspace_id: str,
        *,
        body: Mapping[str, Any],
    ) -> models.AdminImportReport:
        """Import a workflow.

        Import an export of Coze Studio or FastGPT: as JSON, or as the file of a form.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/workflows:import",
                body=body,
            ),
            models.AdminImportReport,
        )

    async def review(
        self,
        workspace_id: str,
        *,
        canvases: builtins.list[models.ReviewedFileBody],
        mapping: models.IdMapping | None | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
    ) -> models.AdminWorkflowReview:
        """Review workflows to be imported.

        Show what exports would become, one of which may call another; nothing is stored.

        Args:
            workspace_id: Id of a workspace.
            canvases: The files, 1 to 20.
            mapping: What is to stand for ids of the exports.
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/workflows:review",
                body=models.ReviewWorkflowsBody(
                    canvases=canvases,
                    mapping=mapping,
                    app_id=app_id,
                ),
            ),
            models.AdminWorkflowReview,
        )


class AsyncAdminWorkspaces:
    """Workspaces that the account may enter."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.WorkspaceItem]:
        """List workspaces.

        List workspaces, the personal one first.

        Args:
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.WorkspaceItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/workspaces",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.WorkspaceItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        *,
        name: str,
        description: str | None | UnsetType = UNSET,
        icon_url: str | None | UnsetType = UNSET,
    ) -> models.WorkspaceItem:
        """Create workspace.

        Open a team workspace.

        Args:
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_url: Address of the icon, signed for an hour; empty for none.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/admin/v1/workspaces",
                body=models.CreateWorkspaceBody(
                    name=name,
                    description=description,
                    icon_url=icon_url,
                ),
            ),
            models.WorkspaceItem,
        )

    async def get(
        self,
        workspace_id: str,
    ) -> models.WorkspaceItem:
        """Get workspace.

        Show a workspace.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}",
            ),
            models.WorkspaceItem,
        )

    async def delete(
        self,
        workspace_id: str,
    ) -> None:
        """Delete workspace.

        Delete a team workspace with all that is in it; it can be restored for seven days.

        Its owners may, and administrators of the deployment.

        Args:
            workspace_id: Id of a workspace.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}",
            )
        )

    async def update(
        self,
        workspace_id: str,
        *,
        name: str | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        icon_url: str | None | UnsetType = UNSET,
        default_model: str | None | UnsetType = UNSET,
        language: Literal["en", "zh"] | None | UnsetType = UNSET,
        suspended: bool | UnsetType = UNSET,
        limits: models.WorkspaceLimits | UnsetType = UNSET,
    ) -> models.WorkspaceItem:
        """Update workspace.

        Change what it is called and begins with; administrators close and limit it.

        Whoever administers the deployment needs no role in it for the latter.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_url: Address of the icon, signed for an hour; empty for none.
            default_model: Id, name or alias of the model that answers where an agent or a node names none; null leaves that to the deployment.
            language: In which the texts of new agents are proposed; null is that of whoever writes.
            suspended: `true` closes it for everyone; only administrators of the deployment, members or not.
            limits: Limits of its own, replaced as a whole; only administrators of the deployment.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}",
                body=models.UpdateWorkspaceBody(
                    name=name,
                    description=description,
                    icon_url=icon_url,
                    default_model=default_model,
                    language=language,
                    suspended=suspended,
                    limits=limits,
                ),
            ),
            models.WorkspaceItem,
        )

    async def find(
        self,
        workspace_id: str,
        *,
        q: str | None = None,
        types: str | None = None,
        limit: str | None = None,
    ) -> models.AdminEntryList:
        """Find anything in a workspace.

        Find anything by name, id, log id, or the last four characters of an own token.

        Args:
            workspace_id: Id of a workspace.
            q: A part of a name, an id, a log id, or the last four characters of an own token; without it nothing is found.
            types: Only entries of these types, separated by commas: agent, workflow, dataset, document, plugin, database, prompt, member, run, conversation, token.
            limit: Entries in all, 1 to 50; default 20.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/find",
                query={
                    "q": q,
                    "types": types,
                    "limit": limit,
                },
            ),
            models.AdminEntryList,
        )

    async def get_home(
        self,
        workspace_id: str,
    ) -> models.AdminHome:
        """Get what the home screen shows.

        Return what the caller opened last, what waits for them, and how much there is.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/home",
            ),
            models.AdminHome,
        )

    async def set_icon(
        self,
        workspace_id: str,
        file: Source,
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.WorkspaceItem:
        """Set the icon of a workspace.

        Show the picture of a multipart form as its icon: PNG, JPEG, GIF or WebP.

        An `icon_url` of null takes it away.

        Args:
            workspace_id: Id of a workspace.
        """
        with opened(file, name, on_progress) as sent:
            return await self._transport.call(
                Request(
                    method="PUT",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/icon",
                    files={"file": sent},
                ),
                models.WorkspaceItem,
            )

    async def leave(
        self,
        workspace_id: str,
    ) -> None:
        """Leave workspace.

        Leave a workspace; its only owner makes somebody else one first.

        Args:
            workspace_id: Id of a workspace.
        """
        await self._transport.send(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/leave",
            )
        )

    async def restore(
        self,
        workspace_id: str,
    ) -> models.WorkspaceItem:
        """Restore workspace.

        Take back a deletion of the last seven days; its owners may, and administrators.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/restore",
            ),
            models.WorkspaceItem,
        )

    async def transfer(
        self,
        workspace_id: str,
        *,
        user_id: str,
    ) -> models.MemberItem:
        """Transfer the ownership of a workspace.

        Make a member the owner in one's own place; one stays as an administrator.

        Args:
            workspace_id: Id of a workspace.
            user_id: Id of a member.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/transfer",
                body=models.TransferWorkspaceBody(
                    user_id=user_id,
                ),
            ),
            models.MemberItem,
        )

    async def list_all(
        self,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.WorkspaceOverview]:
        """List all workspaces of the deployment.

        List all workspaces of the deployment without their contents, the oldest first.

        Args:
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.WorkspaceOverview]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/workspaces:all",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.WorkspaceOverviews,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def list_deleted(
        self,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.DeletedWorkspace]:
        """List workspaces that can be restored.

        List what the caller owned, was deleted in the last seven days, and can be restored.

        Args:
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.DeletedWorkspace]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/admin/v1/workspaces:deleted",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.DeletedWorkspaces,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)


class AsyncAdminWorkspaceGroups:
    """Groups of accounts of a workspace."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        workspace_id: str,
        *,
        q: str | None = None,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.GroupItem]:
        """List workspace groups.

        List groups of a workspace, newest first.

        Args:
            workspace_id: Id of a workspace.
            q: A part of the name; default: all.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.GroupItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/groups",
                    query={
                        "q": q,
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.GroupItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
    ) -> models.GroupItem:
        """Create workspace group.

        Open a group of a workspace.

        Args:
            workspace_id: Id of a workspace.
            name: Name that people read.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/groups",
                body=models.GroupBody(
                    name=name,
                ),
            ),
            models.GroupItem,
        )


class AsyncAdminMembers:
    """Who belongs to a workspace, and as what."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        workspace_id: str,
        *,
        limit: str | None = None,
        cursor: str | None = None,
    ) -> AsyncPage[models.MemberItem]:
        """List members.

        List members in the order they joined.

        Args:
            workspace_id: Id of a workspace.
            limit: Items per page, 1 to 100; default 20.
            cursor: `next_cursor` of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.MemberItem]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/members",
                    query={
                        "limit": limit,
                        "cursor": at,
                    },
                ),
                models.MemberItems,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def create(
        self,
        workspace_id: str,
        *,
        user_id: str | None | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        role: models.Role | UnsetType = UNSET,
    ) -> models.MemberItem:
        """Create member.

        Admit an account.

        Args:
            workspace_id: Id of a workspace.
            user_id: Id of the account.
            name: Name that the account signs in with, in place of its id; letter case makes no difference.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/members",
                body=models.AddMemberBody(
                    user_id=user_id,
                    name=name,
                    role=role,
                ),
            ),
            models.MemberItem,
        )

    async def delete(
        self,
        workspace_id: str,
        user_id: str,
    ) -> None:
        """Delete member.

        Dismiss a member, or leave.

        Args:
            workspace_id: Id of a workspace.
            user_id: Id of an account.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/members/{quote(user_id, safe='')}",
            )
        )

    async def update(
        self,
        workspace_id: str,
        user_id: str,
        *,
        role: models.Role,
    ) -> models.MemberItem:
        """Update member.

        Give a member another role.

        Args:
            workspace_id: Id of a workspace.
            user_id: Id of an account.
        """
        return await self._transport.call(
            Request(
                method="PATCH",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/members/{quote(user_id, safe='')}",
                body=models.SetRoleBody(
                    role=role,
                ),
            ),
            models.MemberItem,
        )


class AsyncAdminPluginHosts:
    """Hosts that plugins of a workspace may call."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        workspace_id: str,
    ) -> models.HostList:
        """Get plugin hosts.

        Return the hosts that plugins of the workspace may call; none means all public ones.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugin-hosts",
            ),
            models.HostList,
        )

    async def set(
        self,
        workspace_id: str,
        *,
        hosts: builtins.list[str],
    ) -> models.HostList:
        """Set plugin hosts.

        Name the hosts that plugins of the workspace may call.

        Args:
            workspace_id: Id of a workspace.
            hosts: Hosts that may be called, for instance api.example.com.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/plugin-hosts",
                body=models.HostList(
                    hosts=hosts,
                ),
            ),
            models.HostList,
        )


class AsyncAdminRetention:
    """How long a workspace keeps what was said there."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        workspace_id: str,
    ) -> models.RetentionItem:
        """Get retention.

        Return how long a workspace keeps things, and whether it must keep everything.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/retention",
            ),
            models.RetentionItem,
        )

    async def set(
        self,
        workspace_id: str,
        *,
        conversation_days: int | None | UnsetType = UNSET,
        file_days: int | None | UnsetType = UNSET,
        log_days: int | None | UnsetType = UNSET,
        trace_content_days: int | None | UnsetType = UNSET,
        trace_days: int | None | UnsetType = UNSET,
        legal_hold: bool | UnsetType = UNSET,
    ) -> models.RetentionItem:
        """Set retention.

        Replace how long a workspace keeps things; what is older is removed within an hour.

        Args:
            workspace_id: Id of a workspace.
            conversation_days: Conversations, since they were last used.
            file_days: Uploaded files, except pictures of things and sources of documents.
            log_days: Runs of workflows, and messages of channels.
            trace_content_days: What was said, in traces.
            trace_days: Whole traces.
            legal_hold: Nothing is removed, neither by its age nor for somebody who asks for it.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/retention",
                body=models.RetentionBody(
                    conversation_days=conversation_days,
                    file_days=file_days,
                    log_days=log_days,
                    trace_content_days=trace_content_days,
                    trace_days=trace_days,
                    legal_hold=legal_hold,
                ),
            ),
            models.RetentionItem,
        )


class AsyncAdminTraceSettings:
    """How much of runs a workspace keeps, and what it masks."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        workspace_id: str,
    ) -> models.AdminTraceSettings:
        """Get trace settings of a workspace.

        Return what a workspace says about its traces.

        Args:
            workspace_id: Id of a workspace.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/trace-settings",
            ),
            models.AdminTraceSettings,
        )

    async def set(
        self,
        workspace_id: str,
        *,
        capture: str | None,
        redaction: builtins.list[str],
    ) -> models.AdminTraceSettings:
        """Set trace settings of a workspace.

        Replace what a workspace says about its traces; it holds for runs that begin later.

        Args:
            workspace_id: Id of a workspace.
            capture: `off`, `metadata` or `content`; null: as the deployment says. An agent or workflow may say otherwise for itself.
            redaction: At most 20 regular expressions in the notation of RE2, each of at most 500 characters. What is no text is masked as JSON. None may match where there is nothing.
        """
        return await self._transport.call(
            Request(
                method="PUT",
                path=f"/admin/v1/workspaces/{quote(workspace_id, safe='')}/trace-settings",
                body=models.AdminTraceSettingsBody(
                    capture=capture,
                    redaction=redaction,
                ),
            ),
            models.AdminTraceSettings,
        )


class AsyncAdmin:
    """Admin."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.agents = AsyncAdminAgents(transport)
        self.shortcuts = AsyncAdminShortcuts(transport)
        self.end_users = AsyncAdminEndUsers(transport)
        self.memories = AsyncAdminMemories(transport)
        self.user_variables = AsyncAdminUserVariables(transport)
        self.variables = AsyncAdminVariables(transport)
        self.apps = AsyncAdminApps(transport)
        self.app_conversations = AsyncAdminAppConversations(transport)
        self.app_end_users = AsyncAdminAppEndUsers(transport)
        self.app_user_variables = AsyncAdminAppUserVariables(transport)
        self.audit_log = AsyncAdminAuditLog(transport)
        self.auth = AsyncAdminAuth(transport)
        self.budgets = AsyncAdminBudgets(transport)
        self.channels = AsyncAdminChannels(transport)
        self.chats = AsyncAdminChats(transport)
        self.conversations = AsyncAdminConversations(transport)
        self.support_conversations = AsyncAdminSupportConversations(transport)
        self.data_requests = AsyncAdminDataRequests(transport)
        self.databases = AsyncAdminDatabases(transport)
        self.database_imports = AsyncAdminDatabaseImports(transport)
        self.records = AsyncAdminRecords(transport)
        self.datasets = AsyncAdminDatasets(transport)
        self.documents = AsyncAdminDocuments(transport)
        self.previews = AsyncAdminPreviews(transport)
        self.dead_letters = AsyncAdminDeadLetters(transport)
        self.slices = AsyncAdminSlices(transport)
        self.files = AsyncAdminFiles(transport)
        self.grants = AsyncAdminGrants(transport)
        self.groups = AsyncAdminGroups(transport)
        self.group_members = AsyncAdminGroupMembers(transport)
        self.icons = AsyncAdminIcons(transport)
        self.invitations = AsyncAdminInvitations(transport)
        self.live = AsyncAdminLive(transport)
        self.model_providers = AsyncAdminModelProviders(transport)
        self.models = AsyncAdminModels(transport)
        self.prices = AsyncAdminPrices(transport)
        self.oauth_apps = AsyncAdminOauthApps(transport)
        self.oauth_grants = AsyncAdminOauthGrants(transport)
        self.oauth_requests = AsyncAdminOauthRequests(transport)
        self.oidc_providers = AsyncAdminOidcProviders(transport)
        self.operations = AsyncAdminOperations(transport)
        self.plugins = AsyncAdminPlugins(transport)
        self.server_tools = AsyncAdminServerTools(transport)
        self.plugin_tools = AsyncAdminPluginTools(transport)
        self.presence = AsyncAdminPresence(transport)
        self.prompts = AsyncAdminPrompts(transport)
        self.runs = AsyncAdminRuns(transport)
        self.service_tokens = AsyncAdminServiceTokens(transport)
        self.share_links = AsyncAdminShareLinks(transport)
        self.tasks = AsyncAdminTasks(transport)
        self.templates = AsyncAdminTemplates(transport)
        self.tokens = AsyncAdminTokens(transport)
        self.trace_stats = AsyncAdminTraceStats(transport)
        self.traces = AsyncAdminTraces(transport)
        self.usage = AsyncAdminUsage(transport)
        self.users = AsyncAdminUsers(transport)
        self.node_types = AsyncAdminNodeTypes(transport)
        self.workflow_runs = AsyncAdminWorkflowRuns(transport)
        self.workflows = AsyncAdminWorkflows(transport)
        self.workspaces = AsyncAdminWorkspaces(transport)
        self.workspace_groups = AsyncAdminWorkspaceGroups(transport)
        self.members = AsyncAdminMembers(transport)
        self.plugin_hosts = AsyncAdminPluginHosts(transport)
        self.retention = AsyncAdminRetention(transport)
        self.trace_settings = AsyncAdminTraceSettings(transport)


class AsyncAvatars:
    """Pictures of accounts and workspaces."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def download(
        self,
        owner_id: str,
        key: str,
    ) -> bytes:
        """Download avatar.

        Download the picture of an account, or the icon of a workspace.

        Args:
            owner_id: Id of the account or workspace.
            key: What makes the address unguessable.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/avatars/{quote(owner_id, safe='')}/{quote(key, safe='')}",
                )
            )
        ).content


class AsyncFiles:
    """Uploads and their bytes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def download_signed(
        self,
        file_id: str,
    ) -> bytes:
        """Download signed file.

        Download the file that a signed token names.

        Args:
            file_id: Id of an upload.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/files/{quote(file_id, safe='')}",
                )
            )
        ).content

    async def get(
        self,
        *,
        file_id: str,
    ) -> models.WireFile:
        """Get file.

        Describe a file.

        Args:
            file_id: Id of an upload.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/files/retrieve",
                    query={
                        "file_id": file_id,
                    },
                ),
                models.EnvelopeOfWireFile,
            )
        ).data

    async def upload(
        self,
        file: Source,
        *,
        space_id: str | None = None,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.WireFile:
        """Upload file.

        Store the file of a multipart form; its type is found by its content.

        Args:
            space_id: Id of a workspace (space). Uploads without it go to the default workspace of the token.
        """
        with opened(file, name, on_progress) as sent:
            return (
                await self._transport.call(
                    Request(
                        method="POST",
                        path="/v1/files/upload",
                        query={
                            "space_id": space_id,
                        },
                        files={"file": sent},
                        has_key=True,
                    ),
                    models.EnvelopeOfWireFile,
                )
            ).data


class AsyncOperations:
    """Health, metrics and version of a process."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_health(
        self,
    ) -> models.Health:
        """Get health.

        Tell that the process answers; nothing else is asked.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/healthz",
            ),
            models.Health,
        )

    async def get_liveness(
        self,
    ) -> models.Health:
        """Check whether the process is alive.

        Tell whether the event loop turns; 503 asks for a restart.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/livez",
            ),
            models.Health,
        )

    async def get_readiness(
        self,
    ) -> models.Health:
        """Check whether the process is ready.

        Tell whether the process can take work; 503 while it starts, drains or lacks a part.

        ``degraded`` means that it takes work although a part it can do without is missing.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/readyz",
            ),
            models.Health,
        )

    async def get_startup(
        self,
    ) -> models.Health:
        """Check whether the process has started.

        Tell whether the process was ever ready; 503 until then.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/startupz",
            ),
            models.Health,
        )

    async def get_version(
        self,
    ) -> models.Version:
        """Get version.

        Name and version of the product.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/version",
            ),
            models.Version,
        )


class AsyncIcons:
    """Icons that come with the product."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def download(
        self,
        name: str,
    ) -> bytes:
        """Download icon.

        Download a built-in icon, ``<kind>.png``.

        Args:
            name: Name, percent-encoded.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/icons/{quote(name, safe='')}",
                )
            )
        ).content


class AsyncImages:
    """Images of knowledge bases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def download(
        self,
        token: str,
    ) -> bytes:
        """Download image.

        Download the image that a signed token names.

        Args:
            token: Signed name of the file; it expires.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/knowledge/images/{quote(token, safe='')}",
                )
            )
        ).content

    async def list(
        self,
        dataset_id: str,
        *,
        keyword: str | None = None,
        has_caption: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.WirePhoto]:
        """List images.

        List the images of a knowledge base, the youngest first.

        Args:
            dataset_id: Id of a knowledge base.
            keyword: A part of the name or text; default: all.
            has_caption: `true`: only images with a caption; `false`: only those without.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 299; default 10.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WirePhoto]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path=f"/v1/datasets/{quote(dataset_id, safe='')}/images",
                        query={
                            "keyword": keyword,
                            "has_caption": has_caption,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfPhotoList,
                )
            ).data
            items = found.photo_infos
            seen = passed(at, before, items)
            is_more = items and seen < (found.total_count or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def update(
        self,
        dataset_id: str,
        document_id: str,
        *,
        caption: str,
    ) -> None:
        """Update image.

        Say what an image shows; it is then found by that.

        Args:
            dataset_id: Id of a knowledge base.
            document_id: Id of a document.
            caption: Text that describes the image; searches find the image by it.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/v1/datasets/{quote(dataset_id, safe='')}/images/{quote(document_id, safe='')}",
                body=models.CaptionBody(
                    caption=caption,
                ),
            )
        )


class AsyncOauth:
    """Where services lead back to that a plugin was allowed to use."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def complete_grant(
        self,
        *,
        state: str | None = None,
        code: str | None = None,
        error: str | None = None,
    ) -> bytes:
        """Complete a grant.

        Take a user back; the state in the address is good once, and says who it is.

        Args:
            state: State of the grant, from the address to which the service leads back.
            code: Authorisation code that the service handed out.
            error: Why the service refused, if it did.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path="/oauth/callback",
                    query={
                        "state": state,
                        "code": code,
                        "error": error,
                    },
                )
            )
        ).content


class AsyncDocuments:
    """Documents of knowledge bases."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        document_bases: builtins.list[models.DocumentBody],
        dataset_id: str,
        chunk_strategy: models.ChunkStrategyBody | None | UnsetType = UNSET,
        parsing_strategy: models.ParsingStrategyBody | None | UnsetType = UNSET,
        format_type: int | None | UnsetType = UNSET,
        is_append: bool | None | UnsetType = UNSET,
        on_duplicate: str | None | UnsetType = UNSET,
    ) -> models.CreatedDocuments:
        """Create document.

        Take documents in, all or none; their progress tells when they can be found.

        Args:
            document_bases: Documents to be; at most ten.
            dataset_id: Id of the knowledge base.
            chunk_strategy: How documents are cut; without it, automatically.
            parsing_strategy: How much care is taken in reading.
            format_type: Kind of the base: 0 text, 1 table, 2 image.
            is_append: Add rows to an existing table. Default false.
            on_duplicate: A document with the same content: keep (default) both, skip the new one or replace the old one.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/open_api/knowledge/document/create",
                body=models.CreateDocumentsBody(
                    document_bases=document_bases,
                    dataset_id=dataset_id,
                    chunk_strategy=chunk_strategy,
                    parsing_strategy=parsing_strategy,
                    format_type=format_type,
                    is_append=is_append,
                    on_duplicate=on_duplicate,
                ),
                has_key=True,
            ),
            models.CreatedDocuments,
        )

    async def delete(
        self,
        *,
        document_ids: builtins.list[models.DocumentId],
    ) -> None:
        """Delete document.

        Delete documents; unknown ids are ignored.

        Args:
            document_ids: Ids of documents; where it may be left out: all of them.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/open_api/knowledge/document/delete",
                body=models.DeleteDocumentsBody(
                    document_ids=document_ids,
                ),
            )
        )

    async def list(
        self,
        *,
        dataset_id: str,
        document_ids: builtins.list[models.DocumentId] | None | UnsetType = UNSET,
        keyword: str | None | UnsetType = UNSET,
        status: int | None | UnsetType = UNSET,
        page: str | int | None | UnsetType = UNSET,
        page_num: str | int | None | UnsetType = UNSET,
        size: str | int | None | UnsetType = UNSET,
        page_size: str | int | None | UnsetType = UNSET,
    ) -> AsyncPage[models.WireDocument]:
        """List documents.

        List the documents of a knowledge base, the youngest first.

        Args:
            dataset_id: Id of the knowledge base.
            document_ids: Ids of documents; where it may be left out: all of them.
            keyword: A part of the name; default: all.
            status: Only documents in this state: 0 in work, 1 ready, 9 failed.
            page: Page, from 1; default 1.
            page_num: Another name of `page`.
            size: Items per page, 1 to 100; default 10.
            page_size: Another name of `size`.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WireDocument]:
            found = await self._transport.call(
                Request(
                    method="POST",
                    path="/open_api/knowledge/document/list",
                    body=models.ListDocumentsBody(
                        dataset_id=dataset_id,
                        document_ids=document_ids,
                        keyword=keyword,
                        status=status,
                        page=page,
                        page_num=at,
                        size=size,
                        page_size=page_size,
                    ),
                ),
                models.DocumentList,
            )
            items = found.document_infos
            seen = passed(at, before, items)
            is_more = items and seen < (found.total or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def update(
        self,
        *,
        document_id: str,
        document_name: str | None | UnsetType = UNSET,
        update_rule: models.UpdateRuleBody | None | UnsetType = UNSET,
        table_meta: builtins.list[models.ColumnBody] | None | UnsetType = UNSET,
    ) -> None:
        """Update document.

        Rename a document, change how often its page is fetched, or the columns of a table.

        Args:
            document_id: Id of the document.
            document_name: Name of the document.
            update_rule: Whether the page is fetched again.
            table_meta: Columns of the table.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/open_api/knowledge/document/update",
                body=models.UpdateDocumentBody(
                    document_id=document_id,
                    document_name=document_name,
                    update_rule=update_rule,
                    table_meta=table_meta,
                ),
            )
        )

    async def update_tags(
        self,
        dataset_id: str,
        document_id: str,
        *,
        tags: dict[str, str | bool | int | float | builtins.list[str]],
    ) -> None:
        """Update document tags.

        Replace all tags of a document.

        Args:
            dataset_id: Id of a knowledge base.
            document_id: Id of a document.
            tags: Tags, for filters of searches: texts, numbers or lists of texts, by name.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/v1/datasets/{quote(dataset_id, safe='')}/documents/{quote(document_id, safe='')}/tags",
                body=models.TagsBody(
                    tags=tags,
                ),
            )
        )


class AsyncShare:
    """What visitors of a share link do, with a token of that link."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create_chat(
        self,
        link_code: str,
        *,
        content: str,
        conversation_id: str | None | UnsetType = UNSET,
        file_ids: builtins.list[models.FileId] | None | UnsetType = UNSET,
        shortcut_command: models.ShortcutCommand | None | UnsetType = UNSET,
    ) -> models.ShareRun:
        """Chat as a visitor.

        Ask what the link leads to; the answer comes with the events of the run.

        Args:
            link_code: Code of the share link.
            content: The question.
            conversation_id: Absent: a new conversation.
            file_ids: Uploads that belong to the question.
            shortcut_command: A shortcut of the agent with what was filled in; its tool is called first.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/s/{quote(link_code, safe='')}/api/chats",
                body=models.ShareChatBody(
                    content=content,
                    conversation_id=conversation_id,
                    file_ids=file_ids,
                    shortcut_command=shortcut_command,
                ),
                has_key=True,
            ),
            models.ShareRun,
        )

    async def list_conversations(
        self,
        link_code: str,
    ) -> models.ShareConversations:
        """List a visitor's conversations.

        List what the visitor talked about here, newest first.

        Args:
            link_code: Code of the share link.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/s/{quote(link_code, safe='')}/api/conversations",
            ),
            models.ShareConversations,
        )

    async def list_messages(
        self,
        link_code: str,
        conversation_id: str,
        *,
        cursor: str | None = None,
        limit: str | None = None,
    ) -> AsyncPage[models.ShareMessage]:
        """List messages of a visitor's conversation.

        List the newest messages of a conversation, oldest of them first.

        Args:
            link_code: Code of the share link.
            conversation_id: Id of a conversation.
            cursor: `next_cursor` of the page before; without it, the newest messages.
            limit: Messages per page, 1 to 100; default 50.
        """

        async def fetch(at: Any) -> AsyncPage[models.ShareMessage]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/s/{quote(link_code, safe='')}/api/conversations/{quote(conversation_id, safe='')}/messages",
                    query={
                        "cursor": at,
                        "limit": limit,
                    },
                ),
                models.ShareMessages,
            )
            items = found.items
            following = partial(fetch, found.next_cursor) if found.next_cursor else None
            return AsyncPage(items, following)

        return await fetch(cursor)

    async def upload_file(
        self,
        link_code: str,
        file: Source,
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.ShareUpload:
        """Upload a visitor's file.

        Store the file of a multipart form for a question, where the link takes files.

        Args:
            link_code: Code of the share link.
        """
        with opened(file, name, on_progress) as sent:
            return await self._transport.call(
                Request(
                    method="POST",
                    path=f"/s/{quote(link_code, safe='')}/api/files",
                    files={"file": sent},
                    has_key=True,
                ),
                models.ShareUpload,
            )

    async def get_link(
        self,
        link_code: str,
    ) -> models.ShareLinkCard:
        """Get a share link as visitors see it.

        Show how the page of a link looks, and what it asks visitors for.

        Args:
            link_code: Code of the share link.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/s/{quote(link_code, safe='')}/api/link",
            ),
            models.ShareLinkCard,
        )

    async def give_feedback(
        self,
        link_code: str,
        message_id: str,
        *,
        conversation_id: str,
        verdict: Literal["like", "unlike"] | None,
        reason_types: builtins.list[str] | UnsetType = UNSET,
        comment: str | None | UnsetType = UNSET,
    ) -> None:
        """Rate an answer as a visitor.

        Say whether an answer helped.

        Args:
            link_code: Code of the share link.
            message_id: Id of a message.
            conversation_id: Id of the conversation.
            verdict: `like`, `unlike`, or null for none.
            reason_types: Words for why, of those that the page offers.
            comment: Why, in words; at most 500 characters.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/s/{quote(link_code, safe='')}/api/messages/{quote(message_id, safe='')}/feedback",
                body=models.ShareFeedbackBody(
                    conversation_id=conversation_id,
                    verdict=verdict,
                    reason_types=reason_types,
                    comment=comment,
                ),
            )
        )

    async def cancel_run(
        self,
        link_code: str,
        run_id: str,
    ) -> models.ShareRun:
        """Cancel a visitor's run.

        Stop a run; what was said so far stays.

        Args:
            link_code: Code of the share link.
            run_id: Id of a run (chat).
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/s/{quote(link_code, safe='')}/api/runs/{quote(run_id, safe='')}/cancel",
            ),
            models.ShareRun,
        )

    def follow_run(
        self,
        link_code: str,
        run_id: str,
        *,
        after: str | None = None,
    ) -> AsyncEvents[models.ShareEvent | UnknownEvent]:
        """Follow the events of a visitor's run.

        Follow a run from any event on, live or after its end.

        Args:
            link_code: Code of the share link.
            run_id: Id of a run (chat).
            after: Number of the last event received; the stream goes on behind it. Default 0: from the start.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="GET",
                path=f"/s/{quote(link_code, safe='')}/api/runs/{quote(run_id, safe='')}/events",
                query={
                    "after": after,
                },
            ),
            models.ShareEvent,
        )

    async def submit_outputs(
        self,
        link_code: str,
        run_id: str,
        *,
        outputs: builtins.list[models.ShareOutput],
    ) -> models.ShareRun:
        """Submit tool outputs to a visitor's run.

        Give what the calls gave that a run waits for; it goes on.

        Args:
            link_code: Code of the share link.
            run_id: Id of a run (chat).
            outputs: One for each call that is waited for.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/s/{quote(link_code, safe='')}/api/runs/{quote(run_id, safe='')}/tool-outputs",
                body=models.ShareOutputsBody(
                    outputs=outputs,
                ),
            ),
            models.ShareRun,
        )

    async def open_session(
        self,
        link_code: str,
        *,
        source: Literal["share_link", "embed"] | UnsetType = UNSET,
        key: str | None | UnsetType = UNSET,
        password: str | None | UnsetType = UNSET,
        user_token: str | None | UnsetType = UNSET,
    ) -> models.ShareSession:
        """Open a visitor's session.

        Let a visitor in for a quarter of an hour.

        A link for members takes the session of a browser that somebody is signed in at.

        Args:
            link_code: Code of the share link.
            source: Whether the page stands alone or in a frame.
            key: `key` of an earlier session: the same visitor comes back.
            password: The password, where the link asks for one.
            user_token: Token (JWT) signed by the site around: HS256 with the key of the link, or RS256. Where the link has a hook, whatever that knows people by.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/s/{quote(link_code, safe='')}/api/session",
                body=models.OpenSessionBody(
                    source=source,
                    key=key,
                    password=password,
                    user_token=user_token,
                ),
            ),
            models.ShareSession,
        )


class AsyncApps:
    """Projects of workflows."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str,
        publish_status: str | None = None,
        connector_id: str | None = None,
        page_index: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.SimpleApp]:
        """List apps.

        List the apps of a workspace.

        Args:
            workspace_id: Id of a workspace.
            publish_status: Which to list: all, published_online, published_draft or unpublished_draft.
            connector_id: Only apps that are published to this connector.
            page_index: Page, from 1; default 1.
            page_num: Page, from 1; default 1.
            page_size: Items per page, from 1; default 20, larger values count as 50.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.SimpleApp]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/apps",
                        query={
                            "workspace_id": workspace_id,
                            "publish_status": publish_status,
                            "connector_id": connector_id,
                            "page_index": page_index,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfSimpleAppList,
                )
            ).data
            items = found.items
            seen = passed(at, before, items)
            is_more = items and seen < (found.total or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def get(
        self,
        app_id: str,
        *,
        connector_id: str | None = None,
    ) -> models.WireApp:
        """Get app.

        Return an app with its variables, as published last, else its draft.

        Args:
            app_id: Id of an app.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/apps/{quote(app_id, safe='')}",
                    query={
                        "connector_id": connector_id,
                    },
                ),
                models.EnvelopeOfWireApp,
            )
        ).data


class AsyncBots:
    """Agents as clients of Coze know them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        space_id: str,
        description: str | None | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        prompt_info: models.BotPromptFields | None | UnsetType = UNSET,
        onboarding_info: models.BotOnboardingFields | None | UnsetType = UNSET,
        suggest_reply_info: models.BotSuggestFields | None | UnsetType = UNSET,
        model_info_config: models.BotModelFields | None | UnsetType = UNSET,
        knowledge: models.BotKnowledgeFields | None | UnsetType = UNSET,
        plugin_id_list: models.BotToolIds | None | UnsetType = UNSET,
        workflow_id_list: models.BotWorkflowIds | None | UnsetType = UNSET,
    ) -> models.BotReference:
        """Create bot.

        Make a bot; it answers once it is published.

        Args:
            name: Name that people read.
            space_id: Id of the workspace (space).
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            prompt_info: Persona of the agent.
            onboarding_info: What end users see before they ask.
            suggest_reply_info: Questions that are suggested after an answer.
            model_info_config: Settings of the model.
            knowledge: Knowledge bases and how they are searched.
            plugin_id_list: Tools of plugins that the agent uses.
            workflow_id_list: Workflows that the agent uses.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/bot/create",
                    body=models.CreateBotBody(
                        name=name,
                        space_id=space_id,
                        description=description,
                        icon_file_id=icon_file_id,
                        prompt_info=prompt_info,
                        onboarding_info=onboarding_info,
                        suggest_reply_info=suggest_reply_info,
                        model_info_config=model_info_config,
                        knowledge=knowledge,
                        plugin_id_list=plugin_id_list,
                        workflow_id_list=workflow_id_list,
                    ),
                    has_key=True,
                ),
                models.EnvelopeOfBotReference,
            )
        ).data

    async def get_online_info(
        self,
        *,
        bot_id: str,
        version: str | None = None,
        connector_id: str | None = None,
    ) -> models.Bot:
        """Get a published bot.

        Show a bot as published; to a token for browsers only what visitors see.

        Args:
            bot_id: Id of an agent (bot).
            version: Version as publishing named it; default: the one in use.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/bot/get_online_info",
                    query={
                        "bot_id": bot_id,
                        "version": version,
                        "connector_id": connector_id,
                    },
                ),
                models.EnvelopeOfBot,
            )
        ).data

    async def publish(
        self,
        *,
        bot_id: str,
        connector_ids: builtins.list[models.ConnectorId] | None | UnsetType = UNSET,
    ) -> models.BotReference:
        """Publish bot.

        Freeze the draft as a version and let it answer on connectors, by default the API.

        Args:
            bot_id: Id of the agent (bot).
            connector_ids: Connectors (publishing channels); default: the API (1024).
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/bot/publish",
                    body=models.PublishBotBody(
                        bot_id=bot_id,
                        connector_ids=connector_ids,
                    ),
                ),
                models.EnvelopeOfBotReference,
            )
        ).data

    async def update(
        self,
        *,
        bot_id: str,
        name: str | None | UnsetType = UNSET,
        description: str | None | UnsetType = UNSET,
        icon_file_id: str | None | UnsetType = UNSET,
        prompt_info: models.BotPromptFields | None | UnsetType = UNSET,
        onboarding_info: models.BotOnboardingFields | None | UnsetType = UNSET,
        suggest_reply_info: models.BotSuggestFields | None | UnsetType = UNSET,
        model_info_config: models.BotModelFields | None | UnsetType = UNSET,
        knowledge: models.BotKnowledgeFields | None | UnsetType = UNSET,
        plugin_id_list: models.BotToolIds | None | UnsetType = UNSET,
        workflow_id_list: models.BotWorkflowIds | None | UnsetType = UNSET,
    ) -> None:
        """Update bot.

        Change the draft of a bot; what is absent or null stays.

        Args:
            bot_id: Id of the agent (bot).
            name: Name that people read.
            description: What it is for; models and people read it.
            icon_file_id: Id of the upload with the icon; empty or null for none.
            prompt_info: Persona of the agent.
            onboarding_info: What end users see before they ask.
            suggest_reply_info: Questions that are suggested after an answer.
            model_info_config: Settings of the model.
            knowledge: Knowledge bases and how they are searched.
            plugin_id_list: Tools of plugins that the agent uses.
            workflow_id_list: Workflows that the agent uses.
        """
        await self._transport.send(
            Request(
                method="POST",
                path="/v1/bot/update",
                body=models.UpdateBotBody(
                    bot_id=bot_id,
                    name=name,
                    description=description,
                    icon_file_id=icon_file_id,
                    prompt_info=prompt_info,
                    onboarding_info=onboarding_info,
                    suggest_reply_info=suggest_reply_info,
                    model_info_config=model_info_config,
                    knowledge=knowledge,
                    plugin_id_list=plugin_id_list,
                    workflow_id_list=workflow_id_list,
                ),
            )
        )

    async def list(
        self,
        *,
        workspace_id: str,
        publish_status: str | None = None,
        connector_id: str | None = None,
        page_index: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.SimpleBot]:
        """List bots.

        List the bots of a space by their state of publication.

        Args:
            workspace_id: Id of a workspace.
            publish_status: Which to list: all, published_online, published_draft or unpublished_draft.
            connector_id: Only agents that are published to this connector.
            page_index: Page, from 1; default 1.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 100; default 20.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.SimpleBot]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/bots",
                        query={
                            "workspace_id": workspace_id,
                            "publish_status": publish_status,
                            "connector_id": connector_id,
                            "page_index": page_index,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfSimpleBotList,
                )
            ).data
            items = found.items
            seen = passed(at, before, items)
            is_more = items and seen < (found.total or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def get(
        self,
        bot_id: str,
        *,
        is_published: str | None = None,
        connector_id: str | None = None,
    ) -> models.Bot:
        """Get bot.

        Show a bot as published or, with ``is_published`` false, its draft.

        A token for browsers gets what visitors see of the published bot.

        Args:
            bot_id: Id of an agent (bot).
            is_published: `true` (default): as published; `false`: the draft.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/bots/{quote(bot_id, safe='')}",
                    query={
                        "is_published": is_published,
                        "connector_id": connector_id,
                    },
                ),
                models.EnvelopeOfBot,
            )
        ).data

    async def unpublish(
        self,
        bot_id: str,
        *,
        connector_id: str,
        unpublish_reason: str | None | UnsetType = UNSET,
    ) -> None:
        """Unpublish bot.

        Take a bot off a connector.

        Args:
            bot_id: Id of an agent (bot).
            connector_id: Connector (publishing channel) that it belongs to. In requests default 1024: the API.
            unpublish_reason: Why it is taken off; at most 1024 characters.
        """
        await self._transport.send(
            Request(
                method="POST",
                path=f"/v1/bots/{quote(bot_id, safe='')}/unpublish",
                body=models.UnpublishBotBody(
                    connector_id=connector_id,
                    unpublish_reason=unpublish_reason,
                ),
            )
        )

    async def list_versions(
        self,
        bot_id: str,
        *,
        page_num: str | None = None,
        page_size: str | None = None,
        publish_status: str | None = None,
        connector_id: str | None = None,
    ) -> AsyncPage[models.BotVersion]:
        """List bot versions.

        List versions, newest first; ``published_online`` keeps the one on the connector.

        Args:
            bot_id: Id of an agent (bot).
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 100; default 10.
            publish_status: Which to list: all, published_online, published_draft or unpublished_draft.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.BotVersion]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path=f"/v1/bots/{quote(bot_id, safe='')}/versions",
                        query={
                            "page_num": at,
                            "page_size": page_size,
                            "publish_status": publish_status,
                            "connector_id": connector_id,
                        },
                    ),
                    models.EnvelopeOfBotVersionList,
                )
            ).data
            items = found.items
            seen = passed(at, before, items)
            is_more = items and seen < (found.total or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def list_published(
        self,
        *,
        space_id: str,
        page_index: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.SpaceBot]:
        """List published bots.

        List the bots of a space that are published to the API, latest first.

        Args:
            space_id: Id of a workspace (space). Uploads without it go to the default workspace of the token.
            page_index: Page, from 1; default 1.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 100; default 20.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.SpaceBot]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/space/published_bots_list",
                        query={
                            "space_id": space_id,
                            "page_index": page_index,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfSpaceBotList,
                )
            ).data
            items = found.space_bots
            seen = passed(at, before, items)
            is_more = items and seen < (found.total or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)


class AsyncOpenaiChatCompletions:
    """Agents and models for clients of OpenAI."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        model: str,
        messages: builtins.list[models.CompletionMessageIn],
        stream: bool | None | UnsetType = UNSET,
        stream_options: models.StreamOptions | None | UnsetType = UNSET,
        temperature: float | None | UnsetType = UNSET,
        top_p: float | None | UnsetType = UNSET,
        presence_penalty: float | None | UnsetType = UNSET,
        frequency_penalty: float | None | UnsetType = UNSET,
        seed: int | None | UnsetType = UNSET,
        max_tokens: int | None | UnsetType = UNSET,
        max_completion_tokens: int | None | UnsetType = UNSET,
        stop: str | builtins.list[str] | None | UnsetType = UNSET,
        response_format: models.ResponseFormat | None | UnsetType = UNSET,
        tools: builtins.list[models.ToolIn] | None | UnsetType = UNSET,
        tool_choice: str | models.ToolChoiceIn | None | UnsetType = UNSET,
        parallel_tool_calls: bool | None | UnsetType = UNSET,
        functions: builtins.list[Any] | None | UnsetType = UNSET,
        function_call: Any | UnsetType = UNSET,
        n: int | None | UnsetType = UNSET,
        logprobs: bool | None | UnsetType = UNSET,
        top_logprobs: int | None | UnsetType = UNSET,
        modalities: builtins.list[str] | None | UnsetType = UNSET,
        audio: Any | UnsetType = UNSET,
        reasoning_effort: str | None | UnsetType = UNSET,
        verbosity: str | None | UnsetType = UNSET,
        store: bool | None | UnsetType = UNSET,
        service_tier: str | None | UnsetType = UNSET,
        prediction: Any | UnsetType = UNSET,
        logit_bias: dict[str, Any] | None | UnsetType = UNSET,
        moderation: Any | UnsetType = UNSET,
        web_search_options: Any | UnsetType = UNSET,
        user: str | None | UnsetType = UNSET,
        safety_identifier: str | None | UnsetType = UNSET,
        metadata: dict[str, str | None] | None | UnsetType = UNSET,
        conversation_id: str | None | UnsetType = UNSET,
        chatId: str | None | UnsetType = UNSET,
        responseChatItemId: str | None | UnsetType = UNSET,
        variables: dict[str, Any] | None | UnsetType = UNSET,
        detail: bool | None | UnsetType = UNSET,
        retainDatasetCite: bool | None | UnsetType = UNSET,
        appId: str | None | UnsetType = UNSET,
    ) -> models.Completion:
        """Create chat completion.

        Answer the last message; stateless unless a conversation is named.

        Args:
            model: Id or alias of an agent, or name of a model.
            messages: Messages, oldest first; the last one is usually the question. At most 2000.
            stream: Answer as an event stream. Default false.
            stream_options: What the stream tells.
            temperature: How varied answers are, 0 to 2; null for the default of the model.
            top_p: Share of the likeliest tokens that count, 0 to 1; null for the default of the model.
            presence_penalty: How much words that occurred are avoided, -2 to 2.
            frequency_penalty: How much repeated words are avoided, -2 to 2.
            seed: Number that makes answers repeatable, where the model can do that.
            max_tokens: Tokens of the answer, at most; null for the default of the model.
            max_completion_tokens: Tokens of the answer, at most.
            stop: Texts at which the answer ends, at most four.
            response_format: Form of the answer.
            tools: Tools that may be called.
            tool_choice: Whether tools are called: none, auto (default), required, or one that must be.
            parallel_tool_calls: Whether the model may call several tools at once. Default true.
            functions: Predecessor of `tools`; refused.
            function_call: Predecessor of `tool_choice`; refused.
            n: Answers; only 1 is made.
            logprobs: Not supported: any value is refused.
            top_logprobs: Not supported: any value is refused.
            modalities: Kinds of answers; only text is made.
            audio: Not supported: any value is refused.
            reasoning_effort: How much the model thinks: none, minimal, low, medium, high or xhigh.
            verbosity: How long answers are: low, medium or high.
            store: Keep it, so that it can be asked for and gone on from. Default true.
            service_tier: Taken for compatibility; always `default`.
            prediction: Taken for compatibility; not used.
            logit_bias: Taken for compatibility; not used.
            moderation: Taken for compatibility; not used.
            web_search_options: Taken for compatibility; not used.
            user: Id of the end user, as the caller names it.
            safety_identifier: Id of the end user; taken for compatibility, not used.
            metadata: Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16.
            conversation_id: Conversation to go on with and to keep the answer in; without it, nothing is kept.
            chatId: Conversation of the end user, as clients of FastGPT name it.
            responseChatItemId: Id that the answer shall have, as clients of FastGPT give it.
            variables: Values of variables of the agent for this answer, by name.
            detail: Answer also the steps that led to the answer, as FastGPT does.
            retainDatasetCite: Keep marks of citations in the text.
            appId: Agent to ask, as clients of FastGPT name it.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/chat/completions",
                body=models.CompletionRequest(
                    model=model,
                    messages=messages,
                    stream=stream,
                    stream_options=stream_options,
                    temperature=temperature,
                    top_p=top_p,
                    presence_penalty=presence_penalty,
                    frequency_penalty=frequency_penalty,
                    seed=seed,
                    max_tokens=max_tokens,
                    max_completion_tokens=max_completion_tokens,
                    stop=stop,
                    response_format=response_format,
                    tools=tools,
                    tool_choice=tool_choice,
                    parallel_tool_calls=parallel_tool_calls,
                    functions=functions,
                    function_call=function_call,
                    n=n,
                    logprobs=logprobs,
                    top_logprobs=top_logprobs,
                    modalities=modalities,
                    audio=audio,
                    reasoning_effort=reasoning_effort,
                    verbosity=verbosity,
                    store=store,
                    service_tier=service_tier,
                    prediction=prediction,
                    logit_bias=logit_bias,
                    moderation=moderation,
                    web_search_options=web_search_options,
                    user=user,
                    safety_identifier=safety_identifier,
                    metadata=metadata,
                    conversation_id=conversation_id,
                    chatId=chatId,
                    responseChatItemId=responseChatItemId,
                    variables=variables,
                    detail=detail,
                    retainDatasetCite=retainDatasetCite,
                    appId=appId,
                ),
                has_key=True,
            ),
            models.Completion,
        )


class AsyncOpenaiEmbeddings:
    """Numbers for texts."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        model: str,
        input: str | builtins.list[str | int | builtins.list[int]],
        encoding_format: Literal["float", "base64"] | UnsetType = UNSET,
        dimensions: int | None | UnsetType = UNSET,
        input_type: Literal["query", "document"] | UnsetType = UNSET,
        user: str | None | UnsetType = UNSET,
    ) -> models.EmbeddingList:
        """Create embedding.

        Embed one text or several.

        Args:
            model: Name of an embedding model, with ``embedding/`` before it if an agent has the same alias.
            input: A text, or up to 2,048 of them with 300,000 tokens together.
            encoding_format: Numbers, or their bytes as base64: 32 bits each, little-endian.
            dimensions: Length of the vectors, only of models that can be shortened.
            input_type: What the texts are, for models that embed questions in another way.
            user: Id of the end user, as the caller names it.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/embeddings",
                body=models.EmbeddingRequest(
                    model=model,
                    input=input,
                    encoding_format=encoding_format,
                    dimensions=dimensions,
                    input_type=input_type,
                    user=user,
                ),
            ),
            models.EmbeddingList,
        )


class AsyncOpenaiFiles:
    """Uploads, for clients of OpenAI."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        purpose: str | None = None,
        limit: str | None = None,
        order: str | None = None,
        after: str | None = None,
    ) -> AsyncPage[models.FileObject]:
        """List files.

        List the caller's own uploads, newest first unless asked otherwise.

        Args:
            purpose: Only files that were uploaded for this purpose.
            limit: Files per page, 1 to 10000; default 100.
            order: By age: `asc` or `desc` (default).
            after: Id of the last file of the page before; without it, the first page.
        """

        async def fetch(at: Any) -> AsyncPage[models.FileObject]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/files",
                    query={
                        "purpose": purpose,
                        "limit": limit,
                        "order": order,
                        "after": at,
                    },
                ),
                models.FileList,
            )
            items = found.data
            following = partial(fetch, found.last_id) if found.last_id else None
            return AsyncPage(items, following)

        return await fetch(after)

    async def create(
        self,
        file: Source,
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> models.FileObject:
        """Create file.

        Store the file of a multipart form; its type is found by its content.
        """
        with opened(file, name, on_progress) as sent:
            return await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/files",
                    files={"file": sent},
                    has_key=True,
                ),
                models.FileObject,
            )

    async def get(
        self,
        file_id: str,
    ) -> models.FileObject:
        """Get file.

        Describe a file.

        Args:
            file_id: Id of an upload.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/v1/files/{quote(file_id, safe='')}",
            ),
            models.FileObject,
        )

    async def delete(
        self,
        file_id: str,
    ) -> models.FileGone:
        """Delete file.

        Delete a file: its creator may, and whoever manages its workspace.

        Args:
            file_id: Id of an upload.
        """
        return await self._transport.call(
            Request(
                method="DELETE",
                path=f"/v1/files/{quote(file_id, safe='')}",
            ),
            models.FileGone,
        )

    async def download(
        self,
        file_id: str,
    ) -> bytes:
        """Download file.

        Download a file; takes ranges and conditions.

        Args:
            file_id: Id of an upload.
        """
        return (
            await self._transport.send(
                Request(
                    method="GET",
                    path=f"/v1/files/{quote(file_id, safe='')}/content",
                )
            )
        ).content


class AsyncOpenaiModels:
    """Agents and models that the token may use."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
    ) -> models.ModelList:
        """List models.

        Return every published agent by id, and once more by alias if it has one.

        Models of the deployment follow for tokens with the permission ``model.use``.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path="/v1/models",
            ),
            models.ModelList,
        )

    async def get(
        self,
        model: str,
    ) -> models.ModelObject:
        """Get model.

        Return one published agent by id or alias, or a model by its prefix and name.

        Args:
            model: Id or alias of an agent, or name of a model.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/v1/models/{quote(model, safe='')}",
            ),
            models.ModelObject,
        )


class AsyncOpenaiReranks:
    """Order of texts by how well they answer."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        query: str,
        documents: builtins.list[str | models.RerankDocument],
        model: str | UnsetType = UNSET,
        top_n: int | None | UnsetType = UNSET,
        return_documents: bool | UnsetType = UNSET,
    ) -> models.RerankResults:
        """Create rerank.

        Order texts by how well they answer a question.

        Args:
            query: What documents are ordered by.
            documents: Up to 2,048 texts.
            model: Name of a ranking model; the default one without it.
            top_n: How many to return, the best ones; all without it.
            return_documents: Give the texts back with their places.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/rerank",
                body=models.RerankRequest(
                    query=query,
                    documents=documents,
                    model=model,
                    top_n=top_n,
                    return_documents=return_documents,
                ),
            ),
            models.RerankResults,
        )


class AsyncOpenaiResponses:
    """Answers of agents and models, kept and streamed, for clients of OpenAI."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        model: str,
        input: str | builtins.list[models.InputItem] | None | UnsetType = UNSET,
        instructions: str | None | UnsetType = UNSET,
        previous_response_id: str | None | UnsetType = UNSET,
        conversation: str | int | models.ConversationRef | None | UnsetType = UNSET,
        tools: builtins.list[models.ResponseTool] | None | UnsetType = UNSET,
        tool_choice: str | models.ResponseToolChoice | None | UnsetType = UNSET,
        parallel_tool_calls: bool | None | UnsetType = UNSET,
        max_tool_calls: int | None | UnsetType = UNSET,
        max_output_tokens: int | None | UnsetType = UNSET,
        temperature: float | None | UnsetType = UNSET,
        top_p: float | None | UnsetType = UNSET,
        presence_penalty: float | None | UnsetType = UNSET,
        frequency_penalty: float | None | UnsetType = UNSET,
        text: models.TextOptions | None | UnsetType = UNSET,
        reasoning: models.ReasoningOptions | None | UnsetType = UNSET,
        truncation: str | None | UnsetType = UNSET,
        store: bool | None | UnsetType = UNSET,
        background: bool | None | UnsetType = UNSET,
        stream: bool | None | UnsetType = UNSET,
        include: builtins.list[str] | None | UnsetType = UNSET,
        metadata: dict[str, str | None] | None | UnsetType = UNSET,
        user: str | None | UnsetType = UNSET,
        safety_identifier: str | None | UnsetType = UNSET,
        prompt_cache_key: str | None | UnsetType = UNSET,
        prompt: Any | UnsetType = UNSET,
    ) -> models.ResponseObject:
        """Create response.

        Answer the input: in one piece, as a stream, or in the background.

        Args:
            model: Id or alias of an agent, or name of a model.
            input: What is asked: a text, or items.
            instructions: Text before the conversation that tells the model what to do.
            previous_response_id: Response to go on from; null for none.
            conversation: Conversation that the response belongs to: its id, or an object with the id.
            tools: Tools that may be called.
            tool_choice: Whether tools are called: none, auto (default), required, or one that must be.
            parallel_tool_calls: Whether the model may call several tools at once. Default true.
            max_tool_calls: Calls of tools in one response, at most; null for the limit of the deployment.
            max_output_tokens: Tokens of the answer, at most; null for the default of the model.
            temperature: How varied answers are, 0 to 2; null for the default of the model.
            top_p: Share of the likeliest tokens that count, 0 to 1; null for the default of the model.
            presence_penalty: How much words that occurred are avoided, -2 to 2.
            frequency_penalty: How much repeated words are avoided, -2 to 2.
            text: Form of the answer.
            reasoning: How much the model thinks.
            truncation: `auto` leaves out old messages that do not fit; `disabled` (default) fails.
            store: Keep it, so that it can be asked for and gone on from. Default true.
            background: `true`: the run goes on without the caller, who asks for its state. Default false.
            stream: Answer as an event stream. Default false.
            include: What to add to the answer.
            metadata: Keys and texts of the caller; keys to 64, texts to 512 characters, at most 16.
            user: Id of the end user, as the caller names it.
            safety_identifier: Id of the end user; taken for compatibility, not used.
            prompt_cache_key: Taken for compatibility; not used.
            prompt: Not supported: templates are settings of agents.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/responses",
                body=models.ResponseRequest(
                    model=model,
                    input=input,
                    instructions=instructions,
                    previous_response_id=previous_response_id,
                    conversation=conversation,
                    tools=tools,
                    tool_choice=tool_choice,
                    parallel_tool_calls=parallel_tool_calls,
                    max_tool_calls=max_tool_calls,
                    max_output_tokens=max_output_tokens,
                    temperature=temperature,
                    top_p=top_p,
                    presence_penalty=presence_penalty,
                    frequency_penalty=frequency_penalty,
                    text=text,
                    reasoning=reasoning,
                    truncation=truncation,
                    store=store,
                    background=background,
                    stream=stream,
                    include=include,
                    metadata=metadata,
                    user=user,
                    safety_identifier=safety_identifier,
                    prompt_cache_key=prompt_cache_key,
                    prompt=prompt,
                ),
                has_key=True,
            ),
            models.ResponseObject,
        )

    async def compact(
        self,
        *,
        model: str,
        input: str | builtins.list[models.InputItem] | None | UnsetType = UNSET,
        previous_response_id: str | None | UnsetType = UNSET,
        instructions: str | None | UnsetType = UNSET,
        prompt_cache_key: str | None | UnsetType = UNSET,
    ) -> models.CompactedResponse:
        """Compact a conversation.

        Summarise a conversation into an item that later requests begin with.

        Args:
            model: Name of the model or agent.
            input: Text or items, `compaction` items of before among them; or nothing after `previous_response_id`.
            previous_response_id: Response to go on from; null for none.
            instructions: Text before the conversation that tells the model what to do.
            prompt_cache_key: Taken for compatibility; not used.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/responses/compact",
                body=models.CompactRequest(
                    model=model,
                    input=input,
                    previous_response_id=previous_response_id,
                    instructions=instructions,
                    prompt_cache_key=prompt_cache_key,
                ),
            ),
            models.CompactedResponse,
        )

    async def count_input_tokens(
        self,
        *,
        model: str,
        input: str | builtins.list[models.InputItem] | None | UnsetType = UNSET,
        previous_response_id: str | None | UnsetType = UNSET,
        instructions: str | None | UnsetType = UNSET,
        prompt_cache_key: str | None | UnsetType = UNSET,
        tools: builtins.list[models.ResponseTool] | None | UnsetType = UNSET,
    ) -> models.InputTokens:
        """Count input tokens.

        Estimate the tokens of a request, with tools and what an earlier response had read.

        Args:
            model: Name of the model or agent.
            input: Text or items that the response would be asked with.
            previous_response_id: Response to go on from; null for none.
            instructions: Text before the conversation that tells the model what to do.
            prompt_cache_key: Taken for compatibility; not used.
            tools: Tools that may be called.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/responses/input_tokens",
                body=models.InputTokensRequest(
                    model=model,
                    input=input,
                    previous_response_id=previous_response_id,
                    instructions=instructions,
                    prompt_cache_key=prompt_cache_key,
                    tools=tools,
                ),
            ),
            models.InputTokens,
        )

    async def get(
        self,
        response_id: str,
        *,
        stream: str | None = None,
        starting_after: str | None = None,
    ) -> models.ResponseObject:
        """Get response.

        Return a response as it is now, or its events after a number and then live.

        Args:
            response_id: Id of a response.
            stream: `true`: as an event stream.
            starting_after: Number (`sequence_number`) of the last event received; the stream goes on behind it.
        """
        return await self._transport.call(
            Request(
                method="GET",
                path=f"/v1/responses/{quote(response_id, safe='')}",
                query={
                    "stream": stream,
                    "starting_after": starting_after,
                },
            ),
            models.ResponseObject,
        )

    async def delete(
        self,
        response_id: str,
    ) -> models.ResponseGone:
        """Delete response.

        Forget a response; one that is running is cancelled first.

        Args:
            response_id: Id of a response.
        """
        return await self._transport.call(
            Request(
                method="DELETE",
                path=f"/v1/responses/{quote(response_id, safe='')}",
            ),
            models.ResponseGone,
        )

    async def cancel(
        self,
        response_id: str,
    ) -> models.ResponseObject:
        """Cancel response.

        Stop a response that was made in the background; one that is over stays as it is.

        Args:
            response_id: Id of a response.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path=f"/v1/responses/{quote(response_id, safe='')}/cancel",
            ),
            models.ResponseObject,
        )

    async def list_input_items(
        self,
        response_id: str,
        *,
        after: str | None = None,
        limit: str | None = None,
        order: str | None = None,
    ) -> AsyncPage[Any]:
        """List input items of a response.

        List what a response was asked with, the last item first unless asked otherwise.

        Args:
            response_id: Id of a response.
            after: Id of the last item of the page before; without it, the first page.
            limit: Items per page, 1 to 100; default 20.
            order: By position: `asc` or `desc` (default).
        """

        async def fetch(at: Any) -> AsyncPage[Any]:
            found = await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/responses/{quote(response_id, safe='')}/input_items",
                    query={
                        "after": at,
                        "limit": limit,
                        "order": order,
                    },
                ),
                models.ResponseItems,
            )
            items = found.data
            following = partial(fetch, found.last_id) if found.last_id else None
            return AsyncPage(items, following)

        return await fetch(after)


class AsyncOpenai:
    """Openai."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.chat_completions = AsyncOpenaiChatCompletions(transport)
        self.embeddings = AsyncOpenaiEmbeddings(transport)
        self.files = AsyncOpenaiFiles(transport)
        self.models = AsyncOpenaiModels(transport)
        self.reranks = AsyncOpenaiReranks(transport)
        self.responses = AsyncOpenaiResponses(transport)


class AsyncConnectors:
    """Places where agents are published."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def update_bot(
        self,
        connector_id: str,
        bot_id: str,
        *,
        audit_status: int,
        reason: str | None | UnsetType = UNSET,
    ) -> None:
        """Report the review of a bot on a connector.

        Note the outcome of a connector's review; a rejection takes the bot off the connector.

        Args:
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            bot_id: Id of an agent (bot).
            audit_status: Verdict: 1 pending, 2 approved, 3 rejected.
            reason: Why it was rejected, for its makers.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/v1/connectors/{quote(connector_id, safe='')}/bots/{quote(bot_id, safe='')}",
                body=models.ReviewBotBody(
                    audit_status=audit_status,
                    reason=reason,
                ),
            )
        )


class AsyncConversations:
    """What end users and agents say to each other."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        bot_id: str | None | UnsetType = UNSET,
        messages: builtins.list[models.EnterMessage] | None | UnsetType = UNSET,
        meta_data: dict[str, str | None] | None | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        connector_id: str | None | UnsetType = UNSET,
        user_id: str | None | UnsetType = UNSET,
    ) -> models.WireConversation:
        """Create conversation.

        Open a conversation, its messages in the first section.

        Args:
            bot_id: Id of the agent (bot).
            messages: Messages, oldest first.
            meta_data: Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters.
            name: Name that people read.
            connector_id: Connector (publishing channel) that it belongs to. In requests default 1024: the API.
            user_id: Id of the account.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/conversation/create",
                    body=models.CreateConversationRequest(
                        bot_id=bot_id,
                        messages=messages,
                        meta_data=meta_data,
                        name=name,
                        connector_id=connector_id,
                        user_id=user_id,
                    ),
                    has_key=True,
                ),
                models.EnvelopeOfWireConversation,
            )
        ).data

    async def get(
        self,
        *,
        conversation_id: str,
    ) -> models.WireConversation:
        """Get conversation.

        Return one of the caller's conversations.

        Args:
            conversation_id: Id of a conversation.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/conversation/retrieve",
                    query={
                        "conversation_id": conversation_id,
                    },
                ),
                models.EnvelopeOfWireConversation,
            )
        ).data

    async def list(
        self,
        *,
        bot_id: str,
        page_num: str | None = None,
        page_size: str | None = None,
        sort_order: str | None = None,
        connector_id: str | None = None,
        user_id: str | None = None,
    ) -> AsyncPage[models.WireConversation]:
        """List conversations.

        Return a page of the caller's conversations with one agent.

        Args:
            bot_id: Id of an agent (bot).
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 50; default 50.
            sort_order: By age: ASC or DESC (default).
            connector_id: Only conversations of this connector; default: that of the token.
            user_id: Only conversations of this end user.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WireConversation]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/conversations",
                        query={
                            "bot_id": bot_id,
                            "page_num": at,
                            "page_size": page_size,
                            "sort_order": sort_order,
                            "connector_id": connector_id,
                            "user_id": user_id,
                        },
                    ),
                    models.EnvelopeOfConversationList,
                )
            ).data
            items = found.conversations
            seen = passed(at, before, items)
            is_more = found.has_more
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def update(
        self,
        conversation_id: str,
        *,
        name: str,
    ) -> models.WireConversation:
        """Update conversation.

        Give a conversation another name.

        Args:
            conversation_id: Id of a conversation.
            name: New name; at most 100 characters.
        """
        return (
            await self._transport.call(
                Request(
                    method="PUT",
                    path=f"/v1/conversations/{quote(conversation_id, safe='')}",
                    body=models.RenameConversationRequest(
                        name=name,
                    ),
                ),
                models.EnvelopeOfWireConversation,
            )
        ).data

    async def delete(
        self,
        conversation_id: str,
    ) -> None:
        """Delete conversation.

        Delete a conversation with its messages; a running chat is cancelled.

        Args:
            conversation_id: Id of a conversation.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/v1/conversations/{quote(conversation_id, safe='')}",
            )
        )

    async def clear(
        self,
        conversation_id: str,
    ) -> models.WireSection:
        """Clear conversations.

        Begin a new section: messages stay listed, later chats do not see them.

        Args:
            conversation_id: Id of a conversation.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path=f"/v1/conversations/{quote(conversation_id, safe='')}/clear",
                ),
                models.EnvelopeOfWireSection,
            )
        ).data


class AsyncMessages:
    """What was said in a conversation, and what people think of it."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        conversation_id: str,
        role: str,
        content: str | builtins.list[models.ContentItem],
        content_type: str | None | UnsetType = UNSET,
        type: str | None | UnsetType = UNSET,
        meta_data: dict[str, str | None] | None | UnsetType = UNSET,
    ) -> models.WireMessage:
        """Create message.

        Store a message in the newest section.

        Args:
            conversation_id: Id of a conversation.
            role: user or assistant.
            content: Text, or with content_type object_string a list of parts or its JSON text.
            content_type: text, or object_string for JSON text of several items.
            type: question, answer or another kind of message; default by the role.
            meta_data: Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/conversation/message/create",
                    query={
                        "conversation_id": conversation_id,
                    },
                    body=models.EnterMessage(
                        role=role,
                        content=content,
                        content_type=content_type,
                        type=type,
                        meta_data=meta_data,
                    ),
                    has_key=True,
                ),
                models.EnvelopeOfWireMessage,
            )
        ).data

    async def delete(
        self,
        *,
        conversation_id: str,
        message_id: str,
    ) -> models.WireMessage:
        """Delete message.

        Delete a question or answer; an answer takes its chat's details along.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/conversation/message/delete",
                    query={
                        "conversation_id": conversation_id,
                        "message_id": message_id,
                    },
                ),
                models.EnvelopeOfWireMessage,
            )
        ).data

    async def list(
        self,
        *,
        conversation_id: str,
        order: str | None | UnsetType = UNSET,
        chat_id: str | None | UnsetType = UNSET,
        before_id: str | None | UnsetType = UNSET,
        after_id: str | None | UnsetType = UNSET,
        limit: int | str | None | UnsetType = UNSET,
        types: builtins.list[str] | None | UnsetType = UNSET,
    ) -> models.CursorEnvelopeOfWireMessage:
        """List messages.

        Return a page of questions and answers in list order.

        Args:
            conversation_id: Id of a conversation.
            order: By age: asc or desc (default).
            chat_id: Id of the chat.
            before_id: Only messages before this one.
            after_id: Only messages after this one.
            limit: Messages per page, 1 to 50; default 50.
            types: Only messages of these kinds; absent: all.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/conversation/message/list",
                query={
                    "conversation_id": conversation_id,
                },
                body=models.ListMessagesRequest(
                    order=order,
                    chat_id=chat_id,
                    before_id=before_id,
                    after_id=after_id,
                    limit=limit,
                    types=types,
                ),
            ),
            models.CursorEnvelopeOfWireMessage,
        )

    async def update(
        self,
        *,
        conversation_id: str,
        message_id: str,
        content: str | builtins.list[models.ContentItem] | None | UnsetType = UNSET,
        content_type: str | None | UnsetType = UNSET,
        meta_data: dict[str, str | None] | None | UnsetType = UNSET,
    ) -> models.ModifiedEnvelopeOfWireMessage:
        """Update message.

        Change content or meta of a question or answer.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
            content: Text; in requests also a list of parts where the schema says so.
            content_type: text, or object_string for JSON text of several items.
            meta_data: Keys and texts of the caller, at most 16; keys to 64, texts to 512 characters.
        """
        return await self._transport.call(
            Request(
                method="POST",
                path="/v1/conversation/message/modify",
                query={
                    "conversation_id": conversation_id,
                    "message_id": message_id,
                },
                body=models.ModifyMessageRequest(
                    content=content,
                    content_type=content_type,
                    meta_data=meta_data,
                ),
            ),
            models.ModifiedEnvelopeOfWireMessage,
        )

    async def get(
        self,
        *,
        conversation_id: str,
        message_id: str,
    ) -> models.WireMessage:
        """Get message.

        Return one message.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/conversation/message/retrieve",
                    query={
                        "conversation_id": conversation_id,
                        "message_id": message_id,
                    },
                ),
                models.EnvelopeOfWireMessage,
            )
        ).data

    async def create_feedback(
        self,
        conversation_id: str,
        message_id: str,
        *,
        feedback_type: str,
        reason_types: builtins.list[str] | None | UnsetType = UNSET,
        comment: str | None | UnsetType = UNSET,
    ) -> None:
        """Rate a message.

        Like or dislike an answer; a second verdict replaces the first.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
            feedback_type: `like`, `unlike` or `default`, which takes it back.
            reason_types: Reasons from a list of the front end.
            comment: What the person wrote about it; at most 500 characters.
        """
        await self._transport.send(
            Request(
                method="POST",
                path=f"/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}/feedback",
                body=models.FeedbackRequest(
                    feedback_type=feedback_type,
                    reason_types=reason_types,
                    comment=comment,
                ),
            )
        )

    async def delete_feedback(
        self,
        conversation_id: str,
        message_id: str,
    ) -> None:
        """Take back the rating of a message.

        Take the verdict back.

        Args:
            conversation_id: Id of a conversation.
            message_id: Id of a message.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/v1/conversations/{quote(conversation_id, safe='')}/messages/{quote(message_id, safe='')}/feedback",
            )
        )


class AsyncDatasets:
    """Knowledge bases: documents, tables and images that agents search."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        space_id: str,
        name: str | None = None,
        format_type: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.WireDataset]:
        """List datasets.

        List the knowledge bases of a workspace, the youngest first.

        Args:
            space_id: Id of a workspace (space). Uploads without it go to the default workspace of the token.
            name: A part of the name; default: all.
            format_type: Only bases of this kind: 0 text, 1 table, 2 image.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 300; default 10.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WireDataset]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/datasets",
                        query={
                            "space_id": space_id,
                            "name": name,
                            "format_type": format_type,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfDatasetList,
                )
            ).data
            items = found.dataset_list
            seen = passed(at, before, items)
            is_more = items and seen < (found.total_count or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def create(
        self,
        *,
        name: str,
        space_id: str,
        format_type: int,
        description: str | None | UnsetType = UNSET,
        file_id: str | None | UnsetType = UNSET,
    ) -> models.DatasetReference:
        """Create dataset.

        Make an empty knowledge base.

        Args:
            name: Name that people read.
            space_id: Id of the workspace (space).
            format_type: Kind of the base: 0 text, 1 table, 2 image.
            description: What it is for; models and people read it.
            file_id: Id of the upload with the icon.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/datasets",
                    body=models.CreateDatasetBody(
                        name=name,
                        space_id=space_id,
                        format_type=format_type,
                        description=description,
                        file_id=file_id,
                    ),
                    has_key=True,
                ),
                models.EnvelopeOfDatasetReference,
            )
        ).data

    async def search(
        self,
        *,
        query: str,
        dataset_ids: builtins.list[models.DatasetId],
        top_k: int | None | UnsetType = UNSET,
        min_score: float | None | UnsetType = UNSET,
        max_tokens: int | None | UnsetType = UNSET,
        embedding_weight: float | None | UnsetType = UNSET,
        expansion: int | None | UnsetType = UNSET,
        expansion_model: str | None | UnsetType = UNSET,
        expansion_background: str | None | UnsetType = UNSET,
        rerank_model: str | None | UnsetType = UNSET,
        rerank_weight: float | None | UnsetType = UNSET,
        is_personal_only: bool | None | UnsetType = UNSET,
        expand: str | int | None | UnsetType = UNSET,
        threshold_mode: str | None | UnsetType = UNSET,
        filter: dict[str, Any] | None | UnsetType = UNSET,
        document_ids: builtins.list[models.DocumentId] | None | UnsetType = UNSET,
        history: builtins.list[models.WireHistory] | None | UnsetType = UNSET,
        search_type: str | int | None | UnsetType = UNSET,
        strategy: str | int | None | UnsetType = UNSET,
        enable_query_rewrite: bool | None | UnsetType = UNSET,
        enable_rerank: bool | None | UnsetType = UNSET,
        enable_nl2sql: bool | None | UnsetType = UNSET,
        explain: bool | None | UnsetType = UNSET,
    ) -> models.WireSearch:
        """Search datasets.

        Search knowledge bases of one workspace; counts no hits, 20 a minute.

        Args:
            query: What is asked.
            dataset_ids: Ids of knowledge bases.
            top_k: Results, 1 to 100; default 3.
            min_score: Score that results need, 0 to 1; default 0.5.
            max_tokens: Tokens of all results together; null: what the caller has room for.
            embedding_weight: What vectors count beside words, 0 to 1; null depends on the model.
            expansion: Further wordings of the question that are searched, 0 to 5; default 0.
            expansion_model: Model that writes wordings; empty for the default.
            expansion_background: What the model should know of the subject before it writes wordings; at most 8000 characters.
            rerank_model: Reranking model; empty for the default.
            rerank_weight: What the reranking model counts beside the order before, 0 to 1; default 1.
            is_personal_only: Find only documents of the calling end user. Default false.
            expand: Slices beside a hit that are joined to it: auto (default), none, 1 or 2.
            threshold_mode: `absolute` (default), or `fastgpt`, which ignores `min_score` in full-text and mixed searches without reranking.
            filter: Conditions on tags and facts of documents, as an object; absent: all.
            document_ids: Ids of documents; where it may be left out: all of them.
            history: Messages before the question, oldest first; they help to rewrite it. At most 100.
            search_type: 0 semantic, 1 hybrid (default), 20 full text.
            strategy: 0 semantic, 1 hybrid (default), 20 full text.
            enable_query_rewrite: Make the question self-contained by the history first.
            enable_rerank: Order results by a reranking model.
            enable_nl2sql: Ask tables by SQL that a model writes.
            explain: List every candidate and every step. Default false.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path="/v1/datasets/search",
                    body=models.SearchDatasetsBody(
                        query=query,
                        dataset_ids=dataset_ids,
                        top_k=top_k,
                        min_score=min_score,
                        max_tokens=max_tokens,
                        embedding_weight=embedding_weight,
                        expansion=expansion,
                        expansion_model=expansion_model,
                        expansion_background=expansion_background,
                        rerank_model=rerank_model,
                        rerank_weight=rerank_weight,
                        is_personal_only=is_personal_only,
                        expand=expand,
                        threshold_mode=threshold_mode,
                        filter=filter,
                        document_ids=document_ids,
                        history=history,
                        search_type=search_type,
                        strategy=strategy,
                        enable_query_rewrite=enable_query_rewrite,
                        enable_rerank=enable_rerank,
                        enable_nl2sql=enable_nl2sql,
                        explain=explain,
                    ),
                ),
                models.EnvelopeOfWireSearch,
            )
        ).data

    async def update(
        self,
        dataset_id: str,
        *,
        name: str,
        description: str | None | UnsetType = UNSET,
        file_id: str | None | UnsetType = UNSET,
    ) -> None:
        """Update dataset.

        Replace name, description and icon of a knowledge base.

        Args:
            dataset_id: Id of a knowledge base.
            name: Name that people read.
            description: What it is for; models and people read it.
            file_id: Id of an upload.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path=f"/v1/datasets/{quote(dataset_id, safe='')}",
                body=models.UpdateDatasetBody(
                    name=name,
                    description=description,
                    file_id=file_id,
                ),
            )
        )

    async def delete(
        self,
        dataset_id: str,
    ) -> None:
        """Delete dataset.

        Delete a knowledge base with all it holds.

        Args:
            dataset_id: Id of a knowledge base.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/v1/datasets/{quote(dataset_id, safe='')}",
            )
        )

    async def get_progress(
        self,
        dataset_id: str,
        *,
        document_ids: builtins.list[models.DocumentId],
    ) -> models.ProgressList:
        """Get dataset progress.

        Tell how far documents are; those that do not exist are left out.

        Args:
            dataset_id: Id of a knowledge base.
            document_ids: Ids of documents; where it may be left out: all of them.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path=f"/v1/datasets/{quote(dataset_id, safe='')}/process",
                    body=models.ProcessBody(
                        document_ids=document_ids,
                    ),
                ),
                models.EnvelopeOfProgressList,
            )
        ).data


class AsyncSlices:
    """Pieces of documents that a search finds."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        dataset_id: str,
        *,
        document_id: str,
        keyword: str | None = None,
        status: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.WireSlice]:
        """List slices.

        List the slices of a document, in order.

        Args:
            dataset_id: Id of a knowledge base.
            document_id: Id of a document.
            keyword: A part of the name or text; default: all.
            status: Only slices in this state: 0 pending, 1 indexed, 9 failed.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 100; default 10.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WireSlice]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path=f"/v1/datasets/{quote(dataset_id, safe='')}/slices",
                        query={
                            "document_id": document_id,
                            "keyword": keyword,
                            "status": status,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfSliceList,
                )
            ).data
            items = found.slices
            seen = passed(at, before, items)
            is_more = items and seen < (found.total_count or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def create(
        self,
        dataset_id: str,
        *,
        document_id: str,
        raw_text: str,
        sequence: int | None | UnsetType = UNSET,
    ) -> models.WireSlice:
        """Create slice.

        Add a slice to a document; it is indexed by itself.

        Args:
            dataset_id: Id of a knowledge base.
            document_id: Id of the document.
            raw_text: Text of the slice; at tables the JSON text of its cells.
            sequence: Position, from 1; without one it comes last.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path=f"/v1/datasets/{quote(dataset_id, safe='')}/slices",
                    body=models.CreateSliceBody(
                        document_id=document_id,
                        raw_text=raw_text,
                        sequence=sequence,
                    ),
                ),
                models.EnvelopeOfWireSlice,
            )
        ).data

    async def update(
        self,
        dataset_id: str,
        slice_id: str,
        *,
        raw_text: str,
    ) -> models.WireSlice:
        """Update slice.

        Replace what a slice says; until it is indexed anew its old words find it.

        Args:
            dataset_id: Id of a knowledge base.
            slice_id: Id of a slice.
            raw_text: Text of the slice; at tables the JSON text of its cells.
        """
        return (
            await self._transport.call(
                Request(
                    method="PUT",
                    path=f"/v1/datasets/{quote(dataset_id, safe='')}/slices/{quote(slice_id, safe='')}",
                    body=models.UpdateSliceBody(
                        raw_text=raw_text,
                    ),
                ),
                models.EnvelopeOfWireSlice,
            )
        ).data

    async def delete(
        self,
        dataset_id: str,
        slice_id: str,
    ) -> None:
        """Delete slice.

        Remove a slice.

        Args:
            dataset_id: Id of a knowledge base.
            slice_id: Id of a slice.
        """
        await self._transport.send(
            Request(
                method="DELETE",
                path=f"/v1/datasets/{quote(dataset_id, safe='')}/slices/{quote(slice_id, safe='')}",
            )
        )


class AsyncRuns:
    """Events of a chat, live or again from a number on."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def follow(
        self,
        run_id: str,
        *,
        after: str | None = None,
        spans: str | None = None,
        format: str | None = None,
        direct: str | None = None,
        escape: str | None = None,
    ) -> AsyncEvents[models.RunEvent | UnknownEvent]:
        """Follow the events of a run.

        Follow a run from any event on, live or after its end; resumes dropped connections.

        ``format`` is ``events`` unless said otherwise; see the documentation of streaming.

        Args:
            run_id: Id of a run (chat).
            after: Number of the last event received; the stream goes on behind it. Default 0: from the start.
            spans: `true`: also `span.started` and `span.ended` for each step, with the format events; needs `trace.read`.
            format: Wire of the stream: events (default), coze, tags, tags-raw, tag-events or playground.
            direct: With a format of tags: `1` streams text at once where no call can follow it. Default `0`.
            escape: Whether separators of lines inside texts are escaped. Default `1`.
        """
        return AsyncEvents(
            self._transport,
            Request(
                method="GET",
                path=f"/v1/runs/{quote(run_id, safe='')}/events",
                query={
                    "after": after,
                    "spans": spans,
                    "format": format,
                    "direct": direct,
                    "escape": escape,
                },
            ),
            models.RunEvent,
        )


class AsyncTemplates:
    """Agents to copy."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def duplicate(
        self,
        template_id: str,
        *,
        workspace_id: str,
        name: str | None | UnsetType = UNSET,
    ) -> models.DuplicatedTemplate:
        """Duplicate template.

        Make an agent from a template.

        Args:
            template_id: Id of a template.
            workspace_id: Id of the workspace.
            name: Name that people read.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path=f"/v1/templates/{quote(template_id, safe='')}/duplicate",
                    body=models.DuplicateTemplateBody(
                        workspace_id=workspace_id,
                        name=name,
                    ),
                ),
                models.EnvelopeOfDuplicatedTemplate,
            )
        ).data


class AsyncUsers:
    """The account of the token."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get_me(
        self,
    ) -> models.Me:
        """Get the account of the token.

        Show the account of the token; a visitor sees itself, and nothing of the account.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/users/me",
                ),
                models.EnvelopeOfMe,
            )
        ).data


class AsyncVariables:
    """What agents keep about an end user."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        connector_uid: str,
        bot_id: str | None = None,
        app_id: str | None = None,
        connector_id: str | None = None,
        keywords: str | None = None,
    ) -> models.VariableList:
        """Get variables.

        Return values, or defaults with both times 0; unknown keywords are left out.

        Args:
            connector_uid: Id of an end user, as the caller names it.
            bot_id: Id of an agent (bot).
            app_id: Id of an app.
            connector_id: Connector (publishing channel) by which agents are asked. Default 1024: the API.
            keywords: Names of variables, separated by commas; default: all.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v1/variables",
                    query={
                        "connector_uid": connector_uid,
                        "bot_id": bot_id,
                        "app_id": app_id,
                        "connector_id": connector_id,
                        "keywords": keywords,
                    },
                ),
                models.EnvelopeOfVariableList,
            )
        ).data

    async def update(
        self,
        *,
        data: builtins.list[models.VariableItem],
        connector_uid: str,
        bot_id: str | None | UnsetType = UNSET,
        app_id: str | None | UnsetType = UNSET,
        connector_id: str | None | UnsetType = UNSET,
    ) -> None:
        """Update variables.

        Write several values in one step.

        Args:
            data: Names and values, written all or none.
            connector_uid: Id of the end user, as the caller names it; empty or absent for the account itself.
            bot_id: Id of the agent (bot).
            app_id: Id of the app that it belongs to; empty for the library of the workspace.
            connector_id: Connector of the end user. Default 1024: the API.
        """
        await self._transport.send(
            Request(
                method="PUT",
                path="/v1/variables",
                body=models.WriteVariablesBody(
                    data=data,
                    connector_uid=connector_uid,
                    bot_id=bot_id,
                    app_id=app_id,
                    connector_id=connector_id,
                ),
            )
        )


class AsyncWorkflows:
    """Runs of workflows and their history."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        workspace_id: str | None = None,
        workflow_mode: str | None = None,
        app_id: str | None = None,
        publish_status: str | None = None,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.WireWorkflow]:
        """List workflows.

        List published workflows, of one workspace or of all of the caller's.

        Args:
            workspace_id: Id of a workspace.
            workflow_mode: Only `workflow` or `chatflow`; default: both.
            app_id: Id of an app.
            publish_status: Which to list: all, published_online, published_draft or unpublished_draft.
            page_num: Page, from 1; default 1.
            page_size: Items per page, 1 to 100; default 100.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WireWorkflow]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/workflows",
                        query={
                            "workspace_id": workspace_id,
                            "workflow_mode": workflow_mode,
                            "app_id": app_id,
                            "publish_status": publish_status,
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfWireWorkflowList,
                )
            ).data
            items = found.items
            seen = passed(at, before, items)
            is_more = found.has_more
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def get(
        self,
        workflow_id: str,
    ) -> models.WireWorkflowDetail:
        """Get workflow.

        Describe a workflow.

        Args:
            workflow_id: Id of a workflow.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/workflows/{quote(workflow_id, safe='')}",
                ),
                models.EnvelopeOfWireWorkflowDetail,
            )
        ).data

    async def get_run(
        self,
        workflow_id: str,
        execute_id: str,
    ) -> builtins.list[models.RunHistory]:
        """Get workflow run.

        Return a run of a workflow with the state of its nodes, as a list of one.

        Args:
            workflow_id: Id of a workflow.
            execute_id: Id of a run of a workflow.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/workflows/{quote(workflow_id, safe='')}/run_histories/{quote(execute_id, safe='')}",
                ),
                models.EnvelopeOfListOfRunHistory,
            )
        ).data

    async def get_node_output(
        self,
        workflow_id: str,
        execute_id: str,
        node_execute_uuid: str,
    ) -> models.ExecutedNodeOutput:
        """Get workflow node output.

        Return what one node of a run put out.

        Args:
            workflow_id: Id of a workflow.
            execute_id: Id of a run of a workflow.
            node_execute_uuid: Id of an execution of a node, from the history of the run.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path=f"/v1/workflows/{quote(workflow_id, safe='')}/run_histories/{quote(execute_id, safe='')}/execute_nodes/{quote(node_execute_uuid, safe='')}",
                ),
                models.EnvelopeOfExecutedNodeOutput,
            )
        ).data

    async def list_versions(
        self,
        workflow_id: str,
        *,
        page_token: str | None = None,
        page_size: str | None = None,
        publish_status: str | None = None,
    ) -> AsyncPage[models.WireWorkflowVersion]:
        """List workflow versions.

        List versions, newest first; all of them are published.

        Args:
            workflow_id: Id of a workflow.
            page_token: `next_page_token` of the page before; without it, the first page.
            page_size: Items per page, 1 to 30; default 10.
            publish_status: Which to list: all, published_online, published_draft or unpublished_draft.
        """

        async def fetch(at: Any) -> AsyncPage[models.WireWorkflowVersion]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path=f"/v1/workflows/{quote(workflow_id, safe='')}/versions",
                        query={
                            "page_token": at,
                            "page_size": page_size,
                            "publish_status": publish_status,
                        },
                    ),
                    models.EnvelopeOfWireWorkflowVersionList,
                )
            ).data
            items = found.items
            following = partial(fetch, found.next_page_token) if found.next_page_token else None
            return AsyncPage(items, following)

        return await fetch(page_token)


class AsyncWorkspaces:
    """Who shares agents, workflows and knowledge."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        *,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.Workspace]:
        """List workspaces.

        List the workspaces that the token reaches.

        Args:
            page_num: Page, from 1; default 1.
            page_size: Items per page, from 1; default 20, larger values count as 50.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.Workspace]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path="/v1/workspaces",
                        query={
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfWorkspaceList,
                )
            ).data
            items = found.workspaces
            seen = passed(at, before, items)
            is_more = items and seen < (found.total_count or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)


class AsyncMembers:
    """Who belongs to a workspace."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self,
        workspace_id: str,
        *,
        page_num: str | None = None,
        page_size: str | None = None,
    ) -> AsyncPage[models.WorkspaceMember]:
        """List members.

        List the members of a workspace.

        Args:
            workspace_id: Id of a workspace.
            page_num: Page, from 1; default 1.
            page_size: Items per page, from 1; default 20, larger values count as 50.
        """

        async def fetch(at: Any, before: int | None = None) -> AsyncPage[models.WorkspaceMember]:
            found = (
                await self._transport.call(
                    Request(
                        method="GET",
                        path=f"/v1/workspaces/{quote(workspace_id, safe='')}/members",
                        query={
                            "page_num": at,
                            "page_size": page_size,
                        },
                    ),
                    models.EnvelopeOfWorkspaceMemberList,
                )
            ).data
            items = found.items
            seen = passed(at, before, items)
            is_more = items and seen < (found.total_count or 0)
            following = partial(fetch, (at or 1) + 1, seen) if is_more else None
            return AsyncPage(items, following)

        return await fetch(page_num)

    async def create(
        self,
        workspace_id: str,
        *,
        users: builtins.list[models.MemberCreate],
    ) -> models.AddedMembers:
        """Create member.

        Admit accounts to a workspace.

        Args:
            workspace_id: Id of a workspace.
            users: Accounts and their roles.
        """
        return (
            await self._transport.call(
                Request(
                    method="POST",
                    path=f"/v1/workspaces/{quote(workspace_id, safe='')}/members",
                    body=models.AddMembersBody(
                        users=users,
                    ),
                ),
                models.EnvelopeOfAddedMembers,
            )
        ).data

    async def delete(
        self,
        workspace_id: str,
        *,
        user_ids: builtins.list[models.UserId] | str,
    ) -> models.RemovedMembers:
        """Delete member.

        Dismiss members of a workspace.

        Args:
            workspace_id: Id of a workspace.
            user_ids: Ids of accounts.
        """
        return (
            await self._transport.call(
                Request(
                    method="DELETE",
                    path=f"/v1/workspaces/{quote(workspace_id, safe='')}/members",
                    body=models.RemoveMembersBody(
                        user_ids=user_ids,
                    ),
                ),
                models.EnvelopeOfRemovedMembers,
            )
        ).data


class AsyncChats:
    """Questions to agents, answered in one piece or as a stream."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list_messages(
        self,
        *,
        conversation_id: str,
        chat_id: str,
    ) -> builtins.list[models.WireMessage]:
        """List chat messages.

        Return what a chat produced, in order, without the question.

        Args:
            conversation_id: Id of a conversation.
            chat_id: Id of a chat.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v3/chat/message/list",
                    query={
                        "conversation_id": conversation_id,
                        "chat_id": chat_id,
                    },
                ),
                models.EnvelopeOfListOfWireMessage,
            )
        ).data

    async def get(
        self,
        *,
        conversation_id: str,
        chat_id: str,
    ) -> models.WireChat:
        """Get chat.

        Return a chat.

        Args:
            conversation_id: Id of a conversation.
            chat_id: Id of a chat.
        """
        return (
            await self._transport.call(
                Request(
                    method="GET",
                    path="/v3/chat/retrieve",
                    query={
                        "conversation_id": conversation_id,
                        "chat_id": chat_id,
                    },
                ),
                models.EnvelopeOfWireChat,
            )
        ).data


class AsyncResources:
    """All operations of the document, by what they are about."""

    def __init__(self, transport: AsyncTransport) -> None:
        self.admin = AsyncAdmin(transport)
        self.avatars = AsyncAvatars(transport)
        self.files = AsyncFiles(transport)
        self.operations = AsyncOperations(transport)
        self.icons = AsyncIcons(transport)
        self.images = AsyncImages(transport)
        self.oauth = AsyncOauth(transport)
        self.documents = AsyncDocuments(transport)
        self.share = AsyncShare(transport)
        self.apps = AsyncApps(transport)
        self.bots = AsyncBots(transport)
        self.openai = AsyncOpenai(transport)
        self.connectors = AsyncConnectors(transport)
        self.conversations = AsyncConversations(transport)
        self.messages = AsyncMessages(transport)
        self.datasets = AsyncDatasets(transport)
        self.slices = AsyncSlices(transport)
        self.runs = AsyncRuns(transport)
        self.templates = AsyncTemplates(transport)
        self.users = AsyncUsers(transport)
        self.variables = AsyncVariables(transport)
        self.workflows = AsyncWorkflows(transport)
        self.workspaces = AsyncWorkspaces(transport)
        self.members = AsyncMembers(transport)
        self.chats = AsyncChats(transport)
