// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** What visitors of a share link do, with a token of that link. */
export class Share {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Chat as a visitor.
   * 
   * Ask what the link leads to; the answer comes with the events of the run.
   */
  async createChat(linkCode: string, body: t.ShareChatBody, options?: RequestOptions): Promise<t.ShareRun> {
    return this.#transport.call<t.ShareRun>({ method: "POST", path: `/s/${part(linkCode)}/api/chats`, body, hasKey: true }, options);
  }

  /**
   * List a visitor's conversations.
   * 
   * List what the visitor talked about here, newest first.
   */
  async listConversations(linkCode: string, options?: RequestOptions): Promise<t.ShareConversations> {
    return this.#transport.call<t.ShareConversations>({ method: "GET", path: `/s/${part(linkCode)}/api/conversations` }, options);
  }

  /**
   * List messages of a visitor's conversation.
   * 
   * List the newest messages of a conversation, oldest of them first.
   */
  async listMessages(linkCode: string, conversationId: string, query?: { /** `next_cursor` of the page before; without it, the newest messages. */ "cursor"?: string | undefined; /** Messages per page, 1 to 100; default 50. */ "limit"?: string | undefined }, options?: RequestOptions): Promise<Page<t.ShareMessages["items"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.ShareMessages["items"][number]>> => {
      const asked = { ...query, "cursor": at };
      const found = await this.#transport.call<t.ShareMessages>({ method: "GET", path: `/s/${part(linkCode)}/api/conversations/${part(conversationId)}/messages`, query: asked }, options);
      const items = found.items;
      const next = found.next_cursor;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.cursor);
  }

  /**
   * Upload a visitor's file.
   * 
   * Store the file of a multipart form for a question, where the link takes files.
   */
  async uploadFile(linkCode: string, file: Source, options?: UploadOptions): Promise<t.ShareUpload> {
    return this.#transport.call<t.ShareUpload>({ method: "POST", path: `/s/${part(linkCode)}/api/files`, file: await opened(file, options), hasKey: true }, options);
  }

  /**
   * Get a share link as visitors see it.
   * 
   * Show how the page of a link looks, and what it asks visitors for.
   */
  async getLink(linkCode: string, options?: RequestOptions): Promise<t.ShareLinkCard> {
    return this.#transport.call<t.ShareLinkCard>({ method: "GET", path: `/s/${part(linkCode)}/api/link` }, options);
  }

  /**
   * Rate an answer as a visitor.
   * 
   * Say whether an answer helped.
   */
  async giveFeedback(linkCode: string, messageId: string, body: t.ShareFeedbackBody, options?: RequestOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: `/s/${part(linkCode)}/api/messages/${part(messageId)}/feedback`, body }, options);
  }

  /**
   * Cancel a visitor's run.
   * 
   * Stop a run; what was said so far stays.
   */
  async cancelRun(linkCode: string, runId: string, options?: RequestOptions): Promise<t.ShareRun> {
    return this.#transport.call<t.ShareRun>({ method: "POST", path: `/s/${part(linkCode)}/api/runs/${part(runId)}/cancel` }, options);
  }

  /**
   * Follow the events of a visitor's run.
   * 
   * Follow a run from any event on, live or after its end.
   */
  followRun(linkCode: string, runId: string, query?: { /** Number of the last event received; the stream goes on behind it. Default 0: from the start. */ "after"?: string | undefined }, options?: RequestOptions): Events<t.ShareEvent> {
    return new Events<t.ShareEvent>(this.#transport, { method: "GET", path: `/s/${part(linkCode)}/api/runs/${part(runId)}/events`, query }, true, options);
  }

  /**
   * Submit tool outputs to a visitor's run.
   * 
   * Give what the calls gave that a run waits for; it goes on.
   */
  async submitOutputs(linkCode: string, runId: string, body: t.ShareOutputsBody, options?: RequestOptions): Promise<t.ShareRun> {
    return this.#transport.call<t.ShareRun>({ method: "POST", path: `/s/${part(linkCode)}/api/runs/${part(runId)}/tool-outputs`, body }, options);
  }

  /**
   * Open a visitor's session.
   * 
   * Let a visitor in for a quarter of an hour.
   * 
   * A link for members takes the session of a browser that somebody is signed in at.
   */
  async openSession(linkCode: string, body?: t.OpenSessionBody, options?: RequestOptions): Promise<t.ShareSession> {
    return this.#transport.call<t.ShareSession>({ method: "POST", path: `/s/${part(linkCode)}/api/session`, body }, options);
  }
}
