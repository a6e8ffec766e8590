// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Drafts, versions and publishing of agents. */
export class AdminAgents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get agent.
   * 
   * Show the draft.
   */
  async get(agentId: string, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}` }, options);
  }

  /**
   * Delete agent.
   * 
   * Delete the agent and take it off every connector.
   */
  async delete(agentId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}` }, options);
  }

  /**
   * Update agent.
   * 
   * Change the draft by a JSON merge patch; ``If-Match`` takes the revision that was read.
   */
  async update(agentId: string, body: t.UpdateAgentBody, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "PATCH", path: `/admin/v1/agents/${part(agentId)}`, body }, options);
  }

  /**
   * Assist agent.
   * 
   * Ask the agent's model for a new text, and stream what it proposes; the draft stays.
   */
  assist(agentId: string, body: t.AssistBody, options?: RequestOptions): Events<t.TrialEvent> {
    return new Events<t.TrialEvent>(this.#transport, { method: "POST", path: `/admin/v1/agents/${part(agentId)}/assist`, body }, false, options);
  }

  /**
   * Chat with the draft of an agent.
   * 
   * Let an agent answer; returns at once, the answer comes as events of the run.
   */
  async chat(agentId: string, body: t.AgentChatBody, options?: RequestOptions): Promise<t.AdminBegunChat> {
    return this.#transport.call<t.AdminBegunChat>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/chats`, body, hasKey: true }, options);
  }

  /**
   * List connectors of an agent.
   * 
   * List the installed connectors.
   */
  async listConnectors(agentId: string, options?: RequestOptions): Promise<t.AdminConnectorList> {
    return this.#transport.call<t.AdminConnectorList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/connectors` }, options);
  }

  /**
   * Unpublish agent.
   * 
   * Take the agent off a connector.
   */
  async unpublish(agentId: string, connectorId: string, query?: { /** Why it is taken off, for its makers; at most 1024 characters. */ "reason"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/connectors/${part(connectorId)}`, query }, options);
  }

  /**
   * Get how the editor shows an agent.
   * 
   * Return the editor's layout as it was stored.
   */
  async getDisplay(agentId: string, options?: RequestOptions): Promise<unknown> {
    return this.#transport.call<unknown>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/display` }, options);
  }

  /**
   * Set how the editor shows an agent.
   * 
   * Store the editor's layout, any JSON object.
   */
  async setDisplay(agentId: string, body: unknown, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/display`, body }, options);
  }

  /**
   * Duplicate agent.
   * 
   * Copy the draft into a new agent.
   */
  async duplicate(agentId: string, body: t.DuplicateAgentBody, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/duplicate`, body }, options);
  }

  /**
   * Export agent.
   * 
   * Write the draft as a document without secrets, which ``agents:import`` reads.
   */
  async export(agentId: string, options?: RequestOptions): Promise<t.AdminExportedAgent> {
    return this.#transport.call<t.AdminExportedAgent>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/export` }, options);
  }

  /**
   * Publish agent.
   * 
   * Freeze the draft, or take an existing version, and activate it on connectors.
   */
  async publish(agentId: string, body: t.PublishAgentBody, options?: RequestOptions): Promise<t.PublishedVersion> {
    return this.#transport.call<t.PublishedVersion>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/publish`, body }, options);
  }

  /**
   * Restore agent.
   * 
   * Bring a deleted agent back, for seven days, to where it was published, too.
   * 
   * What it had remembered of its users stays forgotten.
   */
  async restore(agentId: string, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/restore` }, options);
  }

  /**
   * Make an agent a template.
   * 
   * Offer the agent as a template, or stop doing so.
   */
  async setTemplate(agentId: string, body: t.TemplateBody, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/template`, body }, options);
  }

  /**
   * Validate agent.
   * 
   * Check the draft before publishing.
   */
  async validate(agentId: string, options?: RequestOptions): Promise<t.FindingList> {
    return this.#transport.call<t.FindingList>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/validate` }, options);
  }

  /**
   * List agent versions.
   * 
   * List versions, newest first.
   */
  async listVersions(agentId: string, query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminVersionList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminVersionList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminVersionList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/versions`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Undo the restoring of an agent version.
   * 
   * Bring back the draft that a restored version replaced, unless it was edited since.
   */
  async undoRestore(agentId: string, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/versions/restore` }, options);
  }

  /**
   * Get agent version.
   * 
   * Show the agent as it was in a version.
   */
  async getVersion(agentId: string, version: string, options?: RequestOptions): Promise<t.AdminVersionDetail> {
    return this.#transport.call<t.AdminVersionDetail>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/versions/${part(version)}` }, options);
  }

  /**
   * Restore agent version.
   * 
   * Make the content of a version the draft.
   */
  async restoreVersion(agentId: string, version: string, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/versions/${part(version)}/restore` }, options);
  }

  /**
   * List agents.
   * 
   * List agents by age, newest first unless ``order`` is ``asc``.
   * 
   * ``mode`` multi finds teams; ``model`` and one of the ids those whose drafts are bound to it.
   */
  async list(workspaceId: string, query?: { /** Only what is in this state; default: all. */ "status"?: string | undefined; /** `true`: only what is published; `false`: only what is not; default: both. */ "published"?: string | undefined; /** Only what this account made. */ "creator_id"?: string | undefined; /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined; /** By age: `asc` or `desc` (default). */ "order"?: string | undefined; /** Only `workflow` (0) or `chatflow` (3); default: both. */ "mode"?: string | undefined; /** Id or alias of an agent, or name of a model. */ "model"?: string | undefined; /** Id of a knowledge base. */ "dataset_id"?: string | undefined; /** Id of a plugin. */ "plugin_id"?: string | undefined; /** Id of a workflow. */ "workflow_id"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminAgentList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminAgentList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminAgentList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/agents`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create agent.
   * 
   * Make a draft.
   */
  async create(workspaceId: string, body: t.CreateAgentBody, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/agents`, body, hasKey: true }, options);
  }

  /**
   * Import an agent.
   * 
   * Make a draft of an exported document; what the workspace lacks is left out and told.
   */
  async importDocument(workspaceId: string, body: t.ImportAgentBody, options?: RequestOptions): Promise<t.AdminImportedAgent> {
    return this.#transport.call<t.AdminImportedAgent>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/agents:import`, body }, options);
  }
}

/** Buttons below the input of a chat. */
export class AdminShortcuts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List shortcuts.
   * 
   * List the shortcuts of the draft.
   */
  async list(agentId: string, options?: RequestOptions): Promise<t.AdminShortcutList> {
    return this.#transport.call<t.AdminShortcutList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/shortcuts` }, options);
  }

  /**
   * Create shortcut.
   * 
   * Add a shortcut behind the others.
   */
  async create(agentId: string, body: t.ShortcutFields, options?: RequestOptions): Promise<t.AdminShortcut> {
    return this.#transport.call<t.AdminShortcut>({ method: "POST", path: `/admin/v1/agents/${part(agentId)}/shortcuts`, body }, options);
  }

  /**
   * Reorder shortcuts.
   * 
   * Put the shortcuts into another order.
   */
  async reorder(agentId: string, body: t.ShortcutOrderBody, options?: RequestOptions): Promise<t.AdminShortcutList> {
    return this.#transport.call<t.AdminShortcutList>({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/shortcuts/order`, body }, options);
  }

  /**
   * Delete shortcut.
   * 
   * Remove a shortcut.
   */
  async delete(agentId: string, shortcutId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/shortcuts/${part(shortcutId)}` }, options);
  }

  /**
   * Update shortcut.
   * 
   * Change a shortcut.
   */
  async update(agentId: string, shortcutId: string, body: t.ShortcutFields, options?: RequestOptions): Promise<t.AdminShortcut> {
    return this.#transport.call<t.AdminShortcut>({ method: "PATCH", path: `/admin/v1/agents/${part(agentId)}/shortcuts/${part(shortcutId)}`, body }, options);
  }
}

/** End users of whom agents have something. */
export class AdminEndUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List end users.
   * 
   * List end users of whom an agent has variables, memories or conversations.
   * 
   * Who came last stands first; ``q`` is a part of the name.
   */
  async list(agentId: string, query?: { /** Only end users whose name contains this. */ "q"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EndUserList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.EndUserList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.EndUserList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/users`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }
}

/** What agents remember of end users. */
export class AdminMemories {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List memories.
   * 
   * List what an agent remembers of one end user, newest first.
   */
  async list(agentId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.MemoryItemList> {
    return this.#transport.call<t.MemoryItemList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memories`, query }, options);
  }

  /**
   * Clear memories.
   * 
   * Delete everything that an agent remembers of one end user.
   */
  async clear(agentId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memories`, query }, options);
  }

  /**
   * Delete memory.
   * 
   * Delete one memory.
   */
  async delete(agentId: string, connectorUid: string, memoryId: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memories/${part(memoryId)}`, query }, options);
  }

  /**
   * Update memory.
   * 
   * Correct a memory; likenesses that a model finds later do not replace it.
   */
  async update(agentId: string, connectorUid: string, memoryId: string, body: t.PatchMemoryBody, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.MemoryItem> {
    return this.#transport.call<t.MemoryItem>({ method: "PATCH", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memories/${part(memoryId)}`, query, body }, options);
  }

  /**
   * Get memory consent.
   * 
   * Tell whether one end user wants to be remembered.
   */
  async getConsent(agentId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.MemoryConsent> {
    return this.#transport.call<t.MemoryConsent>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memory-consent`, query }, options);
  }

  /**
   * Set memory consent.
   * 
   * Switch remembering of one end user off or on; memories stay until they are deleted.
   */
  async setConsent(agentId: string, connectorUid: string, body: t.MemoryConsent, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.MemoryConsent> {
    return this.#transport.call<t.MemoryConsent>({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/memory-consent`, query, body }, options);
  }
}

/** Values that variables of an agent have for an end user. */
export class AdminUserVariables {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List user variables.
   * 
   * Show what an agent remembers of one end user.
   */
  async list(agentId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.StoredVariableList> {
    return this.#transport.call<t.StoredVariableList>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/variables`, query }, options);
  }

  /**
   * Update user variables.
   * 
   * Write values of one end user.
   */
  async update(agentId: string, connectorUid: string, body: t.PutVariablesBody, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.StoredVariableList> {
    return this.#transport.call<t.StoredVariableList>({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/variables`, query, body }, options);
  }

  /**
   * Reset user variables.
   * 
   * Forget values of one end user, by default all; the defaults hold again.
   */
  async reset(agentId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined; /** Names of variables, separated by commas; default: all. */ "keywords"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/agents/${part(agentId)}/users/${part(connectorUid)}/variables`, query }, options);
  }
}

/** Variables that agents declare. */
export class AdminVariables {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List variables.
   * 
   * Show what the draft of an agent declares.
   */
  async list(agentId: string, options?: RequestOptions): Promise<t.VariableDeclarations> {
    return this.#transport.call<t.VariableDeclarations>({ method: "GET", path: `/admin/v1/agents/${part(agentId)}/variables` }, options);
  }

  /**
   * Replace variables.
   * 
   * Replace the declarations of the draft; publishing the agent publishes them.
   */
  async replace(agentId: string, body: t.PutDeclarationsBody, options?: RequestOptions): Promise<t.VariableDeclarations> {
    return this.#transport.call<t.VariableDeclarations>({ method: "PUT", path: `/admin/v1/agents/${part(agentId)}/variables`, body }, options);
  }

  /**
   * List system variables.
   * 
   * List what can be declared as a system variable.
   */
  async listSystem(options?: RequestOptions): Promise<t.SystemVariableList> {
    return this.#transport.call<t.SystemVariableList>({ method: "GET", path: `/admin/v1/system-variables` }, options);
  }
}

/** Projects of workflows and their releases. */
export class AdminApps {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get app.
   * 
   * Show the draft.
   */
  async get(appId: string, options?: RequestOptions): Promise<t.AdminApp> {
    return this.#transport.call<t.AdminApp>({ method: "GET", path: `/admin/v1/apps/${part(appId)}` }, options);
  }

  /**
   * Delete app.
   * 
   * Delete the app; its workflows stay in the workspace.
   */
  async delete(appId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/apps/${part(appId)}` }, options);
  }

  /**
   * Update app.
   * 
   * Change the draft; ``If-Match`` takes the revision that was read.
   */
  async update(appId: string, body: t.UpdateAppBody, options?: RequestOptions): Promise<t.AdminApp> {
    return this.#transport.call<t.AdminApp>({ method: "PATCH", path: `/admin/v1/apps/${part(appId)}`, body }, options);
  }

  /**
   * Copy app.
   * 
   * Copy the draft: variables and conversations, not the workflows made for it.
   */
  async copy(appId: string, body: t.CopyAppBody, options?: RequestOptions): Promise<t.AdminApp> {
    return this.#transport.call<t.AdminApp>({ method: "POST", path: `/admin/v1/apps/${part(appId)}/copy`, body }, options);
  }

  /**
   * Publish app.
   * 
   * Freeze the draft as a version.
   */
  async publish(appId: string, body: t.PublishAppBody, options?: RequestOptions): Promise<t.AdminAppRecord> {
    return this.#transport.call<t.AdminAppRecord>({ method: "POST", path: `/admin/v1/apps/${part(appId)}/publish`, body }, options);
  }

  /**
   * List app publications.
   * 
   * List publications, newest first.
   */
  async listPublications(appId: string, query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminAppRecordList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminAppRecordList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminAppRecordList>({ method: "GET", path: `/admin/v1/apps/${part(appId)}/publish-records`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Get app publication.
   * 
   * Show the app as it was published under a label.
   */
  async getPublication(appId: string, label: string, options?: RequestOptions): Promise<t.AdminApp> {
    return this.#transport.call<t.AdminApp>({ method: "GET", path: `/admin/v1/apps/${part(appId)}/publish-records/${part(label)}` }, options);
  }

  /**
   * List apps.
   * 
   * List apps, newest change first.
   */
  async list(workspaceId: string, query?: { /** `true`: only what is published; `false`: only what is not; default: both. */ "published"?: string | undefined; /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminAppList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminAppList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminAppList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/apps`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create app.
   * 
   * Make an app.
   */
  async create(workspaceId: string, body: t.CreateAppBody, options?: RequestOptions): Promise<t.AdminApp> {
    return this.#transport.call<t.AdminApp>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/apps`, body }, options);
  }
}

/** Conversations that an app defines for its workflows. */
export class AdminAppConversations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List app conversations.
   * 
   * List the conversations that the draft defines, or with ``env=release`` the version.
   */
  async list(appId: string, query?: { /** `draft` (default) or `release`: whose conversations. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.AdminAppConversationList> {
    return this.#transport.call<t.AdminAppConversationList>({ method: "GET", path: `/admin/v1/apps/${part(appId)}/conversation-defs`, query }, options);
  }

  /**
   * Create app conversation.
   * 
   * Define a conversation; it counts for published workflows with the next version.
   */
  async create(appId: string, body: t.ConversationBody, options?: RequestOptions): Promise<t.AdminAppConversationList> {
    return this.#transport.call<t.AdminAppConversationList>({ method: "POST", path: `/admin/v1/apps/${part(appId)}/conversation-defs`, body }, options);
  }

  /**
   * Delete app conversation.
   * 
   * Remove a conversation from the draft.
   */
  async delete(appId: string, name: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/apps/${part(appId)}/conversation-defs/${part(name)}` }, options);
  }

  /**
   * Update app conversation.
   * 
   * Rename a conversation of the draft.
   */
  async update(appId: string, name: string, body: t.ConversationBody, options?: RequestOptions): Promise<t.AdminAppConversationList> {
    return this.#transport.call<t.AdminAppConversationList>({ method: "PATCH", path: `/admin/v1/apps/${part(appId)}/conversation-defs/${part(name)}`, body }, options);
  }
}

/** End users of whom apps have something. */
export class AdminAppEndUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List app end users.
   * 
   * List end users of whom an app has variables.
   * 
   * Who came last stands first; ``q`` is a part of the name.
   */
  async list(appId: string, query?: { /** Only end users whose name contains this. */ "q"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EndUserList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.EndUserList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.EndUserList>({ method: "GET", path: `/admin/v1/apps/${part(appId)}/users`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }
}

/** Values that variables of an app have for an end user. */
export class AdminAppUserVariables {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List app user variables.
   * 
   * Show what an app remembers of one end user.
   */
  async list(appId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.StoredVariableList> {
    return this.#transport.call<t.StoredVariableList>({ method: "GET", path: `/admin/v1/apps/${part(appId)}/users/${part(connectorUid)}/variables`, query }, options);
  }

  /**
   * Update app user variables.
   * 
   * Write values of one end user; those that all users of the app share change for all.
   */
  async update(appId: string, connectorUid: string, body: t.PutVariablesBody, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined }, options?: RequestOptions): Promise<t.StoredVariableList> {
    return this.#transport.call<t.StoredVariableList>({ method: "PUT", path: `/admin/v1/apps/${part(appId)}/users/${part(connectorUid)}/variables`, query, body }, options);
  }

  /**
   * Reset app user variables.
   * 
   * Forget values of one end user, by default all; the defaults hold again.
   */
  async reset(appId: string, connectorUid: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** `draft` or `online` (default): values of tests or of published use. */ "env"?: string | undefined; /** Names of variables, separated by commas; default: all. */ "keywords"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/apps/${part(appId)}/users/${part(connectorUid)}/variables`, query }, options);
  }
}

/** Who did what. */
export class AdminAuditLog {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List audit log.
   * 
   * List who did what in the workspaces the caller administers, newest first.
   */
  async list(query?: { /** Id of a workspace. */ "workspace_id"?: string | undefined; /** Only what this account did. */ "actor"?: string | undefined; /** Only this operation, as the table of routes names it. */ "action"?: string | undefined; /** What the grants are on: agent, app, database, dataset, plugin, prompt or workflow. */ "resource_type"?: string | undefined; /** Id of what the grants are on, with `resource_type`; without both: what the caller was granted. */ "resource_id"?: string | undefined; /** Only what was done at or after this time, in Unix seconds. */ "since"?: string | undefined; /** Only what was done before this time, in Unix seconds. */ "until"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AuditItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AuditItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AuditItems>({ method: "GET", path: `/admin/v1/audit-log`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Export audit log.
   * 
   * Download what the list shows as csv, jsonl or xlsx, newest first.
   */
  async export(query?: { /** Id of a workspace. */ "workspace_id"?: string | undefined; /** Only what this account did. */ "actor"?: string | undefined; /** Only this operation, as the table of routes names it. */ "action"?: string | undefined; /** What the grants are on: agent, app, database, dataset, plugin, prompt or workflow. */ "resource_type"?: string | undefined; /** Id of what the grants are on, with `resource_type`; without both: what the caller was granted. */ "resource_id"?: string | undefined; /** Only what was done at or after this time, in Unix seconds. */ "since"?: string | undefined; /** Only what was done before this time, in Unix seconds. */ "until"?: string | undefined; /** Format of the file: csv, xlsx or jsonl. */ "format"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/audit-log/export`, query }, options)).blob();
  }

  /**
   * Verify audit log.
   * 
   * Follow the chain of the log from its oldest row, and tell whether it holds.
   */
  async verify(options?: RequestOptions): Promise<t.ChainReport> {
    return this.#transport.call<t.ChainReport>({ method: "POST", path: `/admin/v1/audit-log/verify` }, options);
  }
}

/** Sign-in, sessions of browsers, and one's own account. */
export class AdminAuth {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sign in with a password.
   * 
   * Sign in with name and password; the answer sets the session's cookie.
   */
  async login(body: t.LoginBody, options?: RequestOptions): Promise<t.SessionAnswer> {
    return this.#transport.call<t.SessionAnswer>({ method: "POST", path: `/admin/v1/auth/login`, body }, options);
  }

  /**
   * Sign out.
   * 
   * Sign this browser out; `Location`, if any, leads to the provider to sign out there.
   */
  async logout(options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/auth/logout` }, options);
  }

  /**
   * Get one's own account.
   * 
   * Show one's own account.
   */
  async getMe(options?: RequestOptions): Promise<t.AccountItem> {
    return this.#transport.call<t.AccountItem>({ method: "GET", path: `/admin/v1/auth/me` }, options);
  }

  /**
   * Change one's own account.
   * 
   * Change what others see of one's account.
   */
  async updateMe(body: t.UpdateMeBody, options?: RequestOptions): Promise<t.AccountItem> {
    return this.#transport.call<t.AccountItem>({ method: "PATCH", path: `/admin/v1/auth/me`, body }, options);
  }

  /**
   * Set one's own picture.
   * 
   * Show the picture of a multipart form to others: PNG, JPEG, GIF or WebP.
   */
  async setAvatar(file: Source, options?: UploadOptions): Promise<t.AccountItem> {
    return this.#transport.call<t.AccountItem>({ method: "PUT", path: `/admin/v1/auth/me/avatar`, file: await opened(file, options) }, options);
  }

  /**
   * Take one's own picture away.
   * 
   * Show no picture to others any more.
   */
  async deleteAvatar(options?: RequestOptions): Promise<t.AccountItem> {
    return this.#transport.call<t.AccountItem>({ method: "DELETE", path: `/admin/v1/auth/me/avatar` }, options);
  }

  /**
   * Change one's own password.
   * 
   * Change one's password; everywhere else the account is signed out.
   */
  async setPassword(body: t.SetPasswordBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/admin/v1/auth/password`, body }, options);
  }

  /**
   * Get one's own preferences.
   * 
   * Show how one wants to be shown things.
   */
  async getPreferences(options?: RequestOptions): Promise<t.PreferencesBody> {
    return this.#transport.call<t.PreferencesBody>({ method: "GET", path: `/admin/v1/auth/preferences` }, options);
  }

  /**
   * Change one's own preferences.
   * 
   * Replace how one wants to be shown things; what is left out is as at first.
   */
  async setPreferences(body: t.PreferencesBody, options?: RequestOptions): Promise<t.PreferencesBody> {
    return this.#transport.call<t.PreferencesBody>({ method: "PUT", path: `/admin/v1/auth/preferences`, body }, options);
  }

  /**
   * Sign up.
   * 
   * Open an account by an invitation or an address, and sign in.
   */
  async register(body: t.RegisterBody, options?: RequestOptions): Promise<t.SessionAnswer> {
    return this.#transport.call<t.SessionAnswer>({ method: "POST", path: `/admin/v1/auth/register`, body }, options);
  }

  /**
   * Get the session.
   * 
   * Show who is signed in, and what a change has to show; prolongs a remembered session.
   */
  async getSession(options?: RequestOptions): Promise<t.SessionAnswer> {
    return this.#transport.call<t.SessionAnswer>({ method: "GET", path: `/admin/v1/auth/session` }, options);
  }

  /**
   * List one's own sessions.
   * 
   * List where the account is signed in, the latest first.
   */
  async listSessions(options?: RequestOptions): Promise<t.SessionItems> {
    return this.#transport.call<t.SessionItems>({ method: "GET", path: `/admin/v1/auth/sessions` }, options);
  }

  /**
   * Sign out everywhere else.
   * 
   * Sign the account out everywhere else.
   */
  async deleteSessions(options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/auth/sessions` }, options);
  }

  /**
   * Sign out one browser.
   * 
   * Sign one browser out.
   */
  async deleteSession(sessionId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/auth/sessions/${part(sessionId)}` }, options);
  }

  /**
   * Confirm the sign-in with the password.
   * 
   * Show once more who asks, for what needs a sign-in of the last ten minutes.
   */
  async confirmPassword(body: t.ConfirmBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/auth/step-up`, body }, options);
  }

  /**
   * Sign in with a one-time link.
   * 
   * Sign in with a one-time link, which may set name and password.
   */
  async redeemTicket(body: t.SpendTicketBody, options?: RequestOptions): Promise<t.SessionAnswer> {
    return this.#transport.call<t.SessionAnswer>({ method: "POST", path: `/admin/v1/auth/ticket`, body }, options);
  }

  /**
   * Exchange a token for a session.
   * 
   * Exchange a personal token for a session; the answer sets the session's cookie.
   */
  async exchangeToken(body: t.ExchangeTokenBody, options?: RequestOptions): Promise<t.SessionAnswer> {
    return this.#transport.call<t.SessionAnswer>({ method: "POST", path: `/admin/v1/auth/token`, body }, options);
  }

  /**
   * List ways to sign in.
   * 
   * Tell how somebody can sign in.
   */
  async listSignInMethods(options?: RequestOptions): Promise<t.AuthWays> {
    return this.#transport.call<t.AuthWays>({ method: "GET", path: `/admin/v1/auth/ways` }, options);
  }
}

/** What workspaces, and what is in them, may use. */
export class AdminBudgets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get budget.
   * 
   * Show a budget and how it stands.
   */
  async get(budgetId: string, options?: RequestOptions): Promise<t.BudgetItem> {
    return this.#transport.call<t.BudgetItem>({ method: "GET", path: `/admin/v1/budgets/${part(budgetId)}` }, options);
  }

  /**
   * Delete budget.
   * 
   * Remove a budget: what it limited is not limited by it any more.
   */
  async delete(budgetId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/budgets/${part(budgetId)}` }, options);
  }

  /**
   * Update budget.
   * 
   * Change the limits of a budget; every process heeds them within a second.
   */
  async update(budgetId: string, body: t.ChangeBudgetBody, options?: RequestOptions): Promise<t.BudgetItem> {
    return this.#transport.call<t.BudgetItem>({ method: "PATCH", path: `/admin/v1/budgets/${part(budgetId)}`, body }, options);
  }

  /**
   * List budgets.
   * 
   * List the budgets of a workspace and how they stand, newest first.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.BudgetItems> {
    return this.#transport.call<t.BudgetItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/budgets` }, options);
  }

  /**
   * Create budget.
   * 
   * Limit what something may use; what its period has seen already counts.
   */
  async create(workspaceId: string, body: t.CreateBudgetBody, options?: RequestOptions): Promise<t.BudgetItem> {
    return this.#transport.call<t.BudgetItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/budgets`, body }, options);
  }
}

