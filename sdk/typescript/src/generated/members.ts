// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Who belongs to a workspace. */
export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List members.
   * 
   * List the members of a workspace.
   */
  async list(workspaceId: string, query?: { /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, from 1; default 20, larger values count as 50. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfWorkspaceMemberList["data"]["items"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfWorkspaceMemberList["data"]["items"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfWorkspaceMemberList>({ method: "GET", path: `/v1/workspaces/${part(workspaceId)}/members`, query: asked }, options)).data;
      const items = found.items;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total_count ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Create member.
   * 
   * Admit accounts to a workspace.
   */
  async create(workspaceId: string, body: t.AddMembersBody, options?: RequestOptions): Promise<t.EnvelopeOfAddedMembers["data"]> {
    return (await this.#transport.call<t.EnvelopeOfAddedMembers>({ method: "POST", path: `/v1/workspaces/${part(workspaceId)}/members`, body }, options)).data;
  }

  /**
   * Delete member.
   * 
   * Dismiss members of a workspace.
   */
  async delete(workspaceId: string, body: t.RemoveMembersBody, options?: RequestOptions): Promise<t.EnvelopeOfRemovedMembers["data"]> {
    return (await this.#transport.call<t.EnvelopeOfRemovedMembers>({ method: "DELETE", path: `/v1/workspaces/${part(workspaceId)}/members`, body }, options)).data;
  }
}
