// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Pictures of accounts and workspaces. */
export class Avatars {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Download avatar.
   * 
   * Download the picture of an account, or the icon of a workspace.
   */
  async download(ownerId: string, key: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/avatars/${part(ownerId)}/${part(key)}` }, options)).blob();
  }
}