/** Messaging platforms on which agents and chat flows answer. */
export class AdminChannels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get channel.
   * 
   * Show a channel without its secrets.
   */
  async get(channelId: string, options?: RequestOptions): Promise<t.ChannelItem> {
    return this.#transport.call<t.ChannelItem>({ method: "GET", path: `/admin/v1/channels/${part(channelId)}` }, options);
  }

  /**
   * Delete channel.
   * 
   * Delete a channel: what waits there is not answered any more.
   */
  async delete(channelId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/channels/${part(channelId)}` }, options);
  }

  /**
   * Update channel.
   * 
   * Change how a channel behaves, or the credentials of its platform.
   */
  async update(channelId: string, body: t.ChangeChannelBody, options?: RequestOptions): Promise<t.ChannelItem> {
    return this.#transport.call<t.ChannelItem>({ method: "PATCH", path: `/admin/v1/channels/${part(channelId)}`, body }, options);
  }

  /**
   * Test the credentials of a channel.
   * 
   * Ask the platform who the app is there, with the credentials of the channel.
   */
  async test(channelId: string, options?: RequestOptions): Promise<t.ChannelTestResult> {
    return this.#transport.call<t.ChannelTestResult>({ method: "POST", path: `/admin/v1/channels/${part(channelId)}/test` }, options);
  }

  /**
   * List channels.
   * 
   * List the channels of a workspace, newest first, and where others can be.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.ChannelItems> {
    return this.#transport.call<t.ChannelItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/channels` }, options);
  }

  /**
   * Create channel.
   * 
   * Let a published agent or chat flow answer on a messaging platform.
   */
  async create(workspaceId: string, body: t.CreateChannelBody, options?: RequestOptions): Promise<t.ChannelItem> {
    return this.#transport.call<t.ChannelItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/channels`, body }, options);
  }
}

/** Chats of everybody, for support. */
export class AdminChats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List chats.
   * 
   * Return a page of runs without their content.
   */
  async list(query: { /** Id of a workspace. */ "workspace_id": string; /** Only runs of this agent. */ "agent_id"?: string | undefined; /** Id of a conversation. */ "conversation_id"?: string | undefined; /** Only runs in this state: created, queued, in_progress, requires_action, completed, failed or canceled. */ "status"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined; /** Runs per page, 1 to 100; default 50. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminRunList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminRunList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminRunList>({ method: "GET", path: `/admin/v1/chats`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Get chat.
   * 
   * Return one run.
   */
  async get(runId: string, options?: RequestOptions): Promise<t.AdminRun> {
    return this.#transport.call<t.AdminRun>({ method: "GET", path: `/admin/v1/chats/${part(runId)}` }, options);
  }
}

/** Conversations of the caller, and what was said in them. */
export class AdminConversations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List conversations.
   * 
   * Return a page of the caller's conversations with one agent; the cursor is a page.
   */
  async list(query: { /** Id of an agent. */ "agent_id": string; /** Only conversations of this connector; default: that of the token. */ "connector_id"?: string | undefined; /** Only conversations of this end user. */ "end_user_id"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** By age: `asc` or `desc` (default). */ "order"?: string | undefined; /** Where they live: `api` (default), or `playground`, where editors try agents. */ "scene"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminConversationList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminConversationList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminConversationList>({ method: "GET", path: `/admin/v1/conversations`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create conversation.
   * 
   * Open a conversation, its messages in the first section.
   */
  async create(body: t.CreateConversationBody, options?: RequestOptions): Promise<t.AdminConversation> {
    return this.#transport.call<t.AdminConversation>({ method: "POST", path: `/admin/v1/conversations`, body, hasKey: true }, options);
  }

  /**
   * Get conversation.
   * 
   * Return one of the caller's conversations.
   */
  async get(conversationId: string, options?: RequestOptions): Promise<t.AdminConversation> {
    return this.#transport.call<t.AdminConversation>({ method: "GET", path: `/admin/v1/conversations/${part(conversationId)}` }, options);
  }

  /**
   * Delete conversation.
   * 
   * Delete a conversation with its messages; a running run is cancelled.
   */
  async delete(conversationId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/conversations/${part(conversationId)}` }, options);
  }

  /**
   * Update conversation.
   * 
   * Give a conversation another name.
   */
  async update(conversationId: string, body: t.RenameConversationBody, options?: RequestOptions): Promise<t.AdminConversation> {
    return this.#transport.call<t.AdminConversation>({ method: "PATCH", path: `/admin/v1/conversations/${part(conversationId)}`, body }, options);
  }

  /**
   * Begin a new section of a conversation.
   * 
   * Begin a new section: messages stay listed, later runs do not see them.
   */
  async clear(conversationId: string, options?: RequestOptions): Promise<t.WireSection> {
    return this.#transport.call<t.WireSection>({ method: "POST", path: `/admin/v1/conversations/${part(conversationId)}/clear` }, options);
  }

  /**
   * Continue in a copy of a conversation.
   * 
   * Copy what was said before a message into a new conversation; the older one stays.
   */
  async fork(conversationId: string, body: t.ForkBody, options?: RequestOptions): Promise<t.AdminConversation> {
    return this.#transport.call<t.AdminConversation>({ method: "POST", path: `/admin/v1/conversations/${part(conversationId)}/fork`, body, hasKey: true }, options);
  }

  /**
   * List conversation messages.
   * 
   * Return a page of messages; the cursor is the last id of the page before.
   */
  async listMessages(conversationId: string, query?: { /** Last message id of the page before; without it, the first page. */ "cursor"?: string | undefined; /** Messages per page, 1 to 100; default 50. */ "limit"?: string | undefined; /** By age: `asc` or `desc` (default). */ "order"?: string | undefined }, options?: RequestOptions): Promise<t.AdminMessageList> {
    return this.#transport.call<t.AdminMessageList>({ method: "GET", path: `/admin/v1/conversations/${part(conversationId)}/messages`, query }, options);
  }

  /**
   * Delete conversation message.
   * 
   * Delete a question or answer; an answer takes its run's details along.
   */
  async deleteMessage(conversationId: string, messageId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/conversations/${part(conversationId)}/messages/${part(messageId)}` }, options);
  }

  /**
   * Update conversation message.
   * 
   * Change content or meta of a question or answer.
   */
  async updateMessage(conversationId: string, messageId: string, body: t.ModifyMessageRequest, options?: RequestOptions): Promise<t.WireMessage> {
    return this.#transport.call<t.WireMessage>({ method: "PATCH", path: `/admin/v1/conversations/${part(conversationId)}/messages/${part(messageId)}`, body }, options);
  }

  /**
   * Rate an answer.
   * 
   * Like or dislike an answer; a second verdict replaces the first.
   */
  async setFeedback(conversationId: string, messageId: string, body: t.FeedbackBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/admin/v1/conversations/${part(conversationId)}/messages/${part(messageId)}/feedback`, body }, options);
  }

  /**
   * Take back the rating of an answer.
   * 
   * Take the verdict back.
   */
  async deleteFeedback(conversationId: string, messageId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/conversations/${part(conversationId)}/messages/${part(messageId)}/feedback` }, options);
  }
}

/** Conversations of a workspace, for those who look after them. */
export class AdminSupportConversations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get support conversation transcript.
   * 
   * Return a page of what was said in a conversation, newest first, to be read only.
   * 
   * Somebody else's needs ``trace.read``, and the audit log tells of each opening. The cursor
   * is the last id of the page before.
   */
  async getTranscript(conversationId: string, query?: { /** `next_cursor` of the page before; without it, the newest messages. */ "cursor"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.SupportTranscript> {
    return this.#transport.call<t.SupportTranscript>({ method: "GET", path: `/admin/v1/conversations/${part(conversationId)}/transcript`, query }, options);
  }

  /**
   * List support conversations.
   * 
   * Return a page of the conversations of a workspace in which an agent was asked.
   * 
   * Those of others need ``trace.read``; without it the caller's own are listed. Source and
   * times are those of the newest run.
   */
  async list(workspaceId: string, query?: { /** `true`: only those that the caller began. */ "own"?: string | undefined; /** Only conversations with this agent. */ "agent_id"?: string | undefined; /** Only conversations on this connector. */ "connector_id"?: string | undefined; /** Only conversations whose newest run came this way: playground, api, openai, mcp, share_link, embed, channel, trigger or evaluation. */ "source"?: string | undefined; /** Only conversations of this end user. */ "end_user_id"?: string | undefined; /** Only conversations whose name contains this. */ "q"?: string | undefined; /** `up` or `down`: only conversations in which somebody rated an answer so. */ "feedback"?: string | undefined; /** `true`: only those in which a run waits for a person. */ "waits"?: string | undefined; /** Only conversations whose newest run began at or after this time, in Unix seconds. */ "since"?: string | undefined; /** Only conversations whose newest run began before this time, in Unix seconds. */ "until"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<Page<t.SupportConversationList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.SupportConversationList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.SupportConversationList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/conversations`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }
}

/** What is kept of somebody: handed over, or removed. */
export class AdminDataRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get data request.
   * 
   * Show how far a request is, and its proof when it is done.
   */
  async get(dataRequestId: string, options?: RequestOptions): Promise<t.DataRequestItem> {
    return this.#transport.call<t.DataRequestItem>({ method: "GET", path: `/admin/v1/data-requests/${part(dataRequestId)}` }, options);
  }

  /**
   * Get data request archive.
   * 
   * Download the ZIP file of an export, for a week after it was made.
   */
  async getArchive(dataRequestId: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/data-requests/${part(dataRequestId)}/archive` }, options)).blob();
  }

  /**
   * List data requests.
   * 
   * List the newest requests of a workspace; members without the right see their own.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.DataRequestItems> {
    return this.#transport.call<t.DataRequestItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/data-requests` }, options);
  }

  /**
   * Create data request.
   * 
   * Have somebody's data handed over or removed; everybody may ask for their own.
   */
  async create(workspaceId: string, body: t.CreateDataRequestBody, options?: RequestOptions): Promise<t.DataRequestItem> {
    return this.#transport.call<t.DataRequestItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/data-requests`, body }, options);
  }
}

