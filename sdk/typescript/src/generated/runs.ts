// Generated from the OpenAPI document by `make sdk`: do not edit.
import { Page, passed } from "../pages.js";
import { Events } from "../stream.js";
import { part, type RequestOptions, type Transport } from "../transport.js";
import { opened, type Source, type UploadOptions } from "../uploads.js";
import type * as t from "./types.gen.js";

/** Events of a chat, live or again from a number on. */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Follow the events of a run.
   * 
   * Follow a run from any event on, live or after its end; resumes dropped connections.
   * 
   * ``format`` is ``events`` unless said otherwise; see the documentation of streaming.
   */
  follow(runId: string, query?: { /** Number of the last event received; the stream goes on behind it. Default 0: from the start. */ "after"?: string | undefined; /** `true`: also `span.started` and `span.ended` for each step, with the format events; needs `trace.read`. */ "spans"?: string | undefined; /** Wire of the stream: events (default), coze, tags, tags-raw, tag-events or playground. */ "format"?: string | undefined; /** With a format of tags: `1` streams text at once where no call can follow it. Default `0`. */ "direct"?: string | undefined; /** Whether separators of lines inside texts are escaped. Default `1`. */ "escape"?: string | undefined }, options?: RequestOptions): Events<t.RunEvent> {
    return new Events<t.RunEvent>(this.#transport, { method: "GET", path: `/v1/runs/${part(runId)}/events`, query }, true, options);
  }
}
