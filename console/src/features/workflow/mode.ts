/** What the server calls a workflow that is talked to. */
export const CHAT_FLOW = 3;
