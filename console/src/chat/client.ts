import type { OpenRun, RunEvent } from "../stream/run";
import type { Chosen } from "./shortcuts";
import type { Source } from "./turn";

export type Verdict = "like" | "unlike";

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
  /** The shortcut that asks this, with what was filled in. */
  chosen?: Chosen | undefined;
};

/** Why an answer is bad: words of `reasons.ts`, and the person's own. */
export type Why = { reasons: readonly string[]; comment: string };

/** Stores a file of a question, and tells how far it is. */
export type Upload = (
  file: File,
  way: { signal: AbortSignal; onProgress: (sentBytes: number) => void },
) => Promise<Attached>;

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
  /** What whoever reads it said of it. */
  verdict: Verdict | undefined;
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
    verdict: Verdict | undefined,
    why: Why,
  ) => Promise<void>;
  upload?: Upload;
};
