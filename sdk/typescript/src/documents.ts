/** Documents of knowledge bases: files added, and waited for. */
import { DocumentFailed, WaitTimeout } from "./errors.js";
import { AdminDocuments } from "./generated/admin.js";
import { Documents as Operations } from "./generated/documents.js";
import { Files } from "./generated/files.js";
import type { AdminDocument, ChunkStrategyBody } from "./generated/types.gen.js";
import { sleep } from "./retry.js";
import type { Transport } from "./transport.js";
import type { Source } from "./uploads.js";

const WAITING: ReadonlySet<number> = new Set([-1, 4]);
const FAILED = 9;

export interface WaitOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Documents of knowledge bases. */
export class Documents extends Operations {
  readonly #files: Files;
  readonly #documents: AdminDocuments;

  constructor(transport: Transport) {
    super(transport);
    this.#files = new Files(transport);
    this.#documents = new AdminDocuments(transport);
  }

  /** Upload files and add them to a knowledge base; with `wait` until they can be found. */
  async add(
    base: string,
    files: readonly { name: string; data: Source }[],
    options: WaitOptions & { chunking?: ChunkStrategyBody; wait?: boolean } = {},
  ): Promise<AdminDocument[]> {
    const bases = [];
    for (const { name, data } of files) {
      const file = await this.#files.upload(data, undefined, { name, signal: options.signal });
      bases.push({ name, source_info: { source_file_id: file.id } });
    }
    const made = await this.create({
      dataset_id: base,
      document_bases: bases,
      ...(options.chunking ? { chunk_strategy: options.chunking } : {}),
    });
    const look = (id: string) => (options.wait ? this.wait(id, options) : this.lookUp(id));
    return Promise.all(made.document_infos.map((each) => look(each.document_id)));
  }

  /** A document with its state. */
  lookUp(document: string): Promise<AdminDocument> {
    return this.#documents.get(document);
  }

  /** Wait until a document can be found; throws `DocumentFailed` or `WaitTimeout`. */
  async wait(document: string, options: WaitOptions = {}): Promise<AdminDocument> {
    const timeoutMs = options.timeoutMs ?? 600_000;
    const deadline = Date.now() + timeoutMs;
    for (let pause = 100; ; pause = Math.min(pause * 1.5, 2_000)) {
      const found = await this.lookUp(document);
      if (found.status === FAILED) throw new DocumentFailed(found);
      if (!WAITING.has(found.status)) return found;
      if (Date.now() > deadline) throw new WaitTimeout(`${found.name} is not indexed after ${timeoutMs} ms.`);
      await sleep(pause, options.signal);
    }
  }
}
