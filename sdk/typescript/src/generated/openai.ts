// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Agents and models for clients of OpenAI. */
export class OpenaiChatCompletions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create chat completion.
   * 
   * Answer the last message; stateless unless a conversation is named.
   */
  async create(body: t.CompletionRequest, options?: RequestOptions): Promise<t.Completion> {
    return this.#transport.call<t.Completion>({ method: "POST", path: `/v1/chat/completions`, body, hasKey: true }, options);
  }
}

/** Numbers for texts. */
export class OpenaiEmbeddings {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create embedding.
   * 
   * Embed one text or several.
   */
  async create(body: t.EmbeddingRequest, options?: RequestOptions): Promise<t.EmbeddingList> {
    return this.#transport.call<t.EmbeddingList>({ method: "POST", path: `/v1/embeddings`, body }, options);
  }
}

/** Uploads, for clients of OpenAI. */
export class OpenaiFiles {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List files.
   * 
   * List the caller's own uploads, newest first unless asked otherwise.
   */
  async list(query?: { /** Only files that were uploaded for this purpose. */ "purpose"?: string | undefined; /** Files per page, 1 to 10000; default 100. */ "limit"?: string | undefined; /** By age: `asc` or `desc` (default). */ "order"?: string | undefined; /** Id of the last file of the page before; without it, the first page. */ "after"?: string | undefined }, options?: RequestOptions): Promise<Page<t.FileList["data"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.FileList["data"][number]>> => {
      const asked = { ...query, "after": at };
      const found = await this.#transport.call<t.FileList>({ method: "GET", path: `/v1/files`, query: asked }, options);
      const items = found.data;
      const next = found.last_id;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.after);
  }

  /**
   * Create file.
   * 
   * Store the file of a multipart form; its type is found by its content.
   */
  async create(file: Source, options?: UploadOptions): Promise<t.FileObject> {
    return this.#transport.call<t.FileObject>({ method: "POST", path: `/v1/files`, file: await opened(file, options), hasKey: true }, options);
  }

  /**
   * Get file.
   * 
   * Describe a file.
   */
  async get(fileId: string, options?: RequestOptions): Promise<t.FileObject> {
    return this.#transport.call<t.FileObject>({ method: "GET", path: `/v1/files/${part(fileId)}` }, options);
  }

  /**
   * Delete file.
   * 
   * Delete a file: its creator may, and whoever manages its workspace.
   */
  async delete(fileId: string, options?: RequestOptions): Promise<t.FileGone> {
    return this.#transport.call<t.FileGone>({ method: "DELETE", path: `/v1/files/${part(fileId)}` }, options);
  }

  /**
   * Download file.
   * 
   * Download a file; takes ranges and conditions.
   */
  async download(fileId: string, options?: RequestOptions): Promise<Blob> {
    return (await this.#transport.send({ method: "GET", path: `/v1/files/${part(fileId)}/content` }, options)).blob();
  }
}

/** Agents and models that the token may use. */
export class OpenaiModels {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List models.
   * 
   * Return every published agent by id, and once more by alias if it has one.
   * 
   * Models of the deployment follow for tokens with the permission ``model.use``.
   */
  async list(options?: RequestOptions): Promise<t.ModelList> {
    return this.#transport.call<t.ModelList>({ method: "GET", path: `/v1/models` }, options);
  }

  /**
   * Get model.
   * 
   * Return one published agent by id or alias, or a model by its prefix and name.
   */
  async get(model: string, options?: RequestOptions): Promise<t.ModelObject> {
    return this.#transport.call<t.ModelObject>({ method: "GET", path: `/v1/models/${part(model)}` }, options);
  }
}

/** Order of texts by how well they answer. */
export class OpenaiReranks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create rerank.
   * 
   * Order texts by how well they answer a question.
   */
  async create(body: t.RerankRequest, options?: RequestOptions): Promise<t.RerankResults> {
    return this.#transport.call<t.RerankResults>({ method: "POST", path: `/v1/rerank`, body }, options);
  }
}

