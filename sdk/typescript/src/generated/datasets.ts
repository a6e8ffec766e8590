// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Knowledge bases: documents, tables and images that agents search. */
export class Datasets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List datasets.
   * 
   * List the knowledge bases of a workspace, the youngest first.
   */
  async list(query: { /** Id of a workspace (space). Uploads without it go to the default workspace of the token. */ "space_id": string; /** A part of the name; default: all. */ "name"?: string | undefined; /** Only bases of this kind: 0 text, 1 table, 2 image. */ "format_type"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 300; default 10. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfDatasetList["data"]["dataset_list"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfDatasetList["data"]["dataset_list"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfDatasetList>({ method: "GET", path: `/v1/datasets`, query: asked }, options)).data;
      const items = found.dataset_list;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total_count ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Create dataset.
   * 
   * Make an empty knowledge base.
   */
  async create(body: t.CreateDatasetBody, options?: RequestOptions): Promise<t.EnvelopeOfDatasetReference["data"]> {
    return (await this.#transport.call<t.EnvelopeOfDatasetReference>({ method: "POST", path: `/v1/datasets`, body, hasKey: true }, options)).data;
  }

  /**
   * Search datasets.
   * 
   * Search knowledge bases of one workspace; counts no hits, 20 a minute.
   */
  async search(body: t.SearchDatasetsBody, options?: RequestOptions): Promise<t.EnvelopeOfWireSearch["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireSearch>({ method: "POST", path: `/v1/datasets/search`, body }, options)).data;
  }

  /**
   * Update dataset.
   * 
   * Replace name, description and icon of a knowledge base.
   */
  async update(datasetId: string, body: t.UpdateDatasetBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/v1/datasets/${part(datasetId)}`, body }, options);
  }

  /**
   * Delete dataset.
   * 
   * Delete a knowledge base with all it holds.
   */
  async delete(datasetId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/v1/datasets/${part(datasetId)}` }, options);
  }

  /**
   * Get dataset progress.
   * 
   * Tell how far documents are; those that do not exist are left out.
   */
  async getProgress(datasetId: string, body: t.ProcessBody, options?: RequestOptions): Promise<t.EnvelopeOfProgressList["data"]> {
    return (await this.#transport.call<t.EnvelopeOfProgressList>({ method: "POST", path: `/v1/datasets/${part(datasetId)}/process`, body }, options)).data;
  }
}
