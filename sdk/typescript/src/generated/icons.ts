// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Icons that come with the product. */
export class Icons {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Download icon.
   * 
   * Download a built-in icon, ``<kind>.png``.
   */
  async download(name: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/icons/${part(name)}` }, options)).blob();
  }
}
