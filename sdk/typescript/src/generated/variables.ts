// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** What agents keep about an end user. */
export class Variables {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get variables.
   * 
   * Return values, or defaults with both times 0; unknown keywords are left out.
   */
  async get(query: { /** Id of an end user, as the caller names it. */ "connector_uid": string; /** Id of an agent (bot). */ "bot_id"?: string | undefined; /** Id of an app. */ "app_id"?: string | undefined; /** Connector (publishing channel) by which agents are asked. Default 1024: the API. */ "connector_id"?: string | undefined; /** Names of variables, separated by commas; default: all. */ "keywords"?: string | undefined }, options?: RequestOptions): Promise<t.EnvelopeOfVariableList["data"]> {
    return (await this.#transport.call<t.EnvelopeOfVariableList>({ method: "GET", path: `/v1/variables`, query }, options)).data;
  }

  /**
   * Update variables.
   * 
   * Write several values in one step.
   */
  async update(body: t.WriteVariablesBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/v1/variables`, body }, options);
  }
}
