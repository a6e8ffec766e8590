// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Images of knowledge bases. */
export class Images {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Download image.
   * 
   * Download the image that a signed token names.
   */
  async download(token: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/knowledge/images/${part(token)}` }, options)).blob();
  }

  /**
   * List images.
   * 
   * List the images of a knowledge base, the youngest first.
   */
  async list(datasetId: string, query?: { /** A part of the name or text; default: all. */ "keyword"?: string | undefined; /** `true`: only images with a caption; `false`: only those without. */ "has_caption"?: string | undefined; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 299; default 10. */ "page_size"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfPhotoList["data"]["photo_infos"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfPhotoList["data"]["photo_infos"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfPhotoList>({ method: "GET", path: `/v1/datasets/${part(datasetId)}/images`, query: asked }, options)).data;
      const items = found.photo_infos;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total_count ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Update image.
   * 
   * Say what an image shows; it is then found by that.
   */
  async update(datasetId: string, documentId: string, body: t.CaptionBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/v1/datasets/${part(datasetId)}/images/${part(documentId)}`, body }, options);
  }
}
