// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
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
  async list(query: { "workspace_id": string; "publish_status"?: string | undefined; "connector_id"?: string | undefined; "page_index"?: string | undefined; "page_num"?: string | undefined; "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfSimpleAppList["data"]["items"][number]>> {
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
  async get(appId: string, query?: { "connector_id"?: string | undefined }, options?: RequestOptions): Promise<t.EnvelopeOfWireApp["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireApp>({ method: "GET", path: `/v1/apps/${part(appId)}`, query }, options)).data;
  }
}
