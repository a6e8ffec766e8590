import type { OpenRun, RunEvent } from "../stream/run";
import type { Source } from "./turn";

type Asked = { runId: string; conversationId: string; messageId: string | undefined };

export type Attached = FileRef & { id: string; kind: "image" | "audio" | "file" };

/** A file that belongs to a message; without an address only its name is shown. */
export type FileRef = { name: string; url?: string | undefined; isImage?: boolean | undefined };

export type Question = {
  text: string;
  files: readonly Attached[];
  conversationId: string | undefined;
  /** The last run, to be done again. */
  regenerate?: string;
};

/** A message as the server keeps it. */
export type Stored = {
  id: string;
  runId: string;
  kind: "question" | "answer" | "other";
  text: string;
  reasoning: string;
  files: readonly FileRef[];
  sources: readonly Source[];
  isBroken: boolean;
  at: number;
};

/** Messages of a conversation, oldest first, and where those before them begin. */
export type Page = { messages: readonly Stored[]; earlier: string | undefined };

/**
 * What a chat needs of a server; each surface brings its own. What one leaves out is not offered:
 * asking again, editing, thumbs, files.
 */
export type ChatClient = {
  ask: (question: Question) => Promise<Asked>;
  /** Whether a run can be done once more. */
  repeats: boolean;
  open: (runId: string) => OpenRun;
  /** Events in the words of `apply.ts`, where the surface has others. */
  told?: (event: RunEvent) => RunEvent;
  /** Whether an error says that events are gone for good. */
  isFinal: (error: unknown) => boolean;
  cancel: (runId: string) => Promise<void>;
  submit: (runId: string, outputs: readonly { id: string; output: string }[]) => Promise<void>;
  /** The newest messages of a conversation, or those before a page of them. */
  history: (conversationId: string, cursor?: string) => Promise<Page>;
  fork?: (conversationId: string, messageId: string) => Promise<string>;
  rate?: (
    conversationId: string,
    messageId: string,
    verdict: "like" | "unlike" | undefined,
  ) => Promise<void>;
  upload?: (file: File) => Promise<Attached>;
};
