// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Health, metrics and version of a process. */
export class Operations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Get health.
   * 
   * Tell that the process answers; nothing else is asked.
   */
  async getHealth(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.call<t.Health>({ method: "GET", path: `/healthz` }, options);
  }

  /**
   * Check whether the process is alive.
   * 
   * Tell whether the event loop turns; 503 asks for a restart.
   */
  async getLiveness(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.call<t.Health>({ method: "GET", path: `/livez` }, options);
  }

  /**
   * Check whether the process is ready.
   * 
   * Tell whether the process can take work; 503 while it starts, drains or lacks a part.
   * 
   * ``degraded`` means that it takes work although a part it can do without is missing.
   */
  async getReadiness(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.call<t.Health>({ method: "GET", path: `/readyz` }, options);
  }

  /**
   * Check whether the process has started.
   * 
   * Tell whether the process was ever ready; 503 until then.
   */
  async getStartup(options?: RequestOptions): Promise<t.Health> {
    return this.#transport.call<t.Health>({ method: "GET", path: `/startupz` }, options);
  }

  /**
   * Get version.
   * 
   * Name and version of the product.
   */
  async getVersion(options?: RequestOptions): Promise<t.Version> {
    return this.#transport.call<t.Version>({ method: "GET", path: `/version` }, options);
  }
}