/** Tables that agents and workflows read and write. */
export class AdminDatabases {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get database.
   * 
   * Show a table and the agents it is bound to.
   */
  async get(databaseId: string, options?: RequestOptions): Promise<t.AdminDatabase> {
    return this.#transport.call<t.AdminDatabase>({ method: "GET", path: `/admin/v1/databases/${part(databaseId)}` }, options);
  }

  /**
   * Delete database.
   * 
   * Remove a table with all of its rows.
   */
  async delete(databaseId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/databases/${part(databaseId)}` }, options);
  }

  /**
   * Update database.
   * 
   * Change a table; a field changes its type only if every cell converts.
   */
  async update(databaseId: string, body: t.PatchDatabaseBody, options?: RequestOptions): Promise<t.AdminDatabase> {
    return this.#transport.call<t.AdminDatabase>({ method: "PATCH", path: `/admin/v1/databases/${part(databaseId)}`, body }, options);
  }

  /**
   * Bind a database to an agent.
   * 
   * Give an agent the table as a tool.
   */
  async bind(databaseId: string, agentId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/agents/${part(agentId)}` }, options);
  }

  /**
   * Unbind a database from an agent.
   * 
   * Take the table away from an agent.
   */
  async unbind(databaseId: string, agentId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/databases/${part(databaseId)}/agents/${part(agentId)}` }, options);
  }

  /**
   * Export database.
   * 
   * Download the rows as csv, xlsx or jsonl; with an end user as that one sees them.
   */
  async export(databaseId: string, query?: { /** `draft` or `online` (default): rows of tests or of published use. */ "side"?: string | undefined; /** Id of an end user, as the caller names it. */ "connector_uid"?: string | undefined; /** Format of the file: csv (default), xlsx or jsonl. */ "format"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/databases/${part(databaseId)}/export`, query }, options)).blob();
  }

  /**
   * List what uses a database.
   * 
   * List the agents that have a table as a tool, with their names.
   */
  async listReferences(databaseId: string, options?: RequestOptions): Promise<t.AdminDatabaseReferenceList> {
    return this.#transport.call<t.AdminDatabaseReferenceList>({ method: "GET", path: `/admin/v1/databases/${part(databaseId)}/references` }, options);
  }

  /**
   * Remove all draft rows of a database.
   * 
   * Remove all rows of the draft side.
   */
  async reset(databaseId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/reset` }, options);
  }

  /**
   * Run SQL on a database.
   * 
   * Run one guarded SELECT, INSERT, UPDATE or DELETE.
   */
  async runSql(databaseId: string, body: t.SqlBody, options?: RequestOptions): Promise<t.SqlResult> {
    return this.#transport.call<t.SqlResult>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/sql`, body }, options);
  }

  /**
   * Explain SQL on a database.
   * 
   * Show what the guard makes of a statement; nothing is run.
   */
  async explainSql(databaseId: string, body: t.SqlBody, options?: RequestOptions): Promise<t.SqlPlan> {
    return this.#transport.call<t.SqlPlan>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/sql:explain`, body }, options);
  }

  /**
   * Get database template.
   * 
   * Download a file to be filled in and imported: ``format`` csv, xlsx or jsonl.
   */
  async getTemplate(databaseId: string, query?: { /** Format of the file: csv (default), xlsx or jsonl. */ "format"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/databases/${part(databaseId)}/template`, query }, options)).blob();
  }

  /**
   * List databases.
   * 
   * List tables, the youngest first; ``q`` is a part of the name.
   */
  async list(workspaceId: string, query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminDatabaseList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminDatabaseList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminDatabaseList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/databases`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create database.
   * 
   * Make a table with an empty draft side and an empty online side.
   */
  async create(workspaceId: string, body: t.CreateDatabaseBody, options?: RequestOptions): Promise<t.AdminDatabase> {
    return this.#transport.call<t.AdminDatabase>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/databases`, body }, options);
  }
}

/** Files that are read into tables. */
export class AdminDatabaseImports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create database import.
   * 
   * Have a file read into the table: all of its rows, or none and the reason.
   */
  async create(databaseId: string, body: t.ImportBody, options?: RequestOptions): Promise<t.AdminImport> {
    return this.#transport.call<t.AdminImport>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/imports`, body }, options);
  }

  /**
   * Get database import.
   * 
   * Say how far an import is.
   */
  async get(databaseId: string, importId: string, options?: RequestOptions): Promise<t.AdminImport> {
    return this.#transport.call<t.AdminImport>({ method: "GET", path: `/admin/v1/databases/${part(databaseId)}/imports/${part(importId)}` }, options);
  }

  /**
   * Preview an import into a database.
   * 
   * Read a file as an import would and say which cells do not fit; nothing is added.
   */
  async preview(databaseId: string, body: t.ImportPreviewBody, options?: RequestOptions): Promise<t.ImportPreview> {
    return this.#transport.call<t.ImportPreview>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/imports:preview`, body }, options);
  }
}

/** Rows of tables. */
export class AdminRecords {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Delete records.
   * 
   * Remove the rows that match.
   */
  async delete(databaseId: string, body: t.DeleteRecordsBody, options?: RequestOptions): Promise<t.AffectedRecords> {
    return this.#transport.call<t.AffectedRecords>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/records:delete`, body }, options);
  }

  /**
   * Insert records.
   * 
   * Add rows, all or none.
   */
  async insert(databaseId: string, body: t.InsertRecordsBody, options?: RequestOptions): Promise<t.InsertedRecords> {
    return this.#transport.call<t.InsertedRecords>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/records:insert`, body }, options);
  }

  /**
   * Query records.
   * 
   * Return rows, the youngest first unless ``order_by`` says otherwise.
   */
  async query(databaseId: string, body: t.QueryRecordsBody, options?: RequestOptions): Promise<t.RecordList> {
    return this.#transport.call<t.RecordList>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/records:query`, body }, options);
  }

  /**
   * Update records.
   * 
   * Change the rows that match.
   */
  async update(databaseId: string, body: t.UpdateRecordsBody, options?: RequestOptions): Promise<t.AffectedRecords> {
    return this.#transport.call<t.AffectedRecords>({ method: "POST", path: `/admin/v1/databases/${part(databaseId)}/records:update`, body }, options);
  }
}

/** Knowledge bases: their state, their index, searches to try them. */
export class AdminDatasets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get dataset.
   * 
   * Show a knowledge base with the state of its index.
   */
  async get(datasetId: string, options?: RequestOptions): Promise<t.AdminDataset> {
    return this.#transport.call<t.AdminDataset>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}` }, options);
  }

  /**
   * Delete dataset.
   * 
   * Delete a knowledge base with all it holds.
   */
  async delete(datasetId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/datasets/${part(datasetId)}` }, options);
  }

  /**
   * Update dataset.
   * 
   * Change name and description, or whether searches see the base.
   */
  async update(datasetId: string, body: t.PatchDatasetBody, options?: RequestOptions): Promise<t.AdminDataset> {
    return this.#transport.call<t.AdminDataset>({ method: "PATCH", path: `/admin/v1/datasets/${part(datasetId)}`, body }, options);
  }

  /**
   * Copy dataset.
   * 
   * Copy a base with its searchable documents; the same key again tells how far it is.
   */
  async copy(datasetId: string, body: t.CopyBody, options?: RequestOptions): Promise<t.AdminCopy> {
    return this.#transport.call<t.AdminCopy>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/copy`, body, hasKey: true }, options);
  }

  /**
   * Get the health of a dataset.
   * 
   * Show how long the slices of a base are, and which are empty, repeated or never found.
   */
  async getHealth(datasetId: string, options?: RequestOptions): Promise<t.AdminDatasetHealth> {
    return this.#transport.call<t.AdminDatasetHealth>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/health` }, options);
  }

  /**
   * List slices behind a figure of health.
   * 
   * List the slices behind a figure of the base's health, the worst first.
   */
  async listExamined(datasetId: string, query?: { /** Only slices that are `empty`, `duplicate`, `never_found` or `over_long`. */ "flaw"?: string | undefined; /** Only slices of the sample that are mostly in this script: `zh`, `ja`, `ko`, `cyrillic`, `arabic`, `latin` or `other`. */ "script"?: string | undefined; /** Only slices of at least so many characters. */ "at_least"?: string | undefined; /** Only slices of fewer characters. */ "below"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminExaminedSlices["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminExaminedSlices["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminExaminedSlices>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/health/slices`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * List dataset images.
   * 
   * List the images of a base of images, the youngest first.
   */
  async listImages(datasetId: string, query?: { /** A part of the name or caption; default: all. */ "q"?: string | undefined; /** `true`: only images with a caption; `false`: only those without. */ "has_caption"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminImagePage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminImagePage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminImagePage>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/images`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Get dataset progress.
   * 
   * Tell how far documents are that are in work, up to 100, those taken in first first.
   */
  async getProgress(datasetId: string, options?: RequestOptions): Promise<t.AdminProgressList> {
    return this.#transport.call<t.AdminProgressList>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/progress` }, options);
  }

  /**
   * Reconcile dataset.
   * 
   * Compare the base with its stores now, and repair what differs.
   */
  async reconcile(datasetId: string, options?: RequestOptions): Promise<t.AdminReconciliation> {
    return this.#transport.call<t.AdminReconciliation>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/reconcile` }, options);
  }

  /**
   * List what uses a dataset.
   * 
   * List the agents whose drafts search the base.
   */
  async listReferences(datasetId: string, options?: RequestOptions): Promise<t.AdminDatasetReferenceList> {
    return this.#transport.call<t.AdminDatasetReferenceList>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/references` }, options);
  }

  /**
   * Reindex dataset.
   * 
   * Build the index anew; searches use the old one until the new one is complete.
   */
  async reindex(datasetId: string, body?: t.ReindexBody, options?: RequestOptions): Promise<t.AdminRebuild> {
    return this.#transport.call<t.AdminRebuild>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/reindex`, body }, options);
  }

  /**
   * Resegment dataset.
   * 
   * Cut documents anew, all or none; what is searchable stays so until that is done.
   */
  async resegment(datasetId: string, body: t.ResegmentBody, options?: RequestOptions): Promise<t.AdminDocumentList> {
    return this.#transport.call<t.AdminDocumentList>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/resegment`, body }, options);
  }

  /**
   * Infer columns from a table file.
   * 
   * Guess the columns of a file; nothing is kept of it.
   */
  async inferTableSchema(datasetId: string, body: t.TableFileBody, options?: RequestOptions): Promise<t.AdminTableSchema> {
    return this.#transport.call<t.AdminTableSchema>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/table-schema:infer`, body }, options);
  }

  /**
   * Check a table file against columns.
   * 
   * Check a file against the table of the base, or against the columns of the request.
   */
  async validateTableSchema(datasetId: string, body: t.TableFileBody, options?: RequestOptions): Promise<t.AdminTableCheck> {
    return this.#transport.call<t.AdminTableCheck>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/table-schema:validate`, body }, options);
  }

  /**
   * Search datasets.
   * 
   * Search knowledge bases of one workspace; counts no hits, 20 a minute.
   */
  async search(body: t.SearchTestInput, options?: RequestOptions): Promise<t.WireSearch> {
    return this.#transport.call<t.WireSearch>({ method: "POST", path: `/admin/v1/datasets:search`, body }, options);
  }

  /**
   * List datasets.
   * 
   * List knowledge bases, the youngest first; ``q`` is a part of the name.
   */
  async list(workspaceId: string, query?: { /** Only bases of this kind: 0 text, 1 table, 2 image. */ "format_type"?: string | undefined; /** Only bases with a document that `failed` or is `in_work`, that are `off` or `empty`, or `ready`: searched, with documents, and none of the others. */ "state"?: string | undefined; /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminDatasetList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminDatasetList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminDatasetList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/datasets`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create dataset.
   * 
   * Make an empty knowledge base.
   */
  async create(workspaceId: string, body: t.NewBaseBody, options?: RequestOptions): Promise<t.AdminDataset> {
    return this.#transport.call<t.AdminDataset>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/datasets`, body, hasKey: true }, options);
  }
}

/** Documents of knowledge bases. */
export class AdminDocuments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List documents.
   * 
   * List the documents of a base, by default the youngest first.
   */
  async list(datasetId: string, query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Only documents that are `in_work`, `ready`, `off` (switched off) or `failed`. */ "state"?: string | undefined; /** Only documents of this type, for instance pdf. */ "type"?: string | undefined; /** Only documents that came as a `file`, from the `web` or as `text`. */ "source"?: string | undefined; /** Only documents with a tag of this name, or `name=value` where the value is one text, number or flag. */ "tag"?: string | undefined; /** By `created` (default), `changed`, `name`, `size`, `slices`, `characters` or `hits`. */ "sort"?: string | undefined; /** `asc` or `desc` (default), by what `sort` names. */ "order"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminDocumentPage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminDocumentPage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminDocumentPage>({ method: "GET", path: `/admin/v1/datasets/${part(datasetId)}/documents`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create document.
   * 
   * Take documents in, all or none; their progress tells when they can be found.
   */
  async create(datasetId: string, body: t.AddDocumentsBody, options?: RequestOptions): Promise<t.AdminDocumentList> {
    return this.#transport.call<t.AdminDocumentList>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/documents`, body, hasKey: true }, options);
  }

  /**
   * Change several documents.
   * 
   * Change up to 100 documents, all or none; those deleted are not in the answer.
   */
  async batchUpdate(datasetId: string, body: t.BatchBody, options?: RequestOptions): Promise<t.AdminDocumentList> {
    return this.#transport.call<t.AdminDocumentList>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/documents:batch`, body }, options);
  }

  /**
   * Get document.
   * 
   * Show a document.
   */
  async get(documentId: string, options?: RequestOptions): Promise<t.AdminDocument> {
    return this.#transport.call<t.AdminDocument>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}` }, options);
  }

  /**
   * Delete document.
   * 
   * Delete a document.
   */
  async delete(documentId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/documents/${part(documentId)}` }, options);
  }

  /**
   * Update document.
   * 
   * Rename a document, or switch whether searches see it; nothing is indexed anew.
   */
  async update(documentId: string, body: t.PatchDocumentBody, options?: RequestOptions): Promise<t.AdminDocument> {
    return this.#transport.call<t.AdminDocument>({ method: "PATCH", path: `/admin/v1/documents/${part(documentId)}`, body }, options);
  }

  /**
   * Set document caption.
   * 
   * Say what an image shows; it is then found by that.
   */
  async setCaption(documentId: string, body: t.CaptionOfImageBody, options?: RequestOptions): Promise<t.AdminCaption> {
    return this.#transport.call<t.AdminCaption>({ method: "PUT", path: `/admin/v1/documents/${part(documentId)}/caption`, body }, options);
  }

  /**
   * Extract document caption.
   * 
   * Ask the model that looks at images for a caption; it is not saved.
   */
  async extractCaption(documentId: string, options?: RequestOptions): Promise<t.AdminCaption> {
    return this.#transport.call<t.AdminCaption>({ method: "POST", path: `/admin/v1/documents/${part(documentId)}/caption:extract` }, options);
  }

  /**
   * Export document.
   * 
   * Download the rows of a table as csv, xlsx or jsonl; imported, they make it again.
   */
  async export(documentId: string, query?: { /** Format of the file: csv (default), xlsx or jsonl. */ "format"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/export`, query }, options)).blob();
  }

  /**
   * Get document image.
   * 
   * Show an image of a base of images.
   */
  async getImage(documentId: string, options?: RequestOptions): Promise<t.AdminImage> {
    return this.#transport.call<t.AdminImage>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/image` }, options);
  }

  /**
   * Get document original.
   * 
   * Download the file that a document was made of.
   */
  async getOriginal(documentId: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/original` }, options)).blob();
  }

  /**
   * List document pages.
   * 
   * List the pages of a document; formats without pages have none.
   */
  async listPages(documentId: string, options?: RequestOptions): Promise<t.AdminPages> {
    return this.#transport.call<t.AdminPages>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/pages` }, options);
  }

  /**
   * Get document page image.
   * 
   * Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide.
   */
  async getPageImage(documentId: string, number: string, query?: { /** Least width in pixels, 200 to 3000; default 1200. */ "width"?: string | undefined; /** That of the list of pages; it only tells a new reading from an old one. */ "generation"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/pages/${part(number)}/image`, query }, options)).blob();
  }

  /**
   * Get document page text.
   * 
   * List the words of a page with their places, to search and to mark them.
   */
  async getPageText(documentId: string, number: string, options?: RequestOptions): Promise<t.AdminWords> {
    return this.#transport.call<t.AdminWords>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/pages/${part(number)}/text` }, options);
  }

  /**
   * Get document reading.
   * 
   * List what was read, block by block; nothing once that is not kept any more.
   */
  async getReading(documentId: string, query?: { /** `next_cursor` of the part before; without it, the beginning. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminReading["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminReading["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminReading>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/reading`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Replace document tags.
   * 
   * Replace all tags of a document, by which searches choose; nothing is indexed anew.
   */
  async replaceTags(documentId: string, body: t.TagsOfDocumentBody, options?: RequestOptions): Promise<t.AdminDocument> {
    return this.#transport.call<t.AdminDocument>({ method: "PUT", path: `/admin/v1/documents/${part(documentId)}/tags`, body }, options);
  }
}

/** How documents would be cut, before they are. */
export class AdminPreviews {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create preview.
   * 
   * Have files read and cut; nothing is indexed. Ask for each preview until it is ready.
   */
  async create(datasetId: string, body: t.CreatePreviewsBody, options?: RequestOptions): Promise<t.AdminPreviewList> {
    return this.#transport.call<t.AdminPreviewList>({ method: "POST", path: `/admin/v1/datasets/${part(datasetId)}/previews`, body }, options);
  }

  /**
   * Get preview.
   * 
   * Show a preview with its chunks.
   */
  async get(previewId: string, options?: RequestOptions): Promise<t.AdminPreview> {
    return this.#transport.call<t.AdminPreview>({ method: "GET", path: `/admin/v1/previews/${part(previewId)}` }, options);
  }

  /**
   * Update preview.
   * 
   * Replace the chunks by edited ones.
   */
  async update(previewId: string, body: t.SavePreviewBody, options?: RequestOptions): Promise<t.AdminPreview> {
    return this.#transport.call<t.AdminPreview>({ method: "PUT", path: `/admin/v1/previews/${part(previewId)}`, body }, options);
  }

  /**
   * Commit preview.
   * 
   * Make a document of exactly these chunks; its id is that of the preview.
   */
  async commit(previewId: string, options?: RequestOptions): Promise<t.AdminDocument> {
    return this.#transport.call<t.AdminDocument>({ method: "POST", path: `/admin/v1/previews/${part(previewId)}/commit` }, options);
  }

  /**
   * List preview pages.
   * 
   * List the pages of the file of a preview; formats without pages have none.
   */
  async listPages(previewId: string, options?: RequestOptions): Promise<t.AdminPages> {
    return this.#transport.call<t.AdminPages>({ method: "GET", path: `/admin/v1/previews/${part(previewId)}/pages` }, options);
  }

  /**
   * Get preview page image.
   * 
   * Draw a page as PNG, or JPEG where that is much smaller; at least ``width`` wide.
   */
  async getPageImage(previewId: string, number: string, query?: { /** Least width in pixels, 200 to 3000; default 1200. */ "width"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/admin/v1/previews/${part(previewId)}/pages/${part(number)}/image`, query }, options)).blob();
  }

  /**
   * Get preview page text.
   * 
   * List the words of a page with their places, to search and to mark them.
   */
  async getPageText(previewId: string, number: string, options?: RequestOptions): Promise<t.AdminWords> {
    return this.#transport.call<t.AdminWords>({ method: "GET", path: `/admin/v1/previews/${part(previewId)}/pages/${part(number)}/text` }, options);
  }
}

/** Events that a consumer could not handle. */
export class AdminDeadLetters {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List dead letters.
   * 
   * List what consumers could not handle, the oldest first.
   */
  async list(query?: { /** Only what this consumer could not handle. */ "consumer"?: string | undefined; /** Only events of this topic. */ "topic"?: string | undefined; /** A part of the error, the key or the topic, whatever its case; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.DeadLetterItems> {
    return this.#transport.call<t.DeadLetterItems>({ method: "GET", path: `/admin/v1/dead-letters`, query }, options);
  }

  /**
   * Get dead letter.
   * 
   * Show what one event says, and for each consumer why it was given up.
   */
  async get(eventId: string, options?: RequestOptions): Promise<t.DeadLetterItems> {
    return this.#transport.call<t.DeadLetterItems>({ method: "GET", path: `/admin/v1/dead-letters/${part(eventId)}` }, options);
  }

  /**
   * Drop dead letter.
   * 
   * Forget letters for good: what they ask for is never done.
   */
  async drop(body: t.DropLettersBody, options?: RequestOptions): Promise<t.SettledLetters> {
    return this.#transport.call<t.SettledLetters>({ method: "POST", path: `/admin/v1/dead-letters:drop`, body }, options);
  }

  /**
   * Retry dead letter.
   * 
   * Deliver letters once more, with all their attempts.
   */
  async retry(body: t.RetryLettersBody, options?: RequestOptions): Promise<t.SettledLetters> {
    return this.#transport.call<t.SettledLetters>({ method: "POST", path: `/admin/v1/dead-letters:retry`, body }, options);
  }
}

/** Pieces of documents that a search finds. */
export class AdminSlices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List slices.
   * 
   * List slices in order; ``sequence`` gives the page of that position, from 1.
   */
  async list(documentId: string, query?: { /** A part of the text; default: all. */ "q"?: string | undefined; /** Only slices in this state: 0 pending, 1 indexed, 9 failed. */ "status"?: string | undefined; /** Position of a slice from 1; the page that holds it is answered. */ "sequence"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** Page, from 1; default 1. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminSliceList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminSliceList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminSliceList>({ method: "GET", path: `/admin/v1/documents/${part(documentId)}/slices`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create slice.
   * 
   * Add a slice, by default behind the last; it is indexed by itself.
   */
  async create(documentId: string, body: t.AddSliceBody, options?: RequestOptions): Promise<t.AdminSlice> {
    return this.#transport.call<t.AdminSlice>({ method: "POST", path: `/admin/v1/documents/${part(documentId)}/slices`, body }, options);
  }

  /**
   * Delete slice.
   * 
   * Remove a slice.
   */
  async delete(sliceId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/slices/${part(sliceId)}` }, options);
  }

  /**
   * Update slice.
   * 
   * Replace what a slice says, switch it off or on, or move it.
   * 
   * Until new words are indexed, the old ones find it; the rest is so at once.
   */
  async update(sliceId: string, body: t.PatchSliceBody, options?: RequestOptions): Promise<t.AdminSlice> {
    return this.#transport.call<t.AdminSlice>({ method: "PATCH", path: `/admin/v1/slices/${part(sliceId)}`, body }, options);
  }

  /**
   * Merge a slice with the next one.
   * 
   * Add the next slice to this one; the next one is gone then.
   */
  async merge(sliceId: string, options?: RequestOptions): Promise<t.AdminSlice> {
    return this.#transport.call<t.AdminSlice>({ method: "POST", path: `/admin/v1/slices/${part(sliceId)}/merge` }, options);
  }

  /**
   * Reset a slice to what was read.
   * 
   * Let a slice say again what was read from the document.
   */
  async reset(sliceId: string, options?: RequestOptions): Promise<t.AdminSlice> {
    return this.#transport.call<t.AdminSlice>({ method: "POST", path: `/admin/v1/slices/${part(sliceId)}/reset` }, options);
  }

  /**
   * Split slice.
   * 
   * Make two slices of one and answer the second; both are indexed by themselves.
   */
  async split(sliceId: string, body: t.SplitBody, options?: RequestOptions): Promise<t.AdminSlice> {
    return this.#transport.call<t.AdminSlice>({ method: "POST", path: `/admin/v1/slices/${part(sliceId)}/split`, body }, options);
  }
}

