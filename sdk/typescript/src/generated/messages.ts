// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** What was said in a conversation, and what people think of it. */
export class Messages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create message.
   * 
   * Store a message in the newest section.
   */
  async create(body: t.EnterMessage, query: { /** Id of a conversation. */ "conversation_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireMessage["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireMessage>({ method: "POST", path: `/v1/conversation/message/create`, query, body, hasKey: true }, options)).data;
  }

  /**
   * Delete message.
   * 
   * Delete a question or answer; an answer takes its chat's details along.
   */
  async delete(query: { /** Id of a conversation. */ "conversation_id": string; /** Id of a message. */ "message_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireMessage["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireMessage>({ method: "POST", path: `/v1/conversation/message/delete`, query }, options)).data;
  }

  /**
   * List messages.
   * 
   * Return a page of questions and answers in list order.
   */
  async list(query: { /** Id of a conversation. */ "conversation_id": string }, body?: t.ListMessagesRequest, options?: RequestOptions): Promise<t.CursorEnvelopeOfWireMessage> {
    return this.#transport.call<t.CursorEnvelopeOfWireMessage>({ method: "POST", path: `/v1/conversation/message/list`, query, body }, options);
  }

  /**
   * Update message.
   * 
   * Change content or meta of a question or answer.
   */
  async update(body: t.ModifyMessageRequest, query: { /** Id of a conversation. */ "conversation_id": string; /** Id of a message. */ "message_id": string }, options?: RequestOptions): Promise<t.ModifiedEnvelopeOfWireMessage> {
    return this.#transport.call<t.ModifiedEnvelopeOfWireMessage>({ method: "POST", path: `/v1/conversation/message/modify`, query, body }, options);
  }

  /**
   * Get message.
   * 
   * Return one message.
   */
  async get(query: { /** Id of a conversation. */ "conversation_id": string; /** Id of a message. */ "message_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireMessage["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireMessage>({ method: "GET", path: `/v1/conversation/message/retrieve`, query }, options)).data;
  }

  /**
   * Rate a message.
   * 
   * Like or dislike an answer; a second verdict replaces the first.
   */
  async createFeedback(conversationId: string, messageId: string, body: t.FeedbackRequest, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "POST", path: `/v1/conversations/${part(conversationId)}/messages/${part(messageId)}/feedback`, body }, options);
  }

  /**
   * Take back the rating of a message.
   * 
   * Take the verdict back.
   */
  async deleteFeedback(conversationId: string, messageId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/v1/conversations/${part(conversationId)}/messages/${part(messageId)}/feedback` }, options);
  }
}
