import { client, done, onThisOrigin, unwrap } from "../api/client";
import { isRefusal, openEvents } from "../api/run-events";
import type { ContentItem } from "../api/schema";
import { upload } from "../api/upload";
import type { ChatClient, Page, Question } from "../chat/client";
import { loadMessages, messagesAhead } from "./opening";
import { storedOf } from "./stored";

/** What a question consists of, as the routes of the console take it. */
export type Asking = {
  headers: { "Idempotency-Key": string };
  body: {
    conversation_id?: string;
    regenerate?: string;
    content?: string | ContentItem[];
    shortcut_command?: { command_id: string; parameters: Record<string, string> };
  };
};

type Begun = { run_id: string; conversation_id: string; message_id?: string | null };

/** Asks drafts through the console's own routes; what is asked begins the run by `begin`. */
export function playgroundClient(
  workspaceId: string,
  begin: (asking: Asking) => Promise<Begun>,
): ChatClient {
  return {
    ask: async (question) => {
      const begun = await begin(askingOf(question));
      return {
        runId: begun.run_id,
        conversationId: begun.conversation_id,
        messageId: begun.message_id ?? undefined,
      };
    },
    repeats: true,
    open: (runId) => openEvents(`/admin/v1/runs/${encodeURIComponent(runId)}/events`),
    isFinal: isRefusal,
    cancel: (runId) =>
      done(client.POST("/admin/v1/runs/{run_id}/cancel", { params: { path: { run_id: runId } } })),
    submit: (runId, outputs) =>
      done(
        client.POST("/admin/v1/runs/{run_id}/tool-outputs", {
          params: { path: { run_id: runId } },
          body: { outputs: [...outputs] },
        }),
      ),
    history,
    fork: async (conversationId, messageId) => {
      const fork = await unwrap(
        client.POST("/admin/v1/conversations/{conversation_id}/fork", {
          params: {
            path: { conversation_id: conversationId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body: { before_message_id: messageId },
        }),
      );
      return fork.id;
    },
    rate: (conversationId, messageId, verdict, { reasons, comment }) => {
      const params = { path: { conversation_id: conversationId, message_id: messageId } };
      const path = "/admin/v1/conversations/{conversation_id}/messages/{message_id}/feedback";
      return verdict
        ? done(
            client.PUT(path, {
              params,
              body: { feedback_type: verdict, reason_types: [...reasons], comment },
            }),
          )
        : done(client.DELETE(path, { params }));
    },
    upload: async (file, way) => {
      const made = await upload(file, file.name, {
        workspaceId,
        key: crypto.randomUUID(),
        ...way,
      });
      const kind = /^(image|audio)\//.exec(file.type)?.[1];
      return {
        id: made.id,
        name: file.name,
        url: onThisOrigin(made.url),
        isImage: kind === "image",
        kind: kind === "image" || kind === "audio" ? kind : "file",
      };
    },
  };
}

function askingOf({ text, files, conversationId, regenerate, chosen }: Question): Asking {
  const items = [
    ...(text ? [{ type: "text" as const, text }] : []),
    ...files.map((file) => ({ type: file.kind, file_id: file.id, name: file.name })),
  ];
  return {
    headers: { "Idempotency-Key": crypto.randomUUID() },
    body: {
      ...(conversationId ? { conversation_id: conversationId } : {}),
      ...(regenerate ? { regenerate } : {}),
      ...(files.length > 0 ? { content: items } : text ? { content: text } : {}),
      ...(chosen && {
        shortcut_command: { command_id: chosen.id, parameters: { ...chosen.values } },
      }),
    },
  };
}

async function history(conversationId: string, cursor?: string): Promise<Page> {
  const page = await (cursor
    ? loadMessages(conversationId, cursor)
    : messagesAhead.take(conversationId));
  const verdicts = new Map(page.feedback.map((each) => [each.message_id, each.feedback_type]));
  return {
    messages: page.items.toReversed().map((each) => storedOf(each, verdicts.get(each.id))),
    earlier: page.next_cursor ?? undefined,
  };
}
