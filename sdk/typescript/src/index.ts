/** Client of Coterie, a self-hosted backend for AI agents: typed, streaming, resuming. */
export * from "./chats.js";
export * from "./client.js";
export * from "./documents.js";
export * from "./errors.js";
export * from "./events.js";
export { Page } from "./pages.js";
export { EventStream, type Frame } from "./stream.js";
export { type ClientOptions, type RequestOptions, VERSION } from "./transport.js";
export type { Source, UploadOptions } from "./uploads.js";
export * from "./workflows.js";
export type * as types from "./generated/types.gen.js";
