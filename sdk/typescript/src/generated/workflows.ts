// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Runs of workflows and their history. */
export class Workflows {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List workflows.
   * 
   * List published workflows, of one workspace or of all of the caller's.
   */
  async list(query?: { /** Id of a workspace. */ "workspace_id"?: string | undefined; /** Only `workflow` or `chatflow`; default: both. */ "workflow_mode"?: string | undefined; /** Id of an app. */ "app_id"?: string | undefined; /** Which to list: all, published_online, published_draft or unpublished_draft. */ "publish_status"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 100; default 100. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfWireWorkflowList["data"]["items"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfWireWorkflowList["data"]["items"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfWireWorkflowList>({ method: "GET", path: `/v1/workflows`, query: asked }, options)).data;
      const items = found.items;
      const seen = passed(at, before, items);
      const isMore = found.has_more;
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Get workflow.
   * 
   * Describe a workflow.
   */
  async get(workflowId: string, options?: RequestOptions): Promise<t.EnvelopeOfWireWorkflowDetail["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireWorkflowDetail>({ method: "GET", path: `/v1/workflows/${part(workflowId)}` }, options)).data;
  }

  /**
   * Get workflow run.
   * 
   * Return a run of a workflow with the state of its nodes, as a list of one.
   */
  async getRun(workflowId: string, executeId: string, options?: RequestOptions): Promise<t.EnvelopeOfListOfRunHistory["data"]> {
    return (await this.#transport.call<t.EnvelopeOfListOfRunHistory>({ method: "GET", path: `/v1/workflows/${part(workflowId)}/run_histories/${part(executeId)}` }, options)).data;
  }

  /**
   * Get workflow node output.
   * 
   * Return what one node of a run put out.
   */
  async getNodeOutput(workflowId: string, executeId: string, nodeExecuteUuid: string, options?: RequestOptions): Promise<t.EnvelopeOfExecutedNodeOutput["data"]> {
    return (await this.#transport.call<t.EnvelopeOfExecutedNodeOutput>({ method: "GET", path: `/v1/workflows/${part(workflowId)}/run_histories/${part(executeId)}/execute_nodes/${part(nodeExecuteUuid)}` }, options)).data;
  }

  /**
   * List workflow versions.
   * 
   * List versions, newest first; all of them are published.
   */
  async listVersions(workflowId: string, query?: { /** `next_page_token` of the page before; without it, the first page. */ "page_token"?: string | undefined; /** Items per page, 1 to 30; default 10. */ "page_size"?: string | undefined; /** Which to list: all, published_online, published_draft or unpublished_draft. */ "publish_status"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfWireWorkflowVersionList["data"]["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.EnvelopeOfWireWorkflowVersionList["data"]["items"][number]>> => {
      const asked = { ...query, "page_token": at };
      const found = (await this.#transport.call<t.EnvelopeOfWireWorkflowVersionList>({ method: "GET", path: `/v1/workflows/${part(workflowId)}/versions`, query: asked }, options)).data;
      const items = found.items;
      const next = found.next_page_token;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.page_token);
  }
}