/** Uploads of a workspace. */
export class AdminFiles {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create file.
   * 
   * Store the file of a multipart form.
   */
  async create(file: Source, query?: { /** Id of a workspace (space). Uploads without it go to the default workspace of the token. */ "space_id"?: string | undefined }, options?: UploadOptions): Promise<t.AdminFile> {
    return this.#transport.call<t.AdminFile>({ method: "POST", path: `/admin/v1/files`, query, file: await opened(file, options), hasKey: true }, options);
  }

  /**
   * Get file.
   * 
   * Describe a file.
   */
  async get(fileId: string, options?: RequestOptions): Promise<t.AdminFile> {
    return this.#transport.call<t.AdminFile>({ method: "GET", path: `/admin/v1/files/${part(fileId)}` }, options);
  }

  /**
   * Delete file.
   * 
   * Delete a file; links to it stop working at once.
   */
  async delete(fileId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/files/${part(fileId)}` }, options);
  }

  /**
   * Get a signed URL of a file.
   * 
   * Sign a fresh address; with ``attachment`` true browsers always save the file.
   */
  async getUrl(fileId: string, query?: { /** `true`: browsers save the file; `false` (default): they show it. */ "attachment"?: string | undefined }, options?: RequestOptions): Promise<t.FileLink> {
    return this.#transport.call<t.FileLink>({ method: "GET", path: `/admin/v1/files/${part(fileId)}/url`, query }, options);
  }
}

/** Rights of accounts and groups on single resources. */
export class AdminGrants {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List grants.
   * 
   * List who was granted what on a resource; without one, what the caller was granted.
   */
  async list(query?: { /** What the grants are on: agent, app, database, dataset, plugin, prompt or workflow. */ "resource_type"?: string | undefined; /** Id of what the grants are on, with `resource_type`; without both: what the caller was granted. */ "resource_id"?: string | undefined }, options?: RequestOptions): Promise<t.GrantItems> {
    return this.#transport.call<t.GrantItems>({ method: "GET", path: `/admin/v1/grants`, query }, options);
  }

  /**
   * Grant a right on a resource.
   * 
   * Give an account or a group a right on a resource, instead of what it has there.
   */
  async set(body: t.GiveGrantBody, options?: RequestOptions): Promise<t.GrantItem> {
    return this.#transport.call<t.GrantItem>({ method: "PUT", path: `/admin/v1/grants`, body }, options);
  }

  /**
   * Delete grant.
   * 
   * End a right on a resource.
   */
  async delete(grantId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/grants/${part(grantId)}` }, options);
  }
}

/** Groups of accounts of the deployment, and each single group. */
export class AdminGroups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List groups.
   * 
   * List groups of the deployment, newest first.
   */
  async list(query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.GroupItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.GroupItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.GroupItems>({ method: "GET", path: `/admin/v1/groups`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create group.
   * 
   * Open a group of the deployment, to which every workspace may grant something.
   */
  async create(body: t.GroupBody, options?: RequestOptions): Promise<t.GroupItem> {
    return this.#transport.call<t.GroupItem>({ method: "POST", path: `/admin/v1/groups`, body }, options);
  }

  /**
   * Get group.
   * 
   * Show a group with its members.
   */
  async get(groupId: string, options?: RequestOptions): Promise<t.GroupWithMembers> {
    return this.#transport.call<t.GroupWithMembers>({ method: "GET", path: `/admin/v1/groups/${part(groupId)}` }, options);
  }

  /**
   * Delete group.
   * 
   * Take a group away, with everything that was granted to it.
   */
  async delete(groupId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/groups/${part(groupId)}` }, options);
  }

  /**
   * Update group.
   * 
   * Give a group another name.
   */
  async update(groupId: string, body: t.GroupBody, options?: RequestOptions): Promise<t.GroupItem> {
    return this.#transport.call<t.GroupItem>({ method: "PATCH", path: `/admin/v1/groups/${part(groupId)}`, body }, options);
  }
}

/** Which accounts are in a group. */
export class AdminGroupMembers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Add a member to a group.
   * 
   * Add an account to a group; it need not be a member of the workspace.
   */
  async add(groupId: string, userId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/admin/v1/groups/${part(groupId)}/members/${part(userId)}` }, options);
  }

  /**
   * Delete group member.
   * 
   * Take an account out of a group.
   */
  async delete(groupId: string, userId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/groups/${part(groupId)}/members/${part(userId)}` }, options);
  }
}

/** Icons that come with the product. */
export class AdminIcons {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List icons.
   * 
   * List the built-in icons, all or of one kind.
   */
  async list(query?: { /** Only icons for this kind of thing. */ "kind"?: string | undefined }, options?: RequestOptions): Promise<t.IconList> {
    return this.#transport.call<t.IconList>({ method: "GET", path: `/admin/v1/icons`, query }, options);
  }
}

/** Links that make whoever has them a member of a workspace. */
export class AdminInvitations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Delete invitation.
   * 
   * Let nobody in by an invitation any more; who came by it stays.
   */
  async delete(invitationId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/invitations/${part(invitationId)}` }, options);
  }

  /**
   * Accept an invitation.
   * 
   * Become a member of the workspace; whoever is one already stays what they are.
   */
  async accept(body: t.AcceptInvitationBody, options?: RequestOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "POST", path: `/admin/v1/invitations:accept`, body }, options);
  }

  /**
   * Look up an invitation.
   * 
   * Tell whoever has a link what it leads to.
   */
  async lookUp(query: { /** What stands behind `invite=` in the link. */ "code": string }, options?: RequestOptions): Promise<t.InvitationOfferItem> {
    return this.#transport.call<t.InvitationOfferItem>({ method: "GET", path: `/admin/v1/invitations:lookup`, query }, options);
  }

  /**
   * List invitations.
   * 
   * List the invitations to a workspace that still let somebody in, newest first.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.InvitationItems> {
    return this.#transport.call<t.InvitationItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/invitations` }, options);
  }

  /**
   * Create invitation.
   * 
   * Make a link that lets people into a team workspace; it is shown this once.
   */
  async create(workspaceId: string, body: t.CreateInvitationBody, options?: RequestOptions): Promise<t.InvitationCreated> {
    return this.#transport.call<t.InvitationCreated>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/invitations`, body }, options);
  }
}

/** What changes while people work side by side. */
export class AdminLive {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Follow what changes, and who else is there.
   * 
   * Follow what changes in all workspaces of the caller, and who else has open the same.
   * 
   * One channel serves all windows of a browser; a session has two at most. What is known comes
   * at once, then each change. After a break say the ``at_ms`` of the last event that came, or
   * at first how long ago you began to read what you show: what was missed follows, for up to 15
   * minutes. ``reset`` says that earlier changes are not told, so read anew. It ends after an
   * hour, or after ``for_s`` seconds.
   */
  follow(query?: { /** `at_ms` of the last event that came before a break; what was missed comes first. */ "after"?: string | undefined; /** Where no event came yet: milliseconds since you began to read what you show, at most a year. */ "past_ms"?: string | undefined; /** Seconds after which the stream ends, 0 to 3600; default 3600. 0: what is known now. */ "for_s"?: string | undefined }, options?: RequestOptions): Events<t.LiveEvent> {
    return new Events<t.LiveEvent>(this.#transport, { method: "GET", path: `/admin/v1/live`, query }, true, options);
  }
}

/** Providers whose models can be entered. */
export class AdminModelProviders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List model providers.
   * 
   * List the kinds of providers.
   */
  async list(options?: RequestOptions): Promise<t.ProviderPage> {
    return this.#transport.call<t.ProviderPage>({ method: "GET", path: `/admin/v1/model-providers` }, options);
  }
}

/** Models of the deployment. */
export class AdminModels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List models.
   * 
   * List models by name; disabled ones and settings only for administrators.
   */
  async list(query?: { /** Only models of this kind: llm, embedding or rerank. */ "type"?: string | undefined; /** A part of the name or id; default: all. */ "q"?: string | undefined; /** By name: `asc` (default) or `desc`. */ "order"?: string | undefined; /** Models per page, from 1; default 50. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.ModelPage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.ModelPage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.ModelPage>({ method: "GET", path: `/admin/v1/models`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create model.
   * 
   * Add a model; ``display.name`` and, but for built-in ones, ``connection.base_url``.
   */
  async create(body: t.ModelInput, options?: RequestOptions): Promise<t.ModelView> {
    return this.#transport.call<t.ModelView>({ method: "POST", path: `/admin/v1/models`, body }, options);
  }

  /**
   * Get model.
   * 
   * Show a model by id, name or alias.
   */
  async get(modelId: string, options?: RequestOptions): Promise<t.ModelView> {
    return this.#transport.call<t.ModelView>({ method: "GET", path: `/admin/v1/models/${part(modelId)}` }, options);
  }

  /**
   * Delete model.
   * 
   * Remove a stored model.
   */
  async delete(modelId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/models/${part(modelId)}` }, options);
  }

  /**
   * Update model.
   * 
   * Change a stored model by a JSON merge patch.
   */
  async update(modelId: string, body: t.ModelInput, options?: RequestOptions): Promise<t.ModelView> {
    return this.#transport.call<t.ModelView>({ method: "PATCH", path: `/admin/v1/models/${part(modelId)}`, body }, options);
  }

  /**
   * Count model tokens.
   * 
   * Estimate how many tokens texts are for a model.
   */
  async countTokens(modelId: string, body: t.TextsBody, options?: RequestOptions): Promise<t.CountedTexts> {
    return this.#transport.call<t.CountedTexts>({ method: "POST", path: `/admin/v1/models/${part(modelId)}/count-tokens`, body }, options);
  }

  /**
   * Test model.
   * 
   * Call a model for everything it claims to do; failures are in the report.
   */
  async test(modelId: string, options?: RequestOptions): Promise<t.ModelReport> {
    return this.#transport.call<t.ModelReport>({ method: "POST", path: `/admin/v1/models/${part(modelId)}/test` }, options);
  }

  /**
   * Try model out.
   * 
   * Ask a model without an agent, and stream what it says; counted as a trial.
   */
  tryOut(modelId: string, body: t.TrialBody, options?: RequestOptions): Events<t.TrialEvent> {
    return new Events<t.TrialEvent>(this.#transport, { method: "POST", path: `/admin/v1/models/${part(modelId)}/try`, body }, false, options);
  }

  /**
   * Check model.
   * 
   * Test settings before they are stored, or a model as it is, and stream each check.
   */
  check(body: t.ModelTestInput, options?: RequestOptions): Events<t.ModelTestEvent> {
    return new Events<t.ModelTestEvent>(this.#transport, { method: "POST", path: `/admin/v1/models:check`, body }, false, options);
  }

  /**
   * Get model figures.
   * 
   * Show how the models did in the last 24 hours, over all workspaces.
   */
  async getFigures(options?: RequestOptions): Promise<t.ModelFiguresPage> {
    return this.#transport.call<t.ModelFiguresPage>({ method: "GET", path: `/admin/v1/models:figures` }, options);
  }
}

/** Prices of models, which are kept for ever. */
export class AdminPrices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List prices.
   * 
   * List the prices that a model has and had, newest first.
   */
  async list(modelId: string, options?: RequestOptions): Promise<t.PricePage> {
    return this.#transport.call<t.PricePage>({ method: "GET", path: `/admin/v1/models/${part(modelId)}/prices` }, options);
  }

  /**
   * Create price.
   * 
   * Set the prices of a stored model from now on; calls of before keep what they cost.
   */
  async create(modelId: string, body: t.PriceTable, options?: RequestOptions): Promise<t.PriceView> {
    return this.#transport.call<t.PriceView>({ method: "POST", path: `/admin/v1/models/${part(modelId)}/prices`, body }, options);
  }
}

/** Applications of workspaces, to which people grant access. */
export class AdminOauthApps {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List OAuth app all.
   * 
   * List the applications of all workspaces of the deployment, newest first.
   */
  async listAll(query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.OAuthAppOverviews["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.OAuthAppOverviews["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.OAuthAppOverviews>({ method: "GET", path: `/admin/v1/oauth-apps`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Get OAuth app.
   * 
   * Show an application without its secret.
   */
  async get(appId: string, options?: RequestOptions): Promise<t.OAuthAppItem> {
    return this.#transport.call<t.OAuthAppItem>({ method: "GET", path: `/admin/v1/oauth-apps/${part(appId)}` }, options);
  }

  /**
   * Delete OAuth app.
   * 
   * Remove an application with all that it was granted, here or as administrator of all.
   */
  async delete(appId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/oauth-apps/${part(appId)}` }, options);
  }

  /**
   * Update OAuth app.
   * 
   * Change an application; what it was granted is cut to what it may have now.
   * 
   * Administrators of the deployment disable it, and need no role in its workspace for that.
   */
  async update(appId: string, body: t.ChangeOAuthAppBody, options?: RequestOptions): Promise<t.OAuthAppItem> {
    return this.#transport.call<t.OAuthAppItem>({ method: "PATCH", path: `/admin/v1/oauth-apps/${part(appId)}`, body }, options);
  }

  /**
   * Reset OAuth app secret.
   * 
   * Draw another secret, shown this once; the former is useless at once.
   */
  async resetSecret(appId: string, options?: RequestOptions): Promise<t.OAuthAppCreated> {
    return this.#transport.call<t.OAuthAppCreated>({ method: "POST", path: `/admin/v1/oauth-apps/${part(appId)}/secret` }, options);
  }

  /**
   * List OAuth apps.
   * 
   * List the applications of a workspace, newest first.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.OAuthAppItems> {
    return this.#transport.call<t.OAuthAppItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/oauth-apps` }, options);
  }

  /**
   * Create OAuth app.
   * 
   * Register an application; its secret is shown this once.
   */
  async create(workspaceId: string, body: t.CreateOAuthAppBody, options?: RequestOptions): Promise<t.OAuthAppCreated> {
    return this.#transport.call<t.OAuthAppCreated>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/oauth-apps`, body }, options);
  }
}

