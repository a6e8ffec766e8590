// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** The account of the token. */
export class Users {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get the account of the token.
   * 
   * Show the account of the token; a visitor sees itself, and nothing of the account.
   */
  async getMe(options?: RequestOptions): Promise<t.EnvelopeOfMe["data"]> {
    return (await this.#transport.call<t.EnvelopeOfMe>({ method: "GET", path: `/v1/users/me` }, options)).data;
  }
}
