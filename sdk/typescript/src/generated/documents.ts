// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Documents of knowledge bases. */
export class Documents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create document.
   * 
   * Take documents in, all or none; their progress tells when they can be found.
   */
  async create(body: t.CreateDocumentsBody, options?: RequestOptions): Promise<t.CreatedDocuments> {
    return this.#transport.call<t.CreatedDocuments>({ method: "POST", path: `/open_api/knowledge/document/create`, body, hasKey: true }, options);
  }

  /**
   * Delete document.
   * 
   * Delete documents; unknown ids are ignored.
   */
  async delete(body: t.DeleteDocumentsBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/open_api/knowledge/document/delete`, body }, options);
  }

  /**
   * List documents.
   * 
   * List the documents of a knowledge base, the youngest first.
   */
  async list(body: t.ListDocumentsBody, options?: RequestOptions): Promise<Page<t.DocumentList["document_infos"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.DocumentList["document_infos"][number]>> => {
      const asked = { ...body, "page_num": at };
      const found = await this.#transport.call<t.DocumentList>({ method: "POST", path: `/open_api/knowledge/document/list`, body: asked }, options);
      const items = found.document_infos;
      const seen = passed(at, before, items);
      const isMore = items.length > 0 && seen < (found.total ?? 0);
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(body?.page_num === undefined ? undefined : Number(body.page_num));
  }

  /**
   * Update document.
   * 
   * Rename a document, change how often its page is fetched, or the columns of a table.
   */
  async update(body: t.UpdateDocumentBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/open_api/knowledge/document/update`, body }, options);
  }

  /**
   * Update document tags.
   * 
   * Replace all tags of a document.
   */
  async updateTags(datasetId: string, documentId: string, body: t.TagsBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/v1/datasets/${part(datasetId)}/documents/${part(documentId)}/tags`, body }, options);
  }
}
