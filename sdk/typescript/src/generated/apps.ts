// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Projects of workflows. */
export class Apps {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List apps.
   * 
   * List the apps of a workspace.
   */
  async list(query: { /** Id of a workspace. */ "workspace_id": string; /** Which to list: all, published_online, published_draft or unpublished_draft. */ "publish_status"?: string | undefined; /** Only apps that are published to this connector. */ "connector_id"?: string | undefined; /** Page, from 1; default 1. */ "page_index"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, from 1; default 20, larger values count as 50. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfSimpleAppList["data"]["items"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfSimpleAppList["data"]["items"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfSimpleAppList>({ method: "GET", path: `/v1/apps`, query: asked }, options)).data;
      const items = found.items;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Get app.
   * 
   * Return an app with its variables, as published last, else its draft.
   */
  async get(appId: string, query?: { /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined }, options?: RequestOptions): Promise<t.EnvelopeOfWireApp["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireApp>({ method: "GET", path: `/v1/apps/${part(appId)}`, query }, options)).data;
  }
}
