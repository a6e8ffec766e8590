// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Agents to copy. */
export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Duplicate template.
   * 
   * Make an agent from a template.
   */
  async duplicate(templateId: string, body: t.DuplicateTemplateBody, options?: RequestOptions): Promise<t.EnvelopeOfDuplicatedTemplate["data"]> {
    return (await this.#transport.call<t.EnvelopeOfDuplicatedTemplate>({ method: "POST", path: `/v1/templates/${part(templateId)}/duplicate`, body }, options)).data;
  }
}
