// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** What end users and agents say to each other. */
export class Conversations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create conversation.
   * 
   * Open a conversation, its messages in the first section.
   */
  async create(body?: t.CreateConversationRequest, options?: RequestOptions): Promise<t.EnvelopeOfWireConversation["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireConversation>({ method: "POST", path: `/v1/conversation/create`, body, hasKey: true }, options)).data;
  }

  /**
   * Get conversation.
   * 
   * Return one of the caller's conversations.
   */
  async get(query: { /** Id of a conversation. */ "conversation_id": string }, options?: RequestOptions): Promise<t.EnvelopeOfWireConversation["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireConversation>({ method: "GET", path: `/v1/conversation/retrieve`, query }, options)).data;
  }

  /**
   * List conversations.
   * 
   * Return a page of the caller's conversations with one agent.
   */
  async list(query: { /** Id of an agent (bot). */ "bot_id": string; /** Page, from 1; default 1. */ "page_num"?: string | undefined; /** Items per page, 1 to 50; default 50. */ "page_size"?: string | undefined; /** By age: ASC or DESC (default). */ "sort_order"?: string | undefined; /** Only conversations of this connector; default: that of the token. */ "connector_id"?: string | undefined; /** Only conversations of this end user. */ "user_id"?: string | undefined }, options?: RequestOptions): Promise<Page<t.EnvelopeOfConversationList["data"]["conversations"][number]>> {
    const fetch = async (at: number | undefined, before?: number): Promise<Page<t.EnvelopeOfConversationList["data"]["conversations"][number]>> => {
      const asked = { ...query, "page_num": at };
      const found = (await this.#transport.call<t.EnvelopeOfConversationList>({ method: "GET", path: `/v1/conversations`, query: asked }, options)).data;
      const items = found.conversations;
      const seen = passed(at, before, items);
      const isMore = found.has_more;
      return new Page(items, isMore ? () => fetch((at ?? 1) + 1, seen) : undefined);
    };
    return fetch(query?.page_num === undefined ? undefined : Number(query.page_num));
  }

  /**
   * Update conversation.
   * 
   * Give a conversation another name.
   */
  async update(conversationId: string, body: t.RenameConversationRequest, options?: RequestOptions): Promise<t.EnvelopeOfWireConversation["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireConversation>({ method: "PUT", path: `/v1/conversations/${part(conversationId)}`, body }, options)).data;
  }

  /**
   * Delete conversation.
   * 
   * Delete a conversation with its messages; a running chat is cancelled.
   */
  async delete(conversationId: string, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/v1/conversations/${part(conversationId)}` }, options);
  }

  /**
   * Clear conversations.
   * 
   * Begin a new section: messages stay listed, later chats do not see them.
   */
  async clear(conversationId: string, options?: RequestOptions): Promise<t.EnvelopeOfWireSection["data"]> {
    return (await this.#transport.call<t.EnvelopeOfWireSection>({ method: "POST", path: `/v1/conversations/${part(conversationId)}/clear` }, options)).data;
  }
}
