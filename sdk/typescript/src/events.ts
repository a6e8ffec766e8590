/** Events of runs: what an agent or a workflow does, one after the other, numbered. */
import type * as t from "./generated/types.gen.js";

/** Events of newer servers have types that are not in these unions: leave out what is not known. */
export type RunEvent = t.RunEvent;
export type WorkflowEvent = t.WorkflowEvent;
export type Run = t.EventRun;
export type Message = t.EventMessage;
export type ToolCall = t.EventToolCall;
export type Question = t.EventInterrupt;
