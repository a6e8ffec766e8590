import { onThisOrigin } from "../api/client";
import type { FileRef, Stored, Verdict } from "../chat/client";
import { sourcesIn } from "../chat/sources-of";

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

/** A part of a message that consists of several. */
type Item = { type: string; text?: string; name?: string; file_id?: string; file_url?: string };

const PAGE = /\.(html?|svg)$/i;

/** A message as chats keep it. */
export function storedOf(message: Sent, verdict?: Verdict): Stored {
  return {
    id: message.id,
    runId: message.chat_id,
    kind: message.type === "question" || message.type === "answer" ? message.type : "other",
    ...contentOf(message.content, message.content_type),
    reasoning: message.reasoning_content ?? "",
    sources: sourcesIn(message.meta_data?.["citations"] ?? ""),
    isBroken: false,
    at: message.created_at,
    verdict,
  };
}

/** The text of a message and the names of its files. */
function contentOf(content: string, type: string): { text: string; files: FileRef[] } {
  if (type !== "object_string") return { text: content, files: [] };
  const items: Item[] = JSON.parse(content);
  return {
    text: items.flatMap((item) => (item.text ? [item.text] : [])).join("\n"),
    files: items
      .filter((item) => item.type !== "text")
      .map((item) => ({
        name: item.name || item.file_id || item.type,
        url: addressOf(item),
        isImage: item.type === "image" && !PAGE.test(item.name ?? ""),
      })),
  };
}

/**
 * Where a file of the message is opened: pages that are not ours where nothing in them runs. Files of
 * other hosts are named alone.
 */
function addressOf({ name = "", file_id, file_url = "" }: Item): string {
  if (!file_id) return "";
  return PAGE.test(name) ? `/console/frame/file/${file_id}` : onThisOrigin(file_url);
}