/** What the account granted applications. */
export class AdminOauthGrants {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List OAuth grants.
   * 
   * List what one granted applications, newest first.
   */
  async list(options?: RequestOptions): Promise<t.OAuthGrantItems> {
    return this.#transport.call<t.OAuthGrantItems>({ method: "GET", path: `/admin/v1/oauth-grants` }, options);
  }

  /**
   * Delete OAuth grant.
   * 
   * Take back what one granted; its tokens are useless at once.
   */
  async delete(grantId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/oauth-grants/${part(grantId)}` }, options);
  }
}

/** What applications ask the person at the browser for. */
export class AdminOauthRequests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get OAuth request.
   * 
   * Show what an application asks for.
   */
  async get(requestId: string, options?: RequestOptions): Promise<t.OAuthRequestItem> {
    return this.#transport.call<t.OAuthRequestItem>({ method: "GET", path: `/admin/v1/oauth-requests/${part(requestId)}` }, options);
  }

  /**
   * Answer an OAuth request.
   * 
   * Let an application act for oneself in a workspace, or refuse.
   */
  async answer(requestId: string, body: t.AnswerOAuthRequestBody, options?: RequestOptions): Promise<t.OAuthRequestAnswered> {
    return this.#transport.call<t.OAuthRequestAnswered>({ method: "POST", path: `/admin/v1/oauth-requests/${part(requestId)}`, body }, options);
  }

  /**
   * Find the request of a device by its code.
   * 
   * Find what a device asks for, by the code that it shows.
   */
  async findByUserCode(body: t.FindOAuthRequestBody, options?: RequestOptions): Promise<t.OAuthRequestItem> {
    return this.#transport.call<t.OAuthRequestItem>({ method: "POST", path: `/admin/v1/oauth-requests:device`, body }, options);
  }
}

/** By whom people sign in, besides passwords. */
export class AdminOidcProviders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List OpenID providers.
   * 
   * List all providers, those of the configuration file first.
   */
  async list(options?: RequestOptions): Promise<t.OidcProviderItems> {
    return this.#transport.call<t.OidcProviderItems>({ method: "GET", path: `/admin/v1/oidc-providers` }, options);
  }

  /**
   * Create OpenID provider.
   * 
   * Let people sign in by another provider.
   */
  async create(body: t.CreateOidcProviderBody, options?: RequestOptions): Promise<t.OidcProviderItem> {
    return this.#transport.call<t.OidcProviderItem>({ method: "POST", path: `/admin/v1/oidc-providers`, body }, options);
  }

  /**
   * Get OpenID provider.
   * 
   * Show a provider without its secret.
   */
  async get(providerId: string, options?: RequestOptions): Promise<t.OidcProviderItem> {
    return this.#transport.call<t.OidcProviderItem>({ method: "GET", path: `/admin/v1/oidc-providers/${part(providerId)}` }, options);
  }

  /**
   * Delete OpenID provider.
   * 
   * Let nobody sign in by a provider any more; sessions and roles stay as they are.
   */
  async delete(providerId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/oidc-providers/${part(providerId)}` }, options);
  }

  /**
   * Update OpenID provider.
   * 
   * Change a provider; roles change at the next sign-in of each person.
   */
  async update(providerId: string, body: t.ChangeOidcProviderBody, options?: RequestOptions): Promise<t.OidcProviderItem> {
    return this.#transport.call<t.OidcProviderItem>({ method: "PATCH", path: `/admin/v1/oidc-providers/${part(providerId)}`, body }, options);
  }

  /**
   * Test OpenID provider.
   * 
   * Ask a provider what it publishes of itself, and say what is wrong with that.
   */
  async test(providerId: string, options?: RequestOptions): Promise<t.OidcTrialItem> {
    return this.#transport.call<t.OidcTrialItem>({ method: "POST", path: `/admin/v1/oidc-providers/${part(providerId)}/try` }, options);
  }
}

/** What the deployment does, for its administrators. */
export class AdminOperations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Examine.
   * 
   * Examine the deployment as `coterie doctor` does; nothing is changed.
   */
  async examine(options?: RequestOptions): Promise<t.ExaminationAnswer> {
    return this.#transport.call<t.ExaminationAnswer>({ method: "POST", path: `/admin/v1/operations/doctor` }, options);
  }

  /**
   * Get health.
   * 
   * Tell how each part works that the answering process needs, since when, and why not.
   */
  async getHealth(options?: RequestOptions): Promise<t.HealthAnswer> {
    return this.#transport.call<t.HealthAnswer>({ method: "GET", path: `/admin/v1/operations/health` }, options);
  }

  /**
   * List logs.
   * 
   * Search the last 1,000 warnings and errors of all processes, by log id for instance.
   */
  async listLogs(query?: { /** Only lines of this level: warning, error or critical. */ "level"?: string | undefined; /** A part of the message, of the logger or of a field, or a log id; default: all. */ "q"?: string | undefined; /** Lines, 1 to 1000; default 200. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.LogItems> {
    return this.#transport.call<t.LogItems>({ method: "GET", path: `/admin/v1/operations/logs`, query }, options);
  }

  /**
   * Get metrics.
   * 
   * Draw figures of all processes together, over up to the last 24 hours.
   */
  async getMetrics(query?: { /** Names of figures, separated by commas; default: all. */ "names"?: string | undefined; /** Begin, in Unix seconds, at most a day ago; default: an hour ago. */ "since"?: string | undefined; /** Least seconds between two points; default: as few as are kept of the time. */ "step"?: string | undefined }, options?: RequestOptions): Promise<t.Figures> {
    return this.#transport.call<t.Figures>({ method: "GET", path: `/admin/v1/operations/metrics`, query }, options);
  }

  /**
   * List processes.
   * 
   * List the processes of all machines that told of themselves in the last 15 minutes.
   */
  async listProcesses(options?: RequestOptions): Promise<t.ProcessItems> {
    return this.#transport.call<t.ProcessItems>({ method: "GET", path: `/admin/v1/operations/processes` }, options);
  }

  /**
   * List queues.
   * 
   * Tell of each queue how much waits, since when, and who works on it.
   */
  async listQueues(options?: RequestOptions): Promise<t.QueueItems> {
    return this.#transport.call<t.QueueItems>({ method: "GET", path: `/admin/v1/operations/queues` }, options);
  }

  /**
   * List settings.
   * 
   * List the configuration in effect and where each value comes from, without secrets.
   */
  async listSettings(options?: RequestOptions): Promise<t.SettingList> {
    return this.#transport.call<t.SettingList>({ method: "GET", path: `/admin/v1/operations/settings` }, options);
  }
}

/** Tools of HTTP services and MCP servers. */
export class AdminPlugins {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get plugin.
   * 
   * Show a plugin.
   */
  async get(pluginId: string, options?: RequestOptions): Promise<t.PluginView> {
    return this.#transport.call<t.PluginView>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}` }, options);
  }

  /**
   * Delete plugin.
   * 
   * Remove a plugin with its credentials and grants.
   */
  async delete(pluginId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/plugins/${part(pluginId)}` }, options);
  }

  /**
   * Update plugin.
   * 
   * Change a draft; another server takes the credentials away.
   */
  async update(pluginId: string, body: t.UpdatePlugin, options?: RequestOptions): Promise<t.PluginView> {
    return this.#transport.call<t.PluginView>({ method: "PATCH", path: `/admin/v1/plugins/${part(pluginId)}`, body }, options);
  }

  /**
   * Set how a plugin authenticates.
   * 
   * Set how calls prove who they are; secrets are written, never read.
   */
  async setAuth(pluginId: string, body: t.SetAuth, options?: RequestOptions): Promise<t.PluginView> {
    return this.#transport.call<t.PluginView>({ method: "PUT", path: `/admin/v1/plugins/${part(pluginId)}/auth`, body }, options);
  }

  /**
   * List plugin changes.
   * 
   * List the tools that publishing would add, change or remove.
   */
  async listChanges(pluginId: string, options?: RequestOptions): Promise<t.ChangeList> {
    return this.#transport.call<t.ChangeList>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}/changes` }, options);
  }

  /**
   * Get plugin grant.
   * 
   * Tell whether a user gave access, else where to do so.
   */
  async getGrant(pluginId: string, query?: { /** Id of an end user, as the caller names it. */ "end_user_id"?: string | undefined }, options?: RequestOptions): Promise<t.GrantView> {
    return this.#transport.call<t.GrantView>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}/oauth`, query }, options);
  }

  /**
   * Revoke plugin grant.
   * 
   * Forget the tokens of a user.
   */
  async revokeGrant(pluginId: string, query?: { /** Id of an end user, as the caller names it. */ "end_user_id"?: string | undefined }, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/plugins/${part(pluginId)}/oauth`, query }, options);
  }

  /**
   * Publish plugin.
   * 
   * Freeze the draft as a version.
   */
  async publish(pluginId: string, body?: t.PublishPluginBody, options?: RequestOptions): Promise<t.PluginVersionView> {
    return this.#transport.call<t.PluginVersionView>({ method: "POST", path: `/admin/v1/plugins/${part(pluginId)}/publish`, body }, options);
  }

  /**
   * List plugin versions.
   * 
   * List versions, newest first.
   */
  async listVersions(pluginId: string, query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.PluginVersionPage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.PluginVersionPage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.PluginVersionPage>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}/versions`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * List plugin programs.
   * 
   * List the operator's MCP servers that a workspace may use.
   */
  async listPrograms(workspaceId: string, options?: RequestOptions): Promise<t.ProgramList> {
    return this.#transport.call<t.ProgramList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/plugin-programs` }, options);
  }

  /**
   * List plugins.
   * 
   * List plugins, newest first; ``q`` is a part of the name.
   */
  async list(workspaceId: string, query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Only plugins of this app; default: those of the library. */ "app_id"?: string | undefined; /** `true`: only what is published; `false`: only what is not; default: both. */ "published"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.PluginPage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.PluginPage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.PluginPage>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/plugins`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create plugin.
   * 
   * Make a plugin, empty or with tools that were reviewed.
   */
  async create(workspaceId: string, body: t.CreatePlugin, options?: RequestOptions): Promise<t.PluginView> {
    return this.#transport.call<t.PluginView>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/plugins`, body }, options);
  }

  /**
   * Import a plugin.
   * 
   * Make a plugin of an OpenAPI, Swagger 2 or Postman document, or of a curl command.
   */
  async importDefinition(workspaceId: string, body: t.ImportPlugin, options?: RequestOptions): Promise<t.ImportReport> {
    return this.#transport.call<t.ImportReport>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/plugins:import`, body }, options);
  }

  /**
   * Review plugin.
   * 
   * Show what a document would become; nothing is stored.
   */
  async review(workspaceId: string, body: t.ReviewPlugin, options?: RequestOptions): Promise<t.PluginReview> {
    return this.#transport.call<t.PluginReview>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/plugins:review`, body }, options);
  }
}

/** Tools that an MCP server offers, and whether they changed. */
export class AdminServerTools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Accept server tools.
   * 
   * Take the tools of an inspected list into the draft.
   */
  async accept(pluginId: string, body: t.AcceptTools, options?: RequestOptions): Promise<t.AcceptReport> {
    return this.#transport.call<t.AcceptReport>({ method: "POST", path: `/admin/v1/plugins/${part(pluginId)}/server-tools:accept`, body }, options);
  }

  /**
   * Inspect server tools.
   * 
   * Ask the server for its tools, and compare them with the accepted ones.
   */
  async inspect(pluginId: string, options?: RequestOptions): Promise<t.ServerToolList> {
    return this.#transport.call<t.ServerToolList>({ method: "POST", path: `/admin/v1/plugins/${part(pluginId)}/server-tools:inspect` }, options);
  }
}

/** Single tools of plugins. */
export class AdminPluginTools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List plugin tools.
   * 
   * List all tools.
   */
  async list(pluginId: string, options?: RequestOptions): Promise<t.ToolPage> {
    return this.#transport.call<t.ToolPage>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}/tools` }, options);
  }

  /**
   * Create plugin tool.
   * 
   * Add a tool.
   */
  async create(pluginId: string, body: t.ToolForm, options?: RequestOptions): Promise<t.ToolView> {
    return this.#transport.call<t.ToolView>({ method: "POST", path: `/admin/v1/plugins/${part(pluginId)}/tools`, body }, options);
  }

  /**
   * Get plugin tool.
   * 
   * Show a tool.
   */
  async get(pluginId: string, toolId: string, options?: RequestOptions): Promise<t.ToolView> {
    return this.#transport.call<t.ToolView>({ method: "GET", path: `/admin/v1/plugins/${part(pluginId)}/tools/${part(toolId)}` }, options);
  }

  /**
   * Delete plugin tool.
   * 
   * Remove a tool from the draft.
   */
  async delete(pluginId: string, toolId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/plugins/${part(pluginId)}/tools/${part(toolId)}` }, options);
  }

  /**
   * Update plugin tool.
   * 
   * Change a tool; it wants a debug call before it is published again.
   */
  async update(pluginId: string, toolId: string, body: t.ToolPatch, options?: RequestOptions): Promise<t.ToolView> {
    return this.#transport.call<t.ToolView>({ method: "PATCH", path: `/admin/v1/plugins/${part(pluginId)}/tools/${part(toolId)}`, body }, options);
  }

  /**
   * Debug plugin tool.
   * 
   * Call a tool of the draft; what goes wrong is in the report.
   */
  async debug(pluginId: string, toolId: string, body: t.DebugBody, options?: RequestOptions): Promise<t.DebugReport> {
    return this.#transport.call<t.DebugReport>({ method: "POST", path: `/admin/v1/plugins/${part(pluginId)}/tools/${part(toolId)}/debug`, body }, options);
  }
}

/** What people have open. */
export class AdminPresence {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Report what is open.
   * 
   * Say what is open before the caller, and learn who else has it open.
   * 
   * It stands first where the caller goes on. Others see the caller there for 45 seconds; who
   * still has it open says so again before that.
   */
  async set(body: t.PresenceBody, options?: RequestOptions): Promise<t.AdminPresence> {
    return this.#transport.call<t.AdminPresence>({ method: "PUT", path: `/admin/v1/presence`, body }, options);
  }
}

/** The library of prompts. */
export class AdminPrompts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List official prompts.
   * 
   * List the prompts that come with the product.
   */
  async listOfficial(query?: { /** Only prompts for this place of use. */ "scope"?: string | undefined; /** A part of the name or text; default: all. */ "q"?: string | undefined }, options?: RequestOptions): Promise<t.AdminPromptList> {
    return this.#transport.call<t.AdminPromptList>({ method: "GET", path: `/admin/v1/prompts`, query }, options);
  }

  /**
   * List prompts.
   * 
   * List the prompts of a workspace.
   */
  async list(workspaceId: string, query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Only prompts with this tag. */ "tag"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<t.AdminTaggedPromptList> {
    return this.#transport.call<t.AdminTaggedPromptList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts`, query }, options);
  }

  /**
   * Create prompt.
   * 
   * Put a prompt into the library of a workspace.
   */
  async create(workspaceId: string, body: t.CreatePromptBody, options?: RequestOptions): Promise<t.AdminLibraryPrompt> {
    return this.#transport.call<t.AdminLibraryPrompt>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts`, body }, options);
  }

  /**
   * Get prompt.
   * 
   * Show a prompt.
   */
  async get(workspaceId: string, promptId: string, options?: RequestOptions): Promise<t.AdminLibraryPrompt> {
    return this.#transport.call<t.AdminLibraryPrompt>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts/${part(promptId)}` }, options);
  }

  /**
   * Delete prompt.
   * 
   * Remove a prompt; agents that took its text keep it.
   */
  async delete(workspaceId: string, promptId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts/${part(promptId)}` }, options);
  }

  /**
   * Update prompt.
   * 
   * Change a prompt.
   */
  async update(workspaceId: string, promptId: string, body: t.ChangePromptBody, options?: RequestOptions): Promise<t.AdminLibraryPrompt> {
    return this.#transport.call<t.AdminLibraryPrompt>({ method: "PATCH", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts/${part(promptId)}`, body }, options);
  }

  /**
   * List prompt references.
   * 
   * List agents and workflows whose drafts have the text of a prompt, word for word.
   */
  async listReferences(workspaceId: string, promptId: string, options?: RequestOptions): Promise<t.AdminPromptUses> {
    return this.#transport.call<t.AdminPromptUses>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/prompts/${part(promptId)}/references` }, options);
  }
}

