// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Questions to agents, answered in one piece or as a stream. */
export class Chats {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List chat messages.
   * 
   * Return what a chat produced, in order, without the question.
   */
  async listMessages(query: { /** Id of a conversation. */ "conversation_id": string; /** Id of a chat. */ "chat_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfListOfWireMessage["data"]> {
    return (await this.#transport.call<t.EnvelopeOfListOfWireMessage>({ method: "GET", path: `/v3/chat/message/list`, query }, options)).data;
  }

  /**
   * Get chat.
   * 
   * Return a chat.
   */
  async get(query: { /** Id of a conversation. */ "conversation_id": string; /** Id of a chat. */ "chat_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireChat["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireChat>({ method: "GET", path: `/v3/chat/retrieve`, query }, options)).data;
  }
}
