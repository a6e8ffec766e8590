/** Files to send: as a blob, as bytes, or as a stream. */
import type { RequestOptions } from "./transport.js";

export type Source = Blob | Uint8Array | ReadableStream<Uint8Array>;

export interface UploadOptions extends RequestOptions {
  /** Name of the file, its suffix included. */
  name?: string | undefined;
  /** Called with the bytes read so far, and their number, 0 if nobody knows it. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Read what is to be sent. A stream is collected first, since forms have a length. */
export async function opened(
  source: Source,
  options: UploadOptions = {},
): Promise<{ data: Blob; name: string; rewinds: boolean }> {
  const data = source instanceof Blob ? source : await collected(source, options.onProgress);
  if (source instanceof Blob || source instanceof Uint8Array) options.onProgress?.(data.size, data.size);
  const own = typeof File !== "undefined" && source instanceof File ? source.name : "file";
  return { data, name: options.name ?? own, rewinds: true };
}

async function collected(
  source: Uint8Array | ReadableStream<Uint8Array>,
  onProgress: UploadOptions["onProgress"],
): Promise<Blob> {
  if (source instanceof Uint8Array) return new Blob([source as Uint8Array<ArrayBuffer>]);
  const parts: BlobPart[] = [];
  let done = 0;
  const reader = source.getReader();
  for (;;) {
    const { value, done: isOver } = await reader.read();
    if (isOver) return new Blob(parts);
    parts.push(value as Uint8Array<ArrayBuffer>);
    done += value.length;
    onProgress?.(done, 0);
  }
}