/** Runs that the caller began: their events, what they wait for, their end. */
export class AdminRuns {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Cancel run.
   * 
   * Stop a run; what it said so far is kept, but later runs do not see it.
   */
  async cancel(runId: string, options?: RequestOptions): Promise<t.AdminRun> {
    return this.#transport.call<t.AdminRun>({ method: "POST", path: `/admin/v1/runs/${part(runId)}/cancel` }, options);
  }

  /**
   * Follow the events of a run.
   * 
   * Follow a run from any event on, live or after its end; resumes dropped connections.
   */
  follow(runId: string, query?: { /** Number of the last event received; the stream goes on behind it. Default 0: from the start. */ "after"?: string | undefined; /** `true`: also `span.started` and `span.ended` for each step; needs `trace.read`. */ "spans"?: string | undefined }, options?: RequestOptions): Events<t.RunEvent> {
    return new Events<t.RunEvent>(this.#transport, { method: "GET", path: `/admin/v1/runs/${part(runId)}/events`, query }, true, options);
  }

  /**
   * Submit tool outputs to a run.
   * 
   * Hand a waiting run what it asked for: outputs of tools, or verdicts on calls.
   */
  async submitToolOutputs(runId: string, body: t.ClientOutputsBody, options?: RequestOptions): Promise<t.AdminRun> {
    return this.#transport.call<t.AdminRun>({ method: "POST", path: `/admin/v1/runs/${part(runId)}/tool-outputs`, body }, options);
  }
}

/** Access tokens of workspaces, with no person behind them. */
export class AdminServiceTokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get service token.
   * 
   * Show a token of a workspace without its text.
   */
  async get(tokenId: string, options?: RequestOptions): Promise<t.ServiceTokenItem> {
    return this.#transport.call<t.ServiceTokenItem>({ method: "GET", path: `/admin/v1/service-tokens/${part(tokenId)}` }, options);
  }

  /**
   * Delete service token.
   * 
   * Revoke a token of a workspace for good.
   */
  async delete(tokenId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/service-tokens/${part(tokenId)}` }, options);
  }

  /**
   * Update service token.
   * 
   * Rename a token of a workspace, or change what it may do and how long.
   */
  async update(tokenId: string, body: t.ChangeServiceTokenBody, options?: RequestOptions): Promise<t.ServiceTokenItem> {
    return this.#transport.call<t.ServiceTokenItem>({ method: "PATCH", path: `/admin/v1/service-tokens/${part(tokenId)}`, body }, options);
  }

  /**
   * Rotate service token.
   * 
   * Draw another text, shown this once; the former goes on for a while.
   */
  async rotate(tokenId: string, body: t.RotateServiceTokenBody, options?: RequestOptions): Promise<t.ServiceTokenCreated> {
    return this.#transport.call<t.ServiceTokenCreated>({ method: "POST", path: `/admin/v1/service-tokens/${part(tokenId)}/rotate`, body }, options);
  }

  /**
   * List service tokens.
   * 
   * List the service tokens of a workspace, newest first.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.ServiceTokenItems> {
    return this.#transport.call<t.ServiceTokenItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/service-tokens` }, options);
  }

  /**
   * Create service token.
   * 
   * Make a token of a workspace; its text is shown this once.
   */
  async create(workspaceId: string, body: t.CreateServiceTokenBody, options?: RequestOptions): Promise<t.ServiceTokenCreated> {
    return this.#transport.call<t.ServiceTokenCreated>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/service-tokens`, body }, options);
  }
}

/** Addresses under which strangers talk to agents and chat flows. */
export class AdminShareLinks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get share link.
   * 
   * Show a share link without its secrets.
   */
  async get(linkId: string, options?: RequestOptions): Promise<t.ShareLinkItem> {
    return this.#transport.call<t.ShareLinkItem>({ method: "GET", path: `/admin/v1/share-links/${part(linkId)}` }, options);
  }

  /**
   * Delete share link.
   * 
   * Revoke a share link for good; answers under way end.
   */
  async delete(linkId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/share-links/${part(linkId)}` }, options);
  }

  /**
   * Update share link.
   * 
   * Change how a link looks and whom it lets in; those who are in show it anew.
   */
  async update(linkId: string, body: t.ChangeShareLinkBody, options?: RequestOptions): Promise<t.ShareLinkItem> {
    return this.#transport.call<t.ShareLinkItem>({ method: "PATCH", path: `/admin/v1/share-links/${part(linkId)}`, body }, options);
  }

  /**
   * Reset share link key.
   * 
   * Draw the key by which a site signs who its users are (HS256), shown this once.
   */
  async resetKey(linkId: string, options?: RequestOptions): Promise<t.ShareLinkKey> {
    return this.#transport.call<t.ShareLinkKey>({ method: "POST", path: `/admin/v1/share-links/${part(linkId)}/key` }, options);
  }

  /**
   * List share links.
   * 
   * List the share links of a workspace, newest first.
   */
  async list(workspaceId: string, options?: RequestOptions): Promise<t.ShareLinkItems> {
    return this.#transport.call<t.ShareLinkItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/share-links` }, options);
  }

  /**
   * Create share link.
   * 
   * Let strangers talk to a published agent or chat flow.
   */
  async create(workspaceId: string, body: t.CreateShareLinkBody, options?: RequestOptions): Promise<t.ShareLinkItem> {
    return this.#transport.call<t.ShareLinkItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/share-links`, body }, options);
  }
}

