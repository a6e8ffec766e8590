/** One event of a stream, as the server framed it. */
export type SseEvent = { id: string; event: string; data: string };

/** Reads frames out of pieces of text, wherever they were torn apart. */
export class SseParser {
  private line = "";
  private isAfterReturn = false;
  private id = "";
  private event = "";
  private data: string[] = [];

  /** Takes a piece; returns the events that it completes. */
  push(piece: string): SseEvent[] {
    const found: SseEvent[] = [];
    for (const char of piece) {
      if (char === "\n" && this.isAfterReturn) {
        this.isAfterReturn = false;
        continue;
      }
      this.isAfterReturn = char === "\r";
      if (char !== "\n" && char !== "\r") {
        this.line += char;
        continue;
      }
      const event = this.take(this.line);
      this.line = "";
      if (event) found.push(event);
    }
    return found;
  }

  private take(line: string): SseEvent | undefined {
    if (line === "") return this.flush();
    if (line.startsWith(":")) return undefined;
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") this.data.push(value);
    if (name === "event") this.event = value;
    if (name === "id" && !value.includes("\0")) this.id = value;
    return undefined;
  }

  private flush(): SseEvent | undefined {
    const { data, event } = this;
    this.data = [];
    this.event = "";
    if (data.length === 0) return undefined;
    return { id: this.id, event: event || "message", data: data.join("\n") };
  }
}

/** The events of a body, one after the other, until it ends or breaks. */
export async function* sseEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<SseEvent> {
  const parser = new SseParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
