// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Pieces of documents that a search finds. */
export class Slices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List slices.
   * 
   * List the slices of a document, in order.
   */
  async list(datasetId: string, query: { /** Id of a document. */ "document_id": string; /** A part of the name or text; default: all. */ "keyword"?: string | undefined; /** Only slices in this state: 0 pending, 1 indexed, 9 failed. */ "status"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 100; default 10. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfSliceList["data"]["slices"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfSliceList["data"]["slices"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfSliceList>({ method: "GET", path: `/v1/datasets/${part(datasetId)}/slices`, query: asked }, options)).data;
      const items = found.slices;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total_count ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Create slice.
   * 
   * Add a slice to a document; it is indexed by itself.
   */
  async create(datasetId: string, body: t.CreateSliceBody, options?: RequestOptions): Promise<t.EnvelopeOfWireSlice["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireSlice>({ method: "POST", path: `/v1/datasets/${part(datasetId)}/slices`, body }, options)).data;
  }

  /**
   * Update slice.
   * 
   * Replace what a slice says; until it is indexed anew its old words find it.
   */
  async update(datasetId: string, sliceId: string, body: t.UpdateSliceBody, options?: RequestOptions): Promise<t.EnvelopeOfWireSlice["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireSlice>({ method: "PUT", path: `/v1/datasets/${part(datasetId)}/slices/${part(sliceId)}`, body }, options)).data;
  }

  /**
   * Delete slice.
   * 
   * Remove a slice.
   */
  async delete(datasetId: string, sliceId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/v1/datasets/${part(datasetId)}/slices/${part(sliceId)}` }, options);
  }
}
