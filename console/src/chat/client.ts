import type { OpenRun } from "../stream/run";

type Asked = { runId: string; conversationId: string; messageId: string | undefined };

export type Attached = { id: string; name: string; kind: "image" | "audio" | "file" };

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
  files: readonly string[];
  citations: string;
  at: number;
};

/** What a chat needs of a server; each surface brings its own. */
export type ChatClient = {
  ask: (question: Question) => Promise<Asked>;
  open: (runId: string) => OpenRun;
  /** Whether an error says that events are gone for good. */
  isFinal: (error: unknown) => boolean;
  cancel: (runId: string) => Promise<void>;
  submit: (runId: string, outputs: readonly { id: string; output: string }[]) => Promise<void>;
  /** Oldest first. */
  history: (conversationId: string) => Promise<readonly Stored[]>;
  fork: (conversationId: string, messageId: string) => Promise<string>;
  rate: (
    conversationId: string,
    messageId: string,
    verdict: "like" | "unlike" | undefined,
  ) => Promise<void>;
  upload: (file: File) => Promise<Attached>;
};
