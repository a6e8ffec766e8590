import type { FileRef, Stored } from "./client";
import { sourcesIn } from "./sources-of";

/** A message as the server's surfaces spell it. */
type Sent = {
  id: string;
  chat_id: string;
  type: string;
  content: string;
  content_type: string;
  reasoning_content?: string | null;
  meta_data?: Readonly<Record<string, string>> | null;
  created_at: number;
};

/** A message as chats keep it. */
export function storedOf(message: Sent): Stored {
  return {
    id: message.id,
    runId: message.chat_id,
    kind: message.type === "question" || message.type === "answer" ? message.type : "other",
    ...contentOf(message.content, message.content_type),
    reasoning: message.reasoning_content ?? "",
    sources: sourcesIn(message.meta_data?.["citations"] ?? ""),
    isBroken: false,
    at: message.created_at,
  };
}

/** The text of a message and the names of its files. */
function contentOf(content: string, type: string): { text: string; files: FileRef[] } {
  if (type !== "object_string") return { text: content, files: [] };
  const items: { type: string; text?: string; name?: string; file_id?: string }[] =
    JSON.parse(content);
  return {
    text: items.flatMap((item) => (item.text ? [item.text] : [])).join("\n"),
    files: items
      .filter((item) => item.type !== "text")
      .map((item) => ({ name: item.name || item.file_id || item.type })),
  };
}
