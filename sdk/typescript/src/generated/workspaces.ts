// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Who shares agents, workflows and knowledge. */
export class Workspaces {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List workspaces.
   * 
   * List the workspaces that the token reaches.
   */
  async list(query?: { /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, from 1; default 20, larger values count as 50. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfWorkspaceList["data"]["workspaces"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfWorkspaceList["data"]["workspaces"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfWorkspaceList>({ method: "GET", path: `/v1/workspaces`, query: asked }, options)).data;
      const items = found.workspaces;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total_count ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }
}
