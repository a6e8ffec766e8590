// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Where services lead back to that a plugin was allowed to use. */
export class Oauth {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Complete a grant.
   * 
   * Take a user back; the state in the address is good once, and says who it is.
   */
  async completeGrant(query?: { /** State of the grant, from the address to which the service leads back. */ "state"?: string | undefined; /** Authorisation code that the service handed out. */ "code"?: string | undefined; /** Why the service refused, if it did. */ "error"?: string | undefined }, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/oauth/callback`, query }, options)).blob();
  }
}
