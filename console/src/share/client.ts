import type { Attached, ChatClient, FileRef, Page, Stored, Upload, Verdict } from "../chat/client";
import { sourceOf } from "../chat/sources-of";
import type { SharePage } from "./page";
import { failedWords, isFinal, wordsOf } from "./refusal";
import type { Text } from "./text.en";
import { told } from "./told";
import type { Visit } from "./visit";

type Begun = { run_id: string; conversation_id: string };
type Sent = { name: string; media_type: string; url: string };
type Message = {
  id: string;
  run_id: string | null;
  type: string;
  text: string;
  files: readonly Sent[];
  sources: readonly Record<string, unknown>[];
  is_broken: boolean;
  created_at: number;
  verdict: Verdict | null;
};

const MESSAGES = 100;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** Asks what a link leads to, as its visitor; errors are said in the visitor's language. */
export function shareClient(page: SharePage, visit: Visit, text: Text): ChatClient {
  const { link } = page;
  async function said<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw new Error(wordsOf(error, text), { cause: error });
    }
  }
  return {
    ask: (question) => said(ask(visit, question)),
    repeats: false,
    open: (runId) => async (after, signal) => {
      const path = `/runs/${encodeURIComponent(runId)}/events?after=${after}`;
      const { body } = await visit.call("GET", path, { signal });
      if (!body) throw new TypeError("The answer has no body.");
      return body;
    },
    told: (event) => told(event, (code, message) => failedWords(code, message, text)),
    isFinal,
    cancel: async (runId) => {
      await visit.call("POST", `/runs/${encodeURIComponent(runId)}/cancel`);
    },
    submit: async (runId, outputs) => {
      const path = `/runs/${encodeURIComponent(runId)}/tool-outputs`;
      await said(visit.call("POST", path, { body: { outputs } }));
    },
    history: (conversationId, cursor) => said(history(visit, conversationId, cursor)),
    ...(link.takesFeedback
      ? {
          rate: async (conversationId, messageId, verdict, { reasons, comment }) => {
            const why = { reason_types: reasons, comment };
            const body = { conversation_id: conversationId, verdict: verdict ?? null, ...why };
            const path = `/messages/${encodeURIComponent(messageId)}/feedback`;
            await said(visit.call("PUT", path, { body }));
          },
        }
      : {}),
    ...(link.allowsFiles ? { upload: (file, way) => said(upload(visit, file, way)) } : {}),
  };
}

async function ask(visit: Visit, question: Parameters<ChatClient["ask"]>[0]) {
  const { text, files, conversationId, chosen } = question;
  const answer = await visit.call("POST", "/chats", {
    body: {
      content: text,
      ...(conversationId ? { conversation_id: conversationId } : {}),
      ...(files.length > 0 ? { file_ids: files.map(({ id }) => id) } : {}),
      ...(chosen && { shortcut_command: { command_id: chosen.id, parameters: chosen.values } }),
    },
    headers: { "Idempotency-Key": crypto.randomUUID() },
  });
  const begun: Begun = await answer.json();
  return { runId: begun.run_id, conversationId: begun.conversation_id, messageId: undefined };
}

async function history(visit: Visit, conversationId: string, cursor?: string): Promise<Page> {
  const before = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
  const path = `/conversations/${encodeURIComponent(conversationId)}/messages?limit=${MESSAGES}${before}`;
  const page: { items: readonly Message[]; next_cursor: string | null } = await (
    await visit.call("GET", path)
  ).json();
  return { messages: page.items.map(storedOf), earlier: page.next_cursor ?? undefined };
}

function storedOf(message: Message): Stored {
  return {
    id: message.id,
    runId: message.run_id ?? "0",
    kind: message.type === "question" || message.type === "answer" ? message.type : "other",
    text: message.text,
    reasoning: "",
    files: message.files.map(shown),
    sources: message.sources.map(sourceOf),
    isBroken: message.is_broken,
    at: message.created_at,
    verdict: message.verdict ?? undefined,
  };
}

async function upload(visit: Visit, ...[file, way]: Parameters<Upload>): Promise<Attached> {
  const form = new FormData();
  form.append("file", file, file.name);
  const made: Sent & { id: string } = await (await visit.send("/files", form, way)).json();
  return { id: made.id, kind: "file", ...shown(made) };
}

function shown({ name, url, media_type }: Sent): FileRef {
  return { name, url, isImage: PICTURE.test(media_type) };
}
