// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Uploads and their bytes. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Download signed file.
   * 
   * Download the file that a signed token names.
   */
  async downloadSigned(fileId: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/files/${part(fileId)}` }, options)).blob();
  }

  /**
   * Get file.
   * 
   * Describe a file.
   */
  async get(query: { /** Id of an upload. */ "file_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireFile["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireFile>({ method: "GET", path: `/v1/files/retrieve`, query }, options)).data;
  }

  /**
   * Upload file.
   * 
   * Store the file of a multipart form; its type is found by its content.
   */
  async upload(file: Source, query?: { /** Id of a workspace (space). Uploads without it go to the default workspace of the token. */ "space_id"?: string | undefined }, options?: UploadOptions): Promise<t.EnvelopeOfWireFile["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireFile>({ method: "POST", path: `/v1/files/upload`, query, file: await opened(file, options), hasKey: true }, options)).data;
  }
}
