// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Places where agents are published. */
export class Connectors {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Report the review of a bot on a connector.
   * 
   * Note the outcome of a connector's review; a rejection takes the bot off the connector.
   */
  async updateBot(connectorId: string, botId: string, body: t.ReviewBotBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/v1/connectors/${part(connectorId)}/bots/${part(botId)}`, body }, options);
  }
}