/** Documents that are to be read, are read, or could not be. */
export class AdminTasks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List tasks.
   * 
   * List documents in work and those given up: of a workspace, or of all one may see.
   */
  async list(query?: { /** Only tasks of this workspace; default: of all that the caller may see. */ "workspace_id"?: string | undefined; /** Only tasks that are waiting, running, failed, done or superseded; default: waiting, running and failed. */ "state"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.TaskItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.TaskItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.TaskItems>({ method: "GET", path: `/admin/v1/tasks`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Cancel task.
   * 
   * Stop reading a document; what searches found of it before stays.
   */
  async cancel(taskId: string, options?: RequestOptions): Promise<t.TaskItem> {
    return this.#transport.call<t.TaskItem>({ method: "POST", path: `/admin/v1/tasks/${part(taskId)}/cancel` }, options);
  }

  /**
   * Retry task.
   * 
   * Read a document again that could not be read; the answer is the new task.
   */
  async retry(taskId: string, options?: RequestOptions): Promise<t.TaskItem> {
    return this.#transport.call<t.TaskItem>({ method: "POST", path: `/admin/v1/tasks/${part(taskId)}/retry` }, options);
  }
}

/** Agents that workspaces offer for copying. */
export class AdminTemplates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List templates.
   * 
   * List what one's workspaces offer for copying, the newest agent first.
   */
  async list(query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminAgentList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminAgentList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminAgentList>({ method: "GET", path: `/admin/v1/templates`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Duplicate template.
   * 
   * Make an agent from a template.
   */
  async duplicate(templateId: string, body: t.CopyTemplateBody, options?: RequestOptions): Promise<t.AdminAgent> {
    return this.#transport.call<t.AdminAgent>({ method: "POST", path: `/admin/v1/templates/${part(templateId)}/duplicate`, body }, options);
  }
}

/** Access tokens of the account. */
export class AdminTokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List tokens.
   * 
   * List personal tokens, newest first.
   */
  async list(query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.TokenItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.TokenItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.TokenItems>({ method: "GET", path: `/admin/v1/tokens`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create token.
   * 
   * Make a personal token; its text is shown this once.
   */
  async create(body: t.CreateTokenBody, options?: RequestOptions): Promise<t.TokenCreated> {
    return this.#transport.call<t.TokenCreated>({ method: "POST", path: `/admin/v1/tokens`, body }, options);
  }

  /**
   * Get token.
   * 
   * Show a token without its text.
   */
  async get(tokenId: string, options?: RequestOptions): Promise<t.TokenItem> {
    return this.#transport.call<t.TokenItem>({ method: "GET", path: `/admin/v1/tokens/${part(tokenId)}` }, options);
  }

  /**
   * Delete token.
   * 
   * Revoke a token for good.
   */
  async delete(tokenId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/tokens/${part(tokenId)}` }, options);
  }

  /**
   * Update token.
   * 
   * Give a token another name.
   */
  async update(tokenId: string, body: t.RenameTokenBody, options?: RequestOptions): Promise<t.TokenItem> {
    return this.#transport.call<t.TokenItem>({ method: "PATCH", path: `/admin/v1/tokens/${part(tokenId)}`, body }, options);
  }

  /**
   * Issue a token for browsers.
   * 
   * Make a short-lived token for chatting from a browser.
   */
  async issueForBrowser(body: t.IssueTokenBody, options?: RequestOptions): Promise<t.IssuedToken> {
    return this.#transport.call<t.IssuedToken>({ method: "POST", path: `/admin/v1/tokens:issue`, body }, options);
  }
}

/** How many runs there were, how long they took, what they cost. */
export class AdminTraceStats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get trace statistics.
   * 
   * Return how many runs there were, how long they took and what they cost.
   * 
   * Runs that others called are part of those, and not counted by themselves.
   */
  async get(query?: { /** Only runs in these workspaces, once per id; default: all that the caller may look into. */ "workspace_id"?: Array<string> | undefined; /** Only runs of this agent. */ "agent_id"?: string | undefined; /** Only runs of this workflow. */ "workflow_id"?: string | undefined; /** Only runs of this version. */ "version"?: string | undefined; /** Only `chat` or `workflow` runs; default: both. */ "kind"?: string | undefined; /** Only runs that ended so: completed, failed, cancelled or interrupted. */ "status"?: string | undefined; /** Only what failed with this code. */ "error_code"?: string | undefined; /** Only runs that were asked for from there: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest. */ "source"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** Id of an end user, as the caller names it. */ "end_user_id"?: string | undefined; /** Only runs in this conversation. */ "conversation_id"?: string | undefined; /** Only runs that took at least so many milliseconds. */ "min_duration_ms"?: string | undefined; /** Only runs that took at most so many milliseconds. */ "max_duration_ms"?: string | undefined; /** Only runs that cost at least so many points. */ "min_cost"?: string | undefined; /** Only runs that cost at most so many points. */ "max_cost"?: string | undefined; /** Only runs of at least so many tokens. */ "min_tokens"?: string | undefined; /** Only runs of at most so many tokens. */ "max_tokens"?: string | undefined; /** Only runs that called the tool of this name. */ "tool"?: string | undefined; /** Only runs that asked the model of this name. */ "model"?: string | undefined; /** Only runs to which the request gave this tag. */ "tag"?: string | undefined; /** `true`: only what is kept beyond its time; `false`: only the rest. */ "pinned"?: string | undefined; /** Only runs of which somebody liked an answer, `up`, or did not, `down`. */ "feedback"?: string | undefined; /** Only runs that began then or later, in Unix seconds; default: a day before `until`. */ "since"?: string | undefined; /** Only runs that began before, in Unix seconds; default: now. */ "until"?: string | undefined; /** `minute`, `hour` or `day`: also a point for each of them that has runs; at most 1000 fit. Default: totals alone. */ "interval"?: string | undefined; /** What runs of a group have in common: none (default), agent, workflow, version, model, tool, tag or status. */ "group_by"?: string | undefined; /** Groups, 1 to 50; default 10. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.AdminTraceStatistics> {
    return this.#transport.call<t.AdminTraceStatistics>({ method: "GET", path: `/admin/v1/trace-stats`, query }, options);
  }
}

/** Traces: what runs did, step by step. */
export class AdminTraces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List traces.
   * 
   * Return a page of runs, those of all workspaces that the caller may look into.
   * 
   * Runs that others called are part of those, and not listed. With ``q`` a page may be short,
   * or empty: ``next_cursor`` goes on behind the runs that were looked into.
   */
  async list(query?: { /** Only runs in these workspaces, once per id; default: all that the caller may read. */ "workspace_id"?: Array<string> | undefined; /** Only runs of this agent. */ "agent_id"?: string | undefined; /** Only runs of this workflow. */ "workflow_id"?: string | undefined; /** Only runs of this version. */ "version"?: string | undefined; /** Only `chat` or `workflow` runs; default: both. */ "kind"?: string | undefined; /** Only runs that ended so: completed, failed, cancelled or interrupted. */ "status"?: string | undefined; /** Only what failed with this code. */ "error_code"?: string | undefined; /** Only runs that were asked for from there: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest. */ "source"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** Id of an end user, as the caller names it. */ "end_user_id"?: string | undefined; /** Only runs in this conversation. */ "conversation_id"?: string | undefined; /** Only runs that took at least so many milliseconds. */ "min_duration_ms"?: string | undefined; /** Only runs that took at most so many milliseconds. */ "max_duration_ms"?: string | undefined; /** Only runs that cost at least so many points. */ "min_cost"?: string | undefined; /** Only runs that cost at most so many points. */ "max_cost"?: string | undefined; /** Only runs of at least so many tokens. */ "min_tokens"?: string | undefined; /** Only runs of at most so many tokens. */ "max_tokens"?: string | undefined; /** Only runs that called the tool of this name. */ "tool"?: string | undefined; /** Only runs that asked the model of this name. */ "model"?: string | undefined; /** Only runs to which the request gave this tag. */ "tag"?: string | undefined; /** Only runs that began at or after this time, in Unix seconds. */ "since"?: string | undefined; /** Only runs that began before this time, in Unix seconds. */ "until"?: string | undefined; /** `true`: only what is kept beyond its time; `false`: only the rest. */ "pinned"?: string | undefined; /** Only runs of which somebody liked an answer, `up`, or did not, `down`. */ "feedback"?: string | undefined; /** Only runs whose question or answer has this text, as far as what was said is kept. Whole words are found by an index, some seconds after the run; for parts of words each page looks into 400 runs. */ "q"?: string | undefined; /** `true`: tell how the question of each run begins; it takes longer. Default `false`. */ "questions"?: string | undefined; /** By `time` (default), `duration` or `cost`. */ "sort"?: string | undefined; /** `asc` or `desc` (default), by what `sort` names. */ "order"?: string | undefined; /** `next_cursor` of the page before, which was sorted alike; without it, the first page. */ "cursor"?: string | undefined; /** Traces per page, from 1; default 20. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminTraceList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminTraceList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminTraceList>({ method: "GET", path: `/admin/v1/traces`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Compare two traces.
   * 
   * Compare two runs step by step: steps of one kind and name at one place are pairs.
   */
  async diff(leftRunId: string, rightRunId: string, options?: RequestOptions): Promise<t.AdminTraceDiff> {
    return this.#transport.call<t.AdminTraceDiff>({ method: "GET", path: `/admin/v1/traces/${part(leftRunId)}/diff/${part(rightRunId)}` }, options);
  }

  /**
   * Get trace.
   * 
   * Return a run with its spans, and those of runs that it called.
   */
  async get(runId: string, query?: { /** `false`: without inputs and outputs. Default `true`. */ "content"?: string | undefined }, options?: RequestOptions): Promise<t.AdminTraceTree> {
    return this.#transport.call<t.AdminTraceTree>({ method: "GET", path: `/admin/v1/traces/${part(runId)}`, query }, options);
  }

  /**
   * Export trace.
   * 
   * Return a run with its spans as a file for other tools.
   */
  async export(runId: string, query?: { /** `otlp-json` (default): a request of OpenTelemetry; `jsonl`: a line per step. */ "format"?: string | undefined }, options?: RequestOptions): Promise<unknown> {
    return this.#transport.call<unknown>({ method: "GET", path: `/admin/v1/traces/${part(runId)}/export`, query }, options);
  }

  /**
   * Pin trace.
   * 
   * Keep a trace beyond the time that traces are kept.
   */
  async pin(runId: string, options?: RequestOptions): Promise<t.AdminTraceSummary> {
    return this.#transport.call<t.AdminTraceSummary>({ method: "PUT", path: `/admin/v1/traces/${part(runId)}/pin` }, options);
  }

  /**
   * Unpin trace.
   * 
   * Let a trace go with its time again.
   */
  async unpin(runId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/traces/${part(runId)}/pin` }, options);
  }

  /**
   * Replay trace.
   * 
   * Begin a run like another one, in a conversation of its own; the caller is its user.
   */
  async replay(runId: string, body: t.ReplayBody, options?: RequestOptions): Promise<t.AdminBegunReplay> {
    return this.#transport.call<t.AdminBegunReplay>({ method: "POST", path: `/admin/v1/traces/${part(runId)}/replay`, body }, options);
  }

  /**
   * Get trace span.
   * 
   * Return one span of a run.
   */
  async getSpan(runId: string, spanId: string, options?: RequestOptions): Promise<t.AdminSpan> {
    return this.#transport.call<t.AdminSpan>({ method: "GET", path: `/admin/v1/traces/${part(runId)}/spans/${part(spanId)}` }, options);
  }
}

/** What was used, by whom and for what, and what it cost. */
export class AdminUsage {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get usage.
   * 
   * Sum up what was used, also by step of time and by groups.
   */
  async get(query?: { /** Workspaces: ids, separated by commas; default: all whose usage the caller may read. */ "workspace_id"?: string | undefined; /** Only calls that ended at or after this time, in Unix seconds, taken to the quarter of an hour before; default: 30 days before `until`. */ "since"?: string | undefined; /** Only calls that ended before this time, in Unix seconds, taken to the quarter of an hour after; default: now. */ "until"?: string | undefined; /** Only calls for these apps: ids, separated by commas. */ "app_id"?: string | undefined; /** Only calls for these agents: ids, separated by commas. */ "agent_id"?: string | undefined; /** Only calls for these versions of an agent or workflow, separated by commas. */ "version"?: string | undefined; /** Only calls for these workflows: ids, separated by commas. */ "workflow_id"?: string | undefined; /** Only calls for these knowledge bases: ids, separated by commas. */ "dataset_id"?: string | undefined; /** Only calls of these models: names, separated by commas. */ "model"?: string | undefined; /** Only calls of these kinds of providers, separated by commas. */ "provider"?: string | undefined; /** Only calls of these kinds, separated by commas: chat, embedding, rerank, query_rewrite, suggestion, title, summary, memory, vision, routing, nl2sql, ocr or plugin. */ "kind"?: string | undefined; /** Only calls that came this way, separated by commas: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest. */ "source"?: string | undefined; /** Only calls with these access tokens: ids, separated by commas. */ "token_id"?: string | undefined; /** Only calls through these share links: ids, separated by commas. */ "share_link_id"?: string | undefined; /** Only calls for these end users, separated by commas. */ "end_user_id"?: string | undefined; /** Only calls of these accounts: ids, separated by commas. */ "member_id"?: string | undefined; /** Time zone of the steps, like `Europe/Zurich`; default `UTC`. */ "zone"?: string | undefined; /** Length of the steps of the series: `hour`, `day` or `month`; default: no series. */ "interval"?: string | undefined; /** What to tell apart, at most four, separated by commas: workspace, app, agent, version, workflow, base, model, provider, kind, source, token, share_link, end_user or member. */ "group_by"?: string | undefined; /** Groups that are told apart, those that cost most first, 1 to 1000; default 100. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.UsageReport> {
    return this.#transport.call<t.UsageReport>({ method: "GET", path: `/admin/v1/usage`, query }, options);
  }

  /**
   * List usage entries.
   * 
   * List single calls, newest first; with a format all of them as a file, oldest first.
   */
  async listEntries(query?: { /** Workspaces: ids, separated by commas; default: all whose usage the caller may read. */ "workspace_id"?: string | undefined; /** Only calls that ended at or after this time, in Unix seconds, taken to the quarter of an hour before; default: 30 days before `until`. */ "since"?: string | undefined; /** Only calls that ended before this time, in Unix seconds, taken to the quarter of an hour after; default: now. */ "until"?: string | undefined; /** Only calls for these apps: ids, separated by commas. */ "app_id"?: string | undefined; /** Only calls for these agents: ids, separated by commas. */ "agent_id"?: string | undefined; /** Only calls for these versions of an agent or workflow, separated by commas. */ "version"?: string | undefined; /** Only calls for these workflows: ids, separated by commas. */ "workflow_id"?: string | undefined; /** Only calls for these knowledge bases: ids, separated by commas. */ "dataset_id"?: string | undefined; /** Only calls of these models: names, separated by commas. */ "model"?: string | undefined; /** Only calls of these kinds of providers, separated by commas. */ "provider"?: string | undefined; /** Only calls of these kinds, separated by commas: chat, embedding, rerank, query_rewrite, suggestion, title, summary, memory, vision, routing, nl2sql, ocr or plugin. */ "kind"?: string | undefined; /** Only calls that came this way, separated by commas: playground, api, openai, mcp, share_link, embed, channel, trigger, evaluation or ingest. */ "source"?: string | undefined; /** Only calls with these access tokens: ids, separated by commas. */ "token_id"?: string | undefined; /** Only calls through these share links: ids, separated by commas. */ "share_link_id"?: string | undefined; /** Only calls for these end users, separated by commas. */ "end_user_id"?: string | undefined; /** Only calls of these accounts: ids, separated by commas. */ "member_id"?: string | undefined; /** A file of all entries instead of a page: csv, jsonl or xlsx; oldest first. */ "format"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EntryPage["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.EntryPage["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.EntryPage>({ method: "GET", path: `/admin/v1/usage/entries`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Import the usage report of a provider.
   * 
   * Keep a report of a provider, instead of what was known of its days.
   */
  async importReport(body: t.ProviderReportBody, options?: RequestOptions): Promise<t.ImportedReport> {
    return this.#transport.call<t.ImportedReport>({ method: "POST", path: `/admin/v1/usage/provider-reports`, body }, options);
  }

  /**
   * Compare usage with a provider's report.
   * 
   * Compare the ledger with the report of a provider, by day and model.
   */
  async reconcile(query: { /** Kind of the provider, like `openai`, as entries of the ledger name it. */ "provider": string; /** From the day (in UTC) of this time, in Unix seconds; default: 30 days before `until`. */ "since"?: string | undefined; /** Until the day of this time, which is included, in Unix seconds; default: now. */ "until"?: string | undefined }, options?: RequestOptions): Promise<t.Reconciled> {
    return this.#transport.call<t.Reconciled>({ method: "GET", path: `/admin/v1/usage/reconciliation`, query }, options);
  }
}

/** Accounts of the deployment. */
export class AdminUsers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List users.
   * 
   * List accounts, newest first.
   */
  async list(query?: { /** A part of the name or nickname; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.UserItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.UserItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.UserItems>({ method: "GET", path: `/admin/v1/users`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create user.
   * 
   * Open an account with a personal workspace and a first token, shown this once.
   */
  async create(body: t.CreateUserBody, options?: RequestOptions): Promise<t.UserCreated> {
    return this.#transport.call<t.UserCreated>({ method: "POST", path: `/admin/v1/users`, body }, options);
  }

  /**
   * Update user.
   * 
   * Stop an account with all its tokens, let it work again, or note its e-mail address.
   */
  async update(userId: string, body: t.UpdateUserBody, options?: RequestOptions): Promise<t.UserItem> {
    return this.#transport.call<t.UserItem>({ method: "PATCH", path: `/admin/v1/users/${part(userId)}`, body }, options);
  }

  /**
   * Create user link.
   * 
   * Make a link that signs an account in once, within 30 minutes, to set its password.
   */
  async createLink(userId: string, options?: RequestOptions): Promise<t.SignInLink> {
    return this.#transport.call<t.SignInLink>({ method: "POST", path: `/admin/v1/users/${part(userId)}/link` }, options);
  }

  /**
   * List user sessions.
   * 
   * List where an account is signed in, the latest first.
   */
  async listSessions(userId: string, options?: RequestOptions): Promise<t.SessionItems> {
    return this.#transport.call<t.SessionItems>({ method: "GET", path: `/admin/v1/users/${part(userId)}/sessions` }, options);
  }

  /**
   * Delete user sessions.
   * 
   * Sign an account out everywhere.
   */
  async deleteSessions(userId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/users/${part(userId)}/sessions` }, options);
  }
}

/** Kinds of nodes that a canvas is made of. */
export class AdminNodeTypes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List node types.
   * 
   * List the kinds of nodes.
   */
  async list(query?: { /** Language of names: `en` (default) or `zh`. */ "language"?: string | undefined }, options?: RequestOptions): Promise<t.NodeKindList> {
    return this.#transport.call<t.NodeKindList>({ method: "GET", path: `/admin/v1/workflow-node-types`, query }, options);
  }
}

/** Runs of workflows, their nodes and their answers. */
export class AdminWorkflowRuns {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get workflow run.
   * 
   * Return a run with what its nodes did; ``sub_execute_id`` looks into another workflow.
   */
  async get(executeId: string, query?: { /** Id of a node in the canvas. */ "node_id"?: string | undefined; /** Run of another workflow inside this one, whose nodes to show. */ "sub_execute_id"?: string | undefined }, options?: RequestOptions): Promise<t.AdminProcess> {
    return this.#transport.call<t.AdminProcess>({ method: "GET", path: `/admin/v1/workflow-runs/${part(executeId)}`, query }, options);
  }

  /**
   * Cancel workflow run.
   * 
   * End a run for good; one that ended before stays as it is.
   */
  async cancel(executeId: string, options?: RequestOptions): Promise<t.AdminWorkflowRun> {
    return this.#transport.call<t.AdminWorkflowRun>({ method: "POST", path: `/admin/v1/workflow-runs/${part(executeId)}/cancel` }, options);
  }

  /**
   * Follow the events of a workflow run.
   * 
   * Follow a run from any event on until it ends or waits; works again after the end.
   */
  follow(executeId: string, query?: { /** Number of the last event received; the stream goes on behind it. Default 0: from the start. */ "after"?: string | undefined; /** `true`: also `span.started` and `span.ended` for each step; needs `trace.read`. */ "spans"?: string | undefined }, options?: RequestOptions): Events<t.WorkflowEvent> {
    return new Events<t.WorkflowEvent>(this.#transport, { method: "GET", path: `/admin/v1/workflow-runs/${part(executeId)}/events`, query }, true, options);
  }

  /**
   * List workflow run node history.
   * 
   * Return everything a node did in a run, or in one iteration.
   */
  async listNodeHistory(executeId: string, nodeId: string, query?: { /** Iteration of a loop or batch, from 0; default: all of them. */ "batch_index"?: string | undefined }, options?: RequestOptions): Promise<t.AdminNodeRunList> {
    return this.#transport.call<t.AdminNodeRunList>({ method: "GET", path: `/admin/v1/workflow-runs/${part(executeId)}/nodes/${part(nodeId)}`, query }, options);
  }

  /**
   * Repeat workflow run.
   * 
   * Start a run that keeps the results before a node and repeats what follows.
   */
  async repeat(executeId: string, body: t.RepeatRunBody, options?: RequestOptions): Promise<t.StartedRun> {
    return this.#transport.call<t.StartedRun>({ method: "POST", path: `/admin/v1/workflow-runs/${part(executeId)}/repeats`, body }, options);
  }

  /**
   * Resume workflow run.
   * 
   * Answer an open question; the run goes on in the background.
   */
  async resume(executeId: string, body: t.ResumeRunBody, options?: RequestOptions): Promise<t.StartedRun> {
    return this.#transport.call<t.StartedRun>({ method: "POST", path: `/admin/v1/workflow-runs/${part(executeId)}/resume`, body }, options);
  }

  /**
   * Get workflow run trace.
   * 
   * Return where the time of a run went, as spans without what was said.
   * 
   * It is the stored trace of the run; of one that goes on, or left none, what its events tell.
   */
  async getTrace(executeId: string, options?: RequestOptions): Promise<t.AdminTrace> {
    return this.#transport.call<t.AdminTrace>({ method: "GET", path: `/admin/v1/workflow-runs/${part(executeId)}/trace` }, options);
  }

  /**
   * List workflow runs.
   * 
   * Return a page of runs, test runs included; ``since`` and ``until`` in Unix seconds.
   */
  async list(workflowId: string, query?: { /** Only runs in this state: created, running, interrupted, success, failed or cancelled. */ "status"?: string | undefined; /** Only runs of this mode: sync, stream or async. */ "mode"?: string | undefined; /** Only runs that began at or after this time, in Unix seconds. */ "since"?: string | undefined; /** Only runs that began before this time, in Unix seconds. */ "until"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined; /** Runs per page, 1 to 100; default 50. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminWorkflowRunList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminWorkflowRunList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminWorkflowRunList>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/runs`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }
}

/** Canvases, versions, imports and exports. */
export class AdminWorkflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get workflow.
   * 
   * Describe a workflow.
   */
  async get(workflowId: string, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}` }, options);
  }

  /**
   * Delete workflow.
   * 
   * Delete a workflow that no other one calls.
   */
  async delete(workflowId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workflows/${part(workflowId)}` }, options);
  }

  /**
   * Update workflow.
   * 
   * Change name, description or icon; ``If-Match`` takes the revision that was read.
   */
  async update(workflowId: string, body: t.UpdateWorkflowBody, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "PATCH", path: `/admin/v1/workflows/${part(workflowId)}`, body }, options);
  }

  /**
   * Get workflow canvas.
   * 
   * Show the canvas of the draft or of a version.
   */
  async getCanvas(workflowId: string, query?: { /** Version as publishing named it; default: the draft. */ "version"?: string | undefined }, options?: RequestOptions): Promise<t.AdminCanvas> {
    return this.#transport.call<t.AdminCanvas>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/canvas`, query }, options);
  }

  /**
   * Save workflow canvas.
   * 
   * Store a canvas to the character; findings are told and never hinder saving.
   */
  async saveCanvas(workflowId: string, body: unknown, options?: RequestOptions): Promise<t.SavedAdminCanvas> {
    return this.#transport.call<t.SavedAdminCanvas>({ method: "PUT", path: `/admin/v1/workflows/${part(workflowId)}/canvas`, body }, options);
  }

  /**
   * Chat with the draft of a chat flow.
   * 
   * Let a chat flow answer; returns at once, the answer comes as events of the run.
   */
  async chat(workflowId: string, body: t.FlowChatBody, options?: RequestOptions): Promise<t.AdminBegunChat> {
    return this.#transport.call<t.AdminBegunChat>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/chats`, body, hasKey: true }, options);
  }

  /**
   * Copy workflow.
   * 
   * Copy the draft into a new workflow.
   */
  async copy(workflowId: string, body: t.CopyWorkflowBody, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/copy`, body }, options);
  }

  /**
   * Export workflow.
   * 
   * Give the canvas back exactly as it came; `ETag` has the revision of a draft.
   */
  async export(workflowId: string, query?: { /** Version as publishing named it; default: the draft. */ "version"?: string | undefined }, options?: RequestOptions): Promise<unknown> {
    return this.#transport.call<unknown>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/export`, query }, options);
  }

  /**
   * Test workflow node.
   * 
   * Run one node of the draft in the background, a loop or batch with its body.
   */
  async testNode(workflowId: string, nodeId: string, body: t.TestNodeBody, options?: RequestOptions): Promise<t.StartedRun> {
    return this.#transport.call<t.StartedRun>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/nodes/${part(nodeId)}/test-runs`, body }, options);
  }

  /**
   * Get workflow tool settings.
   * 
   * Show what a model node of the draft may call.
   */
  async getToolSettings(workflowId: string, nodeId: string, options?: RequestOptions): Promise<t.NodeTools> {
    return this.#transport.call<t.NodeTools>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/nodes/${part(nodeId)}/tool-settings` }, options);
  }

  /**
   * Publish workflow.
   * 
   * Freeze the draft as a version.
   */
  async publish(workflowId: string, body: t.PublishWorkflowBody, options?: RequestOptions): Promise<t.PublishedWorkflow> {
    return this.#transport.call<t.PublishedWorkflow>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/publish`, body }, options);
  }

  /**
   * List what uses a workflow.
   * 
   * List the workflows that call this one.
   */
  async listReferences(workflowId: string, options?: RequestOptions): Promise<t.AdminWorkflowReferenceList> {
    return this.#transport.call<t.AdminWorkflowReferenceList>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/references` }, options);
  }

  /**
   * Restore workflow.
   * 
   * Bring a deleted workflow back, for seven days, with its versions.
   */
  async restore(workflowId: string, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/restore` }, options);
  }

  /**
   * Get workflow role.
   * 
   * Show the role of a chat flow.
   */
  async getRole(workflowId: string, options?: RequestOptions): Promise<t.AdminRole> {
    return this.#transport.call<t.AdminRole>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/role` }, options);
  }

  /**
   * Set workflow role.
   * 
   * Replace the role of a chat flow.
   */
  async setRole(workflowId: string, body: t.RoleBody, options?: RequestOptions): Promise<t.AdminRole> {
    return this.#transport.call<t.AdminRole>({ method: "PUT", path: `/admin/v1/workflows/${part(workflowId)}/role`, body }, options);
  }

  /**
   * Delete workflow role.
   * 
   * Remove the role of a chat flow.
   */
  async deleteRole(workflowId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workflows/${part(workflowId)}/role` }, options);
  }

  /**
   * List workflow test inputs.
   * 
   * List saved inputs of test runs: one's own, and those that are shared.
   */
  async listTestInputs(workflowId: string, options?: RequestOptions): Promise<t.AdminTestInputList> {
    return this.#transport.call<t.AdminTestInputList>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/test-inputs` }, options);
  }

  /**
   * Save workflow test input.
   * 
   * Keep inputs of test runs under a name; one's own of the same name are replaced.
   */
  async saveTestInput(workflowId: string, body: t.SaveInputBody, options?: RequestOptions): Promise<t.AdminTestInput> {
    return this.#transport.call<t.AdminTestInput>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/test-inputs`, body }, options);
  }

  /**
   * Delete workflow test input.
   * 
   * Delete saved inputs, one's own or shared.
   */
  async deleteTestInput(workflowId: string, testInputId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workflows/${part(workflowId)}/test-inputs/${part(testInputId)}` }, options);
  }

  /**
   * Test workflow.
   * 
   * Run the draft in the background; publishing asks for one that succeeds.
   */
  async test(workflowId: string, body: t.TestRunBody, options?: RequestOptions): Promise<t.StartedRun> {
    return this.#transport.call<t.StartedRun>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/test-runs`, body }, options);
  }

  /**
   * Validate workflow.
   * 
   * Check the draft, or the canvas in the body, and every workflow called from there.
   */
  async validate(workflowId: string, body?: unknown, options?: RequestOptions): Promise<t.AdminFindingsList> {
    return this.#transport.call<t.AdminFindingsList>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/validate`, body }, options);
  }

  /**
   * List workflow versions.
   * 
   * List versions, newest first.
   */
  async listVersions(workflowId: string, query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminWorkflowVersionList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminWorkflowVersionList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminWorkflowVersionList>({ method: "GET", path: `/admin/v1/workflows/${part(workflowId)}/versions`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Restore workflow version.
   * 
   * Make the canvas of a version the draft.
   */
  async restoreVersion(workflowId: string, versionLabel: string, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "POST", path: `/admin/v1/workflows/${part(workflowId)}/versions/${part(versionLabel)}/restore` }, options);
  }

  /**
   * Delete several workflows.
   * 
   * Delete workflows, all or none.
   */
  async batchDelete(body: t.DeleteWorkflowsBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/workflows:batch-delete`, body }, options);
  }

  /**
   * List workflows.
   * 
   * List workflows by age, newest first unless ``order`` is ``asc``.
   * 
   * ``plugin_id`` leaves those whose draft or newest version names the plugin.
   */
  async list(workspaceId: string, query?: { /** Only what is in this state; default: all. */ "status"?: string | undefined; /** Only `workflow` (0) or `chatflow` (3); default: both. */ "mode"?: string | undefined; /** Only workflows of this app; default: those of the library. */ "app_id"?: string | undefined; /** Only what this account made. */ "creator_id"?: string | undefined; /** Id of a plugin. */ "plugin_id"?: string | undefined; /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined; /** By age: `asc` or `desc` (default). */ "order"?: string | undefined }, options?: RequestOptions): Promise<Page<t.AdminWorkflowList["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.AdminWorkflowList["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.AdminWorkflowList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/workflows`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create workflow.
   * 
   * Make a draft that leads from its entry to its exit.
   */
  async create(workspaceId: string, body: t.CreateWorkflowBody, options?: RequestOptions): Promise<t.AdminWorkflow> {
    return this.#transport.call<t.AdminWorkflow>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/workflows`, body }, options);
  }

  /**
   * Import a workflow.
   * 
   * Import an export of Coze Studio or FastGPT: as JSON, or as the file of a form.
   */
  async importCanvas(workspaceId: string, body: unknown, options?: RequestOptions): Promise<t.AdminImportReport> {
    return this.#transport.call<t.AdminImportReport>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/workflows:import`, body }, options);
  }

  /**
   * Review workflows to be imported.
   * 
   * Show what exports would become, one of which may call another; nothing is stored.
   */
  async review(workspaceId: string, body: t.ReviewWorkflowsBody, options?: RequestOptions): Promise<t.AdminWorkflowReview> {
    return this.#transport.call<t.AdminWorkflowReview>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/workflows:review`, body }, options);
  }
}

/** Workspaces that the account may enter. */
export class AdminWorkspaces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List workspaces.
   * 
   * List workspaces, the personal one first.
   */
  async list(query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.WorkspaceItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.WorkspaceItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.WorkspaceItems>({ method: "GET", path: `/admin/v1/workspaces`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create workspace.
   * 
   * Open a team workspace.
   */
  async create(body: t.CreateWorkspaceBody, options?: RequestOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "POST", path: `/admin/v1/workspaces`, body }, options);
  }

  /**
   * Get workspace.
   * 
   * Show a workspace.
   */
  async get(workspaceId: string, options?: RequestOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}` }, options);
  }

  /**
   * Delete workspace.
   * 
   * Delete a team workspace with all that is in it; it can be restored for seven days.
   * 
   * Its owners may, and administrators of the deployment.
   */
  async delete(workspaceId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workspaces/${part(workspaceId)}` }, options);
  }

  /**
   * Update workspace.
   * 
   * Change what it is called and begins with; administrators close and limit it.
   * 
   * Whoever administers the deployment needs no role in it for the latter.
   */
  async update(workspaceId: string, body: t.UpdateWorkspaceBody, options?: RequestOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "PATCH", path: `/admin/v1/workspaces/${part(workspaceId)}`, body }, options);
  }

  /**
   * Find anything in a workspace.
   * 
   * Find anything by name, id, log id, or the last four characters of an own token.
   */
  async find(workspaceId: string, query?: { /** A part of a name, an id, a log id, or the last four characters of an own token; without it nothing is found. */ "q"?: string | undefined; /** Only entries of these types, separated by commas: agent, workflow, dataset, document, plugin, database, prompt, member, run, conversation, token. */ "types"?: string | undefined; /** Entries in all, 1 to 50; default 20. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<t.AdminEntryList> {
    return this.#transport.call<t.AdminEntryList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/find`, query }, options);
  }

  /**
   * Get what the home screen shows.
   * 
   * Return what the caller opened last, what waits for them, and how much there is.
   */
  async getHome(workspaceId: string, options?: RequestOptions): Promise<t.AdminHome> {
    return this.#transport.call<t.AdminHome>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/home` }, options);
  }

  /**
   * Set the icon of a workspace.
   * 
   * Show the picture of a multipart form as its icon: PNG, JPEG, GIF or WebP.
   * 
   * An `icon_url` of null takes it away.
   */
  async setIcon(workspaceId: string, file: Source, options?: UploadOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "PUT", path: `/admin/v1/workspaces/${part(workspaceId)}/icon`, file: await opened(file, options) }, options);
  }

  /**
   * Leave workspace.
   * 
   * Leave a workspace; its only owner makes somebody else one first.
   */
  async leave(workspaceId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/leave` }, options);
  }

  /**
   * Restore workspace.
   * 
   * Take back a deletion of the last seven days; its owners may, and administrators.
   */
  async restore(workspaceId: string, options?: RequestOptions): Promise<t.WorkspaceItem> {
    return this.#transport.call<t.WorkspaceItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/restore` }, options);
  }

  /**
   * Transfer the ownership of a workspace.
   * 
   * Make a member the owner in one's own place; one stays as an administrator.
   */
  async transfer(workspaceId: string, body: t.TransferWorkspaceBody, options?: RequestOptions): Promise<t.MemberItem> {
    return this.#transport.call<t.MemberItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/transfer`, body }, options);
  }

  /**
   * List all workspaces of the deployment.
   * 
   * List all workspaces of the deployment without their contents, the oldest first.
   */
  async listAll(query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.WorkspaceOverviews["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.WorkspaceOverviews["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.WorkspaceOverviews>({ method: "GET", path: `/admin/v1/workspaces:all`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * List workspaces that can be restored.
   * 
   * List what the caller owned, was deleted in the last seven days, and can be restored.
   */
  async listDeleted(query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.DeletedWorkspaces["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.DeletedWorkspaces["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.DeletedWorkspaces>({ method: "GET", path: `/admin/v1/workspaces:deleted`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }
}

/** Groups of accounts of a workspace. */
export class AdminWorkspaceGroups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List workspace groups.
   * 
   * List groups of a workspace, newest first.
   */
  async list(workspaceId: string, query?: { /** A part of the name; default: all. */ "q"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.GroupItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.GroupItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.GroupItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/groups`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create workspace group.
   * 
   * Open a group of a workspace.
   */
  async create(workspaceId: string, body: t.GroupBody, options?: RequestOptions): Promise<t.GroupItem> {
    return this.#transport.call<t.GroupItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/groups`, body }, options);
  }
}

/** Who belongs to a workspace, and as what. */
export class AdminMembers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List members.
   * 
   * List members in the order they joined.
   */
  async list(workspaceId: string, query?: { /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** `next_cursor` of the page before; without it, the first page. */ "cursor"?: string | undefined }, options?: RequestOptions): Promise<Page<t.MemberItems["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.MemberItems["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.MemberItems>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/members`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Create member.
   * 
   * Admit an account.
   */
  async create(workspaceId: string, body: t.AddMemberBody, options?: RequestOptions): Promise<t.MemberItem> {
    return this.#transport.call<t.MemberItem>({ method: "POST", path: `/admin/v1/workspaces/${part(workspaceId)}/members`, body }, options);
  }

  /**
   * Delete member.
   * 
   * Dismiss a member, or leave.
   */
  async delete(workspaceId: string, userId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/admin/v1/workspaces/${part(workspaceId)}/members/${part(userId)}` }, options);
  }

  /**
   * Update member.
   * 
   * Give a member another role.
   */
  async update(workspaceId: string, userId: string, body: t.SetRoleBody, options?: RequestOptions): Promise<t.MemberItem> {
    return this.#transport.call<t.MemberItem>({ method: "PATCH", path: `/admin/v1/workspaces/${part(workspaceId)}/members/${part(userId)}`, body }, options);
  }
}

/** Hosts that plugins of a workspace may call. */
export class AdminPluginHosts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get plugin hosts.
   * 
   * Return the hosts that plugins of the workspace may call; none means all public ones.
   */
  async get(workspaceId: string, options?: RequestOptions): Promise<t.HostList> {
    return this.#transport.call<t.HostList>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/plugin-hosts` }, options);
  }

  /**
   * Set plugin hosts.
   * 
   * Name the hosts that plugins of the workspace may call.
   */
  async set(workspaceId: string, body: t.HostList, options?: RequestOptions): Promise<t.HostList> {
    return this.#transport.call<t.HostList>({ method: "PUT", path: `/admin/v1/workspaces/${part(workspaceId)}/plugin-hosts`, body }, options);
  }
}

