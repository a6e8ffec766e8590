// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Agents as clients of Coze know them. */
export class Bots {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create bot.
   * 
   * Make a bot; it answers once it is published.
   */
  async create(body: t.CreateBotBody, options?: RequestOptions): Promise<t.EnvelopeOfBotReference["data"]> {
    return (await this.#transport.call<t.EnvelopeOfBotReference>({ method: "POST", path: `/v1/bot/create`, body, hasKey: true }, options)).data;
  }

  /**
   * Get a published bot.
   * 
   * Show a bot as published; to a token for browsers only what visitors see.
   */
  async getOnlineInfo(query: { /** Id of an agent (bot). */ "bot_id": string; /** Version as publishing named it; default: the one in use. */ "version"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined }, options?: RequestOptions): Promise<t.EnvelopeOfBot["data"]> {
    return (await this.#transport.call<t.EnvelopeOfBot>({ method: "GET", path: `/v1/bot/get_online_info`, query }, options)).data;
  }

  /**
   * Publish bot.
   * 
   * Freeze the draft as a version and let it answer on connectors, by default the API.
   */
  async publish(body: t.PublishBotBody, options?: RequestOptions): Promise<t.EnvelopeOfBotReference["data"]> {
    return (await this.#transport.call<t.EnvelopeOfBotReference>({ method: "POST", path: `/v1/bot/publish`, body }, options)).data;
  }

  /**
   * Update bot.
   * 
   * Change the draft of a bot; what is absent or null stays.
   */
  async update(body: t.UpdateBotBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/v1/bot/update`, body }, options);
  }

  /**
   * List bots.
   * 
   * List the bots of a space by their state of publication.
   */
  async list(query: { /** Id of a workspace. */ "workspace_id": string; /** Which to list: all, published_online, published_draft or unpublished_draft. */ "publish_status"?: string | undefined; /** Only agents that are published to this connector. */ "connector_id"?: string | undefined; /** Page, from 1; default 1. */ "page_index"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfSimpleBotList["data"]["items"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfSimpleBotList["data"]["items"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfSimpleBotList>({ method: "GET", path: `/v1/bots`, query: asked }, options)).data;
      const items = found.items;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Get bot.
   * 
   * Show a bot as published or, with ``is_published`` false, its draft.
   * 
   * A token for browsers gets what visitors see of the published bot.
   */
  async get(botId: string, query?: { /** `true` (default): as published; `false`: the draft. */ "is_published"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined }, options?: RequestOptions): Promise<t.EnvelopeOfBot["data"]> {
    return (await this.#transport.call<t.EnvelopeOfBot>({ method: "GET", path: `/v1/bots/${part(botId)}`, query }, options)).data;
  }

  /**
   * Unpublish bot.
   * 
   * Take a bot off a connector.
   */
  async unpublish(botId: string, body: t.UnpublishBotBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/v1/bots/${part(botId)}/unpublish`, body }, options);
  }

  /**
   * List bot versions.
   * 
   * List versions, newest first; ``published_online`` keeps the one on the connector.
   */
  async listVersions(botId: string, query?: { /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 100; default 10. */ "page_size"?: string | undefined; /** Which to list: all, published_online, published_draft or unpublished_draft. */ "publish_status"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfBotVersionList["data"]["items"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfBotVersionList["data"]["items"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfBotVersionList>({ method: "GET", path: `/v1/bots/${part(botId)}/versions`, query: asked }, options)).data;
      const items = found.items;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * List published bots.
   * 
   * List the bots of a space that are published to the API, latest first.
   */
  async listPublished(query: { /** Id of a workspace (space). Uploads without it go to the default workspace of the token. */ "space_id": string; /** Page, from 1; default 1. */ "page_index"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfSpaceBotList["data"]["space_bots"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfSpaceBotList["data"]["space_bots"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfSpaceBotList>({ method: "GET", path: `/v1/space/published_bots_list`, query: asked }, options)).data;
      const items = found.space_bots;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }
}