/** Answers of agents and models, kept and streamed, for clients of OpenAI. */
export class OpenaiResponses {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create response.
   * 
   * Answer the input: in one piece, as a stream, or in the background.
   */
  async create(body: t.ResponseRequest, options?: RequestOptions): Promise<t.ResponseObject> {
    return this.#transport.call<t.ResponseObject>({ method: "POST", path: `/v1/responses`, body, hasKey: true }, options);
  }

  /**
   * Compact a conversation.
   * 
   * Summarise a conversation into an item that later requests begin with.
   */
  async compact(body: t.CompactRequest, options?: RequestOptions): Promise<t.CompactedResponse> {
    return this.#transport.call<t.CompactedResponse>({ method: "POST", path: `/v1/responses/compact`, body }, options);
  }

  /**
   * Count input tokens.
   * 
   * Estimate the tokens of a request, with tools and what an earlier response had read.
   */
  async countInputTokens(body: t.InputTokensRequest, options?: RequestOptions): Promise<t.InputTokens> {
    return this.#transport.call<t.InputTokens>({ method: "POST", path: `/v1/responses/input_tokens`, body }, options);
  }

  /**
   * Get response.
   * 
   * Return a response as it is now, or its events after a number and then live.
   */
  async get(responseId: string, query?: { /** `true`: as an event stream. */ "stream"?: string | undefined; /** Number (`sequence_number`) of the last event received; the stream goes on behind it. */ "starting_after"?: string | undefined }, options?: RequestOptions): Promise<t.ResponseObject> {
    return this.#transport.call<t.ResponseObject>({ method: "GET", path: `/v1/responses/${part(responseId)}`, query }, options);
  }

  /**
   * Delete response.
   * 
   * Forget a response; one that is running is cancelled first.
   */
  async delete(responseId: string, options?: RequestOptions): Promise<t.ResponseGone> {
    return this.#transport.call<t.ResponseGone>({ method: "DELETE", path: `/v1/responses/${part(responseId)}` }, options);
  }

  /**
   * Cancel response.
   * 
   * Stop a response that was made in the background; one that is over stays as it is.
   */
  async cancel(responseId: string, options?: RequestOptions): Promise<t.ResponseObject> {
    return this.#transport.call<t.ResponseObject>({ method: "POST", path: `/v1/responses/${part(responseId)}/cancel` }, options);
  }

  /**
   * List input items of a response.
   * 
   * List what a response was asked with, the last item first unless asked otherwise.
   */
  async listInputItems(responseId: string, query?: { /** Id of the last item of the page before; without it, the first page. */ "after"?: string | undefined; /** Items per page, 1 to 100; default 20. */ "limit"?: string | undefined; /** By position: `asc` or `desc` (default). */ "order"?: string | undefined }, options?: RequestOptions): Promise<Page<t.ResponseItems["data"][number]>> {
    const fetch = async (at: string | undefined, before?: number): Promise<Page<t.ResponseItems["data"][number]>> => {
      const asked = { ...query, "after": at };
      const found = await this.#transport.call<t.ResponseItems>({ method: "GET", path: `/v1/responses/${part(responseId)}/input_items`, query: asked }, options);
      const items = found.data;
      const next = found.last_id;
      return new Page(items, next ? () => fetch(next) : undefined);
    };
    return fetch(query?.after);
  }
}

/** Openai. */
export class Openai {
  readonly #transport: Transport;
  readonly chatCompletions: OpenaiChatCompletions;
  readonly embeddings: OpenaiEmbeddings;
  readonly files: OpenaiFiles;
  readonly models: OpenaiModels;
  readonly reranks: OpenaiReranks;
  readonly responses: OpenaiResponses;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.chatCompletions = new OpenaiChatCompletions(transport);
    this.embeddings = new OpenaiEmbeddings(transport);
    this.files = new OpenaiFiles(transport);
    this.models = new OpenaiModels(transport);
    this.reranks = new OpenaiReranks(transport);
    this.responses = new OpenaiResponses(transport);
  }
}