/** How long a workspace keeps what was said there. */
export class AdminRetention {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get retention.
   * 
   * Return how long a workspace keeps things, and whether it must keep everything.
   */
  async get(workspaceId: string, options?: RequestOptions): Promise<t.RetentionItem> {
    return this.#transport.call<t.RetentionItem>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/retention` }, options);
  }

  /**
   * Set retention.
   * 
   * Replace how long a workspace keeps things; what is older is removed within an hour.
   */
  async set(workspaceId: string, body: t.RetentionBody, options?: RequestOptions): Promise<t.RetentionItem> {
    return this.#transport.call<t.RetentionItem>({ method: "PUT", path: `/admin/v1/workspaces/${part(workspaceId)}/retention`, body }, options);
  }
}

/** How much of runs a workspace keeps, and what it masks. */
export class AdminTraceSettings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get trace settings of a workspace.
   * 
   * Return what a workspace says about its traces.
   */
  async get(workspaceId: string, options?: RequestOptions): Promise<t.AdminTraceSettings> {
    return this.#transport.call<t.AdminTraceSettings>({ method: "GET", path: `/admin/v1/workspaces/${part(workspaceId)}/trace-settings` }, options);
  }

  /**
   * Set trace settings of a workspace.
   * 
   * Replace what a workspace says about its traces; it holds for runs that begin later.
   */
  async set(workspaceId: string, body: t.AdminTraceSettingsBody, options?: RequestOptions): Promise<t.AdminTraceSettings> {
    return this.#transport.call<t.AdminTraceSettings>({ method: "PUT", path: `/admin/v1/workspaces/${part(workspaceId)}/trace-settings`, body }, options);
  }
}

/** Admin. */
export class Admin {
  readonly #transport: Transport;
  readonly agents: AdminAgents;
  readonly shortcuts: AdminShortcuts;
  readonly endUsers: AdminEndUsers;
  readonly memories: AdminMemories;
  readonly userVariables: AdminUserVariables;
  readonly variables: AdminVariables;
  readonly apps: AdminApps;
  readonly appConversations: AdminAppConversations;
  readonly appEndUsers: AdminAppEndUsers;
  readonly appUserVariables: AdminAppUserVariables;
  readonly auditLog: AdminAuditLog;
  readonly auth: AdminAuth;
  readonly budgets: AdminBudgets;
  readonly channels: AdminChannels;
  readonly chats: AdminChats;
  readonly conversations: AdminConversations;
  readonly supportConversations: AdminSupportConversations;
  readonly dataRequests: AdminDataRequests;
  readonly databases: AdminDatabases;
  readonly databaseImports: AdminDatabaseImports;
  readonly records: AdminRecords;
  readonly datasets: AdminDatasets;
  readonly documents: AdminDocuments;
  readonly previews: AdminPreviews;
  readonly deadLetters: AdminDeadLetters;
  readonly slices: AdminSlices;
  readonly files: AdminFiles;
  readonly grants: AdminGrants;
  readonly groups: AdminGroups;
  readonly groupMembers: AdminGroupMembers;
  readonly icons: AdminIcons;
  readonly invitations: AdminInvitations;
  readonly live: AdminLive;
  readonly modelProviders: AdminModelProviders;
  readonly models: AdminModels;
  readonly prices: AdminPrices;
  readonly oauthApps: AdminOauthApps;
  readonly oauthGrants: AdminOauthGrants;
  readonly oauthRequests: AdminOauthRequests;
  readonly oidcProviders: AdminOidcProviders;
  readonly operations: AdminOperations;
  readonly plugins: AdminPlugins;
  readonly serverTools: AdminServerTools;
  readonly pluginTools: AdminPluginTools;
  readonly presence: AdminPresence;
  readonly prompts: AdminPrompts;
  readonly runs: AdminRuns;
  readonly serviceTokens: AdminServiceTokens;
  readonly shareLinks: AdminShareLinks;
  readonly tasks: AdminTasks;
  readonly templates: AdminTemplates;
  readonly tokens: AdminTokens;
  readonly traceStats: AdminTraceStats;
  readonly traces: AdminTraces;
  readonly usage: AdminUsage;
  readonly users: AdminUsers;
  readonly nodeTypes: AdminNodeTypes;
  readonly workflowRuns: AdminWorkflowRuns;
  readonly workflows: AdminWorkflows;
  readonly workspaces: AdminWorkspaces;
  readonly workspaceGroups: AdminWorkspaceGroups;
  readonly members: AdminMembers;
  readonly pluginHosts: AdminPluginHosts;
  readonly retention: AdminRetention;
  readonly traceSettings: AdminTraceSettings;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.agents = new AdminAgents(transport);
    this.shortcuts = new AdminShortcuts(transport);
    this.endUsers = new AdminEndUsers(transport);
    this.memories = new AdminMemories(transport);
    this.userVariables = new AdminUserVariables(transport);
    this.variables = new AdminVariables(transport);
    this.apps = new AdminApps(transport);
    this.appConversations = new AdminAppConversations(transport);
    this.appEndUsers = new AdminAppEndUsers(transport);
    this.appUserVariables = new AdminAppUserVariables(transport);
    this.auditLog = new AdminAuditLog(transport);
    this.auth = new AdminAuth(transport);
    this.budgets = new AdminBudgets(transport);
    this.channels = new AdminChannels(transport);
    this.chats = new AdminChats(transport);
    this.conversations = new AdminConversations(transport);
    this.supportConversations = new AdminSupportConversations(transport);
    this.dataRequests = new AdminDataRequests(transport);
    this.databases = new AdminDatabases(transport);
    this.databaseImports = new AdminDatabaseImports(transport);
    this.records = new AdminRecords(transport);
    this.datasets = new AdminDatasets(transport);
    this.documents = new AdminDocuments(transport);
    this.previews = new AdminPreviews(transport);
    this.deadLetters = new AdminDeadLetters(transport);
    this.slices = new AdminSlices(transport);
    this.files = new AdminFiles(transport);
    this.grants = new AdminGrants(transport);
    this.groups = new AdminGroups(transport);
    this.groupMembers = new AdminGroupMembers(transport);
    this.icons = new AdminIcons(transport);
    this.invitations = new AdminInvitations(transport);
    this.live = new AdminLive(transport);
    this.modelProviders = new AdminModelProviders(transport);
    this.models = new AdminModels(transport);
    this.prices = new AdminPrices(transport);
    this.oauthApps = new AdminOauthApps(transport);
    this.oauthGrants = new AdminOauthGrants(transport);
    this.oauthRequests = new AdminOauthRequests(transport);
    this.oidcProviders = new AdminOidcProviders(transport);
    this.operations = new AdminOperations(transport);
    this.plugins = new AdminPlugins(transport);
    this.serverTools = new AdminServerTools(transport);
    this.pluginTools = new AdminPluginTools(transport);
    this.presence = new AdminPresence(transport);
    this.prompts = new AdminPrompts(transport);
    this.runs = new AdminRuns(transport);
    this.serviceTokens = new AdminServiceTokens(transport);
    this.shareLinks = new AdminShareLinks(transport);
    this.tasks = new AdminTasks(transport);
    this.templates = new AdminTemplates(transport);
    this.tokens = new AdminTokens(transport);
    this.traceStats = new AdminTraceStats(transport);
    this.traces = new AdminTraces(transport);
    this.usage = new AdminUsage(transport);
    this.users = new AdminUsers(transport);
    this.nodeTypes = new AdminNodeTypes(transport);
    this.workflowRuns = new AdminWorkflowRuns(transport);
    this.workflows = new AdminWorkflows(transport);
    this.workspaces = new AdminWorkspaces(transport);
    this.workspaceGroups = new AdminWorkspaceGroups(transport);
    this.members = new AdminMembers(transport);
    this.pluginHosts = new AdminPluginHosts(transport);
    this.retention = new AdminRetention(transport);
    this.traceSettings = new AdminTraceSettings(transport);
  }
}
